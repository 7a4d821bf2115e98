"""Stored text as pages show it: any text, made harmless to look at."""

import unicodedata
from datetime import UTC, datetime

from markupsafe import Markup, escape

SHOWN = 600
"""Characters of a text that are shown at first; the rest is a click away. A message may have a million."""

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode categories that cannot be seen, or that change how the text around them is shown."""
_KEPT = {"\n", "\t", "\u200d", "\ufe0f"}
"""Line ends and tabs, and what joins and colours emoji."""


def visible(text: str) -> str:
    """The text with what cannot be seen (control characters, marks of direction) written out as ⟨U+202E⟩."""
    return "".join(
        f"⟨U+{ord(one):04X}⟩" if unicodedata.category(one) in _HIDDEN and one not in _KEPT else one for one in text
    )


def named(text: object, limit: int) -> str:
    """A name for titles and choices, where no markup can isolate it: visible, cut after `limit` characters."""
    whole = str(text)
    return visible(whole[:limit]) + ("…" if len(whole) > limit else "")


def shown(text: object, limit: int = SHOWN) -> Markup:
    """A stored text, isolated from the direction of what is around it, cut after `limit` characters."""
    whole = "" if text is None else str(text)
    cut = Markup('<span class="cut" title="cut here">…</span>') if len(whole) > limit else Markup()
    return Markup("<bdi>{}{}</bdi>").format(visible(whole[:limit]), cut)


def moment(at: datetime | None, offset: int | None = None) -> Markup:
    """A moment, which the page shows in its viewer's zone; `offset` is that of the speaker's clock, in minutes."""
    if at is None:
        return Markup("–")
    utc = at.astimezone(UTC)
    spoken = "" if offset is None else f"{offset:+d}"
    return Markup('<time datetime="{}" data-offset="{}">{}</time>').format(
        utc.isoformat(timespec="seconds"), spoken, f"{utc:%Y-%m-%d %H:%M}Z"
    )


def told(value: str | None, at: datetime | None) -> Markup:
    """A bound of time as precise as it was told, with the exact moment as a hint; an open one is "now"."""
    if at is None:
        return Markup("now")
    return Markup('<time datetime="{}" class="told" title="{}">{}</time>').format(
        at.astimezone(UTC).isoformat(timespec="seconds"), f"{at:%Y-%m-%d %H:%M %Z}", escape((value or "")[:16])
    )


def span(seconds: float | None) -> str:
    """A length of time in its largest fitting unit, as "3 min"; "–" when it is not known."""
    if seconds is None:
        return "–"
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.1f}".rstrip("0").rstrip(".") + f" {unit}"
    return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"


def counted(count: int, kind: str) -> str:
    """A count with its noun, as "2 observations"."""
    name = kind.replace("_", " ")
    many = f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"
    return f"{count:,} {name if count == 1 else many}"
