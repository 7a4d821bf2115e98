"""What of a ranking fits a token budget, as a rendered block."""

import unicodedata
from collections.abc import Callable, Sequence

from reverie.models.tokens import TokenCounter
from reverie.pipelines.instructions import InstructionView
from reverie.pipelines.recall.bundle import Item, asked, frame

_SHORTEST = 120
"""Characters below which a passage says too little to be shown."""


def of_instructions(
    given: Sequence[InstructionView], budget: int, tokens: TokenCounter
) -> tuple[list[InstructionView], int]:
    """The instructions that fit a budget of tokens, the newest first to be kept, and what is left of the budget."""
    kept: list[InstructionView] = []
    around = sum(_count(tokens, line) for line in frame()) if given else 0
    left = budget
    for one in reversed(given):
        cost = _count(tokens, asked(one))
        if around + cost <= left:
            kept.append(one)
            left -= cost
    return kept[::-1], left


def within_budget(
    items: Sequence[Item], budget: int, tokens: TokenCounter, shorter: Callable[[int, int], Item]
) -> list[tuple[int, Item]]:
    """The items that make a block of at most `budget` tokens, with their places: the best first, and of those behind
    one that is too long for what is left the ones that are not.

    Where not even one fits, the best is shown in part: `shorter(place, characters)` gives it cut to a passage. A token
    has at least one byte of normalised text, so lines are counted, the longest first, only until what is counted and
    the bytes of the rest fit the budget.
    """
    around = sum(_most(line) for line in frame())
    costs = [_most(item.line()) for item in items]
    if around + sum(costs) > budget:
        around = sum(_count(tokens, line) for line in frame())
        for place in sorted(range(len(items)), key=lambda place: -costs[place]):
            if around + sum(costs) <= budget:
                break
            costs[place] = _count(tokens, items[place].line())
    left = budget - around
    fitting = []
    for place, item in enumerate(items):
        if costs[place] <= left:
            fitting.append((place, item))
            left -= costs[place]
    return fitting or _in_part(items, left, tokens, shorter)


def _in_part(
    items: Sequence[Item], left: int, tokens: TokenCounter, shorter: Callable[[int, int], Item]
) -> list[tuple[int, Item]]:
    if not items:
        return []
    characters = len(items[0].content)
    while characters > _SHORTEST:
        characters = max(_SHORTEST, characters // 2)
        item = shorter(0, characters)
        if _count(tokens, item.line()) <= left:
            return [(0, item)]
    return []


# One more for each line: where lines meet, a tokenizer may count one.


def _most(line: str) -> int:
    return len(unicodedata.normalize("NFKC", line).encode()) + 1


def _count(tokens: TokenCounter, line: str) -> int:
    return tokens.count(line) + 1
