"""The search itself: three phases, each broader and dearer, each able to end it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reverie.config.errors import ModelFailed
from reverie.pipelines import decay
from reverie.pipelines.context import Context
from reverie.pipelines.instructions import InstructionView, instructions
from reverie.pipelines.recall import channels, graph, intent, prose, selection, vocabulary, weights
from reverie.pipelines.recall.admission import Admission
from reverie.pipelines.recall.budget import of_instructions, within_budget
from reverie.pipelines.recall.bundle import ContextBundle, Item, Place, Trace
from reverie.pipelines.recall.features import Column, Matrix, matrix
from reverie.pipelines.recall.pool import Pool
from reverie.pipelines.recall.query import PHASES, Phase, Query
from reverie.store import recalled
from reverie.store.analysis import keywords
from reverie.store.candidates import Candidate, admits, find, row_keys, similarities, whole_texts
from reverie.store.records.facts import FactRecord

if TYPE_CHECKING:
    from reverie.models.embedders import Vector

_VOCABULARY = vocabulary.Vocabulary()
_COVERED = 0.95
"""Share of the question's keywords that one item must hold to answer it whole."""
_ENOUGH = 3
"""So many such items, or as many as were asked for, end the search."""
_BROADEN_BELOW = 0.8
"""The last phase runs while the items hold less than this of the question together."""


@dataclass(frozen=True)
class Ranking:
    """The pool with its features and fused scores, and the choices made of it."""

    features: Matrix
    fused: Column
    choices: list[selection.Choice]
    similarity: Column
    """To the question, of each of the pool; NaN where it has no vector."""


@dataclass(frozen=True)
class Search:
    """All that a search found, ranking, before items are made of it."""

    intent: intent.Intent
    weights: Mapping[str, float]
    """Inverse document frequency of each keyword of the question."""
    pool: Pool
    ranking: Ranking
    phase: Phase
    brought: dict[Phase, int]
    notes: list[str]


def recall(ctx: Context, query: Query) -> ContextBundle:
    """What the memory holds on a question. Raises StoreUnavailable.

    Where the embedder fails or does not answer within its deadline it goes by words alone, and the trace says so.
    """
    found = look(ctx, query)
    asked_for, left = of_instructions(_instructions(ctx, query), query.token_budget, ctx.tokens)
    shown = {one.fact_id for one in asked_for}
    items = [(item, choice) for item, choice in _items(ctx, query, found, left) if item.id not in shown]
    choices = [choice for _, choice in items]
    _note_use(ctx, query, found.pool.candidates, choices)
    asked = found.intent
    held = _held(query, found.pool.candidates, choices)
    return ContextBundle.of(
        ctx.tokens,
        items=tuple(item for item, _ in items),
        instructions=tuple(asked_for),
        coverage=_coverage(held, found.weights),
        nearest=_nearest(query, found, choices),
        phase=found.phase,
        trace=Trace(
            at=query.at,
            keywords=asked.keywords,
            window=None if asked.window is None else (asked.window.start, asked.window.end),
            phases=found.brought,
            places=tuple(_place(found.pool, choice, found.ranking) for choice in choices),
            notes=tuple(found.notes),
        ),
    )


def look(ctx: Context, query: Query) -> Search:
    """Run the phases until one ends the search."""
    asked = intent.read(query.text, query.at)
    total, counts = _VOCABULARY.counts(ctx.ns, asked.keywords)
    idf = vocabulary.weights(total, counts)
    words = vocabulary.searched(total, counts)
    notes: list[str] = []
    vector = _embedded(ctx, query, notes)
    pool = Pool(Admission(ctx.ns, query), asked.keywords)
    brought: dict[Phase, int] = {}
    ranking = Ranking(np.empty((0, 0), np.float32), np.empty(0, np.float32), [], np.empty(0, np.float32))
    phase: Phase = "compact"
    for name, own in PHASES.items():
        kinds = tuple(kind for kind in own if query.kinds is None or kind in query.kinds)
        if not kinds:
            continue
        if brought and _enough(name, query, asked, pool.candidates, ranking.choices, idf):
            break
        phase = name
        named = channels.searches(query, asked, kinds, name, words, vector)
        keys, _ = find(ctx.ns, [search for _, search in named])
        brought[name] = pool.add(
            ctx.ns, name, [(channel, found) for (channel, _), found in zip(named, keys, strict=True)]
        )
        if name == "expand" and "graph" in query.channels:
            _walk(ctx, query, asked, kinds, pool)
        if pool.candidates:
            ranking = _rank(query, asked, pool, idf, vector)
    return Search(asked, idf, pool, ranking, phase, brought, notes)


