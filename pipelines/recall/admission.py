"""What of the rows that searches found may answer: never the question itself, nor what the caller leaves out."""

from collections.abc import Sequence

from reverie.pipelines.recall import intent
from reverie.pipelines.recall.query import Query
from reverie.store import timeline
from reverie.store.candidates import Candidate, read, row_keys
from reverie.store.namespace import Namespace

_SINCE_ASKED = 4
"""Newest messages of a session among which the question is looked for: calls and their results may follow it."""


class Admission:
    """Judges the rows of one recall, each batch in one further round trip at most where it needs any."""

    def __init__(self, ns: Namespace, query: Query) -> None:
        self._space = ns
        self._query = query
        self._excluded = frozenset(query.exclude)
        self._asked = _folded(query.text)
        # What is no question may be a sentence that is looked up.
        self._is_asking = intent.asks(query.text)

    def admitted(self, rows: Sequence[Candidate]) -> list[Candidate]:
        """The rows that may answer, in their order.

        Left out are rows without words; those excluded by their id, or drawn from excluded messages alone; the newest
        message that a user said in its session when it is the question itself; and, where the recall is bound to
        sessions or participants, facts that nobody of these said in any of those.
        """
        kept = [row for row in rows if row.text.strip("\0 \n\t") and not self._is_excluded(row)]
        kept = self._without_question(kept)
        return self._said_within(kept) if self._query.is_bounded else kept

    def _is_excluded(self, row: Candidate) -> bool:
        return row.id in self._excluded or (bool(row.sources) and self._excluded.issuperset(row.sources))

    def _without_question(self, rows: list[Candidate]) -> list[Candidate]:
        same = [row for row in rows if row.kind == "message" and self._is_question(row)]
        latest = {self._latest(session) for session in {row.session for row in same} if session is not None}
        asking = {row.key for row in same if row.id in latest}
        return [row for row in rows if row.key not in asking]

    def _is_question(self, row: Candidate) -> bool:
        if not self._is_asking:
            return False
        said = _folded(row.text)
        # Of a long text only the beginning was read.
        return self._asked.startswith(said) if row.cut else self._asked == said

    def _latest(self, session: str) -> str | None:
        """Id of the newest message of a session that a user said, if it is among the last few."""
        newest = timeline.messages(self._space, session, newest=_SINCE_ASKED)
        return next((message.id for message in reversed(newest) if message.role == "user"), None)

    def _said_within(self, rows: list[Candidate]) -> list[Candidate]:
        """A fact belongs to no session: it was said where the messages that it rests on were, by their senders."""
        facts = [row for row in rows if row.kind == "fact"]
        ids = list(dict.fromkeys(source for fact in facts for source in fact.sources))
        said = {one.id: one for one in read(self._space, row_keys(self._space, "message", ids))}
        within = {id for id, message in said.items() if self._is_within(message)}
        return [row for row in rows if row.kind != "fact" or not within.isdisjoint(row.sources)]

    def _is_within(self, message: Candidate) -> bool:
        sessions, participants = self._query.sessions, self._query.participants
        return (sessions is None or message.session in sessions) and (
            participants is None or message.participants[:1] in {(one,) for one in participants}
        )


def _folded(text: str) -> str:
    return " ".join(text.replace("\0", " ").casefold().split())
