"""The Redis scripts: each is a file that says what it takes, and each is run by the store."""

from pathlib import Path

import pytest
import redis

from reverie.store import scripts
from reverie.testing import fake_client

STORE = Path(__file__).parents[2] / "store"
FILES = sorted((STORE / "scripts").glob("*.lua"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_script_says_what_it_takes_and_is_understood(path: Path) -> None:
    comment = [line for line in path.read_text().splitlines() if line.startswith("--")]
    assert any("KEYS: " in line or "ARGV: " in line for line in comment)
    text = scripts.text(path.stem)
    assert "\n--" not in text
    client = fake_client()
    try:
        # Loading compiles it: a mistake in the grammar is an error here.
        client.script_load(text)
    except redis.ResponseError as error:
        pytest.fail(str(error))
    finally:
        client.close()


def test_every_script_is_used_and_none_stands_in_python() -> None:
    sources = {path: path.read_text() for path in STORE.rglob("*.py")}
    assert [path.stem for path in FILES if not any(f'"{path.stem}"' in text for text in sources.values())] == []
    assert [path.name for path, text in sources.items() if "redis.call('" in text] == []
