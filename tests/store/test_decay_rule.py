"""Where episodes were planned by other settings: asked of the namespaces that hold any, and only once they changed."""

from datetime import UTC, datetime

from reverie.store import decay
from reverie.store.keys import NAMESPACES
from reverie.store.namespace import Namespace
from reverie.testing import fake_client

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def planned(ns: Namespace, rule: str) -> None:
    transaction = ns.transaction()
    transaction.schedule(decay.ARCHIVE, "e", NOW)
    decay.set_rule(transaction, decay.rule(ns), rule)
    assert transaction.commit().committed


def test_only_namespaces_with_planned_episodes_are_asked() -> None:
    client = fake_client()
    one = Namespace(client, "one")
    planned(one, "old")
    client.sadd(NAMESPACES, *(f"idle-{number}" for number in range(50)))

    assert decay.planned_otherwise(one, "old") == []
    assert decay.planned_otherwise(one, "new") == ["one"]


def test_what_was_found_in_order_is_not_looked_through_again() -> None:
    client = fake_client()
    one, other = Namespace(client, "one"), Namespace(client, "other")
    planned(one, "old")
    assert decay.planned_otherwise(one, "old") == []
    planned(other, "")  # by the same settings, since

    assert decay.planned_otherwise(one, "old") == []


def test_a_change_that_was_begun_and_taken_back_is_seen() -> None:
    client = fake_client()
    one = Namespace(client, "one")
    planned(one, "old")
    assert decay.planned_otherwise(one, "old") == []
    assert decay.planned_otherwise(one, "new") == ["one"]
    planned(one, "new 12 server 40")

    assert decay.planned_otherwise(one, "old") == ["one"]
