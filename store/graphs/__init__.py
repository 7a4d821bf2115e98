"""Knowledge graphs as they are stored: their keys, and verbs to read and change them.

A graph is named by its `GraphKeys`. Verbs that change take a transaction, so that records, rows and sorted sets of one
write land together.
"""

from reverie.store.graphs.keys import GraphKeys, log_tag

__all__ = ["GraphKeys", "log_tag"]
