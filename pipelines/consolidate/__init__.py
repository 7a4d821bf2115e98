"""From observations to facts: plan, check, apply, with an audit that can be undone.

`knowledge.timeline` says when claims held by all the evidence for and against them, `knowledge.objects` which wordings
mean the same; `wording` says what a claim is about. `gathering` reads what the new observations touch, `planning` makes
the changes of it, `checking` refuses what may never be, `applying` carries it out and `undoing` takes it back.
"""

from reverie.pipelines.consolidate.audit import CycleView, cycle, cycles, facts_from, is_waiting
from reverie.pipelines.consolidate.pending import TOPIC, hasten, is_enough, queue, requeue
from reverie.pipelines.consolidate.runs import Part, again, consolidate, preview, undo_cycle, work_off

__all__ = [
    "TOPIC",
    "CycleView",
    "Part",
    "again",
    "consolidate",
    "cycle",
    "cycles",
    "facts_from",
    "hasten",
    "is_enough",
    "is_waiting",
    "preview",
    "queue",
    "requeue",
    "undo_cycle",
    "work_off",
]
