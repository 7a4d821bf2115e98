"""Trying a write again when somebody else came first."""

import random
import time
from collections.abc import Iterator

from reverie.config.errors import StoreUnavailable

_ATTEMPTS = 500
_PATIENCE = 3


def attempts() -> Iterator[None]:
    """One turn an attempt, the later ones after a short pause of random length.

    A failed attempt means that another writer got through, so all get through in the end. Raises StoreUnavailable
    after hundreds of failures.
    """
    for number in range(_ATTEMPTS):
        if number >= _PATIENCE:
            time.sleep(random.uniform(0, 0.001 * min(number, 50)))
        yield
    raise StoreUnavailable("too many writers change this at once; nothing was stored, try again")
