"""From a ranked pool to items: repeats collapsed, neighbours joined, sessions mixed, long texts cut to what matters."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from reverie.store.analysis import keywords
from reverie.store.hits import Hit

_REPEAT_PENALTY = 0.25
"""What each earlier item of the same session takes off a score, so that one session does not fill the list."""
_JOINED = 3
"""Most messages of one item."""
_JOIN_CHARS = 1200
_SAME = 0.85
"""Share of keywords in common from which two texts say the same."""
_FILLERS = frozenset(
    keywords("a an the this that these those and so just also very too then there here now oh well ok yes")
)
"""What a repeat may say more; any other word, number or negation is news."""
_NEGATIONS = frozenset(keywords("no not nor never cannot without")) | {"t"}
_WITHIN = 0.75
"""Share of a claim's keywords that the message it was drawn from must hold, to stand for it."""
_WORD = 40
LONG = 1500
"""Characters of a long text that are shown."""


@dataclass
class Choice:
    """The candidates of one item; the score of `best` ranks it, the others joined it."""

    best: int
    members: list[int] = field(default_factory=list)
    absorbed: list[int] = field(default_factory=list)


def choose(pool: Sequence[Hit], scores: npt.NDArray[np.float32], *, limit: int, join: bool = True) -> list[Choice]:
    """The items, best first, at most `limit`; neighbours are taken from the best `4 * limit` of the pool."""
    order = [int(index) for index in np.argsort(-scores, kind="stable")[: 12 * limit]]
    near = set(order[: 4 * limit])
    picked = _Picked(pool)
    by_message = {c.id: index for index, c in enumerate(pool) if c.kind == "message"}
    following = {c.previous: index for index, c in enumerate(pool) if c.kind == "message" and c.previous}
    of_session: dict[str, list[int]] = defaultdict(list)
    for number, index in enumerate(order):
        session = pool[index].session
        if session is not None:
            of_session[session].append(number)
    standing = scores[order].astype(np.float64)
    choices: list[Choice] = []
    while len(choices) < limit and standing.size:
        number = int(standing.argmax())
        if standing[number] == -np.inf:
            break
        standing[number] = -np.inf
        index = order[number]
        if index in picked.used:
            continue
        if picked.says(index):
            picked.absorb(index)
            continue
        choice = Choice(index)
        fuller = _message_of(pool, index, by_message)
        if fuller is not None:
            choice.absorbed.append(index)
            choice.best = fuller
        choice.members = (
            _neighbours(pool, choice.best, near, by_message, following, scores, picked.used) if join else [choice.best]
        )
        picked.take(choice, len(choices))
        choices.append(choice)
        session = pool[index].session
        if session is not None:
            standing[of_session[session]] -= _REPEAT_PENALTY
    for index, number in picked.absorbed:
        choices[number].absorbed.append(index)
    return choices


class _Picked:
    """What the items so far say."""

    def __init__(self, pool: Sequence[Hit]) -> None:
        self._pool = pool
        self.used: set[int] = set()
        self._terms: list[frozenset[str]] = []
        self._worded: list[tuple[str, ...]] = []
        self._sources: dict[str, int] = {}
        self._repeated: dict[tuple[str | None, str], int] = {}
        """By who said it and the text, the item whose best message says it."""
        self.absorbed: list[tuple[int, int]] = []
        self._at = 0

    def take(self, choice: Choice, number: int) -> None:
        self.used.update(choice.members, choice.absorbed)
        terms: set[str] = set()
        for index in choice.members:
            terms.update(self._pool[index].words)
            for source in self._pool[index].sources:
                self._sources.setdefault(source, number)
        if self._pool[choice.best].kind == "message":
            self._repeated.setdefault(_told(self._pool[choice.best]), number)
        self._terms.append(frozenset(terms))
        self._worded.append(self._pool[choice.best].terms)

    def says(self, index: int) -> bool:
        """Whether an item so far says all that this candidate does."""
        candidate = self._pool[index]
        terms = candidate.words
        # "Yes" means something else after each question.
        alone = candidate.kind == "message" and not candidate.answers
        repeated = self._repeated.get(_told(candidate)) if alone else None
        if repeated is not None:
            self._at = repeated
            return True
        if not terms:
            return False
        drawn = candidate.kind != "message"
        of_sources = {self._sources[one] for one in candidate.sources if one in self._sources} if drawn else ()
        for number, said in enumerate(self._terms):
            if number in of_sources and len(terms & said) >= _WITHIN * len(terms):
                self._at = number
                return True
            if self._is_alike(terms, said) and not self._is_news(candidate, terms, number):
                self._at = number
                return True
        return False

    @staticmethod
    def _is_alike(terms: frozenset[str], said: frozenset[str]) -> bool:
        size, other = len(terms), len(said)
        # Of texts of very different length no words need to be compared.
        if size <= 2 or min(size, other) < _SAME * max(size, other):
            return False
        return len(terms & said) >= _SAME * len(terms | said)

    def _is_news(self, candidate: Hit, terms: frozenset[str], number: int) -> bool:
        """Whether what differs in a text that is much like an item's changes what it says."""
        said = self._terms[number]
        if not terms - said <= _FILLERS or (said - terms) & _NEGATIONS:
            return True
        # The same words in another order: who owes whom.
        own, other = ([t for t in words if t in terms & said] for words in (candidate.terms, self._worded[number]))
        return own != other and sorted(own) == sorted(other)

    def absorb(self, index: int) -> None:
        self.used.add(index)
        self.absorbed.append((index, self._at))


