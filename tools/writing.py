"""Writing a new record: once, whole, found at once; and changing one without losing another's change."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from reverie.config.errors import Conflict
from reverie.pipelines import vectors
from reverie.pipelines.context import Context
from reverie.pipelines.rows import Draft
from reverie.store.commands import Condition
from reverie.store.commit import Transaction
from reverie.store.namespace import Namespace
from reverie.store.records.base import Record
from reverie.store.retry import attempts

R = TypeVar("R", bound=Record)


@dataclass
class Links:
    """The optional links of one write, by the parameter that names each: written only if their target exists."""

    transaction: Transaction
    _conditions: list[tuple[str, Condition]] = field(default_factory=list)

    def optional(self, parameter: str, kind: str, id: str) -> Condition:
        """The condition under which links to a record may be written."""
        condition = self.transaction.when_stored(kind, id)
        self._conditions.append((parameter, condition))
        return condition

    def skipped(self, met: tuple[bool, ...]) -> tuple[str, ...]:
        """The parameters whose targets do not exist."""
        missing = [name for name, condition in self._conditions if not met[condition.number - 1]]
        return tuple(dict.fromkeys(missing))


@dataclass(frozen=True)
class Written(Generic[R]):
    """What became of a write: the record as it stands, and whether this call made it."""

    record: R
    created: bool
    skipped_links: tuple[str, ...] = ()
    embedded: bool = True
    replies: tuple[Any, ...] = ()


Linking = Callable[[Transaction, Links], None]
"""Adds the edges (and further guards and records) of a new record to its transaction."""


def insert(
    ctx: Context,
    record: R,
    link: Linking,
    drafts: Sequence[Draft] = (),
    *,
    check: Callable[[Transaction], None] | None = None,
    same: Callable[[R], bool] | None = None,
) -> Written[R]:
    """Write a new record with its edges and rows in one transaction.

    A record of the id that is there already is returned when its digest is the same, or when `same` says that it says
    the same. `check` may refuse the write by what is stored, and adds guards so that this stays so; it is called before
    each attempt. Raises Conflict when the id says something else, StoreUnavailable.
    """
    embeddings = ctx.quick_embedder.documents([draft.embedded for draft in drafts]) if drafts else []
    for _ in attempts(f"the {record.kind}"):
        transaction = ctx.ns.transaction()
        transaction.require_absent(record.kind, record.id)
        if check is not None:
            check(transaction)
        transaction.put(record)
        links = Links(transaction)
        link(transaction, links)
        for draft, vector in zip(drafts, embeddings, strict=True):
            vectors.write_row(transaction, draft, vector, record.recorded_at)
        outcome = transaction.commit()
        if outcome.committed:
            embedded = all(vector is not None for vector in embeddings)
            if not embedded:
                ctx.wake(vectors.TOPIC, ctx.namespace)
            return Written(record, True, links.skipped(outcome.conditions), embedded, outcome.replies)
        if outcome.guard == 0:
            found = type(record).read(outcome.payload)
            if found.digest != record.digest and not (same is not None and same(found)):
                raise Conflict(record.kind, record.id, _difference(found, record))
            return Written(found, False)
    raise AssertionError("attempts end by raising")


def _difference(found: Record, asked: Record) -> str:
    other = getattr(found, "agent", None) != getattr(asked, "agent", None)
    return "and belongs to another agent" if other else "with other content"


def change(ns: Namespace, model: type[R], id: str, changed: Callable[[R, Transaction], R | None]) -> R | None:
    """Change a record without losing what another changed meanwhile; the record as it stands then.

    `changed` gives the record's new form and adds what changes with it; it is called again when somebody else came
    first. It gives None for a record that is not to be touched: then, and for an unknown id, the result is None.
    """
    for _ in attempts(f"the {model.kind}"):
        found = ns.get(model, id)
        if found is None:
            return None
        transaction = ns.transaction()
        transaction.require_unchanged(found.kind, found.id, found.revision)
        new = changed(found, transaction)
        if new is None or new == found:
            return new
        stored: R = new.model_copy(update={"revision": found.revision + 1})
        transaction.put(stored)
        if transaction.commit().committed:
            return stored
    raise AssertionError("attempts end by raising")
