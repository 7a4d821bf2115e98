"""`reverie forget`: erasing for good."""

from typing import Annotated

import typer

from reverie import Memory
from reverie.cli.output import Json, Namespace, console, print_json
from reverie.config.errors import ReverieError


def register(app: typer.Typer) -> None:
    app.command("forget")(forget)


def forget(
    message: Annotated[str | None, typer.Option(help="Id of a message.")] = None,
    session: Annotated[str | None, typer.Option(help="Id of a session.")] = None,
    participant: Annotated[str | None, typer.Option(help="Id of a participant.")] = None,
    user: Annotated[str | None, typer.Option(help="Id of a user: the participant and their knowledge graphs.")] = None,
    all: Annotated[bool, typer.Option("--all", help="The whole namespace.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    verify: Annotated[bool, typer.Option(help="Scan the namespace afterwards for what is left.")] = True,
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """Erase a message, a session, a participant, a user or a namespace for good, with all that was drawn from it."""
    with Memory(namespace) as memory:
        whole = memory.namespace if all else None
        named = [one for one in (message, session, participant, user, whole) if one is not None]
        if named and not yes:
            typer.confirm(f"Forget {', '.join(named)} in {memory.namespace} for good?", abort=True)
        report = memory.forget(
            message=message, session=session, participant=participant, user=user, namespace=whole, verify=verify
        )
    if json:
        print_json(report)
    else:
        gone = [f"{count} {kind.replace('_', ' ')}" for kind, count in report.erased.items()]
        gone += [f"{report.keys} keys"] if report.keys else []
        console.print(f"gone: {', '.join(gone) or 'nothing, there was nothing'}")
        for key in report.traces:
            console.print(f"left: {key}")
    if report.verified is False:
        raise ReverieError(f"{len(report.traces)} keys still hold what was to be forgotten; forget it again")
