"""Putting a changed fact into a transaction: the record, and the rows of the versions that changed."""

from datetime import datetime

from reverie.pipelines import vectors
from reverie.pipelines.facts.stability import note_closing
from reverie.pipelines.rows import fact_draft
from reverie.store.commit import Transaction
from reverie.store.facts import Found
from reverie.store.records.facts import FactRecord


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
