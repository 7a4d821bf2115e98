"""Trying a change until it was made from a reading that still stands."""

import random
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from reverie.config.errors import StoreUnavailable
from reverie.store.commit import Transaction

T = TypeVar("T", bound=Any)

Extra = Callable[[Transaction], None]
"""Adds guards and commands of the caller's to a change, so that both land together. It may be called several times."""

_ATTEMPTS = 500
_PATIENCE = 3


def settle(attempt: Callable[[], tuple[Transaction | None, T]], extra: Extra | None = None) -> T:
    """Commit what `attempt` makes; make it again when somebody else came first.

    The result has a field `applied`, set to False when a guard of `extra` failed. A transaction of None means that
    nothing has to be changed. Raises StoreUnavailable when others come first for ever.
    """
    for number in range(_ATTEMPTS):
        transaction, result = attempt()
        if transaction is None:
            return result
        own = transaction.guards
        if extra is not None:
            extra(transaction)
        outcome = transaction.commit()
        if outcome.committed:
            return result
        if outcome.guard >= own:
            return replace(result, applied=False)
        if number >= _PATIENCE:
            time.sleep(random.uniform(0, 0.001 * min(number, 50)))
    raise StoreUnavailable("too many writers change this fact at once; nothing was stored, try again")
