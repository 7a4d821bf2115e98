"""`reverie doctor`: what does not fit together in a store, and mending it."""

from typing import Annotated

import typer
from rich.progress import Progress, SpinnerColumn, TextColumn
from rich.text import Text

from reverie.cli.output import Json, console, errors, print_json
from reverie.config.settings import current
from reverie.models import embedders
from reverie.pipelines.doctor import Finding, examine
from reverie.pipelines.opening import open_connection


def register(app: typer.Typer) -> None:
    app.command()(doctor)


def doctor(
    fix: Annotated[bool, typer.Option("--fix", help="Mend what can be mended.")] = False,
    namespace: Annotated[
        list[str] | None, typer.Option("--namespace", "-n", help="Only this namespace; repeatable.")
    ] = None,
    json: Json = False,
) -> None:
    """Compare records, edges, search rows, listings and due sets, and say what does not fit together.

    It reads every key. Agents and workers may go on. Exit code 0 when nothing is left that is wrong, else 1.
    """
    settings = current()
    connection = open_connection(settings, embedders.create(settings))
    columns = (SpinnerColumn(), TextColumn("{task.description}"))
    try:
        with Progress(*columns, console=errors, disable=json or not errors.is_terminal, transient=True) as bars:
            bar = bars.add_task("the store", total=None)
            heard = examine(
                connection, namespace, fix=fix, heard=lambda name: bars.update(bar, description=f"namespace {name}")
            )
            found = list(heard)
    finally:
        connection.close()
    left = [one for one in found if one.is_left]
    if json:
        print_json({"healthy": not left, "findings": [one.model_dump() for one in found]})
    else:
        for one in found:
            _print(one)
        console.print(_verdict(found, left, fix=fix))
    if left:
        raise typer.Exit(1)


def _print(one: Finding) -> None:
    where = "the store" if one.namespace is None else one.namespace
    colour = "red" if one.is_left else "green"
    mended = f" ({one.mended} mended)" if one.mended else ""
    console.print(
        Text(f"{one.check}", style=colour) + Text(f"  {where}: {one.says}: {one.count}{mended}"), soft_wrap=True
    )
    console.print(Text(f"    such as {', '.join(one.examples)}", style="dim"), soft_wrap=True)
    if one.is_left and one.advice:
        console.print(f"    {one.advice}", soft_wrap=True)


def _verdict(found: list[Finding], left: list[Finding], *, fix: bool) -> str:
    if not found:
        return "nothing is wrong"
    if not left:
        return "all of it was mended"
    mendable = [one for one in left if not one.advice]
    return "`reverie doctor --fix` mends what has no advice" if mendable and not fix else "the rest needs you"
