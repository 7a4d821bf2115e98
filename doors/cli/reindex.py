"""`reverie reindex`: every search row made again."""

import typer
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from reverie.cli.output import Json, console, errors, print_json
from reverie.config.settings import current
from reverie.models import embedders
from reverie.pipelines.opening import open_connection
from reverie.pipelines.reindex import reindex as rebuild


def register(app: typer.Typer) -> None:
    app.command()(reindex)


def reindex(json: Json = False) -> None:
    """Rebuild the search rows of all namespaces with the embedder that is set, then switch to them.

    Agents and workers that run go on meanwhile; those that were started with the old embedder are refused afterwards
    and have to be started again.
    """
    settings = current()
    connection = open_connection(settings, embedders.create(settings), any_index=True)
    columns = (SpinnerColumn(), TextColumn("{task.completed} records"), TimeElapsedColumn())
    try:
        with Progress(*columns, console=errors, disable=json or not errors.is_terminal) as bars:
            bar = bars.add_task("reindex", total=None)
            done = rebuild(connection, lambda count: bars.update(bar, completed=count))
    finally:
        connection.close()
    if json:
        print_json(vars(done))
    else:
        console.print(f"{done.rows} rows of {done.records} records, embedded by {done.embedder} ({done.dimension})")
