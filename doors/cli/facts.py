"""`reverie facts`: what is held true, now or as of any pair of times."""

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from reverie import Memory
from reverie.cli.moments import moment
from reverie.cli.output import Json, Namespace, console, print_json
from reverie.cli.reading import reading
from reverie.pipelines import facts as pipeline
from reverie.pipelines.facts import FactView
from reverie.tools.facts import AssertFactParams, FactUpsert, assert_fact
from reverie.tools.fields import validated

commands = typer.Typer(invoke_without_command=True, help="What is held true, now or as of any pair of times.")


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="facts")


@commands.callback()
def facts(
    context: typer.Context,
    subject: Annotated[str | None, typer.Option("--subject", "-s", help="Only what is held true of this.")] = None,
    predicate: Annotated[str | None, typer.Option("--predicate", "-p", help="Only this predicate.")] = None,
    as_of: Annotated[str | None, typer.Option("--as-of", help="What held then (a day, or a time with zone).")] = None,
    known: Annotated[str | None, typer.Option("--known", help="By what was known then.")] = None,
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """List the facts that hold, with when they began, what supports them and who stands behind them."""
    if context.invoked_subcommand is not None:
        return
    valid_as_of, known_as_of = moment(as_of), moment(known)
    with reading(namespace) as memory:
        found = memory.facts(subject, predicate, valid_as_of=valid_as_of, known_as_of=known_as_of)
        unstable = pipeline.unstable(memory.ctx.ns, sorted({fact.subject for fact in found}))
    if json:
        print_json([{**fact.model_dump(), "unstable": fact.subject in unstable} for fact in found])
        return
    if not found:
        console.print("no facts")
        return
    console.print(_table(found))
    for name in unstable:
        console.print(Text(f"{name} is unstable: more than four facts closed within thirty days", style="yellow"))


Reason = Annotated[str | None, typer.Option("--reason", help="Why; kept with the fact.")]


@commands.command("assert")
def assert_(
    subject: Annotated[str, typer.Argument(help="Whom or what it is about.")],
    predicate: Annotated[str, typer.Argument(help="What it says, such as 'lives in'.")],
    object: Annotated[str | None, typer.Argument(help="Such as Lyon.")] = None,
    since: Annotated[
        str | None, typer.Option("--since", help="From when it holds (a day, or a time with zone).")
    ] = None,
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """Hold something true, by your word."""
    given = validated(
        AssertFactParams, subject=subject, predicate=predicate, object=object, valid_from=moment(since), source="user"
    )
    with Memory(namespace) as memory:
        upsert = assert_fact(memory.ctx, given)
    _said(upsert, f"fact {upsert.fact_id} is held true", json=json)


@commands.command()
def correct(
    fact_id: Annotated[str, typer.Argument(help="Id of the fact that is wrong.")],
    object: Annotated[str, typer.Argument(help="What is right in the place of its object.")],
    reason: Reason = None,
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """Put what is right in the place of a fact's object. The fact is closed as wrong: it never held."""
    with reading(namespace) as memory:
        upsert = memory.facts.correct(fact_id, object, reason=reason)
    _said(upsert, f"fact {upsert.fact_id} is held true, {fact_id} never was", json=json)


@commands.command()
def retract(
    fact_id: Annotated[str, typer.Argument(help="Id of the fact that is wrong.")],
    reason: Reason = None,
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """Close a fact as wrong: it never held, and nothing that was said before brings it back."""
    with reading(namespace) as memory:
        changed = memory.facts.retract(fact_id, reason=reason)
    if json:
        print_json({"changed": changed})
    else:
        console.print(f"fact {fact_id} never held" if changed else f"fact {fact_id} was not believed", markup=False)


def _said(upsert: FactUpsert, text: str, *, json: bool) -> None:
    if json:
        print_json(upsert.model_dump())
    else:
        console.print(text, markup=False)


def _table(found: list[FactView]) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column("fact", overflow="fold")
    for heading in ("since", "until"):
        table.add_column(heading, no_wrap=True)
    for heading in ("support", "sure"):
        table.add_column(heading, justify="right")
    for heading in ("source", "id"):
        table.add_column(heading, no_wrap=True)
    for fact in found:
        until = (fact.until or "")[:10]
        counts = [str(fact.observation_count), f"{fact.confidence:.2f}", fact.source]
        row = [fact.content, fact.since[:10], until, *counts, fact.fact_id]
        table.add_row(*(Text(word) for word in row))
    return table