def _embedded(ctx: Context, query: Query, notes: list[str]) -> "Vector | None":
    if "vector" not in query.channels and "time" not in query.channels:
        return None
    try:
        return ctx.quick_embedder.query(intent.essence(query.text))
    except ModelFailed as error:
        notes.append(f"searched by words alone: {error}")
        return None


def _rank(query: Query, asked: intent.Intent, pool: Pool, idf: Mapping[str, float], vector: "Vector | None") -> Ranking:
    found = pool.candidates
    if not found:
        return Ranking(np.empty((0, 0), np.float32), np.empty(0, np.float32), [], np.empty(0, np.float32))
    similarity = np.full(len(found), np.nan, np.float32) if vector is None else similarities(found, vector)
    features = matrix(asked, found, idf, similarity, pool.near)
    fused = weights.fuse(features)
    return Ranking(features, fused, selection.choose(found, fused, limit=query.limit), similarity)


def _walk(ctx: Context, query: Query, asked: intent.Intent, kinds: tuple[str, ...], pool: Pool) -> None:
    """Spread activation over the edges from what the channels found, and take in the rows it reaches."""
    reached = graph.spread(ctx.ns, graph.seeds(asked.names, pool.foremost(graph.SEEDS)))
    wanted = {(kind, id): share for (kind, id), share in reached.items() if kind in kinds}
    pool.near = {row_keys(ctx.ns, kind, [id])[0]: share for (kind, id), share in wanted.items()}
    nearest = sorted(pool.near, key=lambda key: -pool.near[key])
    fresh = [key for key in nearest if key not in pool.phases][: graph.MOST]
    where = channels.bounds(query, kinds, "expand")
    said = pool.said(ctx.ns) if "message" in kinds else []
    pool.add(ctx.ns, "expand", [("graph", fresh), ("source", said)], lambda row: admits(where, row))
    for place, key in enumerate(nearest, 1):
        if key in pool.phases:
            pool.channels[key].setdefault("graph", place)


def _enough(
    name: Phase,
    query: Query,
    asked: intent.Intent,
    pool: Sequence[Candidate],
    choices: Sequence[selection.Choice],
    idf: Mapping[str, float],
) -> bool:
    """Whether the phases so far answer the question, so that `name` need not run."""
    if name == "broaden":
        long = any(pool[choice.best].cut for choice in choices)
        full = len(choices) >= query.limit
        return full and not long and _coverage(_held(query, pool, choices), idf) >= _BROADEN_BELOW
    timely = [choice for choice in choices if asked.in_time(pool[choice.best].valid_from or pool[choice.best].at)]
    whole = sum(_coverage(_held(query, pool, [choice]), idf) >= _COVERED for choice in timely)
    return whole >= min(_ENOUGH, query.limit)


def _held(query: Query, pool: Sequence[Candidate], choices: Sequence[selection.Choice]) -> set[str]:
    """What the choices hold of any question, without those that only ask it too."""
    held: set[str] = set()
    for choice in choices:
        for place in choice.members:
            if not _asks_the_same(query.text, pool[place].text):
                held.update(pool[place].terms)
    return held


def _nearest(query: Query, found: Search, choices: Sequence[selection.Choice]) -> float | None:
    pool, similarity = found.pool.candidates, found.ranking.similarity
    members = [place for choice in choices for place in choice.members if not np.isnan(similarity[place])]
    near = [float(similarity[place]) for place in members if not _asks_the_same(query.text, pool[place].text)]
    return round(max(near), 4) if near else None


def _asks_the_same(question: str, text: str) -> bool:
    """Whether a text is the question itself, which was said or recorded when it was asked."""
    alike = abs(len(text) - len(question)) <= len(question) // 4 + 2 and intent.asks(text)
    return alike and keywords(text) == keywords(question)


def _coverage(held: set[str], idf: Mapping[str, float]) -> float:
    total = sum(idf.values())
    return sum(weight for word, weight in idf.items() if word in held) / total if total else 0.0


