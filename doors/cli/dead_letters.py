"""`reverie dead-letters`: work that was given up, and what becomes of it."""

from datetime import UTC, datetime
from json import loads
from typing import Annotated

import typer
from celery import Celery

from reverie import Memory
from reverie.cli.output import Json, Namespace, console, counted, indented, print_json
from reverie.cli.reading import reading
from reverie.config.errors import NotFound, ValidationFailed
from reverie.config.task_names import DOCUMENT_TASKS, TOPIC_TASKS
from reverie.store import work
from reverie.store.celery_urls import celery_url
from reverie.wakeups import queue_of

Ids = Annotated[list[str] | None, typer.Argument(help="Ids of dead letters.")]
All = Annotated[bool, typer.Option("--all", help="All of the namespace.")]
_SHOWN = 200

group = typer.Typer(no_args_is_help=True, help="Work that was given up: list it, retry it, drop it.")


def register(app: typer.Typer) -> None:
    app.add_typer(group, name="dead-letters")


@group.command("list")
def list_letters(namespace: Namespace = None, json: Json = False) -> None:
    """List what was given up, oldest first, and why."""
    with reading(namespace) as memory:
        letters = work.dead_letters(memory.ctx.ns)
    if json:
        print_json([vars(letter) for letter in letters])
        return
    if not letters:
        console.print("no dead letters")
        return
    for letter in letters:
        at, times = letter.at.astimezone(UTC), counted(letter.attempts, "attempt")
        console.print(f"{letter.id}  {at:%Y-%m-%d %H:%MZ}  {letter.topic}", soft_wrap=True)
        console.print(indented(f"after {times}: {letter.error}"))
        console.print(indented(letter.entry if len(letter.entry) <= _SHOWN else letter.entry[:_SHOWN] + "…", "dim"))


@group.command()
def retry(ids: Ids = None, all: All = False, namespace: Namespace = None) -> None:
    """Queue the work of dead letters again, from its first attempt."""
    with reading(namespace) as memory:
        for letter in _chosen(memory, ids, all):
            if letter.is_withheld or letter.topic not in (*TOPIC_TASKS, *DOCUMENT_TASKS):
                console.print(f"cannot be tried again: {letter.id}; drop it")
                continue
            if letter.topic in TOPIC_TASKS:
                work.revive(memory.ctx.ns, letter, datetime.now(UTC))
                memory.ctx.wake(letter.topic, memory.namespace)
            else:
                _send_again(memory, letter)
            console.print(f"queued again: {letter.id}")


@group.command()
def drop(ids: Ids = None, all: All = False, namespace: Namespace = None) -> None:
    """Remove dead letters for good."""
    with reading(namespace) as memory:
        for letter in _chosen(memory, ids, all):
            work.drop(memory.ctx.ns, letter.id)
            console.print(f"dropped: {letter.id}")


def _send_again(memory: Memory, letter: work.DeadLetter) -> None:
    """A document that was refused goes to its task once more; still wrong, it comes back as another letter."""
    try:
        document = loads(letter.entry)
    except ValueError:
        document = letter.entry
    with Celery("reverie-retry", broker=celery_url(memory.connection.broker_url), set_as_current=False) as client:
        client.send_task(letter.topic, [document], queue=queue_of(letter.topic))
    work.drop(memory.ctx.ns, letter.id)


def _chosen(memory: Memory, ids: list[str] | None, all: bool) -> list[work.DeadLetter]:
    if bool(ids) == all:
        raise ValidationFailed("id", "name dead letters by their ids, or pass --all")
    letters = {letter.id: letter for letter in work.dead_letters(memory.ctx.ns)}
    if all:
        return list(letters.values())
    for id in ids or ():
        if id not in letters:
            raise NotFound("dead letter", id)
    return [letters[id] for id in ids or ()]
