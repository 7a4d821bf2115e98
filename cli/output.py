"""Printing for people and for machines."""

from typing import Annotated, Any

import typer
from pydantic import BaseModel
from pydantic_core import to_json
from rich.console import Console
from rich.text import Text

# No markup: what is printed are the ids and words of others, and these may hold brackets.
console = Console(highlight=False, markup=False)
errors = Console(stderr=True, highlight=False, markup=False)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead.")]
Namespace = Annotated[
    str | None, typer.Option("--namespace", "-n", help="Namespace; default REVERIE_NAMESPACE, else 'default'.")
]
AgentId = Annotated[str, typer.Option("--agent", "-a", help="The agent whose memory it is.")]


def print_json(document: BaseModel | dict[str, Any] | list[Any]) -> None:
    """One JSON document on stdout; times as ISO 8601."""
    typer.echo(to_json(document, indent=2).decode())


def problem(text: str) -> None:
    """One line on stderr that says what is wrong."""
    errors.print(Text("error: ", style="red") + Text(text), soft_wrap=True)
