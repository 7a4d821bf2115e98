"""Facts in two times: asserted, reinforced, closed, corrected; read as of any pair of times.

`knowledge.versions` is the pure algebra of a fact's life; what is here reads and writes it.
"""

from reverie.knowledge.identity import base_form, fact_id, slot_of
from reverie.knowledge.versions import Interval
from reverie.knowledge.wording import folded
from reverie.pipelines.facts.asserting import Asserted, Assertion, assert_fact, closes
from reverie.pipelines.facts.cardinality import declare, declared, single_valued
from reverie.pipelines.facts.closing import Closed, close, invalidate, reopen, revise, withdraw
from reverie.pipelines.facts.correcting import correct, retract
from reverie.pipelines.facts.reading import FactView, fact, facts, history, holds, latest, records, views
from reverie.pipelines.facts.settling import Extra
from reverie.pipelines.facts.stability import unstable

__all__ = [
    "Asserted",
    "Assertion",
    "Closed",
    "Extra",
    "FactView",
    "Interval",
    "assert_fact",
    "base_form",
    "close",
    "closes",
    "correct",
    "declare",
    "declared",
    "fact",
    "fact_id",
    "facts",
    "folded",
    "history",
    "holds",
    "invalidate",
    "latest",
    "records",
    "reopen",
    "retract",
    "revise",
    "single_valued",
    "slot_of",
    "unstable",
    "views",
    "withdraw",
]
