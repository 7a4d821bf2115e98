"""Finding entities and turns: by word and by meaning, in one round trip of searches and three of reads."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.config.errors import ModelFailed
from reverie.models.embedders import Vector
from reverie.pipelines import nearness
from reverie.pipelines.graph.base import AsOf, KnowledgeGraph
from reverie.pipelines.graph.reading import entities
from reverie.pipelines.graph.views import EntityView, TurnView, turn_view
from reverie.pipelines.graph.words import asked_words, forms, name_words
from reverie.store import vocabulary
from reverie.store.hits import Hit, read, similarities
from reverie.store.records.graph import (
    GraphObservationRecord,
    GraphRelationRecord,
    GraphStatement,
    GraphTurnRecord,
)
from reverie.store.search import Filter, Found, Search, find

_STATEMENTS: dict[str, type[GraphStatement]] = {
    GraphObservationRecord.kind: GraphObservationRecord,
    GraphRelationRecord.kind: GraphRelationRecord,
}
_BY_WORD = 40
"""Rows asked for by word; four times the limit when that is more."""
_BY_MEANING = 20
"""Rows asked for by meaning; twice the limit when that is more."""
_NEAR = 0.26
"""Least meaning that counts; see `_meaning`. With the default embedder what shares no subject stays below 0.25."""
_SHOWN = 50
"""Newest observations, and relations, of an entity that a search shows."""


def search_nodes(
    graph: KnowledgeGraph,
    query: str,
    limit: int = 10,
    *,
    min_score: float = 0.0,
    valid_as_of: datetime | None = None,
    known_as_of: datetime | None = None,
) -> list[EntityView]:
    """The entities that the query is about, best first, each with a score in (0, 1]; [] when there are none."""
    if not query.strip() or limit < 1:
        return []
    as_of = graph.moments(valid_as_of, known_as_of)
    question = Question.of(graph, query)
    hits = question.search(graph, [graph.at.id], limit, as_of.valid if as_of.only_open else None)[0]
    return nodes(graph, question, hits, limit, min_score, as_of)


def nodes(
    graph: KnowledgeGraph, question: "Question", hits: Sequence["Near"], limit: int, min_score: float, as_of: AsOf
) -> list[EntityView]:
    """The best entities of the rows that were found."""
    by_name: dict[str, list[Near]] = defaultdict(list)
    for one in _holding(graph, hits, as_of):
        for name in one.hit.about:
            by_name[name].append(one)
    scores = {name: question.score(group) for name, group in by_name.items()}
    best = sorted(
        (name for name in scores if scores[name] > 0 and scores[name] >= min_score), key=lambda name: -scores[name]
    )
    ids = {graph.at.entity_id(name): name for name in best}
    views: list[EntityView] = []
    waiting = list(ids)
    while waiting and len(views) < limit:
        # Another round only when some of the names are no entity.
        batch, waiting = waiting[:limit], waiting[limit:]
        known = entities(graph, batch, as_of, newest=_SHOWN if as_of.only_open else None)
        views += [known[id].model_copy(update={"score": scores[ids[id]]}) for id in batch if id in known]
    return views[:limit]


def turns(
    graph: KnowledgeGraph, question: "Question", hits: Sequence["Near"], limit: int, min_score: float
) -> list[tuple[TurnView, float]]:
    """The best entries of the episodic log of the rows that were found, each with its score in (0, 1]."""
    scores = {one.hit.id: question.score([one]) for one in hits}
    best = sorted((id for id in scores if scores[id] > 0 and scores[id] >= min_score), key=lambda id: -scores[id])
    records = graph.ctx.ns.get_many(GraphTurnRecord, best[:limit])
    return [(turn_view(record), scores[record.id]) for record in records if record is not None]


@dataclass(frozen=True)
class Near:
    """A row that was found, and its similarity to the question in [-1, 1] where it was found by that."""

    hit: Hit
    similarity: float | None


@dataclass(frozen=True)
class Question:
    """A query as its words and its meaning, and how well rows answer it."""

    words: tuple[str, ...]
    vector: Vector | None
    background: float

    @classmethod
    def of(cls, graph: KnowledgeGraph, query: str) -> "Question":
        """The question of a query; by words alone when the embedder fails."""
        try:
            vector = graph.ctx.quick_embedder.query(query)
            background = nearness.background(graph.ctx, vector)
        except ModelFailed:
            vector, background = None, 0.0
        return cls(asked_words(query), vector, background)

    def search(
        self, graph: KnowledgeGraph, tags: Sequence[str], limit: int, valid_as_of: datetime | None
    ) -> list[list[Near]]:
        """For each tag (the graph's, its log's) the rows that share a word or the meaning; two round trips for all."""
        ns = graph.ctx.ns
        asked = [vocabulary.telling(ns, tag, self.words) for tag in tags]
        searches = [
            self._searches(Filter(None, graph=tag, valid_as_of=valid_as_of), words, limit)
            for tag, words in zip(tags, asked, strict=True)
        ]
        replies = iter(find(ns, [search for group in searches for search in group.values()]))
        found = [{way: next(replies) for way in group} for group in searches]
        for tag, words, ways in zip(tags, asked, found, strict=True):
            if "word" in ways:
                vocabulary.note(ns, tag, words, [forms(word) for word in words], ways["word"].count)
        return self._read(graph, found)

    def _searches(self, where: Filter, words: Sequence[str], limit: int) -> dict[str, Search]:
        """One search for each way of looking that the question gives something for."""
        looked_up = tuple(dict.fromkeys(form for word in words for form in forms(word)))
        found: dict[str, Search] = {}
        if looked_up:
            found["word"] = Search(where, max(_BY_WORD, 4 * limit), keywords=looked_up, context_weight=0)
        if self.vector is not None:
            found["meaning"] = Search(where, max(_BY_MEANING, 2 * limit), vector=self.vector)
        return found

    def _read(self, graph: KnowledgeGraph, found: Sequence[Mapping[str, Found]]) -> list[list[Near]]:
        """The rows of each group of searches, each once. How near one is counts where it is among the nearest."""
        keys = list(dict.fromkeys(key for ways in found for one in ways.values() for key in one.keys))
        hits = read(graph.ctx.ns, keys)
        rows = {hit.key: hit for hit in hits}
        near = {} if self.vector is None else dict(zip(rows, similarities(hits, self.vector).tolist(), strict=True))
        groups = []
        for ways in found:
            nearest = frozenset(ways["meaning"].keys) if "meaning" in ways else frozenset()
            own = dict.fromkeys(key for one in ways.values() for key in one.keys)
            groups.append([Near(rows[key], near[key] if key in nearest else None) for key in own if key in rows])
        return groups

    def _meaning(self, near: Near) -> float:
        """Similarity above what this query has to any text, as a part of what it could have: in [0, 1].

        Embedders put all texts into a narrow cone (0.75 to 0.9 for the default one), each query at its own height.
        """
        if near.similarity is None:
            return 0.0
        return nearness.above(near.similarity, self.background)

    def score(self, hits: Sequence[Near]) -> float:
        """How well rows answer together: the better of the part of the words they hold and of the nearest meaning,
        with three tenths left to the other. 0 when they hold no word and none is near."""
        met = sum(any(self._holds(hit, word) for hit in hits) for word in self.words)
        coverage = met / len(self.words) if self.words else 0.0
        meaning = max(self._meaning(hit) for hit in hits)
        if not met and meaning < _NEAR:
            return 0.0
        return 0.7 * max(coverage, meaning) + 0.3 * min(coverage, meaning)

    def _holds(self, near: Near, word: str) -> bool:
        names = [name_words(name) for name in near.hit.about]
        return any(form in near.hit.words or any(form in name for name in names) for form in forms(word))


def _holding(graph: KnowledgeGraph, hits: Sequence[Near], as_of: AsOf) -> Sequence[Near]:
    """Those that held: a row knows the last interval only, so that a search of the past asks the records."""
    if as_of.only_open:
        return hits
    held: set[tuple[str, str]] = set()
    for kind, model in _STATEMENTS.items():
        ids = [one.hit.id for one in hits if one.hit.kind == kind]
        records = graph.ctx.ns.get_many(model, ids)
        held |= {(kind, record.id) for record in records if record and as_of.holding(record.versions)}
    return [one for one in hits if one.hit.kind not in _STATEMENTS or (one.hit.kind, one.hit.id) in held]
