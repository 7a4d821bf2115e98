"""`reverie schedule`: what runs when, when it last ran, and what is due."""

from datetime import UTC, datetime
from typing import Any

import typer
from rich.table import Table
from rich.text import Text

from reverie import Memory
from reverie.cli.output import Json, console, print_json
from reverie.config.settings import current
from reverie.store import runs, waiting
from reverie.workers.schedule import SCHEDULE


def register(app: typer.Typer) -> None:
    app.command()(schedule)


def schedule(json: Json = False) -> None:
    """Show each scheduled task with its interval and setting, its last run, and what is planned and due for it."""
    settings, now = current(), datetime.now(UTC)
    with Memory(settings=settings) as memory:
        last = runs.last(memory.ctx.ns)
        report: list[dict[str, Any]] = []
        for one in SCHEDULE:
            planned, now_due = waiting.totals(memory.ctx.ns, one.topics, one.due, now)
            run = last.get(one.task)
            report.append(
                {
                    "name": one.name,
                    "task": one.task,
                    "every_seconds": one.every(settings).total_seconds(),
                    "setting": f"REVERIE_{one.setting.upper()}",
                    "last_run": None if run is None else vars(run),
                    "planned": planned,
                    "due": now_due,
                }
            )
    if json:
        print_json(report)
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("what")
    for number in ("every", "due", "planned"):
        table.add_column(number, justify="right")
    table.add_column("last run (UTC), what it said")
    for row in report:
        counts = (f"{row['every_seconds']:g} s", str(row["due"]), str(row["planned"]))
        table.add_row(_named(row["name"], row["setting"]), *counts, _told(row["last_run"]))
    console.print(table)


def _named(name: str, setting: str) -> Text:
    return Text(name).append(f"\n{setting}", style="dim")


def _told(run: dict[str, Any] | None) -> Text:
    if run is None:
        return Text("never")
    moment = Text(f"{run['at']:%Y-%m-%d %H:%M:%S}\n")
    return moment.append(run["said"]) if run["succeeded"] else moment.append(f"failed: {run['said']}", style="red")
