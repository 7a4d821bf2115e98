"""Any id is one safe key, one safe tag and one safe filter."""

import pytest
from conftest import HOSTILE_IDS
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.store.keys import Keys, decode, encode

ids = st.one_of(
    st.sampled_from(HOSTILE_IDS), st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60)
)


@settings(max_examples=1000)
@given(ids)
def test_an_id_survives_its_encoding(id: str) -> None:
    assert decode(encode(id)) == id
    assert encode(id).replace("_", "a").isalnum()
    assert encode(id).isascii()


@settings(max_examples=1000)
@given(ids, ids)
def test_two_ids_never_share_a_key(one: str, other: str) -> None:
    keys = Keys("n")
    assert (keys.record("goal", one) == keys.record("goal", other)) == (one == other)


@given(ids, ids)
def test_two_namespaces_never_share_a_key(one: str, other: str) -> None:
    assert (Keys(one).record("goal", "g") == Keys(other).record("goal", "g")) == (one == other)


def test_an_empty_id_is_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        encode("")
