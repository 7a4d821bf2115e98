"""Putting a changed fact into a transaction: the record, and the rows of the versions that changed."""

from datetime import datetime

from reverie.config.errors import NotFound
from reverie.pipelines import vectors
from reverie.pipelines.facts.stability import note_closing
from reverie.pipelines.rows import fact_draft
from reverie.store.commit import Transaction
from reverie.store.facts import Found
from reverie.store.namespace import Namespace
from reverie.store.records.facts import FactRecord
from reverie.store.scripts import Word


def store(transaction: Transaction, before: FactRecord | None, now_found: Found, now: datetime) -> bool:
    """Guard, record and rows. False when the rows wait for their vector, which is then queued."""
    record, vector = now_found.record, now_found.vector
    if before is None:
        transaction.require_absent(record.kind, record.id)
    else:
        transaction.require_unchanged(record.kind, record.id, before.revision)
    transaction.put(record)
    note_closing(transaction, before, record)
    old = {version.number: version for version in before.versions} if before else {}
    for number in old.keys() - {version.number for version in record.versions}:
        transaction.drop_row("fact", record.id, number)
    for version in record.versions:
        # What is retired and was retired before can only be found as of then; its row stays as it is.
        if old.get(version.number) != version or version.retired_at is None:
            vectors.write_row(transaction, fact_draft(record, version), vector, now)
    return vector is not None


def note_replacement(
    ns: Namespace, transaction: Transaction, fact_id: str, replacement: str, now: datetime, reason: str | None
) -> None:
    """Make a write note that a fact was replaced by another, and why. Raises NotFound when there is no such other."""
    if ns.get(FactRecord, replacement) is None:
        raise NotFound("fact", replacement)
    transaction.require_present("fact", replacement)
    properties: dict[str, Word] = {} if reason is None else {"reason": reason}
    transaction.link("INVALIDATES", ("fact", replacement), ("fact", fact_id), now, properties=properties)
