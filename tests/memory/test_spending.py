"""What language models took is told in tokens and, where prices are set, in money."""

import pytest
from conftest import WordEmbedder

from reverie import Memory
from reverie.config.settings import Settings
from reverie.store import usage


@pytest.mark.parametrize(("prices", "cost"), [({}, None), ({"llm_input_price": 2.0, "llm_output_price": 8.0}, 0.0044)])
def test_tokens_become_money_by_the_prices_set(
    settings: Settings, namespace: str, prices: dict[str, float], cost: float | None
) -> None:
    with Memory(namespace, settings=settings.model_copy(update=prices), embedder=WordEmbedder()) as memory:
        assert memory.spending() == {}
        for _ in range(2):
            usage.count(memory.ctx.ns, "extraction", requests=1, input_tokens=500, output_tokens=150)
        spent = memory.spending()["extraction"]

    assert (spent.requests, spent.input_tokens, spent.output_tokens, spent.failed) == (2, 1000, 300, 0)
    assert spent.cost == (None if cost is None else pytest.approx(cost))
