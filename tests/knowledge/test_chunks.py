"""Chunks of long texts."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.knowledge.chunks import chunks


def words(text: str) -> int:
    return len(text.split())


def characters(text: str) -> int:
    return len(text)


def test_a_short_text_is_one_chunk_and_a_blank_one_none() -> None:
    assert [chunk.text for chunk in chunks("One. Two.", 50, 5, words)] == ["One. Two."]
    assert chunks(" \n\n ", 50, 5, words) == []


def test_borders_are_sentences_and_sentences_overlap() -> None:
    text = " ".join(f"This is sentence number {n}." for n in range(20))
    found = chunks(text, 20, 6, words)
    assert all(chunk.text.startswith("This is") for chunk in found)
    assert all(chunk.text.rstrip().endswith(".") for chunk in found)
    assert all(later.start < earlier.end for earlier, later in pairwise(found))


def test_a_paragraph_stays_whole_where_it_can() -> None:
    text = "A b c d e f.\n\nG h i j. K l m n o."
    assert [chunk.text.strip() for chunk in chunks(text, 10, 0, words)] == ["A b c d e f.", "G h i j. K l m n o."]


def test_code_is_cut_between_lines() -> None:
    code = "\n".join(f"value_{n} = compute({n}, {n})" for n in range(40))
    found = chunks(f"See:\n\n```python\n{code}\n```\n\nDone.", 30, 0, words)
    lines = {line for chunk in found for line in chunk.text.splitlines() if line.startswith("value")}
    assert lines == set(code.splitlines())


def test_fifty_thousand_words_are_cut_fast_and_end_in_their_last_sentence() -> None:
    text = (
        " ".join("The quick brown fox jumps over the lazy dog again." for _ in range(5000))
        + " The key is under the mat."
    )
    began = time.perf_counter()
    found = chunks(text, 256, 32, words)
    assert time.perf_counter() - began < 5
    assert len(found) > 190
    assert found[-1].text.endswith("The key is under the mat.")


def test_text_without_blanks_is_cut_as_well() -> None:
    for text in ("我喜欢喝美式咖啡。" * 2000, "x" * 20000):
        found = chunks(text, 100, 10, characters)
        assert all(0 < len(chunk.text) <= 100 for chunk in found)
        assert found[-1].end == len(text)


def test_an_overlap_as_long_as_the_chunk_is_refused() -> None:
    with pytest.raises(ValueError, match="overlap"):
        chunks("text", 10, 10, words)


@given(st.text(alphabet="ab .!?\n`。字", max_size=400), st.integers(1, 40), st.integers(0, 39))
def test_every_word_is_in_a_chunk_and_no_chunk_is_too_long(text: str, most: int, overlap: int) -> None:
    found = chunks(text, most, min(overlap, most - 1), characters)
    covered = set()
    for chunk in found:
        assert text[chunk.start : chunk.end] == chunk.text
        assert len(chunk.text) <= most
        covered.update(range(chunk.start, chunk.end))
    assert all(place in covered for place, char in enumerate(text) if not char.isspace())
    assert [chunk.start for chunk in found] == sorted({chunk.start for chunk in found})
