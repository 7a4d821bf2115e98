"""The reference is what the docstrings say, and every public name has one."""

from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(autouse=True)
def _docs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(DOCS)


def test_the_reference_is_up_to_date() -> None:
    import make_reference

    written = {path.name: path.read_text(encoding="utf-8") for path in (DOCS / "reference").glob("*.md")}
    assert written == make_reference.pages(), "run `python docs/make_reference.py`"
    assert not any(" at 0x" in text for text in written.values())


def test_every_public_name_has_a_docstring() -> None:
    import make_reference

    assert make_reference.undocumented() == []
