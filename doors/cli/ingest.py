"""`reverie ingest`: a file of messages into the memory."""

import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import or_
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from reverie import Memory
from reverie.cli import children
from reverie.cli.formats import Format, Turn, guess, items
from reverie.cli.knowledge import store_knowledge
from reverie.cli.output import AgentId, Json, Namespace, console, errors, print_json
from reverie.config.errors import ReverieError, WaitTimeout
from reverie.pipelines import vectors
from reverie.pipelines.ingest import TOPIC
from reverie.store import stats, work
from reverie.tools.observe import OnError, Receipt

_BATCH = 64
_LOOK_SECONDS = 0.1


def register(app: typer.Typer) -> None:
    app.command()(ingest)


def ingest(
    file: Annotated[Path, typer.Argument(help="The file to read.")],
    format: Annotated[
        Format | None, typer.Option("--format", "-f", help="How the file is written; guessed when not given.")
    ] = None,
    namespace: Namespace = None,
    agent: AgentId = "assistant",
    conversation: Annotated[
        int | None, typer.Option("--conversation", help="Which conversation of a LoCoMo file, from 0; default all.")
    ] = None,
    wait: Annotated[bool, typer.Option("--wait", help="Wait until the workers are done with all messages.")] = False,
    on_error: Annotated[
        OnError, typer.Option("--on-error", help="What cannot be stored is skipped and named, or refuses the file.")
    ] = "skip",
    app: Annotated[str, typer.Option("--app", help="App of the knowledge graph that entities go into.")] = "import",
    user: Annotated[str | None, typer.Option("--user", help="User of that knowledge graph; default the agent.")] = None,
    timeout: Annotated[float, typer.Option("--timeout", min=0, help="Longest wait, in seconds.")] = 600.0,
    json: Json = False,
) -> None:
    """Store what FILE holds, a conversation or what another memory exported; doing it again stores nothing twice.

    With --wait and no worker running, one is started for as long as it takes. What is skipped is named.
    """
    skipped: list[str] = []
    written = format or guess(file)
    found = list(items(file, written, conversation, skip=_noting(skipped) if on_error == "skip" else None))
    turns = [one for one in found if isinstance(one, Turn)]
    began = time.monotonic()
    with Memory(namespace) as memory, _bars(quiet=json) as bars:
        receipts = _store(memory, agent, turns, bars, on_error, skipped)
        held = store_knowledge(memory.agent(agent), memory.graph(app, user or agent), found, skipped, on_error)
        summary: dict[str, Any] = {
            "namespace": memory.namespace,
            "format": written,
            **held,
            "messages": len(receipts),
            "new": sum(receipt.created for receipt in receipts),
            "sessions": len({turn.session for turn in turns}),
            "skipped": skipped,
            "stored_seconds": round(time.monotonic() - began, 3),
        }
        if wait:
            with worker_at_hand(memory):
                _wait(memory, receipts, bars, timeout)
            failed = {letter.entry for letter in work.dead_letters(memory.ctx.ns) if letter.topic == TOPIC}
            summary["failed"] = len(failed & {receipt.message_id for receipt in receipts})
            nodes = [("message", receipt.message_id) for receipt in receipts]
            summary["observations"] = stats.count_linked(memory.ctx.ns, "OBSERVED_IN", "observation", nodes)
            summary["ingested_seconds"] = round(time.monotonic() - began, 3)
    if json:
        print_json(summary)
        return
    text = "{messages} messages ({new} new) of {sessions} sessions in namespace {namespace}".format(**summary)
    if format is None and written != "chat":
        text = f"read as {written}: {text}"
    for what in ("facts", "entities", "relations"):
        text += f", {summary[what]} {what}" if summary[what] else ""
    if wait:
        text += ": {observations} observations, {ingested_seconds:.1f} s".format(**summary)
        text += f"; {summary['failed']} failed, see `reverie dead-letters list`" if summary["failed"] else ""
    text += f"; {len(skipped)} skipped" if skipped else ""
    console.print(text, soft_wrap=True)
    for wrong in skipped:
        errors.print(f"skipped: {wrong}", soft_wrap=True)


def _noting(skipped: list[str]) -> Callable[[ReverieError], None]:
    return lambda wrong: skipped.append(str(wrong))


def _store(
    memory: Memory, agent: str, turns: Sequence[Turn], bars: Progress, on_error: OnError, skipped: list[str]
) -> list[Receipt]:
    bar = bars.add_task("stored", total=len(turns))
    receipts: list[Receipt] = []
    for name, group in groupby(turns, key=lambda turn: turn.session):
        session = memory.agent(agent).session(name)
        messages = [turn.message for turn in group]
        for start in range(0, len(messages), _BATCH):
            batch = messages[start : start + _BATCH]
            stored = session.observe_many(batch, embed=False, on_error=on_error)  # the workers embed, all at once
            receipts += stored
            skipped += [str(refused.error) for refused in stored.refused]
            bars.advance(bar, len(batch))
    return receipts


def _wait(memory: Memory, receipts: Sequence[Receipt], bars: Progress, timeout: float) -> None:
    bar = bars.add_task("ingested", total=len(receipts))
    ids = [receipt.message_id for receipt in receipts]
    deadline = time.monotonic() + timeout
    while left := left_of(memory, ids):
        bars.update(bar, completed=len(ids) - left)
        if time.monotonic() > deadline:
            raise WaitTimeout(f"{left} of {len(ids)} messages are not ingested after {timeout:g} s; they stay queued")
        time.sleep(_LOOK_SECONDS)
    bars.update(bar, completed=len(ids))


def left_of(memory: Memory, ids: Sequence[str]) -> int:
    """How many of the messages are not ingested or not embedded yet."""
    ns = memory.ctx.ns
    reading = work.pending(ns, TOPIC, ids)
    embedding = work.pending(ns, vectors.TOPIC, [vectors.entry("message", id) for id in ids])
    return sum(map(or_, reading, embedding))


@contextmanager
def worker_at_hand(memory: Memory, concurrency: int = 2) -> Iterator["subprocess.Popen[str] | None"]:
    """A running worker: one that runs already, else one of our own until the end of the block."""
    if children.workers_running(memory.connection.broker_url):
        yield None
        return
    errors.print("no worker is running; one is started for this command", style="dim")
    process = children.start(
        ["worker", f"--concurrency={concurrency}", "--name=for-a-command"],
        memory.settings,
        memory.connection.store.url,
        subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        children.stop([process])


@contextmanager
def _bars(*, quiet: bool) -> Iterator[Progress]:
    columns: tuple[Any, ...] = (
        TextColumn("{task.description:>8}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=errors, disable=quiet or not errors.is_terminal) as bars:
        yield bars
