"""Episodes: what an agent experienced, and in which order."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from reverie.pipelines import decay, procedures
from reverie.pipelines.context import Context
from reverie.pipelines.rows import episode_draft
from reverie.store import pages
from reverie.store.commit import Transaction
from reverie.store.keys import member_of
from reverie.store.namespace import Namespace
from reverie.store.records.activity import EpisodeRecord
from reverie.store.records.conversation import ParticipantRecord
from reverie.store.times import to_micros
from reverie.tools.fields import Count, Id, Ids, Json, Moment, Params, Text, Unit, validated
from reverie.tools.identity import fingerprint, fresh_id
from reverie.tools.plainjson import from_text, to_text
from reverie.tools.references import References
from reverie.tools.writing import Links, insert

RECORDED_BY, INVOLVES = "RECORDED_BY", "INVOLVES"
_TEXTS = ("topic", "question", "description", "summary", "input")
"""Keys of the state that say what an episode was about, the most telling first."""


class RecordEpisodeParams(Params):
    """What was done, how it ended and in which state. `at` defaults to now; `state` and `delta` are any JSON."""

    action_type: Text = Field(description="such as build or query")
    episode_id: Id | None = None
    outcome: Text | None = Field(None, description="such as success or failure")
    state: Json = Field(None, description="what was the case; found by its topic, question, description or summary")
    delta: Json = Field(None, description="what changed")
    importance: Unit = Field(0.5, description="0 to 1, the higher the longer remembered; default 0.5")
    at: Moment | None = Field(None, description="default now")
    session_id: Id | None = None
    goal_id: Id | None = None
    triggered_by_message_id: Id | None = None
    involved_action_ids: Ids = ()


class RecordEpisodeResult(BaseModel):
    """What became of it."""

    model_config = ConfigDict(frozen=True)

    episode_id: str
    created: bool
    embedded: bool = True
    """False when the embedder was late: found by text now, by meaning once a worker filled the vector in."""
    skipped_links: tuple[str, ...] = ()


class EpisodeView(BaseModel):
    """An episode. It follows the agent's latest one before it, when that was within `episode_continuity` (1 h)."""

    model_config = ConfigDict(frozen=True)

    episode_id: str
    agent: str
    action_type: str
    outcome: str | None
    state: Any
    delta: Any
    importance: float
    at: datetime
    text: str
    session_id: str | None
    goal_id: str | None
    triggered_by_message_id: str | None
    involved_action_ids: tuple[str, ...]
    follows: str | None
    """Id of the episode it follows."""
    gap: float | None
    """Seconds since that one."""


def record_episode(ctx: Context, agent: str, params: RecordEpisodeParams) -> RecordEpisodeResult:
    """Record an episode. Raises ValidationFailed, Conflict, StoreUnavailable."""
    now = ctx.clock()
    record = _record(ctx.ns, agent, params, now)
    references = References(agent, record.at, record.session, record.goal_id, message=record.triggered_by)

    def link(transaction: Transaction, links: Links) -> None:
        node = ("episode", record.id)
        transaction.put(ParticipantRecord.new(ctx.ns, agent, recorded_at=now), only_new=True)
        transaction.link(RECORDED_BY, node, ("participant", agent), record.at, order=to_micros(record.recorded_at))
        references.link(ctx, transaction, links, node)
        for action in record.involved:
            exists = links.optional("involved_action_ids", "action", action)
            transaction.link(INVOLVES, node, ("action", action), record.at, when=exists)
        transaction.queue(procedures.TOPIC, record.id, now)
        decay.plan(transaction, ctx.settings, record.id, record.importance, record.at)

    written = insert(ctx, record, link, (episode_draft(record),))
    if written.created:
        ctx.wake(procedures.TOPIC, ctx.namespace)
    return RecordEpisodeResult(
        episode_id=written.record.id,
        created=written.created,
        embedded=written.embedded,
        skipped_links=written.skipped_links,
    )


