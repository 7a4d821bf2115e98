"""Recall: from a question to the bundle of what the memory holds on it.

`question` reads what is asked, `candidates` gathers what may answer it from the store, `ranking` and `selection` choose
among that, `items` and `bundle` make of it what the caller gets; `recall` runs them, phase by phase.
"""

from reverie.pipelines.recall.bundle import ContextBundle, Item, Reason, Trace
from reverie.pipelines.recall.question import Query
from reverie.pipelines.recall.recall import recall

__all__ = ["ContextBundle", "Item", "Query", "Reason", "Trace", "recall"]
