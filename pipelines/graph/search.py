"""Finding entities and turns: by word and by meaning, in one round trip of searches and two of reads."""

import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from reverie.config.errors import ModelFailed
from reverie.models.embedders import Embedder, Vector
from reverie.pipelines.graph.base import AsOf, KnowledgeGraph
from reverie.pipelines.graph.reading import entities
from reverie.pipelines.graph.views import EntityView, TurnView, turn_view
from reverie.pipelines.graph.words import asked_words, forms, stored_words
from reverie.store.records.graph import (
    GraphEntityRecord,
    GraphObservationRecord,
    GraphRelationRecord,
    GraphStatement,
    GraphTurnRecord,
)
from reverie.store.search import Filter, Hit, Search, search

NODE_KINDS = (GraphEntityRecord.kind, GraphObservationRecord.kind, GraphRelationRecord.kind)
_STATEMENTS: dict[str, type[GraphStatement]] = {
    GraphObservationRecord.kind: GraphObservationRecord,
    GraphRelationRecord.kind: GraphRelationRecord,
}
_CANDIDATES = 40
"""Rows asked for by each channel; four times the limit when that is more."""
_NEAR = 0.24
"""Least meaning that counts; see `_meaning`. With the default embedder texts that share no subject stay below 0.2."""
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
    hits = question.search(graph, [NODE_KINDS], limit, as_of.valid if as_of.only_open else None)[0]
    return nodes(graph, question, hits, limit, min_score, as_of)


def nodes(
    graph: KnowledgeGraph, question: "Question", hits: Sequence[Hit], limit: int, min_score: float, as_of: AsOf
) -> list[EntityView]:
    """The best entities of the rows that were found."""
    by_name: dict[str, list[Hit]] = defaultdict(list)
    for hit in _holding(graph, hits, as_of):
        for name in hit.about:
            by_name[name].append(hit)
    scores = {name: question.score(group) for name, group in by_name.items()}
    best = sorted((name for name in scores if 0 < scores[name] >= min_score), key=lambda name: -scores[name])
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
    graph: KnowledgeGraph, question: "Question", hits: Sequence[Hit], limit: int, min_score: float
) -> list[tuple[TurnView, float]]:
    """The best entries of the episodic log of the rows that were found, each with its score in (0, 1]."""
    scores = {hit.id: question.score([hit]) for hit in hits}
    best = sorted((id for id in scores if 0 < scores[id] >= min_score), key=lambda id: -scores[id])
    records = graph.kb.space.get_many(GraphTurnRecord, best[:limit])
    return [(turn_view(record), scores[record.id]) for record in records if record is not None]


@dataclass
class Question:
    """A query as its words and its meaning, and how well a row answers it."""

    words: tuple[str, ...]
    vector: Vector | None
    background: float
    _similar: dict[tuple[str, str], float] = field(default_factory=dict)

    @classmethod
    def of(cls, graph: KnowledgeGraph, query: str) -> "Question":
        """The question of a query; by words alone when the embedder fails."""
        embedder = graph.kb.embedder
        try:
            vector = embedder.query(query)
            background = float(vector @ _centre(embedder))
        except ModelFailed:
            vector, background = None, 0.0
        return cls(asked_words(query), vector, background)

    def search(
        self, graph: KnowledgeGraph, groups: Sequence[tuple[str, ...]], limit: int, valid_as_of: datetime | None
    ) -> list[list[Hit]]:
        """The rows of each group of kinds that share a word or the meaning, each once; one round trip for all."""
        count = max(_CANDIDATES, 4 * limit)
        wanted = tuple(dict.fromkeys(form for word in self.words for form in forms(word)))
        searches = []
        for kinds in groups:
            seen = Filter(graph=graph.at.id, kinds=kinds, valid_as_of=valid_as_of)
            if wanted:
                searches.append(Search(seen, count, keywords=wanted))
            if self.vector is not None:
                searches.append(Search(seen, count, vector=self.vector))
        replies = iter(search(graph.kb.space, searches))
        return [self._merged(replies) for _ in groups]

    def _merged(self, replies: Iterator[list[Hit]]) -> list[Hit]:
        worded = next(replies) if self.words else []
        near = next(replies) if self.vector is not None else []
        for hit in near:
            self._similar[hit.kind, hit.id] = self._meaning(hit.score)
        close = [hit for hit in near if self._similar[hit.kind, hit.id] >= _NEAR]
        return list({(hit.kind, hit.id): hit for hit in (*worded, *close)}.values())

    def _meaning(self, similarity: float) -> float:
        """Similarity above what this query has to any text, as a part of what it could have: in [0, 1].

        Embedders put all texts into a narrow cone (0.75 to 0.9 for the default one), each query at its own height.
        """
        return max(0.0, (similarity - self.background) / max(1e-6, 1.0 - self.background))

    def score(self, hits: Sequence[Hit]) -> float:
        """How well rows answer together: the better of the part of the words they hold and of the nearest meaning,
        with three tenths left to the other."""
        said = {word for hit in hits for word in stored_words(f"{' '.join(hit.about)} {hit.text}")}
        met = sum(any(form in said for form in forms(word)) for word in self.words)
        coverage = met / len(self.words) if self.words else 0.0
        nearest = max((self._similar.get((hit.kind, hit.id), 0.0) for hit in hits), default=0.0)
        meaning = nearest if nearest >= _NEAR or coverage else 0.0
        return 0.7 * max(coverage, meaning) + 0.3 * min(coverage, meaning)


def _holding(graph: KnowledgeGraph, hits: Sequence[Hit], as_of: AsOf) -> Sequence[Hit]:
    """Those that held: a row knows the last interval only, so that a search of the past asks the records."""
    if as_of.only_open:
        return hits
    held: set[tuple[str, str]] = set()
    for kind, model in _STATEMENTS.items():
        ids = [hit.id for hit in hits if hit.kind == kind]
        records = graph.kb.space.get_many(model, ids)
        held |= {(kind, record.id) for record in records if record and as_of.holding(record.versions)}
    return [hit for hit in hits if hit.kind not in _STATEMENTS or (hit.kind, hit.id) in held]


_ANCHORS = (
    "The meeting starts at noon.", "likes long walks", "person", "The price went up by ten percent.",
    "a blue chair in the corner", "works in an office", "It rained all night.", "plays football on Sundays",
    "The file could not be opened.", "city", "ate soup for lunch", "a song from the eighties",
    "The river is wide and slow.", "has two children", "The committee rejected the plan.", "a battery of nine volts",
)  # fmt: skip
"""Texts about nothing in common: what a query has to them it has to any text."""
_centres: dict[tuple[str, int], Vector] = {}
_centres_lock = threading.Lock()


def _centre(embedder: Embedder) -> Vector:
    """The mean of the anchors' vectors, made once a process for each embedder."""
    key = (embedder.name, id(embedder))
    with _centres_lock:
        if key not in _centres:
            mean: Vector = np.mean(embedder.documents(list(_ANCHORS)), axis=0, dtype=np.float32)
            _centres[key] = mean
        return _centres[key]
