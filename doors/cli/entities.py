"""`reverie entities`: whom and what a namespace knows."""

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from reverie.cli.output import Json, Namespace, console, print_json
from reverie.cli.reading import reading
from reverie.pipelines.entities import entities as read


def register(app: typer.Typer) -> None:
    app.command()(entities)


def entities(
    type: Annotated[
        str | None, typer.Option("--type", "-t", help="Only entities of this type, such as person.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="At most so many.")] = 50,
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """The people, places and things that messages mention, the most mentioned first."""
    with reading(namespace) as memory:
        found = read(memory.ctx.ns, type=type, limit=limit)
    if json:
        print_json([view.model_dump() for view in found])
        return
    if not found:
        console.print("No entities yet: observe some messages, and let a worker ingest them.")
        return
    table = Table(box=None, header_style="dim", pad_edge=False)
    for heading in ("name", "type", "also called", "mentions", "observations", "first seen"):
        table.add_column(heading, overflow="fold")
    for view in found:
        table.add_row(
            Text(view.name),
            Text(view.type),
            Text(", ".join(view.aliases)),
            str(view.mentions),
            str(view.observations),
            f"{view.first_seen:%Y-%m-%d}",
        )
    console.print(table)
