"""The recall itself: three phases, each broader and dearer, each able to end the search."""

import logging
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from reverie.config.errors import ModelFailed, StoreFull, StoreReadOnly
from reverie.models.rerankers import Reranker
from reverie.pipelines import decay
from reverie.pipelines.context import Context
from reverie.pipelines.instructions import InstructionView, instructions
from reverie.pipelines.recall import question, ranking, selection
from reverie.pipelines.recall.bundle import ContextBundle, Trace
from reverie.pipelines.recall.candidates import Candidates
from reverie.pipelines.recall.items import instructions_within, items, items_within, reason
from reverie.pipelines.recall.question import PHASES, Intent, Phase, Query
from reverie.pipelines.recall.ranking import Ranking
from reverie.pipelines.recall.selection import Choice
from reverie.pipelines.recall.windows import Calendar
from reverie.store import recalled, vocabulary
from reverie.store.analysis import keywords
from reverie.store.hits import Hit

if TYPE_CHECKING:
    from reverie.models.embedders import Vector

log = logging.getLogger("reverie.recall")

_COVERED = 0.95
"""Share of the question's keywords that one item must hold to answer it whole."""
_ENOUGH = 3
"""So many such items, or as many as were asked for, end the search."""
_BROADEN_BELOW = 0.8
"""The last phase runs while the items hold less than this of the question together."""


@dataclass(frozen=True)
class Found:
    """All that the phases found, ranking, before items are made of it."""

    intent: Intent
    idf: Mapping[str, float]
    """Inverse document frequency of each keyword of the question."""
    candidates: Candidates
    ranking: Ranking
    choices: list[Choice]
    phase: Phase
    """The last phase that ran."""
    brought: dict[Phase, int]
    """How many candidates each phase brought."""
    notes: list[str]


def recall(ctx: Context, query: Query) -> ContextBundle:
    """What the memory holds on a question. Raises StoreUnavailable.

    Where the embedder fails or does not answer within its deadline it goes by words alone, and the trace says so.
    """
    found = look(ctx, query)
    asked_for, left = instructions_within(_instructions(ctx, query), query.token_budget, ctx.tokens)
    shown = {one.fact_id for one in asked_for}
    made = items(ctx.ns, found.candidates, found.ranking, found.choices, found.idf)
    fitting = items_within(made, left, ctx.tokens, found.idf)
    notes = list(found.notes)
    if len(fitting) < len(made):
        notes.append(f"{len(made) - len(fitting)} items left out: the budget is {query.token_budget} tokens")
    given = [(item, found.choices[index]) for index, item in fitting if item.id not in shown]
    choices = [choice for _, choice in given]
    if query.is_use:
        _note_use(ctx, query, found.candidates.rows, choices)
    asked = found.intent
    return ContextBundle.of(
        ctx.tokens,
        items=tuple(item for item, _ in given),
        instructions=tuple(asked_for),
        coverage=_coverage(_held(query, found.candidates.rows, choices), found.idf),
        nearest=_nearest(query, found, choices),
        phase=found.phase,
        trace=Trace(
            at=query.at,
            keywords=asked.keywords,
            window=None if asked.window is None else (asked.window.start, asked.window.end),
            phases=found.brought,
            reasons=tuple(reason(found.candidates, found.ranking, choice) for choice in choices),
            notes=tuple(notes),
        ),
    )


def look(ctx: Context, query: Query) -> Found:
    """Run the phases until one ends the search."""
    calendar = Calendar(day_first=ctx.settings.date_order == "day_first", southern=ctx.settings.hemisphere == "south")
    asked = question.read(query.text, query.at, calendar)
    total, counts = vocabulary.counts(ctx.ns, asked.keywords)
    idf = vocabulary.weights(total, counts)
    words = vocabulary.searched(total, counts)
    notes: list[str] = list(asked.window.assumed) if asked.window is not None else []
    vector = _embedded(ctx, query, notes)
    found = Candidates(ctx.ns, query, asked)
    brought: dict[Phase, int] = {}
    standing = _Standing(query, asked, idf, vector, found)
    phase: Phase = "compact"
    wanted = {name: _among(query, own) for name, own in PHASES.items() if _among(query, own)}
    # The first phase seldom ends the search, and a round trip costs more than what the second one's searches do.
    searched = found.search(dict(list(wanted.items())[:2]), words, vector)
    for name, kinds in wanted.items():
        if brought and standing.is_enough(name):
            break
        phase = name
        if name not in searched:
            searched |= found.search({name: kinds}, words, vector)
        brought[name] = found.add(name, searched[name])
        if name == "expand" and "graph" in query.channels:
            found.walk(name, kinds)
    ranked, choices = standing.ranked()
    if ctx.reranker is not None and found.rows:
        ranked = _reranked(ctx.reranker, ctx.settings.reranker_reads, query, found.rows, ranked, idf, notes)
        choices = selection.choose(found.rows, ranked.fused, limit=query.limit)
    return Found(asked, idf, found, ranked, choices, phase, brought, notes)


