"""How what was recalled is shown to people: the items with their sources, and why each stands where it does."""

from rich.console import Group
from rich.table import Table
from rich.text import Text

from reverie.pipelines.recall import ContextBundle, Item, Reason

_REASONS = 4
"""So many features are named for each item, the weightiest first."""


def items(bundle: ContextBundle) -> list[Text]:
    """The items, best first, a line for each message."""
    lines = [line for rank, item in enumerate(bundle.items, 1) for line in described(item, f"{rank:>3}. ")]
    held = f"{bundle.total_tokens} tokens, {bundle.phase}, coverage {bundle.coverage:.0%}"
    return [*(lines or [Text("nothing found")]), Text(held, style="dim")]


def described(item: Item, mark: str) -> list[Text]:
    """An item for people: what it is and when, and its words, each line at the message it comes from."""
    head = Text(mark) + Text(f"{item.kind}, {item.when:%d %b %Y}", style="dim")
    indent = " " * len(mark)
    lines = item.content.splitlines()
    if item.kind == "message" and len(lines) == len(item.sources):
        said = f"{item.speaker}: " if item.speaker else ""
        cited = zip(item.sources, lines, strict=True)
        return [head, *(Text(f"{indent}{source:>6}  ", style="cyan") + Text(said + line) for source, line in cited)]
    rests = ", ".join(item.sources) or item.id
    return [head, *(Text(indent + line) for line in lines), Text(f"{indent}from {rests}", style="cyan")]


def trace(bundle: ContextBundle) -> Group:
    """What was searched for and, as a table, which channels found each item and what spoke for it."""
    told = bundle.trace
    sought = [f"keywords: {', '.join(told.keywords) or 'none'}"]
    if told.window is not None:
        start, end = told.window
        sought.append(f"time named: {start:%Y-%m-%d %H:%M} to {'now' if end is None else f'{end:%Y-%m-%d %H:%M}'}")
    sought.append("candidates: " + ", ".join(f"{count} in {phase}" for phase, count in told.phases.items()))
    table = Table(box=None, header_style="dim", pad_edge=False)
    for heading in ("", "score"):
        table.add_column(heading, justify="right", no_wrap=True)
    for heading in ("found by, at rank", "what spoke for it"):
        table.add_column(heading)
    for number, (item, reason) in enumerate(zip(bundle.items, told.reasons, strict=True), 1):
        table.add_row(*(Text(cell) for cell in (f"{number}.", f"{item.score:.2f}", _found(reason), _weights(reason))))
    lines = [*sought, *told.notes]
    return Group(*(Text(line, style="dim") for line in lines), *([table] if bundle.items else []))


def _found(reason: Reason) -> str:
    channels = ", ".join(f"{name} {rank}" for name, rank in sorted(reason.channels.items(), key=lambda one: one[1]))
    return f"{channels}, {len(reason.joined)} joined" if reason.joined else channels


def _weights(reason: Reason) -> str:
    weighty = sorted(reason.parts.items(), key=lambda part: -abs(part[1]))[:_REASONS]
    return ", ".join(f"{name} {value:+.1f}" for name, value in weighty)
