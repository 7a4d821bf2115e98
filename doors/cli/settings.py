"""`reverie settings`: every setting, and what it is here."""

from datetime import timedelta
from typing import Any

import typer
from pydantic import SecretStr
from pydantic_core import to_jsonable_python
from rich.padding import Padding
from rich.text import Text

from reverie.cli.output import Json, console, print_json
from reverie.config.settings import Settings, current

_SECRET = "set, not shown"


def register(app: typer.Typer) -> None:
    app.command()(settings)


def settings(json: Json = False) -> None:
    """Show every setting with its variable, the value in effect, its default and what it means."""
    found = current()
    rows = [
        (name, getattr(found, name), field.get_default(call_default_factory=True, validated_data={}), field.description)
        for name, field in Settings.model_fields.items()
    ]
    if json:
        print_json([_document(*row) for row in rows])
        return
    for name, value, default, meaning in rows:
        line = Text(f"REVERIE_{name.upper()}", style="cyan") + Text(f"  {_shown(value)}", style="bold")
        line += Text("" if value == default else f"  (default {_shown(default)})", style="dim")
        console.print(line, soft_wrap=True)
        console.print(Padding(Text(meaning or ""), (0, 0, 0, 4)))


def _document(name: str, value: Any, default: Any, meaning: str | None) -> dict[str, Any]:
    return {
        "variable": f"REVERIE_{name.upper()}",
        "value": _SECRET if isinstance(value, SecretStr) else _plain(value),
        "default": _plain(default),
        "meaning": meaning,
    }


def _plain(value: Any) -> Any:
    match value:
        case frozenset():
            return sorted(value)
        case timedelta():
            return value.total_seconds()
    return to_jsonable_python(value)


def _shown(value: Any) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return str(value).lower()
        case SecretStr():
            return _SECRET
        case timedelta():
            return f"{value.total_seconds():.15g} s"
        case frozenset():
            return ",".join(sorted(value))
    return str(value)