def _among(query: Query, kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the kinds that are asked for."""
    return tuple(kind for kind in kinds if query.kinds is None or kind in query.kinds)


def _embedded(ctx: Context, query: Query, notes: list[str]) -> "Vector | None":
    if "vector" not in query.channels and "time" not in query.channels:
        return None
    try:
        return ctx.quick_embedder.query(question.essence(query.text))
    except ModelFailed as error:
        notes.append(f"searched by words alone: {error}")
        return None


def _reranked(
    reranker: Reranker,
    reads: int,
    query: Query,
    rows: Sequence[Hit],
    ranked: Ranking,
    idf: Mapping[str, float],
    notes: list[str],
) -> Ranking:
    """The ranking with its best rows in the reranker's order; as it was when the reranker fails or is late.

    The best rows keep their scores among them, so that the shares of the items mean what they did.
    """
    best = np.argsort(-ranked.fused, kind="stable")[:reads]
    texts = [selection.passage(rows[int(index)].text, idf) for index in best]
    try:
        scores = reranker.scores(question.essence(query.text), texts)
    except ModelFailed as error:
        notes.append(f"not reranked: {error}")
        return ranked
    fused = ranked.fused.copy()
    fused[best[np.argsort(-np.asarray(scores), kind="stable")]] = ranked.fused[best]
    notes.append(f"the best {len(best)} were reranked by {reranker.name}")
    return replace(ranked, fused=fused)


class _Standing:
    """How what was found so far ranks, worked out when it is asked for and something came in since."""

    def __init__(
        self, query: Query, asked: Intent, idf: Mapping[str, float], vector: "Vector | None", found: Candidates
    ) -> None:
        self._query, self._asked, self._idf, self._vector = query, asked, idf, vector
        self._found = found
        self._held_then = (0, 0)
        self._ranked: tuple[Ranking, list[Choice]] = ranking.EMPTY, []

    def ranked(self) -> tuple[Ranking, list[Choice]]:
        """The ranking, and the items chosen by it."""
        rows, near = self._found.rows, self._found.near
        if self._held_then != (len(rows), len(near)):
            self._held_then = (len(rows), len(near))
            ranked = ranking.rank(self._asked, rows, self._idf, self._vector, near)
            self._ranked = ranked, selection.choose(rows, ranked.fused, limit=self._query.limit)
        return self._ranked

    def is_enough(self, phase: Phase) -> bool:
        """Whether what was found answers the question, so that `phase` need not run."""
        rows, query = self._found.rows, self._query
        if phase == "broaden":
            _, choices = self.ranked()
            long = any(rows[choice.best].cut for choice in choices)
            held = _held(query, rows, choices)
            return len(choices) >= query.limit and not long and _coverage(held, self._idf) >= _BROADEN_BELOW
        # What no item could be enough by needs no ranking.
        wanted = min(_ENOUGH, query.limit)
        if sum(_coverage(row.words, self._idf) >= _COVERED for row in rows) < wanted:
            return False
        _, choices = self.ranked()
        whole = (
            choice
            for choice in choices
            if self._asked.in_time(_when(rows[choice.best]))
            and question.is_answered_by(query.text, self._asked, rows[choice.best].text)
        )
        return sum(_coverage(_held(query, rows, [choice]), self._idf) >= _COVERED for choice in whole) >= wanted


def _when(row: Hit) -> datetime:
    return row.valid_from or row.at


def _held(query: Query, rows: Sequence[Hit], choices: Sequence[Choice]) -> set[str]:
    """What the choices hold of any question, without those that only ask it too."""
    held: set[str] = set()
    for choice in choices:
        for index in choice.members:
            if not _asks_the_same(query.text, rows[index].text):
                held.update(rows[index].words)
    return held


def _nearest(query: Query, found: Found, choices: Sequence[Choice]) -> float | None:
    rows, similarity = found.candidates.rows, found.ranking.similarity
    members = [index for choice in choices for index in choice.members if not np.isnan(similarity[index])]
    near = [float(similarity[index]) for index in members if not _asks_the_same(query.text, rows[index].text)]
    return round(max(near), 4) if near else None


def _asks_the_same(asked: str, text: str) -> bool:
    """Whether a text is the question itself, which was said or recorded when it was asked."""
    alike = abs(len(text) - len(asked)) <= len(asked) // 4 + 2 and question.is_question(text)
    return alike and keywords(text) == keywords(asked)


def _coverage(held: Set[str], idf: Mapping[str, float]) -> float:
    total = sum(idf.values())
    return sum(weight for word, weight in idf.items() if word in held) / total if total else 0.0


def _instructions(ctx: Context, query: Query) -> list[InstructionView]:
    """The standing instructions to the agent, of the participants and among the kinds that were asked for."""
    if query.kinds is not None and "fact" not in query.kinds:
        return []
    given = instructions(ctx, agent=query.agent)
    return [one for one in given if query.participants is None or one.giver in query.participants]


def _note_use(ctx: Context, query: Query, rows: Sequence[Hit], choices: Sequence[Choice]) -> None:
    """What was recalled is no news when it comes back, and an episode that is used does not fade yet.

    A store that takes no writes now is recalled from nevertheless.
    """
    given = [rows[index] for choice in choices for index in choice.members]
    try:
        recalled.note(ctx.ns, query.agent, [(row.kind, row.id, row.part) for row in given], ctx.clock())
        decay.touch(ctx, {row.id: row.importance for row in given if row.kind == "episode"})
    except (StoreFull, StoreReadOnly) as error:
        log.warning("what was recalled is not noted, so that its echo may be learned: %s", error)
