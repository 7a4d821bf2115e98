"""How results look where people see them: tables for notebooks, safe for any stored text."""

from collections.abc import Sequence
from datetime import datetime
from html import escape

_LONGEST_CELL = 500
"""Characters of a cell that are shown; a message may have a million."""


def html_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """An HTML table of these columns and rows; every cell is escaped, and cut after 500 characters."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = f"{value:%Y-%m-%d %H:%M %Z}" if isinstance(value, datetime) else str(value)
    return escape(text if len(text) <= _LONGEST_CELL else f"{text[:_LONGEST_CELL]}…")
