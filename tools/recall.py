"""The agent's recall."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from reverie.pipelines.context import Context
from reverie.pipelines.recall import ContextBundle, Query
from reverie.pipelines.recall import recall as search
from reverie.pipelines.recall.question import CHANNELS, KINDS
from reverie.tools.fields import AnyText, Count, Ids, Moment, Params, ZonedMoment


class RecallParams(Params):
    """A question and the bounds of what may answer it. What is not given is open."""

    query: AnyText
    limit: Annotated[Count, Field(le=200)] | None = None
    token_budget: Count | None = None
    sessions: Ids | None = None
    """Only what was said or done in these; none of it for an empty list."""
    participants: Ids | None = None
    """Only what these said or were told; none of it for an empty list."""
    since: Moment | None = None
    until: Moment | None = None
    valid_as_of: Moment | None = None
    known_as_of: Moment | None = None
    kinds: Ids | None = None
    exclude: Ids = ()
    """Messages and other items that are no answer, by their ids."""
    at: ZonedMoment | None = None
    """When it is asked; "yesterday" is a day in its zone."""
    channels: Ids = CHANNELS

    @field_validator("kinds", "channels")
    @classmethod
    def _known(cls, value: tuple[str, ...] | None, info: Any) -> tuple[str, ...] | None:
        known = KINDS if info.field_name == "kinds" else CHANNELS
        for one in value or ():
            if one not in known:
                raise PydanticCustomError(
                    "unknown", "{one} is none of {known}", {"one": one, "known": ", ".join(known)}
                )
        return value

    @model_validator(mode="after")
    def _ordered(self) -> "RecallParams":
        if self.since is not None and self.until is not None and self.until <= self.since:
            raise PydanticCustomError("empty_time", "until must come after since")
        return self


def recall(ctx: Context, agent: str, params: RecallParams, *, is_use: bool = True) -> ContextBundle:
    """What the memory holds on a question. Raises StoreUnavailable.

    Without `is_use` nothing counts as used: for those who look at how an agent's recall goes.
    """
    now: datetime = ctx.clock()
    at = params.at or now
    bounds = params.model_dump(exclude={"query", "limit", "token_budget", "at", "valid_as_of", "known_as_of"})
    return search(
        ctx,
        Query(
            text=params.query,
            agent=agent,
            at=at,
            valid_as_of=params.valid_as_of or at,
            known_as_of=params.known_as_of or now,
            limit=params.limit or ctx.settings.recall_limit,
            token_budget=params.token_budget or ctx.settings.recall_token_budget,
            is_use=is_use,
            **bounds,
        ),
    )