def _told(message: Hit) -> tuple[str | None, str]:
    """Who said a message and its text, blanks and case aside; the same for each time that it was said."""
    return (message.participants[0] if message.participants else None), " ".join(message.text.casefold().split())


def repeats(pool: Sequence[Hit], choice: Choice) -> list[int]:
    """The messages that were collapsed into a choice and say, word by word, what its best one does."""
    told = _told(pool[choice.best])
    return [index for index in choice.absorbed if pool[index].kind == "message" and _told(pool[index]) == told]


def _message_of(pool: Sequence[Hit], index: int, by_message: Mapping[str, int]) -> int | None:
    """The message that a claim was drawn from, when it was found too and says no less."""
    candidate = pool[index]
    if candidate.kind not in ("observation", "chunk") or len(candidate.sources) != 1:
        return None
    message = by_message.get(candidate.sources[0])
    if message is None or len(pool[message].text) > LONG:
        return None
    terms = candidate.words
    return message if len(terms & pool[message].words) >= _WITHIN * len(terms) else None


def _neighbours(
    pool: Sequence[Hit],
    index: int,
    near: set[int],
    by_message: Mapping[str, int],
    following: Mapping[str, int],
    scores: npt.NDArray[np.float32],
    used: set[int],
) -> list[int]:
    """The message with those beside it that were found too, in the order they were said."""
    members = [index]
    if pool[index].kind != "message":
        return members
    chars = len(pool[index].text)
    while len(members) < _JOINED:
        first, last = pool[members[0]], pool[members[-1]]
        before = by_message.get(first.previous) if first.previous else None
        after = following.get(last.id)
        beside = [p for p in (before, after) if p is not None and p in near and p not in used and p not in members]
        if not beside:
            break
        joined = max(beside, key=lambda p: float(scores[p]))
        chars += len(pool[joined].text)
        if chars > _JOIN_CHARS:
            break
        members = [joined, *members] if joined == before else [*members, joined]
    return members


def passage(text: str, weights: Mapping[str, float], most: int = LONG) -> str:
    """The part of a long text, at most `most` characters, in which the question's keywords weigh most."""
    if len(text) <= most:
        return text
    step = most // 3
    # Read once, in thirds of a passage, each with the word that its end would cut.
    found = [weights.keys() & set(keywords(text[at : at + step + _WORD])) for at in range(0, len(text), step)]
    weighed = [
        sum(weights[word] for word in set().union(*found[third : third + 3])) for third in range(max(1, len(found) - 2))
    ]
    first = max(range(len(weighed)), key=weighed.__getitem__)
    # Of passages that hold the same the middle one, which shows it with what is around it.
    alike = next((n for n in range(1, 3) if weighed[first + n : first + n + 1] != [weighed[first]]), 3)
    start = min((first + (alike - 1) // 2) * step, len(text) - most)
    if start:
        start = text.find(" ", start, start + 40) + 1 or start
    end = min(len(text), start + most)
    return f"{'… ' if start else ''}{text[start:end].strip()}{' …' if end < len(text) else ''}"
