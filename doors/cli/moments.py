"""Moments given on the command line."""

from datetime import UTC, date, datetime

import typer


def moment(text: str | None) -> datetime | None:
    """A day (its beginning in UTC) or a time with its zone, in ISO 8601. Raises typer.BadParameter."""
    if text is None:
        return None
    try:
        if len(text) == 10:
            return datetime.combine(date.fromisoformat(text), datetime.min.time(), UTC)
        at = datetime.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter("expected a day such as 2026-05-01 or a time such as 2026-05-01T12:00+02:00") from None
    if at.utcoffset() is None:
        raise typer.BadParameter("a time needs its zone, such as 2026-05-01T12:00+00:00")
    return at.astimezone(UTC)
