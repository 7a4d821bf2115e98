"""What a plan may not do, whatever it was made from. A closing that breaks a rule is left out; the rest stands."""

from dataclasses import replace

from reverie.pipelines.consolidate.planning import Closing, SlotPlan
from reverie.pipelines.facts import closes


def check(plan: SlotPlan) -> tuple[SlotPlan, list[str]]:
    """The plan without the closings that may not be, and why each of them may not.

    A fact is closed only on the word of new evidence for what cannot hold beside it, and what a model inferred closes
    nothing that a user said.
    """
    rivals, retracted = plan.slot.rivals(), plan.slot.retracted()
    kept, refusals = [], []
    for closing in plan.closings:
        against = [
            reading.observation
            for reading in plan.slot.readings
            if closing.fact.id in rivals[plan.slot.claims[reading.id].id]
            or closing.fact.id in retracted.get(plan.slot.claims[reading.id].id, ())
        ]
        if not against:
            refusals.append(_refusal(closing, "nothing new speaks against it"))
        elif not any(closes(one.origin, closing.fact.origin) for one in against):
            refusals.append(_refusal(closing, "a model's word closes nothing that a user said"))
        else:
            kept.append(closing)
    return replace(plan, closings=tuple(kept)), refusals


def _refusal(closing: Closing, reason: str) -> str:
    return f"fact {closing.fact.id} stays: {reason}"
