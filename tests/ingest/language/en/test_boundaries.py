"""Where a sentence begins in the way people write in chats."""

import pytest
from saying import told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("update: switched from Sublime to Zed", ["Ana | use | Zed", "ended: Ana | use | Sublime"]),
        ("I own a Vespa and a canoe, do I need cover for both?", ["Ana | own | Vespa", "Ana | own | canoe"]),
        ("Eva lives in Rome, my brother moved to Oslo.", ["Eva | live in | Rome", "Ana's brother | live in | Oslo"]),
        ("heads up: the CLI needs Node 20", ["CLI | need | Node 20"]),
        ("btw the shop's closed till the 7th", ["shop | be closed | None"]),
        ("sold the Vespa at last!", ["ended: Ana | own | Vespa"]),
        ("My sister, who lives in Rome, plays chess.", ["Ana's sister | play | chess"]),
        ("If it rains, I take the bus.", []),
    ],
)
def test_spliced_pieces_are_read_by_themselves(text: str, expected: list[str]) -> None:
    assert told(text) == expected
