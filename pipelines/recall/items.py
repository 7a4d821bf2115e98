"""Items from what was chosen: their words and bounds, why each stands where it does, and what fits the token budget."""

import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from weakref import WeakKeyDictionary

from reverie.models.tokens import TokenCounter
from reverie.pipelines.instructions import InstructionView
from reverie.pipelines.recall import ranking
from reverie.pipelines.recall.bundle import Item, Reason, asked, frame, one_line
from reverie.pipelines.recall.candidates import Candidates
from reverie.pipelines.recall.selection import Choice, passage, repeats
from reverie.store.hits import Hit, whole_texts
from reverie.store.namespace import Namespace
from reverie.store.records.facts import FactRecord

_SHORTEST = 120
"""Characters below which a passage says too little to be shown."""


def items(
    ns: Namespace, found: Candidates, ranked: ranking.Ranking, choices: Sequence[Choice], idf: Mapping[str, float]
) -> list[Item]:
    """An item for each choice. `idf` are the weights of the question's keywords, by which long texts are cut."""
    chosen = [found.rows[choice.best] for choice in choices]
    full = whole_texts(ns, [best.key for best in chosen if best.cut])
    shares = ranking.odds(ranked.fused)
    made = [_item(found.rows, choice, float(shares[choice.best]), full, idf) for choice in choices]
    return _as_told(ns, made, [best.part for best in chosen])


def _item(
    rows: Sequence[Hit], choice: Choice, share: float, full: Mapping[bytes, str], idf: Mapping[str, float]
) -> Item:
    members = [rows[index] for index in choice.members]
    best = rows[choice.best]
    again = [rows[index] for index in repeats(rows, choice)] if best.kind == "message" else []
    speaker = best.participants[0] if best.participants and best.kind in ("message", "chunk") else None
    if len(members) == 1:
        content = passage(full.get(best.key, best.text), idf)
    else:
        speaker = None
        content = "\n".join(_said(member) for member in members)
    return Item(
        kind=best.kind,
        id=best.id,
        content=content,
        score=round(share, 4),
        when=best.at,
        speaker=speaker,
        session=best.session,
        sources=tuple(dict.fromkeys(source for member in [*members, *again] for source in member.sources)),
        valid_from=best.valid_from,
        valid_to=best.valid_to,
    )


def _said(message: Hit) -> str:
    """A message of several in one item: its further lines stand deeper than the line that names the speaker."""
    speaker = message.participants[0] if message.participants else "?"
    return f"{one_line(speaker)}: " + "\n  ".join(message.text.splitlines())


def _as_told(ns: Namespace, made: Sequence[Item], parts: Sequence[int]) -> list[Item]:
    """The items, facts among them with the bounds that were told of their versions, the `parts`."""
    ids = [item.id for item in made if item.kind == "fact"]
    facts = {one.id: one for one in ns.get_many(FactRecord, ids) if one is not None}
    told = []
    for item, part in zip(made, parts, strict=True):
        versions = facts[item.id].versions if item.kind == "fact" and item.id in facts else []
        bounds = [{"since": one.told_from, "until": one.told_to} for one in versions if one.number == part]
        told.append(item.model_copy(update=bounds[0]) if bounds else item)
    return told


def reason(found: Candidates, ranked: ranking.Ranking, choice: Choice) -> Reason:
    """Why the item of a choice stands where it does."""
    best = found.rows[choice.best]
    others = [index for index in dict.fromkeys([*choice.members, *choice.absorbed]) if index != choice.best]
    return Reason(
        kind=best.kind,
        id=best.id,
        phase=found.phases[best.key],
        channels=dict(found.ranks[best.key]),
        parts=ranking.parts(ranked.features[choice.best]),
        fused=round(float(ranked.fused[choice.best]), 4),
        joined=tuple(found.rows[index].id for index in others),
    )


# The budget. One more token for each line: where lines meet, a tokenizer may count one.


def instructions_within(
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


def items_within(
    made: Sequence[Item], budget: int, tokens: TokenCounter, idf: Mapping[str, float]
) -> list[tuple[int, Item]]:
    """The items that make a block of at most `budget` tokens, with their indices: the best first, and of those behind
    one that is too long for what is left the ones that are not.

    Where not even one fits, the best is shown cut to a passage. A token has at least one byte of normalised text, so
    lines are counted, the longest first, only until what is counted and the bytes of the rest fit the budget.
    """
    lines = [item.line() for item in made]
    costs = [_most(line) for line in lines]
    around, total = sum(_most(line) for line in frame()), sum(costs)
    if around + total > budget:
        around = sum(_count(tokens, line) for line in frame())
        for index in sorted(range(len(made)), key=lambda index: -costs[index]):
            if around + total <= budget:
                break
            total -= costs[index]
            costs[index] = _count(tokens, lines[index])
            total += costs[index]
    left = budget - around
    fitting = []
    for index, item in enumerate(made):
        if costs[index] <= left:
            fitting.append((index, item))
            left -= costs[index]
    return fitting or _in_part(made, left, tokens, idf)


def _in_part(made: Sequence[Item], left: int, tokens: TokenCounter, idf: Mapping[str, float]) -> list[tuple[int, Item]]:
    if not made:
        return []
    characters = len(made[0].content)
    while characters > _SHORTEST:
        characters = max(_SHORTEST, characters // 2)
        item = made[0].model_copy(update={"content": passage(made[0].content, idf, characters)})
        if _count(tokens, item.line()) <= left:
            return [(0, item)]
    return []


def _most(line: str) -> int:
    return len(line) + 1 if line.isascii() else len(unicodedata.normalize("NFKC", line).encode()) + 1


def _count(tokens: TokenCounter, line: str) -> int:
    """The tokens of a line: counted once and kept, under a digest of the line, while its counter is there."""
    counted = _counted.setdefault(tokens, OrderedDict())
    key = blake2b(line.encode(errors="surrogatepass"), digest_size=16).digest()
    with _counting:
        known = counted.get(key)
    if known is None:
        known = tokens.count(line) + 1
        with _counting:
            counted[key] = known
            if len(counted) > _MOST_COUNTED:
                counted.popitem(last=False)
    return known


_MOST_COUNTED = 20_000
"""Lines of which the tokens are kept: 3 MB."""
_counted: "WeakKeyDictionary[TokenCounter, OrderedDict[bytes, int]]" = WeakKeyDictionary()
_counting = threading.Lock()