def _instructions(ctx: Context, query: Query) -> list[InstructionView]:
    """The standing instructions to the agent, of the participants and among the kinds that were asked for."""
    if query.kinds is not None and "fact" not in query.kinds:
        return []
    given = instructions(ctx, agent=query.agent)
    return [one for one in given if query.participants is None or one.giver in query.participants]


def _as_told(ctx: Context, items: Sequence[Item], parts: Sequence[int]) -> list[Item]:
    """The items, facts among them with the bounds that were told of their versions, the `parts`."""
    ids = [item.id for item in items if item.kind == "fact"]
    facts = {one.id: one for one in ctx.ns.get_many(FactRecord, ids) if one is not None}
    told = []
    for item, part in zip(items, parts, strict=True):
        versions = facts[item.id].versions if item.kind == "fact" and item.id in facts else []
        bounds = [{"since": one.told_from, "until": one.told_to} for one in versions if one.number == part]
        told.append(item.model_copy(update=bounds[0]) if bounds else item)
    return told


def _items(ctx: Context, query: Query, found: Search, budget: int) -> list[tuple[Item, selection.Choice]]:
    """The items that fit the budget, each with the choice it was made of."""
    pool, ranking = found.pool, found.ranking
    cut = (pool.candidates[choice.best] for choice in ranking.choices)
    full = whole_texts(ctx.ns, [best.key for best in cut if best.cut])
    odds = weights.odds(ranking.fused)
    items = [_item(pool, choice, float(odds[choice.best]), full, found.weights) for choice in ranking.choices]
    items = _as_told(ctx, items, [pool.candidates[choice.best].part for choice in ranking.choices])

    def shorter(place: int, characters: int) -> Item:
        item = items[place]
        return item.model_copy(update={"content": selection.passage(item.content, found.weights, characters)})

    fitting = within_budget(items, budget, ctx.tokens, shorter)
    if len(fitting) < len(items):
        left_out = len(items) - len(fitting)
        found.notes.append(f"{left_out} items left out: the budget is {query.token_budget} tokens")
    return [(item, ranking.choices[place]) for place, item in fitting]


def _note_use(ctx: Context, query: Query, pool: Sequence[Candidate], choices: Sequence[selection.Choice]) -> None:
    """What was recalled is no news when it comes back, and an episode that is used does not fade yet."""
    given = [pool[place] for choice in choices for place in choice.members]
    recalled.note(ctx.ns, query.agent, [(row.kind, row.id, row.part) for row in given], ctx.clock())
    decay.touch(ctx, {row.id: row.importance for row in given if row.kind == "episode"})


def _item(
    pool: Pool, choice: selection.Choice, odds: float, full: Mapping[bytes, str], idf: Mapping[str, float]
) -> Item:
    members = [pool.candidates[place] for place in choice.members]
    best = pool.candidates[choice.best]
    speaker = best.participants[0] if best.participants and best.kind in ("message", "chunk") else None
    if len(members) == 1:
        content = selection.passage(full.get(best.key, best.text), idf)
    else:
        speaker = None
        content = "\n".join(_said(member) for member in members)
    return Item(
        kind=best.kind,
        id=best.id,
        content=content,
        score=round(odds, 4),
        when=best.at,
        speaker=speaker,
        session=best.session,
        sources=tuple(dict.fromkeys(source for member in members for source in member.sources)),
        valid_from=best.valid_from,
        valid_to=best.valid_to,
    )


def _said(message: Candidate) -> str:
    """A message of several in one item: its further lines stand deeper than the line that names the speaker."""
    speaker = message.participants[0] if message.participants else "?"
    return f"{prose.one_line(speaker)}: " + "\n  ".join(message.text.splitlines())


def _place(pool: Pool, choice: selection.Choice, ranking: Ranking) -> Place:
    best = pool.candidates[choice.best]
    others = [place for place in dict.fromkeys([*choice.members, *choice.absorbed]) if place != choice.best]
    return Place(
        kind=best.kind,
        id=best.id,
        phase=pool.phases[best.key],
        channels=dict(pool.channels[best.key]),
        parts=weights.parts(ranking.features[choice.best]),
        fused=round(float(ranking.fused[choice.best]), 4),
        joined=tuple(pool.candidates[place].id for place in others),
    )
