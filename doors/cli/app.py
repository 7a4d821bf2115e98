"""The `reverie` command."""

import sys
from importlib.metadata import version
from typing import Annotated

import typer
from kombu.exceptions import OperationalError

from reverie.cli import (
    browse,
    cycles,
    dead_letters,
    demo,
    doctor,
    entities,
    facts,
    forget,
    graph,
    ingest,
    mcp,
    metrics,
    processes,
    recall,
    reextract,
    reindex,
    schedule,
    schema,
    settings,
    status,
    transfer,
    up,
    web,
)
from reverie.cli.output import problem
from reverie.config.errors import ReverieError

app = typer.Typer(
    name="reverie",
    help="Long-term memory for AI agents. Settings come from REVERIE_* variables and reverie.toml.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for module in (
    demo,
    up,
    ingest,
    recall,
    browse,
    entities,
    facts,
    cycles,
    forget,
    graph,
    status,
    metrics,
    schedule,
    processes,
    web,
    schema,
    settings,
    reextract,
    reindex,
    transfer,
    doctor,
    dead_letters,
    mcp,
):
    module.register(app)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"reverie {version('reverie')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[  # its callback does it
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Long-term memory for AI agents. Settings come from REVERIE_* variables and reverie.toml."""


def main() -> None:
    """Run the command line; what a user can mend ends with one line on stderr and exit code 1."""
    try:
        app()
    except ReverieError as error:
        problem(str(error))
        sys.exit(1)
    except OperationalError as error:
        problem(f"the broker cannot be reached: {error}; start it or check REVERIE_BROKER_URL")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
