"""`reverie facts`: what is held true, now or as of any pair of times."""

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from reverie.cli.moments import moment
from reverie.cli.output import Json, Namespace, console, print_json
from reverie.cli.reading import reading
from reverie.pipelines import facts as pipeline
from reverie.pipelines.facts import FactView


def register(app: typer.Typer) -> None:
    app.command()(facts)


def facts(
    subject: Annotated[str | None, typer.Option("--subject", "-s", help="Only what is held true of this.")] = None,
    predicate: Annotated[str | None, typer.Option("--predicate", "-p", help="Only this predicate.")] = None,
    as_of: Annotated[str | None, typer.Option("--as-of", help="What held then (a day, or a time with zone).")] = None,
    known: Annotated[str | None, typer.Option("--known", help="By what was known then.")] = None,
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """List the facts that hold, with when they began, what supports them and who stands behind them."""
    valid_as_of, known_as_of = moment(as_of), moment(known)
    with reading(namespace) as memory:
        found = memory.facts(subject, predicate, valid_as_of=valid_as_of, known_as_of=known_as_of)
        unstable = pipeline.unstable(memory.kb, sorted({fact.subject for fact in found}))
    if json:
        print_json([{**fact.model_dump(), "unstable": fact.subject in unstable} for fact in found])
        return
    if not found:
        console.print("no facts")
        return
    console.print(_table(found))
    for name in unstable:
        console.print(Text(f"{name} is unstable: more than four facts closed within thirty days", style="yellow"))


def _table(found: list[FactView]) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column("fact", overflow="fold")
    for heading in ("since", "until"):
        table.add_column(heading, no_wrap=True)
    for heading in ("support", "confidence"):
        table.add_column(heading, justify="right")
    table.add_column("source")
    for fact in found:
        until = "" if fact.valid_to is None else f"{fact.valid_to:%Y-%m-%d}"
        counts = [str(fact.observation_count), f"{fact.confidence:.2f}", fact.source]
        row = [fact.content, f"{fact.valid_from:%Y-%m-%d}", until, *counts]
        table.add_row(*(Text(word) for word in row))
    return table
