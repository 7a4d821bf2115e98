"""What language models took in a namespace, in tokens and money."""

from pydantic import BaseModel, ConfigDict

from reverie.models.llm import Usage
from reverie.pipelines.context import Context
from reverie.store import usage
from reverie.store.namespace import Namespace

_MILLION = 1_000_000


class Spending(BaseModel):
    """What one purpose took. `failed` replies could not be used. `cost` is in the currency of the prices that are set
    (`llm_input_price`, `llm_output_price`, each for a million tokens); None where neither is set.
    """

    model_config = ConfigDict(frozen=True)

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    failed: int = 0
    cost: float | None = None


def count(ns: Namespace, purpose: str, used: Usage, *, failed: bool) -> None:
    """Add what one use of a model took; `failed` when its reply could not be used. Raises StoreUnavailable."""
    usage.count(
        ns,
        purpose,
        requests=used.requests,
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        failed=int(failed),
    )


def spending(ctx: Context) -> dict[str, Spending]:
    """Per purpose what language models took so far; {} when none was asked. Raises StoreUnavailable."""
    prices = (ctx.settings.llm_input_price, ctx.settings.llm_output_price)
    found = {}
    for purpose, counts in usage.read(ctx.ns).items():
        took = Spending(**counts)
        if any(price is not None for price in prices):
            cost = (took.input_tokens * (prices[0] or 0) + took.output_tokens * (prices[1] or 0)) / _MILLION
            took = took.model_copy(update={"cost": cost})
        found[purpose] = took
    return found
