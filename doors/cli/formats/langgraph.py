"""Items of a LangGraph store: JSON Lines, or one JSON list.

Each becomes a message in the session that its namespace names, said by the last part of that.

    {"namespace": ["memories", "ana"], "key": "k-1", "value": {"text": "Moved to Lyon"},
     "created_at": "2026-05-01T12:00:00+00:00", "updated_at": "2026-05-02T12:00:00+00:00"}
"""

import json
from collections.abc import Iterator
from typing import Any

from reverie.cli.formats.base import Item, Source, field, when


def matches(sample: Any) -> bool:
    """Whether an entry of a file is written so."""
    return isinstance(sample, dict) and {"namespace", "key", "value"} <= sample.keys()


def read(source: Source) -> Iterator[Item]:
    """The items, each by when it was last changed."""
    for where, item in source.entries():
        if not matches(item):
            source.refuse(f"{where} is no item of a LangGraph store")
            continue
        path = item["namespace"] if isinstance(item["namespace"], list) else str(item["namespace"]).split(".")
        names = [str(one) for one in path] or ["store"]
        value = item["value"]
        text = field(value, "text", "content", "memory", "data")
        try:
            at = when(field(item, "updated_at", "created_at"))
        except ValueError:
            source.refuse(f"{where}, updated_at: is no time")
            continue
        turn = source.turn(
            where,
            "/".join(names),
            sender=names[-1],
            content=text if isinstance(text, str) else json.dumps(value, ensure_ascii=False),
            message_id="/".join([*names, str(item["key"])]),
            at=at,
            metadata={"value": value},
        )
        if turn is not None:
            yield turn
