"""A chat that WhatsApp exported: one text file.

Days stand before months, unless the file itself shows the other order. The times have no zone: they are read as UTC.

    [01/05/2026, 12:00:00] Ana: I moved to Lyon.
    01/05/26, 12:01 - Ben: Really?
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from reverie.cli.formats.base import Item, Source

_STAMP = re.compile(
    r"^[\u200e\u200f]?\[?(\d{1,4})[./-](\d{1,2})[./-](\d{1,4}),? (\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?"
    r"(?:[ \u202f]?([AaPp])\.?[Mm]\.?)?\]?(?: -)? (.*)$"
)
_SAID = re.compile(r"^([^:]{1,80}): ?(.*)$", re.DOTALL)
_LEFT_OUT = re.compile(r"^[\u200e\u200f]?(?:<[^>]*omitted>|\w+ omitted)$", re.IGNORECASE)


@dataclass
class _Entry:
    where: str
    stamp: tuple[str | None, ...]
    lines: list[str] = field(default_factory=list)


def matches(text: str) -> bool:
    """Whether a text begins so."""
    return any(_STAMP.match(line) for line in text.splitlines()[:3])


def read(source: Source) -> Iterator[Item]:
    """The messages of the chat; what WhatsApp itself says, and pictures left out, are none."""
    entries: list[_Entry] = []
    for number, line in enumerate(source.text.splitlines(), 1):
        if found := _STAMP.match(line):
            entries.append(_Entry(f"line {number}", found.groups()[:7], [found[8]]))
        elif entries:
            entries[-1].lines.append(line)
        elif line.strip():
            source.refuse(f"line {number} is no message of WhatsApp")
    month_first = not any(int(e.stamp[0] or 0) > 12 for e in entries) and any(
        int(e.stamp[1] or 0) > 12 for e in entries
    )
    for entry in entries:
        said = _SAID.match("\n".join(entry.lines).strip())
        if said is None or not said[2].strip() or _LEFT_OUT.match(said[2].strip()):
            continue
        try:
            at = _moment(entry.stamp, month_first=month_first)
        except ValueError as error:
            source.refuse(f"{entry.where}: {error}")
            continue
        turn = source.turn(entry.where, source.path.stem, sender=said[1].strip("\u200e\u200f "), content=said[2], at=at)
        if turn is not None:
            yield turn


def _moment(stamp: tuple[str | None, ...], *, month_first: bool) -> datetime:
    first, second, third, hour, minute, second_of, half = stamp
    numbers = [int(one or 0) for one in (first, second, third)]
    if numbers[0] > 31:
        year, month, day = numbers
    else:
        month, day = numbers[:2] if month_first else numbers[1::-1]
        year = numbers[2]
    hours = int(hour or 0)
    if half is not None:
        hours = hours % 12 + (12 if half in "pP" else 0)
    full = year if year > 99 else 2000 + year
    return datetime(full, month, day, hours, int(minute or 0), int(second_of or 0), tzinfo=UTC)
