"""The Redis scripts: one file each, which says in its first lines what it takes and replies.

Each is run by one function of the store, which gives its keys and arguments names and types.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import redis

Word = str | bytes | int | float
"""What a command of Redis is made of."""


@cache
def text(name: str) -> str:
    """What Redis is sent for the script `name`: the file without its comments, which some servers get each time."""
    lines = (Path(__file__).parent / f"{name}.lua").read_text().splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("--"))


def run(client: "redis.Redis", name: str, keys: Sequence[str | bytes], args: Sequence[Word]) -> Any:
    """Run the script `name` and give its reply; the server is sent the text only when it does not know it yet."""
    return client.register_script(text(name))(keys=list(keys), args=list(args))
