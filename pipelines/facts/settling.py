"""Trying a change until it was made from a reading that still stands."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from reverie.store.commit import Transaction
from reverie.store.retry import attempts

T = TypeVar("T", bound=Any)

Extra = Callable[[Transaction], None]
"""Adds guards and commands of the caller's to a change, so that both land together. It may be called several times."""


def settle(attempt: Callable[[], tuple[Transaction | None, T]], extra: Extra | None = None) -> T:
    """Commit what `attempt` makes; make it again when somebody else came first.

    The result has a field `applied`, set to False when a guard of `extra` failed. A transaction of None means that
    nothing has to be changed. Raises StoreBusy when others come first for ever.
    """
    for _ in attempts("a fact"):
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
    raise AssertionError("attempts end by raising")
