"""`reverie settings`: every setting, and what it is here."""

from typing import Any

import typer
from pydantic import SecretStr
from pydantic_core import to_jsonable_python
from rich.table import Table

from reverie.cli.output import Json, console, print_json
from reverie.config.settings import Settings, current


def register(app: typer.Typer) -> None:
    app.command()(settings)


def settings(json: Json = False) -> None:
    """Show every setting with its variable, the value in effect, its default and what it means."""
    rows = [_row(name) for name in Settings.model_fields]
    if json:
        print_json(rows)
        return
    table = Table("variable", "value", "default", "meaning", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for row in rows:
        changed = row["value"] != row["default"]
        value = _shown(row["value"])
        table.add_row(
            row["variable"], f"[bold]{value}[/bold]" if changed else value, _shown(row["default"]), row["meaning"]
        )
    console.print(table)


def _row(name: str) -> dict[str, Any]:
    field = Settings.model_fields[name]
    value = getattr(current(), name)
    return {
        "variable": f"REVERIE_{name.upper()}",
        "value": "set, not shown" if isinstance(value, SecretStr) else to_jsonable_python(value),
        "default": to_jsonable_python(field.get_default(call_default_factory=True, validated_data={})),
        "meaning": field.description or "",
    }


def _shown(value: Any) -> str:
    return "-" if value is None else str(value)
