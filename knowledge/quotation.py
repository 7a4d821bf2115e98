"""What is not the speaker's own words: fenced blocks of recalled text, and recalled items repeated word for word.

Recall writes a line `FENCE_OPEN`, the block, and a line `FENCE_CLOSE`; ingest drops all that lies between, so that what
came out of the memory is never learned again as new.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

FENCE_OPEN: Final = "<recalled-memory>"
FENCE_CLOSE: Final = "</recalled-memory>"
_FENCED = re.compile(rf"{re.escape(FENCE_OPEN)}.*?(?:{re.escape(FENCE_CLOSE)}|\Z)", re.S | re.I)
_SHORTEST = 12
"""Characters from which an item is a quotation wherever it stands; a shorter one is as a sentence of its own."""
_FEWEST = 3
"""Words of a shorter one: "yes" and "me too" are said again and mean something else each time."""


def own_words(text: str, recalled: Iterable[str] = ()) -> str:
    """The text without fenced blocks and without `recalled` items; blanks and case do not matter in comparing.

    An open fence that is never closed hides all that follows.
    """
    own = _FENCED.sub("\n", text)
    for item in sorted({item.strip() for item in recalled}, key=len, reverse=True):
        words = item.split()
        repeated = r"\s+".join(re.escape(word) for word in words)
        if len(item) >= _SHORTEST and words:
            own = re.sub(repeated, "\n", own, flags=re.I)
        elif len(words) >= _FEWEST:
            own = re.sub(rf"(?:^|(?<=[.!?]))\s*{repeated}\s*(?=[.!?]|$)", "\n", own, flags=re.I | re.M)
    return own
