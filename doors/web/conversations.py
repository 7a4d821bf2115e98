"""Conversations: sessions with their summaries, and messages with what was learned from each."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie import Memory
from reverie.config.errors import NotFound
from reverie.pipelines import facts
from reverie.pipelines.facts import FactView
from reverie.store import evidence, timeline, work
from reverie.store.records.conversation import MessageRecord, SessionRecord
from reverie.store.records.knowledge import ObservationRecord
from reverie.store.records.synopses import SummaryRecord
from reverie.web.asked import number
from reverie.web.pages import memory_of, page
from reverie.web.text import SHOWN, visible

_TURNS = 40
"""Messages of a session on one page."""
_BEFORE = 3
"""Messages before one that are shown with it: what it answers stands there."""
_WHOLE = 200_000
"""Characters of a message on its own page; the rest is in its chunks."""

_FELL_BACK = {
    "unavailable": "read by rules: the language model was out",
    "unusable": "read by rules: the language model's reply could not be used",
    "late": "read by rules: there was no time left for the language model",
}


@dataclass(frozen=True)
class Turn:
    """A message with what was learned from it, and why there is nothing where there is nothing."""

    message: MessageRecord
    observations: Sequence[ObservationRecord]
    facts: Sequence[FactView]
    why: str

    def text(self, limit: int = SHOWN) -> Markup:
        """What was said, with what was learned from it marked."""
        said = visible(self.message.content[:limit])
        learned = sorted({visible(one.object) for one in self.observations if one.object}, key=len, reverse=True)
        if not learned:
            return Markup("<bdi>{}</bdi>").format(said)
        pattern = re.compile("|".join(rf"(?<!\w){re.escape(one)}(?!\w)" for one in learned), re.IGNORECASE)
        shown, rest = Markup(), 0
        for found in pattern.finditer(said):
            shown += escape(said[rest : found.start()]) + Markup("<mark>{}</mark>").format(found.group())
            rest = found.end()
        return Markup("<bdi>{}</bdi>").format(shown + escape(said[rest:]))


def _conversations(request: Request) -> Response:
    memory = memory_of(request)
    agent = request.query_params.get("agent", "").strip()
    found = memory.browse.sessions(
        agent=agent or None, newest_first=True, cursor=request.query_params.get("after") or None
    )
    ids = [one.session_id for one in found.items]
    summaries = memory.ctx.ns.sources_of_many("SUMMARY_OF", "summary", "session", ids)
    records = memory.ctx.ns.get_many(SummaryRecord, [id for group in summaries for id in group])
    told = {one.session: one.text for one in records if one is not None}
    return page(request, "conversations.html", found=found, told=told, agent=agent)


def _conversation(request: Request) -> Response:
    memory = memory_of(request)
    id = request.query_params.get("session", "")
    session = memory.ctx.ns.get(SessionRecord, id)
    if session is None:
        raise NotFound("session", id)
    newest = number(request, "newest", _TURNS, 100_000)
    records = timeline.messages(memory.ctx.ns, id, newest=newest + 1)
    summaries = memory.ctx.ns.sources("SUMMARY_OF", "summary", ("session", id))
    return page(
        request,
        "conversation.html",
        session=session,
        turns=turns(memory, records[-newest:]),
        earlier=newest + _TURNS if len(records) > newest else None,
        summaries=[one for one in memory.ctx.ns.get_many(SummaryRecord, summaries) if one is not None],
    )


def _message(request: Request) -> Response:
    memory = memory_of(request)
    id = request.query_params.get("id", "")
    message = memory.ctx.ns.get(MessageRecord, id)
    if message is None:
        raise NotFound("message", id)
    [before] = timeline.preceding(memory.ctx.ns, [message], _BEFORE)
    [turn] = turns(memory, [message])
    return page(request, "message.html", turn=turn, before=before, whole=_WHOLE)


def turns(memory: Memory, messages: Sequence[MessageRecord]) -> list[Turn]:
    """Messages with what was learned from each; five round trips for all."""
    ns = memory.ctx.ns
    ids = [one.id for one in messages]
    observed = ns.sources_of_many("OBSERVED_IN", "observation", "message", ids)
    known = {one.id: one for one in ns.get_many(ObservationRecord, [id for group in observed for id in group]) if one}
    claims = evidence.claims_of(ns, list(known))
    held = {one.fact_id: one for one in facts.views(memory.ctx, sorted({id for group in claims for id in group}))}
    led_to: Mapping[str, Sequence[str]] = dict(zip(known, claims, strict=True))
    waiting = dict(zip(ids, work.pending(ns, "ingest", ids), strict=True))
    found = []
    for message, group in zip(messages, observed, strict=True):
        observations = [known[id] for id in group if id in known]
        believed = dict.fromkeys(fact for one in observations for fact in led_to[one.id] if fact in held)
        why = _why(memory, message, waiting[message.id], len(observations))
        found.append(Turn(message, observations, [held[id] for id in believed], why))
    return found


def _why(memory: Memory, message: MessageRecord, is_waiting: bool, learned: int) -> str:
    """What there is to say of how the message was read; "" when that is what one expects."""
    if is_waiting:
        return "waits for a worker"
    if message.role not in memory.settings.extract_roles:
        return f"not learned from: its role is {message.role} (REVERIE_EXTRACT_ROLES)"
    if message.fell_back is not None:
        return _FELL_BACK[message.fell_back]
    return "" if learned else "read; nothing in it was sure enough to keep"


routes = [
    Route("/conversations", _conversations),
    Route("/conversation", _conversation),
    Route("/message", _message),
]
