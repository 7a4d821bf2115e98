"""Recall: from a question to the bundle of what the memory holds on it.

`intent` reads the question, `phases` asks the store channel by channel, `features` and `weights` rank what was found,
`excerpts` and `selection` make items of it, `bundle` is what the caller gets.
"""

from reverie.pipelines.recall.bundle import ContextBundle, Item, Place, Trace
from reverie.pipelines.recall.query import Query
from reverie.pipelines.recall.recall import recall

__all__ = ["ContextBundle", "Item", "Place", "Query", "Trace", "recall"]
