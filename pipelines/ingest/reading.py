"""What messages say, each read after the turns before it in its session."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta, timezone

from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.ingest import asking
from reverie.pipelines.ingest.language.base import WINDOW, Extraction, Turn
from reverie.pipelines.ingest.language.reading import extract
from reverie.pipelines.ingest.quotation import own_words
from reverie.store import recalled, timeline
from reverie.store.records.conversation import FellBack, MessageRecord, SessionRecord

LONGEST = 20_000
"""Characters of a message that are read for claims. All of a longer one is found by its chunks."""
_BEFORE_SESSION = timedelta(minutes=5)
"""An agent may recall for a session before the session's first message is stored."""


@dataclass(frozen=True)
class Reading:
    """A message, the turn it is in the eyes of extraction, the turns before it, and what it says."""

    message: MessageRecord
    turn: Turn
    history: tuple[Turn, ...]
    extraction: Extraction
    fell_back: FellBack | None = None
    """Why no language model read it, where one was to."""


def read(kb: KnowledgeBase, messages: Sequence[MessageRecord]) -> list[Reading]:
    """A reading a message, in order."""
    before = timeline.preceding(kb.space, messages, WINDOW)
    turns = [_turn(message, _own(kb, message)) for message in messages]
    histories = [tuple(_turn(each, own_words(each.content)) for each in earlier) for earlier in before]
    extractions: list[Extraction] = [Extraction()] * len(messages)
    fell_back: list[FellBack | None] = [message.fell_back for message in messages]
    wanted = [place for place, message in enumerate(messages) if message.role in kb.settings.extract_roles]
    for run in _runs(messages, wanted, before):
        found = extract([turns[place] for place in run], histories[run[0]])
        for place, extraction in zip(run, found, strict=True):
            extractions[place] = extraction
    if kb.llm is not None and kb.settings.llm_extract:
        items = [asking.Item(turns[place], histories[place], extractions[place]) for place in wanted]
        for place, heard in zip(wanted, asking.improve(kb, kb.llm, items), strict=True):
            extractions[place], fell_back[place] = heard.extraction, heard.fell_back
    return [Reading(*parts) for parts in zip(messages, turns, histories, extractions, fell_back, strict=True)]


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


def _turn(message: MessageRecord, text: str) -> Turn:
    zone = timezone(timedelta(minutes=message.utc_offset))
    return Turn(text[:LONGEST], message.sender, tuple(message.addressed_to), message.at.astimezone(zone))


def _own(kb: KnowledgeBase, message: MessageRecord) -> str:
    """The message without what came from the memory: fenced blocks, and items recalled in its session word for word."""
    session = kb.space.get(SessionRecord, message.session)
    since = (session.recorded_at if session else message.recorded_at) - _BEFORE_SESSION
    echoes = recalled.between(kb.space, message.agent, since, message.recorded_at)
    return own_words(message.content, [echo.text for echo in echoes if echo.id != message.id])
