"""Facts that an agent asserts and retracts itself."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from reverie.config.errors import NotFound, ValidationFailed
from reverie.pipelines import facts
from reverie.pipelines.context import Context
from reverie.store.facts import own_id
from reverie.tools.fields import Id, Ids, Moment, Params, Text, validated


class AssertFactParams(Params):
    """That something holds, from `valid_from` (now) on, or until `valid_to`.

    `source` says who stands behind it: a "user" said it, a "tool" returned it, or a "model" inferred it. By default it
    is who stands behind the observations, and without any it is the model.
    """

    subject: Text = Field(description="such as Ana")
    predicate: Text = Field(description="such as lives in")
    object: Text | None = Field(None, description="such as Lyon")
    valid_from: Moment | None = Field(None, description="default now")
    valid_to: Moment | None = Field(None, description="default it still holds")
    source: Literal["user", "tool", "model"] | None = Field(
        None, description="user said it, tool returned it, model inferred it"
    )
    supporting_observation_ids: Ids = Field((), description="observations it rests on")
    fact_id: SkipJsonSchema[Id | None] = None
    """Not shown to models: they name facts by what they say."""


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
    """Which fact holds no more, from `at` (now) on."""

    fact_id: Id
    replacement_fact_id: Id | None = None
    reason: Text | None = Field(None, description="why")
    at: Moment | None = Field(None, description="default now")


class CorrectFactParams(Params):
    """That a fact was wrong, and what is right in the place of its object."""

    fact_id: Id
    object: Text | None = Field(description="what is right instead")
    reason: Text | None = None


class RetractFactParams(Params):
    """Which fact never held."""

    fact_id: Id
    reason: Text | None = None


class FactsParams(Params):
    """Which facts are wanted, and as of which two times (default: now)."""

    subject: Text | None = None
    predicate: Text | None = None
    object: Text | None = None
    valid_as_of: Moment | None = Field(None, description="what held then; default now")
    known_as_of: Moment | None = Field(None, description="by what was known then; default now")


class _Name(Params):
    fact_id: Id


def assert_fact(
    ctx: Context, params: AssertFactParams, *, agent: str | None = None, token: str | None = None
) -> FactUpsert:
    """Assert a fact, by `agent` if given. With a `token` the same call made again does not count again.

    Raises ValidationFailed, Conflict (the id that it is given is another fact's), StoreUnavailable.
    """
    start = params.valid_from or ctx.clock()
    if params.valid_to is not None and params.valid_to <= start:
        raise ValidationFailed("valid_to", "must lie after valid_from")
    result = facts.assert_fact(
        ctx,
        facts.Assertion(
            subject=params.subject,
            predicate=params.predicate,
            object=params.object,
            valid_from=start,
            valid_to=params.valid_to,
            origin=params.source,
            observations=params.supporting_observation_ids,
            by=agent,
            token=token,
            given_id=params.fact_id,
        ),
    )
    return _upserted(result)


def _upserted(result: facts.Asserted) -> FactUpsert:
    return FactUpsert(
        fact_id=result.given_id or result.fact_id,
        created=result.created,
        observation_count=result.support,
        confidence=result.confidence,
        closed_fact_ids=result.closed,
        embedded=result.embedded,
        skipped_links=("supporting_observation_ids",) if result.missing else (),
    )


def invalidate_fact(ctx: Context, params: InvalidateFactParams) -> bool:
    """Retract a fact; False when it had ended already, which then keeps its first end.

    Raises ValidationFailed, NotFound (no such fact or replacement), StoreUnavailable.
    """
    if params.replacement_fact_id == params.fact_id:
        raise ValidationFailed("replacement_fact_id", "is the fact itself; name the fact that replaces it")
    at = params.at or ctx.clock()

    def change(fact_id: str, replacement: str | None) -> facts.Closed:
        return facts.invalidate(ctx, fact_id, replacement=replacement, reason=params.reason, at=at)

    try:
        return change(params.fact_id, params.replacement_fact_id).closed
    except NotFound:
        replacement = params.replacement_fact_id and own_id(ctx.ns, params.replacement_fact_id)
        return change(own_id(ctx.ns, params.fact_id), replacement).closed


def correct_fact(ctx: Context, params: CorrectFactParams) -> FactUpsert:
    """Put what is right in the place of a fact's object, and close the fact as wrong: it never held.

    Raises ValidationFailed, NotFound (no such fact), StoreUnavailable.
    """
    return _upserted(facts.correct(ctx, own_id(ctx.ns, params.fact_id), params.object, reason=params.reason))


def retract_fact(ctx: Context, params: RetractFactParams) -> bool:
    """Close a fact as wrong: it never held. False when it was not believed. Raises NotFound, StoreUnavailable."""
    return facts.retract(ctx, own_id(ctx.ns, params.fact_id), reason=params.reason).closed


def find_facts(ctx: Context, params: FactsParams) -> list[facts.FactView]:
    """The facts that held at one moment by what was known at another. Raises ValidationFailed."""
    return facts.facts(
        ctx,
        subject=params.subject,
        predicate=params.predicate,
        object=params.object,
        valid_as_of=params.valid_as_of,
        known_as_of=params.known_as_of,
    )


def get_fact(ctx: Context, fact_id: str) -> facts.FactView | None:
    """The fact in the version that holds now, else in its last one; None for an unknown id."""
    return facts.fact(ctx, own_id(ctx.ns, validated(_Name, fact_id=fact_id).fact_id))


def fact_history(ctx: Context, fact_id: str) -> list[facts.FactView]:
    """Every version of a fact, in the order they were recorded; [] for an unknown id."""
    return facts.history(ctx.ns, own_id(ctx.ns, validated(_Name, fact_id=fact_id).fact_id))
