"""Printing for people and for machines."""

from collections.abc import Iterable
from typing import Annotated, Any

import typer
from pydantic import BaseModel
from pydantic_core import to_json
from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.segment import Segment
from rich.text import Text

_UNSEEN = {code: "\ufffd" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\t\n"}


def printable(text: str) -> str:
    """The text with its control characters made visible: what was stored must not steer a terminal."""
    return text.translate(_UNSEEN)


class _SafeConsole(Console):
    """A console whose colours are its own alone."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else printable(text), style, control)


# No markup: what is printed are the ids and words of others, and these may hold brackets.
console = _SafeConsole(highlight=False, markup=False)
errors = _SafeConsole(stderr=True, highlight=False, markup=False)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead.")]
Namespace = Annotated[
    str | None, typer.Option("--namespace", "-n", help="Namespace; default REVERIE_NAMESPACE, else 'default'.")
]
AgentId = Annotated[str, typer.Option("--agent", "-a", help="The agent whose memory it is.")]


def print_json(document: BaseModel | dict[str, Any] | list[Any]) -> None:
    """One JSON document on stdout; times as ISO 8601."""
    typer.echo(to_json(document, indent=2).decode())


def counted(count: int, kind: str) -> str:
    """The number of a kind of record in words, such as "2 graph entities"."""
    name = kind.replace("_", " ")
    many = f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"
    return f"{count} {name if count == 1 else many}"


def indented(text: str, style: str = "") -> Padding:
    """A paragraph below a line, wrapped at the width of the screen."""
    return Padding(Text(text, style=style), (0, 0, 0, 4))


def problem(text: str) -> None:
    """One line on stderr that says what is wrong."""
    errors.print(Text("error: ", style="red") + Text(text), soft_wrap=True)
