"""The table of what is stored knows every kind of record and every key, and the documents print it."""

import importlib
import pkgutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reverie.store.records
from reverie.store.keys import Keys
from reverie.store.records.base import Record
from reverie.store.schema import EDGES, KEYS, KINDS, belongs, markdown

ARCHITECTURE = Path(__file__).parents[2] / "docs" / "architecture.md"


def _record_types() -> set[type[Record]]:
    for module in pkgutil.iter_modules(reverie.store.records.__path__):
        importlib.import_module(f"reverie.store.records.{module.name}")
    found, waiting = set(), [Record]
    while waiting:
        for one in waiting.pop().__subclasses__():
            found |= {one} if one.kind else set()
            waiting.append(one)
    return found


def test_every_kind_of_record_is_in_the_table() -> None:
    assert {one.kind for one in _record_types()} == {kind.name for kind in KINDS}


def test_names_are_unique() -> None:
    for names in ([kind.name for kind in KINDS], [edge.name for edge in EDGES], [key.pattern for key in KEYS]):
        assert len(names) == len(set(names))


@given(
    id=st.text(min_size=1, max_size=40).filter(lambda text: text.isprintable()),
    namespace=st.text("ab{}:*咖", min_size=1),
)
def test_keys_of_any_id_and_namespace_belong(id: str, namespace: str) -> None:
    keys = Keys(namespace)
    made = [
        keys.record("message", id),
        keys.row("fact", id, 3),
        keys.links("goal", id),
        keys.linked("SENT_BY", "message", "participant", id),
        keys.edge("INVALIDATES", "fact", id, "fact", id),
        keys.lock(id),
        keys.near(id),
    ]
    assert [key for key in made if not belongs(key)] == []


@pytest.mark.parametrize(
    "key",
    ["rv:{a}:unheard-of", "rv:{a}:in:SENT_BY:goal:task:x", "rvr1:{a}:session:x", "celery", "rv:{a}:message:", "rv:{a}"],
)
def test_other_keys_do_not(key: str) -> None:
    assert not belongs(key)


def test_the_documents_print_the_table() -> None:
    assert markdown() in ARCHITECTURE.read_text()
