"""The recall bench: ask as an agent would, and see what was found, why it stands there and what a model gets."""

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie import ContextBundle, Memory
from reverie.pipelines.recall import Item, Reason
from reverie.pipelines.recall.question import CHANNELS
from reverie.tools.fields import validated
from reverie.tools.recall import RecallParams, recall
from reverie.web.asked import moment, number
from reverie.web.pages import memory_of, page

_PARTS = 6
"""Features of an item that are shown: those that gave or took most."""


@dataclass(frozen=True)
class Asked:
    """One side of the bench: its settings, and what came of them."""

    prefix: str
    query: str
    agent: str
    limit: int
    token_budget: int
    channels: tuple[str, ...]
    bundle: ContextBundle | None

    @property
    def rows(self) -> Sequence[tuple[Item, Reason, list[tuple[str, float]]]]:
        """Each item, why it stands where it does, and the features that weighed most in that."""
        if self.bundle is None:
            return []
        return [
            (item, why, sorted(why.parts.items(), key=lambda part: -abs(part[1]))[:_PARTS])
            for item, why in zip(self.bundle.items, self.bundle.trace.reasons, strict=True)
        ]


def _recall(request: Request) -> Response:
    memory = memory_of(request)
    sides = [_asked(request, memory, "")]
    if "b_query" in request.query_params:
        sides.append(_asked(request, memory, "b_"))
    return page(request, "recall.html", sides=sides, channels=CHANNELS, compares=len(sides) > 1)


def _asked(request: Request, memory: Memory, prefix: str) -> Asked:
    given = request.query_params
    query = given.get(f"{prefix}query", "").strip()
    agent = given.get(f"{prefix}agent", "").strip() or "assistant"
    limit = number(request, f"{prefix}limit", 15, 200) or 15
    budget = number(request, f"{prefix}budget", 2000) or 2000
    # A form without a tick sends nothing: then all are meant.
    channels = tuple(one for one in given.getlist(f"{prefix}channel") if one in CHANNELS) or CHANNELS
    bundle = None
    if query:
        params = validated(
            RecallParams,
            query=query,
            limit=limit,
            token_budget=budget,
            channels=channels,
            at=moment(request, "at"),
        )
        bundle = recall(memory.ctx, agent, params, is_use=False)
    return Asked(prefix, query, agent, limit, budget, channels, bundle)


routes = [Route("/recall", _recall)]
