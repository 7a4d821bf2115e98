"""Knowledge graphs as they are stored: their keys, and verbs to read, change and search them.

A graph is named by its `GraphKeys`. Verbs that change take a transaction, so that records, rows and sorted sets of one
write land together.
"""

from reverie.store.graphs.keys import GraphKeys, log_tag
from reverie.store.graphs.search import Found, GraphHit, Lookup, count_rows, search_graph

__all__ = ["Found", "GraphHit", "GraphKeys", "Lookup", "count_rows", "log_tag", "search_graph"]
