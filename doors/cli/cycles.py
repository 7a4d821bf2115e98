"""`reverie consolidate` and `reverie cycles`: making facts of observations, and the audit of it."""

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from reverie import NotFound
from reverie.cli.output import AgentId, Json, Namespace, console, print_json
from reverie.cli.reading import reading
from reverie.pipelines.consolidate import CycleView


def register(app: typer.Typer) -> None:
    app.command()(consolidate)
    app.command()(cycles)


def consolidate(
    agent: AgentId = "assistant",
    session: Annotated[str | None, typer.Option("--session", help="Only what was observed in this one.")] = None,
    subject: Annotated[str | None, typer.Option("--subject", "-s", help="Only what was observed of this.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan; write nothing.")] = False,
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """Make facts of an agent's observations now, without waiting for the workers."""
    with reading(namespace) as memory:
        done = memory.agent(agent).consolidate(session=session, subject=subject, dry_run=dry_run)
    _show(done, json, empty="nothing to consolidate", changes=True)


def cycles(
    cycle: Annotated[str | None, typer.Argument(help="Show this cycle with its changes.")] = None,
    agent: Annotated[str | None, typer.Option("--agent", "-a", help="Only this agent's; default all.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-l", min=1, help="Most cycles.")] = 20,
    undo: Annotated[str | None, typer.Option("--undo", metavar="CYCLE", help="Take back what this cycle did.")] = None,
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """List what consolidation did, newest first; show one cycle, or undo one."""
    with reading(namespace) as memory:
        if undo is not None:
            found = [memory.cycles.undo(undo)]
        elif cycle is not None:
            one = memory.cycles.get(cycle)
            if one is None:
                raise NotFound("cycle", cycle)
            found = [one]
        else:
            found = memory.cycles(agent, newest=limit)
    _show(found, json, empty="no cycles", changes=cycle is not None or undo is not None)


def _show(found: list[CycleView], json: bool, *, empty: str, changes: bool) -> None:
    if json:
        print_json([one.model_dump(mode="json") for one in found])
        return
    if not found:
        console.print(empty)
        return
    console.print(_table(found))
    for one in found if changes else []:
        for change in one.changes:
            console.print(Text(f"  {change.action:>9}  {change.content or change.fact_id}"), soft_wrap=True)
        for refusal in one.refusals:
            console.print(Text(f"    refused  {refusal}", style="yellow"), soft_wrap=True)


def _table(found: list[CycleView]) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False)
    # Whole at any width, as other commands take it.
    table.add_column("cycle", no_wrap=True)
    for heading in ("agent", "started", "state", "what it did"):
        table.add_column(heading, overflow="fold")
    for one in found:
        row = (one.cycle_id, one.agent, f"{one.started_at:%Y-%m-%d %H:%M}", one.state, _did(one))
        table.add_row(*(Text(word) for word in row))
    return table


def _did(one: CycleView) -> str:
    counts = {
        "observations": one.observations,
        "unused": one.unused,
        "put off": one.put_off,
        "created": one.created,
        "reinforced": one.reinforced,
        "revised": one.revised,
        "closed": one.closed,
    }
    told = [f"{count} {name}" for name, count in counts.items() if count]
    told += [f"unstable: {', '.join(one.unstable)}"] if one.unstable else []
    return ", ".join(told) or "nothing"
