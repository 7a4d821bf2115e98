"""The search itself: three phases, each broader and dearer, each able to end it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reverie.config.errors import ModelFailed
from reverie.pipelines import decay
from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.recall import channels, graph, intent, selection, vocabulary, weights
from reverie.pipelines.recall.bundle import ContextBundle, Item, Place, Trace, within_budget
from reverie.pipelines.recall.features import Column, Matrix, matrix
from reverie.pipelines.recall.pool import Pool
from reverie.pipelines.recall.query import PHASES, Phase, Query
from reverie.store import recalled
from reverie.store.candidates import Candidate, admits, find, similarities
from reverie.store.records.conversation import MessageRecord

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


def recall(kb: KnowledgeBase, query: Query) -> ContextBundle:
    """What the memory holds on a question. Raises StoreUnavailable.

    Where the embedder fails or does not answer within its deadline it goes by words alone, and the trace says so.
    """
    found = look(kb, query)
    items, places = _items(kb, query, found)
    _note_use(kb, query, found.pool.candidates, found.ranking.choices[: len(items)])
    asked = found.intent
    held = _held(found.pool.candidates, found.ranking.choices[: len(items)])
    return ContextBundle.of(
        kb.tokens,
        items=tuple(items),
        coverage=_coverage(held, found.weights),
        phase=found.phase,
        trace=Trace(
            keywords=asked.keywords,
            window=None if asked.window is None else (asked.window.start, asked.window.end),
            phases=found.brought,
            places=tuple(places),
            notes=tuple(found.notes),
        ),
    )


def look(kb: KnowledgeBase, query: Query) -> Search:
    """Run the phases until one ends the search."""
    asked = intent.read(query.text, query.at)
    total, counts = _VOCABULARY.counts(kb.space, asked.keywords)
    idf = vocabulary.weights(total, counts)
    words = vocabulary.searched(counts)
    notes: list[str] = []
    vector = _embedded(kb, query, notes)
    pool = Pool()
    brought: dict[Phase, int] = {}
    ranking = Ranking(np.empty((0, 0), np.float32), np.empty(0, np.float32), [])
    phase: Phase = "compact"
    for name, own in PHASES.items():
        kinds = tuple(kind for kind in own if not query.kinds or kind in query.kinds)
        if not kinds:
            continue
        if brought and _enough(name, query, asked, pool.candidates, ranking.choices, idf):
            break
        phase = name
        named = channels.searches(query, asked, kinds, name, words, vector)
        keys, _ = find(kb.space, [search for _, search in named])
        brought[name] = pool.add(
            kb.space, name, [(channel, found) for (channel, _), found in zip(named, keys, strict=True)]
        )
        if name == "expand" and "graph" in query.channels:
            _walk(kb, query, asked, kinds, pool)
        if pool.candidates:
            ranking = _rank(query, asked, pool, idf, vector)
    return Search(asked, idf, pool, ranking, phase, brought, notes)


def _embedded(kb: KnowledgeBase, query: Query, notes: list[str]) -> "Vector | None":
    if "vector" not in query.channels and "time" not in query.channels:
        return None
    try:
        return kb.quick_embedder.query(intent.essence(query.text))
    except ModelFailed as error:
        notes.append(f"searched by words alone: {error}")
        return None


def _rank(query: Query, asked: intent.Intent, pool: Pool, idf: Mapping[str, float], vector: "Vector | None") -> Ranking:
    found = pool.candidates
    if not found:
        return Ranking(np.empty((0, 0), np.float32), np.empty(0, np.float32), [])
    similarity = np.full(len(found), np.nan, np.float32) if vector is None else similarities(found, vector)
    features = matrix(asked, found, idf, similarity, pool.near)
    fused = weights.fuse(features)
    return Ranking(features, fused, selection.choose(found, fused, limit=query.limit))


def _walk(kb: KnowledgeBase, query: Query, asked: intent.Intent, kinds: tuple[str, ...], pool: Pool) -> None:
    """Spread activation over the edges from what the channels found, and take in the rows it reaches."""
    reached = graph.spread(kb.space, graph.seeds(asked.names, pool.foremost(graph.SEEDS)))
    pool.near = {kb.space.keys.row(*node).encode(): share for node, share in reached.items() if node[0] in kinds}
    nearest = sorted(pool.near, key=lambda key: -pool.near[key])
    fresh = [key for key in nearest if key not in pool.phases][: graph.MOST]
    where = channels.bounds(query, kinds, "expand")
    said = pool.said(kb.space) if "message" in kinds else []
    pool.add(kb.space, "expand", [("graph", fresh), ("source", said)], lambda row: admits(where, row))
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
        return full and not long and _coverage(_held(pool, choices), idf) >= _BROADEN_BELOW
    timely = [choice for choice in choices if asked.in_time(pool[choice.best].valid_from or pool[choice.best].at)]
    whole = sum(_coverage(_held(pool, [choice]), idf) >= _COVERED for choice in timely)
    return whole >= min(_ENOUGH, query.limit)


def _held(pool: Sequence[Candidate], choices: Sequence[selection.Choice]) -> set[str]:
    return {term for choice in choices for place in choice.members for term in pool[place].terms}


def _coverage(held: set[str], idf: Mapping[str, float]) -> float:
    total = sum(idf.values())
    return sum(weight for word, weight in idf.items() if word in held) / total if total else 0.0


def _items(kb: KnowledgeBase, query: Query, found: Search) -> tuple[list[Item], list[Place]]:
    """The items that fit the budget, and their places."""
    pool, ranking = found.pool, found.ranking
    full = _full_texts(kb, pool, ranking)
    odds = weights.odds(ranking.fused)
    items = [_item(pool, choice, float(odds[choice.best]), full, found.weights) for choice in ranking.choices]
    fitting = within_budget(items, query.token_budget, kb.tokens)
    if fitting < len(items):
        found.notes.append(f"{len(items) - fitting} items left out: the budget is {query.token_budget} tokens")
    return items[:fitting], [_place(pool, choice, ranking) for choice in ranking.choices[:fitting]]


def _note_use(kb: KnowledgeBase, query: Query, pool: Sequence[Candidate], choices: Sequence[selection.Choice]) -> None:
    """What was recalled is no news when it comes back, and an episode that is used does not fade yet."""
    given = [pool[place] for choice in choices for place in choice.members]
    recalled.note(kb.space, query.agent, [(row.kind, row.id) for row in given], kb.clock())
    decay.touch(kb, {row.id: row.importance for row in given if row.kind == "episode"})


def _full_texts(kb: KnowledgeBase, pool: Pool, ranking: Ranking) -> dict[str, str]:
    """The whole texts of the messages chosen that are longer than what their rows were read for."""
    ids = [
        pool.candidates[choice.best].id
        for choice in ranking.choices
        if pool.candidates[choice.best].cut and pool.candidates[choice.best].kind == "message"
    ]
    return {record.id: record.content for record in kb.space.get_many(MessageRecord, ids) if record is not None}


def _item(pool: Pool, choice: selection.Choice, odds: float, full: Mapping[str, str], idf: Mapping[str, float]) -> Item:
    members = [pool.candidates[place] for place in choice.members]
    best = pool.candidates[choice.best]
    speaker = best.participants[0] if best.participants and best.kind in ("message", "chunk") else None
    if len(members) == 1:
        content = selection.passage(full.get(best.id, best.text), idf)
    else:
        speaker = None
        content = "\n".join(f"{m.participants[0] if m.participants else '?'}: {m.text}" for m in members)
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
