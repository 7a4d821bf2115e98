"""`reverie reextract`: messages that rules read while the language model was out, read by it."""

from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from reverie import Memory
from reverie.cli.output import Json, Namespace, console, errors, print_json


def register(app: typer.Typer) -> None:
    app.command()(reextract)


def reextract(
    namespace: Namespace = None,
    most: Annotated[int | None, typer.Option("--most", min=1, help="Most messages to read; default all.")] = None,
    json: Json = False,
) -> None:
    """Read by the language model what rules read while it was out.

    What the rules drew from a message, and the model does not bear out, goes. Stopped in the middle, it goes on the
    next time. Exit code 1 when the model is still out.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        Memory(namespace) as memory,
        Progress(*columns, console=errors, disable=json or not errors.is_terminal) as bars,
    ):
        bar = bars.add_task("read", total=None)
        done = memory.reextract(most=most, heed=lambda tried, of: bars.update(bar, completed=tried, total=of))
    if json:
        print_json(vars(done))
    else:
        console.print(str(done))
    if done.unavailable:
        raise typer.Exit(1)
