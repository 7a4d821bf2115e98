"""Standing instructions: what users told an agent to do from then on."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from reverie.knowledge.kinds import INSTRUCT, matter_of
from reverie.pipelines import facts
from reverie.pipelines.context import Context
from reverie.pipelines.facts import FactView
from reverie.store.records.knowledge import ObservationRecord


class InstructionView(BaseModel):
    """A standing instruction, as it holds now."""

    model_config = ConfigDict(frozen=True)

    fact_id: str
    """Under this id it is corrected, retracted and forgotten like any fact."""
    giver: str
    instruction: str
    scope: str | None
    """The matter it is about, where that was told, such as "language"."""
    valid_from: datetime
    valid_to: datetime | None
    since: str
    until: str | None
    """As precise as they were told."""
    messages: tuple[str, ...]

    def line(self) -> str:
        """The instruction as it stands in a prompt and on a card."""
        until = "" if self.until is None else f" until {self.until}"
        return f"{self.giver} asks (since {self.since[:10]}{until}): {' '.join(self.instruction.split())}"


def instructions(
    ctx: Context,
    *,
    agent: str | None = None,
    giver: str | None = None,
    valid_as_of: datetime | None = None,
    known_as_of: datetime | None = None,
) -> list[InstructionView]:
    """The instructions that held at one moment by what was known at another (both: now), oldest first: all, those given
    to an agent, or those of one giver.

    Raises StoreUnavailable.
    """
    held = facts.facts(ctx, subject=giver, predicate=INSTRUCT, valid_as_of=valid_as_of, known_as_of=known_as_of)
    found = [one for one in held if one.object is not None]
    ids = list(dict.fromkeys(id for one in found for id in one.observations))
    heard = {one.id: one.agent for one in ctx.ns.get_many(ObservationRecord, ids) if one is not None}
    return [_view(one) for one in found if agent is None or _is_for(one, agent, heard)]


def _is_for(fact: FactView, agent: str, heard: dict[str, str]) -> bool:
    """Whether an instruction was given to an agent, or to all by a call."""
    agents = {heard[id] for id in fact.observations if id in heard}
    return agent in agents or not agents


def _view(fact: FactView) -> InstructionView:
    return InstructionView(
        fact_id=fact.fact_id,
        giver=fact.subject,
        instruction=fact.object or "",
        scope=matter_of(fact.kind_of_thing),
        valid_from=fact.valid_from,
        valid_to=fact.valid_to,
        since=fact.since,
        until=fact.until,
        messages=fact.messages,
    )
