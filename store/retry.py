"""Making a write again when somebody else changed what it was made from.

A write is made from a reading and refused by its guards when the reading stands no more; then it is read and made
again. This is the only loop that does so.
"""

from collections.abc import Iterator
from typing import Final

from tenacity import RetryCallState, Retrying, retry_always, stop_after_attempt, wait_random_exponential

from reverie.config.errors import StoreBusy

ATTEMPTS: Final = 500
"""A failed attempt means that another writer got through. With the pauses these take some twelve seconds: longer than
a burst of writers, shorter than the time limit of a task."""
_FIRST_PAUSE: Final = 0.001
"""Seconds at most before the third attempt, doubled for each further one: some round trips to Redis."""
_LONGEST_PAUSE: Final = 0.05
"""Seconds."""


def attempts(what: str, limit: int = ATTEMPTS) -> Iterator[int]:
    """Count the attempts at a write from 0, with a pause of random length before the third and later ones.

    `what` names the thing that is changed, without any user's text. A `limit` of its own, at least two, is for attempts
    that are dear by themselves. Raises StoreBusy when the last attempt failed too.
    """
    yield 0  # by itself: nearly every write is made once, and tenacity's preparations would be a tenth of its cost

    def give_up(_: RetryCallState) -> None:
        raise StoreBusy(f"{what} is changed by too many writers at once; this change was not stored, try again")

    tries = Retrying(
        retry=retry_always,
        stop=stop_after_attempt(limit - 1),
        wait=wait_random_exponential(multiplier=_FIRST_PAUSE, max=_LONGEST_PAUSE),
        retry_error_callback=give_up,
    )
    for number, attempt in enumerate(tries, 1):
        yield number
        attempt.retry_state.set_result(None)
