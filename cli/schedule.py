"""`reverie schedule`: what runs when, when it last ran, and what is due."""

from datetime import UTC, datetime
from typing import Any

import typer
from rich.table import Table

from reverie import Memory
from reverie.cli.output import Json, console, print_json
from reverie.config.settings import current
from reverie.store import due, runs, stats
from reverie.store.space import Space
from reverie.workers.schedule import SCHEDULE


def register(app: typer.Typer) -> None:
    app.command()(schedule)


def schedule(json: Json = False) -> None:
    """Show each scheduled task with its interval and setting, its last run, and what is planned and due for it."""
    settings, now = current(), datetime.now(UTC)
    with Memory(settings=settings) as memory:
        last = runs.last(memory.kb.space.client)
        report: list[dict[str, Any]] = []
        for one in SCHEDULE:
            planned, now_due = _counts(memory.kb.space, one.due, one.topics, now)
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
    table = Table("what", "every", "setting", "last run (UTC)", "due", "planned", "it said", box=None, pad_edge=False)
    for row in report:
        run = row["last_run"]
        table.add_row(
            row["name"],
            f"{row['every_seconds']:g} s",
            row["setting"],
            "never" if run is None else f"{run['at']:%Y-%m-%d %H:%M:%S}",
            str(row["due"]),
            str(row["planned"]),
            "" if run is None else run["said"] if run["succeeded"] else f"failed: {run['said']}",
        )
    console.print(table)


def _counts(anywhere: Space, sets: tuple[str, ...], topics: tuple[str, ...], now: datetime) -> tuple[int, int]:
    """How much is planned and how much of it is due, over all namespaces."""
    planned = now_due = 0
    for namespace in anywhere.namespaces():
        space = Space(anywhere.client, namespace)
        for name in sets:
            total, some = due.count(space, name, now)
            planned, now_due = planned + total, now_due + some
        for lag in stats.lag(space, topics, now).values() if topics else ():
            planned, now_due = planned + lag.waiting, now_due + lag.due
    return planned, now_due
