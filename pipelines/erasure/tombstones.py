"""Keeping out what was erased, when a task that was sent before arrives after.

What was written under an id stays out for good; a session, a participant, a user or a namespace may be used again, by
what is newer than its erasure.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from reverie.store import tombstones
from reverie.store.namespace import Namespace
from reverie.store.times import to_micros
from reverie.store.tombstones import Named

FOR_GOOD: Final = frozenset({"message", "action", "episode", "goal", "task", "delivery"})
"""Kinds whose ids stay out: records that tasks write, and the deliveries themselves (by the id of the Celery task)."""


def barred(ns: Namespace, named: Iterable[Named], at: datetime | None, delivery: str | None = None) -> bool:
    """Whether a task that arrives was sent before an erasure of what it names; `at` is when it was sent, if it says so.

    Of a task that does not say it, only what stays out for good is known. Those that lay in the broker at the time of
    the erasure are of this kind: it notes their deliveries, by the ids of the Celery tasks.
    """
    wanted = [("namespace", ns.namespace), *named, *([("delivery", delivery)] if delivery is not None else [])]
    return any(
        moment is not None and (kind in FOR_GOOD or (at is not None and to_micros(at) <= moment))
        for (kind, _), moment in zip(wanted, tombstones.moments(ns, wanted), strict=True)
    )


def not_barred(ns: Namespace, participants: Sequence[str], at: datetime | None) -> tuple[str, ...]:
    """Those of these participants who were not erased since `at`."""
    return tuple(one for one in participants if not barred(ns, [("participant", one)], at))
