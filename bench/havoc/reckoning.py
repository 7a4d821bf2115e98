"""What is left at the end, beside what the same words give when nothing disturbs them."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from havoc.script import Piece
from reverie import Memory, ReverieError
from reverie.config.errors import StoreError
from reverie.config.task_names import DOCUMENT_TASKS
from reverie.pipelines import erasure, ingest
from reverie.pipelines.context import wake_nobody
from reverie.store import contents, work

T = TypeVar("T")

Observed = dict[str, Counter[tuple[str, str, str, str]]]
"""Message id to what was observed in it: content, subject, predicate, object."""


@dataclass(frozen=True)
class Reckoning:
    acknowledged: int
    observations: int
    lost: list[str]
    doubled: list[str]
    wrong: list[str]
    dead_letters: int


def read(ledgers: Sequence[Path]) -> tuple[list[Piece], list[Piece]]:
    """What was acknowledged, and what was tried (and may be stored or not)."""
    found: dict[str, set[Piece]] = {"acknowledged": set(), "tried": set()}
    for ledger in ledgers:
        for line in ledger.read_text().splitlines() if ledger.exists() else ():
            what, id = line.split()
            writer, number = id.split("-")
            found[what].add(Piece(int(writer), int(number)))
    order = {what: sorted(pieces, key=lambda one: (one.number, one.writer)) for what, pieces in found.items()}
    return order["acknowledged"], order["tried"]


def is_settled(memory: Memory, tried: Sequence[Piece]) -> bool:
    """Whether nothing waits any more: no document, and no message that is not ingested."""
    ids = [piece.id for piece in tried if piece.kind == "message"]
    try:
        waits = any(work.pending(memory.ctx.ns, ingest.TOPIC, ids)) or any(
            work.entries(memory.ctx.ns, topic) for topic in (erasure.TOPIC, ingest.REPLACED)
        )
        sent = memory.ctx.broker.sent() if memory.ctx.broker is not None else ()
        return not waits and not any(one.task in DOCUMENT_TASKS for one in sent)
    except StoreError:
        return False


def reckon(memory: Memory, calm: Memory, acknowledged: list[Piece], tried: list[Piece]) -> Reckoning:
    """Compare the memory with one that hears the same undisturbed."""
    stored = _again(lambda: _stored(memory, tried))
    forgotten = {piece.forgets.id for piece in tried if piece.kind == "forget"}
    kept = [piece for piece in acknowledged if piece.kind != "forget" and piece.id not in forgotten]
    lost = [f"{piece.kind} {piece.id}" for piece in kept if not stored[piece.kind, piece.id]]
    doubled = [f"{kind} {id}" for (kind, id), count in stored.items() if count > 1]
    messages = [piece for piece in tried if piece.kind == "message" and piece.id not in forgotten]
    heard = [piece for piece in messages if stored["message", piece.id]]
    expected = _undisturbed(calm, heard)
    observed = _again(lambda: _observed(memory, heard))
    wrong = []
    for piece in heard:
        there, should = observed[piece.id], expected[piece.id]
        if there != should:
            more = there - should
            (doubled if more and set(there) == set(should) else wrong).append(f"observations of {piece.id}")
    wrong += _again(lambda: _changed(memory, heard))
    wrong += [f"fact {one}" for one in sorted(_again(lambda: _believed(memory, heard)) ^ _believed(calm, heard))]
    wrong += _again(lambda: _traces(memory, [piece.forgets for piece in acknowledged if piece.kind == "forget"]))
    letters = len(_again(lambda: work.dead_letters(memory.ctx.ns)))
    return Reckoning(len(acknowledged), sum(one.total() for one in expected.values()), lost, doubled, wrong, letters)


def _again(do: Callable[[], T]) -> T:
    """The servers may be on their way back still."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return do()
        except ReverieError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.5)


def _stored(memory: Memory, pieces: Sequence[Piece]) -> Counter[tuple[str, str]]:
    counted: Counter[tuple[str, str]] = Counter()
    for writer in {piece.writer for piece in pieces}:
        agent, session = memory.agent(f"agent-{writer}"), f"session-{writer}"
        counted.update(("message", one.message_id) for one in agent.session(session).messages())
        counted.update(("goal", one.goal_id) for one in agent.goals.all())
        counted.update(("episode", one.episode_id) for one in agent.episodes())
    facts = Counter((one.subject, one.object) for one in memory.facts(predicate="is kept at"))
    notes: Counter[tuple[str, str]] = Counter()
    for user, graph in {piece.user: piece.graph(memory) for piece in pieces}.items():
        notes.update((user, one.text) for entity in graph.read_graph().entities for one in entity.observations)
    for piece in pieces:
        if piece.kind == "fact":
            counted["fact", piece.id] = facts[piece.fact["subject"], piece.fact["object"]]
        if piece.kind == "graph":
            counted["graph", piece.id] = notes[piece.user, piece.note]
    return counted


def _believed(memory: Memory, pieces: Sequence[Piece]) -> set[tuple[str, ...]]:
    """The facts that come of messages, with the times in which they hold."""
    for agent in sorted({piece.agent for piece in pieces}):
        memory.agent(agent).consolidate()
    return {
        (one.subject, one.predicate, str(one.object), str(one.valid_from), str(one.valid_to))
        for one in memory.facts()
        if one.messages
    }


def _traces(memory: Memory, forgotten: Sequence[Piece]) -> list[str]:
    """Where a word of a forgotten message is left: in the namespace, on its way, or in a result."""
    words = {piece.word.encode(): piece for piece in forgotten}
    found = []
    for one in contents.contents(memory.ctx.ns):
        parts = (one.whole, *one.fields.keys(), *one.fields.values(), *one.values, one.document or b"")
        held = b" ".join(parts).lower()
        found += [f"{word.decode()} in {one.whole.decode()}" for word in words if word in held]
    broker = memory.ctx.broker
    for sent in broker.sent() if broker is not None else ():
        said = str(sent.document).lower().encode()
        found += [f"{word.decode()} in a task" for word in words if word in said]
    return found


def _changed(memory: Memory, pieces: Sequence[Piece]) -> list[str]:
    """Messages that do not say what was said."""
    said = {piece.id: (piece.message["sender"], piece.text, piece.message["at"]) for piece in pieces}
    return [
        f"message {one.message_id}"
        for writer in {piece.writer for piece in pieces}
        for one in memory.agent(f"agent-{writer}").session(f"session-{writer}").messages()
        if one.message_id in said and said[one.message_id] != (one.sender, one.content, one.at)
    ]


def _undisturbed(calm: Memory, pieces: Sequence[Piece]) -> Observed:
    calm.ctx.__dict__["wake"] = wake_nobody
    for piece in pieces:
        piece.write(calm)
    ids = [piece.id for piece in pieces]
    for start in range(0, len(ids), 64):
        ingest.ingest(calm.ctx, ids[start : start + 64])
    return _observed(calm, pieces)


def _observed(memory: Memory, pieces: Sequence[Piece]) -> Observed:
    return {
        piece.id: Counter(
            (one.content, str(one.subject), str(one.predicate), str(one.object))
            for one in memory.observations_from(piece.id)
        )
        for piece in pieces
    }
