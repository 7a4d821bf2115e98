"""What messages say, each read after the turns before it in its session."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta, timezone

from reverie.knowledge.quotation import own_words
from reverie.pipelines.context import Context
from reverie.pipelines.ingest import asking
from reverie.pipelines.ingest.language.base import WINDOW, Extraction, Utterance
from reverie.pipelines.ingest.language.reading import extract
from reverie.store import recalled, timeline
from reverie.store.namespace import Namespace
from reverie.store.records.conversation import FellBack, MessageRecord, SessionRecord

LONGEST = 20_000
"""Characters of a message that are read for claims. All of a longer one is found by its chunks."""
_BEFORE_SESSION = timedelta(minutes=5)
"""An agent may recall for a session before the session's first message is stored."""


@dataclass(frozen=True)
class Reading:
    """A message, the turn it is in the eyes of extraction, the turns before it, and what it says."""

    message: MessageRecord
    utterance: Utterance
    history: tuple[Utterance, ...]
    extraction: Extraction
    fell_back: FellBack | None = None
    """Why no language model read it, where one was to."""


def read(ctx: Context, messages: Sequence[MessageRecord]) -> list[Reading]:
    """One reading for each message, in their order."""
    before = timeline.preceding(ctx.ns, messages, WINDOW)
    utterances = [_turn(message, _own(ctx.ns, message)) for message in messages]
    histories = [tuple(_turn(each, own_words(each.content)) for each in earlier) for earlier in before]
    extractions: list[Extraction] = [Extraction()] * len(messages)
    fell_back: list[FellBack | None] = [message.fell_back for message in messages]
    wanted = [place for place, message in enumerate(messages) if message.role in ctx.settings.extract_roles]
    for run in _runs(messages, wanted, before):
        found = extract([utterances[place] for place in run], histories[run[0]])
        for place, extraction in zip(run, found, strict=True):
            extractions[place] = extraction
    if ctx.llm is not None and ctx.settings.llm_extract:
        items = [asking.Item(utterances[place], histories[place], extractions[place]) for place in wanted]
        for place, heard in zip(wanted, asking.improve(ctx, ctx.llm, items), strict=True):
            extractions[place], fell_back[place] = heard.extraction, heard.fell_back
    return [Reading(*parts) for parts in zip(messages, utterances, histories, extractions, fell_back, strict=True)]


def _runs(
    messages: Sequence[MessageRecord], wanted: Sequence[int], before: Sequence[Sequence[MessageRecord]]
) -> list[list[int]]:
    """Places of messages that follow each other directly in their session: these are parsed once, as one run."""
    runs: list[list[int]] = []
    for place in wanted:
        last = messages[runs[-1][-1]] if runs else None
        if last is not None and before[place] and before[place][-1].id == last.id:
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def _turn(message: MessageRecord, text: str) -> Utterance:
    zone = timezone(timedelta(minutes=message.utc_offset))
    return Utterance(text[:LONGEST], message.sender, tuple(message.addressed_to), message.at.astimezone(zone))


def _own(ns: Namespace, message: MessageRecord) -> str:
    """The message without what came from the memory: fenced blocks, and items recalled in its session word for word."""
    session = ns.get(SessionRecord, message.session)
    since = (session.recorded_at if session else message.recorded_at) - _BEFORE_SESSION
    echoes = recalled.between(ns, message.agent, since, message.recorded_at)
    return own_words(message.content, [echo.text for echo in echoes if echo.id != message.id])
