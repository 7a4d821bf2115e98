"""`reverie demo`: the main job on a short conversation, from the messages to the answers."""

import sys
import time
from collections.abc import Sequence
from datetime import UTC
from importlib.resources import as_file, files
from shutil import which

import typer
from rich.table import Table
from rich.text import Text

from reverie import Memory
from reverie.cli.bundles import described
from reverie.cli.formats import Turn, read
from reverie.cli.ingest import worker_at_hand
from reverie.cli.output import console
from reverie.config.settings import current
from reverie.tools.observe import Receipt

NAMESPACE = "demo"
_AGENT = "assistant"
_WAIT_SECONDS = 60.0
_ASKED_AT_ONCE = "Who plays an instrument?"
_ASKED = (
    "Where does Nadia work?",
    "What is Nadia allergic to?",
    "What is the name of Tomas's dog?",
    "When did Nadia move to Lisbon?",
)


def register(app: typer.Typer) -> None:
    app.command()(demo)


def demo() -> None:
    """Watch a conversation become memory: messages in, observations found by a worker, answers with their sources.

    Uses the namespace "demo" and takes less than a minute; running it again changes nothing.
    """
    with as_file(files("reverie.cli") / "samples" / "harbour.jsonl") as sample:
        turns = read(sample, "chat")
    began = time.monotonic()
    settings = current()
    where = "the Redis of REVERIE_REDIS_URL" if settings.redis_url else f"an embedded Redis in {settings.data_dir}"
    _heading(f"Reverie remembers a conversation, in {where}")
    with Memory(NAMESPACE) as memory:
        receipts = _observe(memory, turns)
        _heading("Found at once, before any worker ran")
        _ask(memory, _ASKED_AT_ONCE, turns)
        _heading("Worked out afterwards, by a Celery worker")
        with worker_at_hand(memory, concurrency=1):
            for receipt in receipts:
                memory.wait(receipt, _WAIT_SECONDS)
        _show_observations(memory, turns)
        _heading("Answers with their sources")
        for question in _ASKED:
            _ask(memory, question, turns)
    console.print()
    console.print(f"done in {time.monotonic() - began:.0f} s; now you: ", end="")
    command = "reverie" if which("reverie") else sys.argv[0]
    console.print(f'{command} recall "Who has a boat?" --namespace {NAMESPACE}', style="bold", soft_wrap=True)


def _heading(text: str) -> None:
    console.print()
    console.print(Text(text, style="bold"), soft_wrap=True)


def _observe(memory: Memory, turns: Sequence[Turn]) -> list[Receipt]:
    receipts: list[Receipt] = []
    for turn in turns:
        message = turn.message
        began = time.perf_counter()
        receipts += memory.agent(_AGENT).session(turn.session).observe_many([message])
        took = (time.perf_counter() - began) * 1000
        known = "" if receipts[-1].created else ", known already"
        line = Text(f"  {message.message_id:>4} ", style="cyan")
        line += Text(f"{message.sender}: {message.content}") + Text(f"  ({took:.0f} ms{known})", style="dim")
        console.print(line, soft_wrap=True)
    return receipts


def _show_observations(memory: Memory, turns: Sequence[Turn]) -> None:
    table = Table("from", "subject", "predicate", "object", "when", box=None, pad_edge=False, padding=(0, 2))
    for turn in turns:
        message_id, said_at = turn.message.message_id or "", turn.message.at
        for found in memory.observations_from(message_id):
            predicate = f"not {found.predicate}" if found.negated else found.predicate
            # The speaker's own day, which in UTC may be the one before.
            zone = said_at.tzinfo if said_at else UTC
            when = f"{found.when_start.astimezone(zone):%d %b %Y}" if found.when_start else ""
            table.add_row(message_id, found.subject, predicate, found.object, when)
    console.print(table)


def _ask(memory: Memory, question: str, turns: Sequence[Turn]) -> None:
    console.print(Text(f"  {question}", style="green"))
    said = {turn.message.message_id: turn.message for turn in turns}
    for item in memory.agent(_AGENT).recall(question, limit=1).items:
        for line in described(item, "    → "):
            console.print(line, soft_wrap=True)
        if item.kind != "message":
            for source in item.sources:
                console.print(Text(f"      {source:>6}  {said[source].sender}: {said[source].content}"), soft_wrap=True)
