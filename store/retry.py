"""Making a write again when somebody else changed what it was made from.

A write is made from a reading and refused by its guards when the reading stands no more; then it is read and made
again. This is the only loop that does so.
"""

import random
import time
from collections.abc import Iterator
from typing import Final

from reverie.config.errors import StoreBusy

ATTEMPTS: Final = 500
"""A failed attempt means that another writer got through. With the pauses these take some twelve seconds: longer than
a burst of writers, shorter than the time limit of a task."""
_AT_ONCE: Final = 3
"""So many attempts follow each other without a pause."""
_LONGEST_PAUSE: Final = 0.05
"""Seconds."""


def attempts(what: str, limit: int = ATTEMPTS) -> Iterator[int]:
    """Count the attempts at a write from 0, with a pause of random length before the later ones.

    `what` names the thing that is changed, without any user's text. A `limit` of its own is for attempts that are dear
    by themselves. Raises StoreBusy when the last attempt failed too.
    """
    for number in range(limit):
        if number >= _AT_ONCE:
            time.sleep(random.uniform(0, min(0.001 * number, _LONGEST_PAUSE)))
        yield number
    raise StoreBusy(f"{what} is changed by too many writers at once; this change was not stored, try again")
