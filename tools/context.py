"""The working context of a goal: what is in front of the agent for it right now."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from reverie.knowledge.versions import holding
from reverie.pipelines.context import Context
from reverie.store import goal_neighbourhood
from reverie.store.records.conversation import MessageRecord
from reverie.store.records.facts import FactRecord
from reverie.store.records.knowledge import EntityRecord
from reverie.store.unreadable import read_one, readable
from reverie.tools import tasks
from reverie.tools.fields import Count, Id, Params, validated
from reverie.tools.goals import GoalView
from reverie.tools.tasks import TaskView

_FACTS = _ENTITIES = 50
_SUPERSEDED = 4
"""So many times more facts are read than shown: those that hold no more are left out afterwards."""
_WALKED = 2000
"""Newest messages that are looked at for facts and entities."""


class GoalContext(BaseModel):
    """A goal with its tasks and those of the goals below it, and what was said and is known in the sessions that served
    them. Messages are in order of time, everything else the newest first; facts are those that hold now.
    """

    model_config = ConfigDict(frozen=True)

    goal: GoalView
    tasks: tuple[TaskView, ...]
    sessions: tuple[str, ...]
    """Ids."""
    recent_messages: tuple[str, ...]
    """What was said."""
    facts: tuple[str, ...]
    """Sentences."""
    entities: tuple[str, ...]
    """Names."""
    message_ids: tuple[str, ...]
    fact_ids: tuple[str, ...]
    entity_ids: tuple[str, ...]


class _ContextParams(Params):
    goal_id: Id
    messages: Annotated[Count, Field(le=1000)] = 20


def goal_context(ctx: Context, agent: str, goal_id: str, *, messages: int = 20) -> GoalContext | None:
    """The goal's working context, computed live; None for an id that is none of the agent's goals.

    Raises ValidationFailed, StoreUnavailable.
    """
    checked = validated(_ContextParams, goal_id=goal_id, messages=messages)
    found = goal_neighbourhood.of_goal(
        ctx.ns,
        checked.goal_id,
        messages=checked.messages,
        walked=_WALKED,
        facts=_FACTS * _SUPERSEDED,
        entities=_ENTITIES,
    )
    if found is None:
        return None
    goal = read_one("goal", found.goal, GoalView.model_validate_json)
    if goal.agent != agent:
        return None
    said = readable(ctx.ns, "message", reversed(found.messages), MessageRecord.read)
    now = ctx.clock()
    claims = readable(ctx.ns, "fact", found.facts, FactRecord.read)
    claims = [claim for claim in claims if holding(claim.versions, now, now) is not None][:_FACTS]
    things = readable(ctx.ns, "entity", found.entities, EntityRecord.read)
    return GoalContext(
        goal=goal,
        tasks=tuple(tasks.views(ctx.ns, found.tasks)),
        sessions=tuple(found.sessions),
        recent_messages=tuple(message.content for message in said),
        facts=tuple(claim.content for claim in claims),
        entities=tuple(thing.name for thing in things),
        message_ids=tuple(message.id for message in said),
        fact_ids=tuple(claim.id for claim in claims),
        entity_ids=tuple(thing.id for thing in things),
    )
