"""`reverie forget`: erasing for good."""

from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from reverie import Memory
from reverie.cli.output import Json, Namespace, console, counted, print_json
from reverie.config.errors import ReverieError
from reverie.pipelines.erasure import ErasureReport


def register(app: typer.Typer) -> None:
    app.command("forget")(forget)


def forget(
    message: Annotated[str | None, typer.Option(help="Id of a message.")] = None,
    episode: Annotated[str | None, typer.Option(help="Id of an episode.")] = None,
    action: Annotated[str | None, typer.Option(help="Id of an action.")] = None,
    fact: Annotated[str | None, typer.Option(help="Id of a fact.")] = None,
    session: Annotated[str | None, typer.Option(help="Id of a session.")] = None,
    participant: Annotated[str | None, typer.Option(help="Id of a participant.")] = None,
    user: Annotated[str | None, typer.Option(help="Id of a user: the participant and their knowledge graphs.")] = None,
    all: Annotated[bool, typer.Option("--all", help="The whole namespace.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would go, and erase nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    verify: Annotated[bool, typer.Option(help="Scan the namespace afterwards for what is left.")] = True,
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """Erase something for good, with all that was drawn from it. Says what would go, and asks."""
    with Memory(namespace) as memory:
        whole = memory.namespace if all else None
        given = {
            "message": message, "episode": episode, "action": action, "fact": fact, "session": session,
            "participant": participant, "user": user, "namespace": whole,
        }  # fmt: skip
        would = memory.would_forget(**given)
        if not would and memory.namespace not in memory.ctx.ns.namespaces():
            raise ReverieError(f"there is no namespace {memory.namespace!r} here; nothing was erased")
        if dry_run:
            _show(would, json=json)
            return
        if not yes:
            [(kind, id)] = [(kind, id) for kind, id in given.items() if id is not None]
            console.print(f"would go: {_counted(would) or 'nothing, nothing is stored of it'}")
            typer.confirm(f"Forget the {kind} {id} in {memory.namespace} for good?", abort=True)
        with Progress(
            TextColumn("forgetting"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
            console=console, transient=True, disable=json or not console.is_terminal,
        ) as bar:  # fmt: skip
            task = bar.add_task("forgetting", total=None)

            def show(done: int, expected: int) -> None:
                bar.update(task, completed=done, total=expected)

            report = memory.forget(**given, verify=verify, wait=True, progress=show)
    if json:
        print_json(report)
    else:
        _tell(report)
    if report.verified is False:
        raise ReverieError(f"{len(report.traces)} keys still hold what was to be forgotten; forget it again")


def _show(would: dict[str, int], *, json: bool) -> None:
    if json:
        print_json(would)
    else:
        console.print(f"would go: {_counted(would) or 'nothing, nothing is stored of it'}")


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(counted(count, kind) for kind, count in counts.items())


def _tell(report: ErasureReport) -> None:
    gone = _counted(report.erased) or (f"{report.keys} keys" if report.keys else "")
    console.print(f"gone: {gone or 'nothing, there was nothing'}")
    for one in report.elsewhere:
        console.print(f"stays: {one.kind} {one.id} ({one.why})")
    for key in report.traces:
        console.print(f"left: {key}")