def _record(ns: Namespace, agent: str, params: RecordEpisodeParams, now: datetime) -> EpisodeRecord:
    return EpisodeRecord.new(
        ns,
        params.episode_id or fresh_id(now),
        agent=agent,
        action_type=params.action_type,
        outcome=params.outcome,
        state=to_text(params.state),
        delta=to_text(params.delta),
        importance=params.importance,
        at=params.at or now,
        text=_text(params),
        session=params.session_id,
        goal_id=params.goal_id,
        triggered_by=params.triggered_by_message_id,
        involved=list(dict.fromkeys(params.involved_action_ids)),
        recorded_at=now,
        digest=fingerprint({**params.model_dump(exclude={"episode_id"}), "agent": agent}),
    )


def _text(params: RecordEpisodeParams) -> str:
    state = params.state if isinstance(params.state, dict) else {}
    for key in _TEXTS:
        text = state.get(key)
        if isinstance(text, str) and text.replace("\0", " ").strip():
            return text
    return params.action_type if params.outcome is None else f"{params.action_type} {params.outcome}"


class _Name(Params):
    episode_id: Id


class _Newest(Params):
    newest: Count | None


def get_episode(ctx: Context, agent: str, episode_id: str) -> EpisodeView | None:
    """The episode; None for an id that is none of the agent's episodes."""
    name = validated(_Name, episode_id=episode_id).episode_id
    record = ctx.ns.get(EpisodeRecord, name)
    if record is None or record.agent != agent:
        return None
    return _views(ctx, [_before(ctx.ns, record), record])[-1]


def episodes(ctx: Context, agent: str, *, newest: int | None = None) -> list[EpisodeView]:
    """The agent's episodes in order of time, all or the `newest` ones. Raises ValidationFailed."""
    most = validated(_Newest, newest=newest).newest
    wanted = None if most is None else most + 1
    ids = ctx.ns.sources(RECORDED_BY, "episode", ("participant", agent), newest=wanted)
    found = [record for record in ctx.ns.get_many(EpisodeRecord, ids) if record is not None]
    views = _views(ctx, list(found))
    return views if most is None else views[-most:]


def episode_views(ctx: Context, records: Sequence[EpisodeRecord]) -> list[EpisodeView]:
    """The episodes of these records in the order given, each with the one it follows."""
    places = [
        (
            pages.linked(ctx.ns, RECORDED_BY, "episode", ("participant", one.agent)),
            member_of(one.id, to_micros(one.recorded_at)),
        )
        for one in records
    ]
    before = pages.previous(ctx.ns, places)
    ids = sorted({id for id in before if id is not None})
    known = {one.id: one for one in ctx.ns.get_many(EpisodeRecord, ids) if one is not None}
    return [_views(ctx, [known.get(id or ""), one])[-1] for one, id in zip(records, before, strict=True)]


def _before(ns: Namespace, record: EpisodeRecord) -> EpisodeRecord | None:
    """The agent's latest episode before this one."""
    id = ns.before(
        RECORDED_BY, ("episode", record.id), ("participant", record.agent), order=to_micros(record.recorded_at)
    )
    return None if id is None else ns.get(EpisodeRecord, id)


def _views(ctx: Context, records: list[EpisodeRecord | None] | list[EpisodeRecord]) -> list[EpisodeView]:
    made = []
    before: EpisodeRecord | None = None
    for record in records:
        if record is not None:
            gap = None if before is None else record.at - before.at
            follows = gap is not None and gap <= ctx.settings.episode_continuity
            made.append(_view(record, before if follows else None, gap if follows else None))
            before = record
    return made


def _view(record: EpisodeRecord, before: EpisodeRecord | None, gap: timedelta | None) -> EpisodeView:
    return EpisodeView(
        episode_id=record.id,
        agent=record.agent,
        action_type=record.action_type,
        outcome=record.outcome,
        state=from_text(record.state),
        delta=from_text(record.delta),
        importance=record.importance,
        at=record.at,
        text=record.text,
        session_id=record.session,
        goal_id=record.goal_id,
        triggered_by_message_id=record.triggered_by,
        involved_action_ids=tuple(record.involved),
        follows=None if before is None else before.id,
        gap=None if gap is None else gap.total_seconds(),
    )
