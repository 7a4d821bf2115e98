"""Facts that an agent asserts and retracts itself."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from reverie.config.errors import ValidationFailed
from reverie.pipelines import facts
from reverie.pipelines.base import KnowledgeBase
from reverie.tools.fields import Id, Moment, Params, Text, validated


class AssertFactParams(Params):
    """That something holds, from `valid_from` (now) on, or until `valid_to`.

    `source` says who stands behind it: a "user" said it, a "tool" returned it, or a "model" inferred it. By default it
    is who stands behind the observations, and without any it is the model.
    """

    subject: Text = Field(description="whom or what it is about, such as Ana")
    predicate: Text = Field(description="what it says of it, such as lives in")
    object: Text | None = Field(None, description="such as Lyon")
    valid_from: Moment | None = Field(None, description="since when it holds; default now")
    valid_to: Moment | None = Field(None, description="until when it held; default it still does")
    source: Literal["user", "tool", "model"] | None = Field(
        None, description="user: somebody said it; tool: a tool returned it; model: you inferred it"
    )
    supporting_observation_ids: tuple[Id, ...] = Field((), description="the observations that it rests on")


class FactUpsert(BaseModel):
    """What became of an assertion: a new fact, or one more support of a known one."""

    model_config = ConfigDict(frozen=True)

    fact_id: str
    created: bool
    observation_count: int
    confidence: float
    closed_fact_ids: tuple[str, ...] = ()
    """Facts that it ended, because the predicate holds one value at a time."""
    embedded: bool = True
    """False when the embedder was late: found by text now, by meaning once a worker filled the vector in."""
    skipped_links: tuple[str, ...] = ()


class InvalidateFactParams(Params):
    """That a fact holds no more, from `at` (now) on."""

    fact_id: Id = Field(description="the fact that holds no more")
    replacement_fact_id: Id | None = Field(None, description="the fact that holds instead")
    reason: Text | None = Field(None, description="why")
    at: Moment | None = Field(None, description="since when; default now")


class FactsParams(Params):
    """Which facts, as of when (both: now)."""

    subject: Text | None = Field(None, description="such as Ana")
    predicate: Text | None = Field(None, description="such as lives in")
    object: Text | None = Field(None, description="such as Lyon")
    valid_as_of: Moment | None = Field(None, description="what held in the world then; default now")
    known_as_of: Moment | None = Field(None, description="by what was known then; default now")


class _Name(Params):
    fact_id: Id


def assert_fact(
    kb: KnowledgeBase,
    params: AssertFactParams | Mapping[str, Any] | None = None,
    /,
    *,
    agent: str | None = None,
    token: str | None = None,
    **given: Any,
) -> FactUpsert:
    """Assert a fact, by `agent` if given. With a `token` the same call made again does not count again.

    Raises ValidationFailed, StoreUnavailable.
    """
    checked = validated(AssertFactParams, params, **given)
    start = checked.valid_from or kb.clock()
    if checked.valid_to is not None and checked.valid_to <= start:
        raise ValidationFailed("valid_to", "must lie after valid_from")
    result = facts.assert_fact(
        kb,
        facts.Assertion(
            subject=checked.subject,
            predicate=checked.predicate,
            object=checked.object,
            valid_from=start,
            valid_to=checked.valid_to,
            origin=checked.source,
            observations=checked.supporting_observation_ids,
            by=agent,
            token=token,
        ),
    )
    return FactUpsert(
        fact_id=result.fact_id,
        created=result.created,
        observation_count=result.support,
        confidence=result.confidence,
        closed_fact_ids=result.closed,
        embedded=result.embedded,
        skipped_links=("supporting_observation_ids",) if result.missing else (),
    )


def invalidate_fact(
    kb: KnowledgeBase, params: InvalidateFactParams | Mapping[str, Any] | None = None, /, **given: Any
) -> bool:
    """Retract a fact; False when it had ended already, which then keeps its first end.

    Raises ValidationFailed, NotFound (no such fact or replacement), StoreUnavailable.
    """
    checked = validated(InvalidateFactParams, params, **given)
    if checked.replacement_fact_id == checked.fact_id:
        raise ValidationFailed("replacement_fact_id", "is the fact itself; name the fact that replaces it")
    return facts.invalidate(
        kb,
        checked.fact_id,
        replacement=checked.replacement_fact_id,
        reason=checked.reason,
        at=checked.at or kb.clock(),
    ).closed


def find_facts(
    kb: KnowledgeBase, params: FactsParams | Mapping[str, Any] | None = None, /, **given: Any
) -> list[facts.FactView]:
    """The facts that held at one moment by what was known at another. Raises ValidationFailed."""
    checked = validated(FactsParams, params, **given)
    return facts.facts(
        kb,
        subject=checked.subject,
        predicate=checked.predicate,
        object=checked.object,
        valid_as_of=checked.valid_as_of,
        known_as_of=checked.known_as_of,
    )


def get_fact(kb: KnowledgeBase, fact_id: str) -> facts.FactView | None:
    """The fact in the version that holds now, else in its last one; None for an unknown id."""
    return facts.fact(kb, validated(_Name, fact_id=fact_id).fact_id)


def fact_history(kb: KnowledgeBase, fact_id: str) -> list[facts.FactView]:
    """Every version of a fact, in the order they were recorded; [] for an unknown id."""
    return facts.history(kb, validated(_Name, fact_id=fact_id).fact_id)
