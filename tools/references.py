"""Where an action or episode belongs: the session it happened in, the goal and task it served."""

from dataclasses import dataclass
from datetime import datetime

from reverie.pipelines.context import Context
from reverie.store.commit import Transaction
from reverie.store.namespace import Namespace
from reverie.store.records.conversation import MessageRecord, SessionRecord
from reverie.tools.writing import Links

IN_SESSION, FOR_GOAL, FOR_TASK, TRIGGERED_BY, SESSION_OF = (
    "IN_SESSION",
    "FOR_GOAL",
    "FOR_TASK",
    "TRIGGERED_BY",
    "SESSION_OF",
)


@dataclass(frozen=True)
class References:
    """The links that actions and episodes have in common. A session is created on first use."""

    agent: str
    at: datetime
    session: str | None = None
    goal: str | None = None
    task: str | None = None
    message: str | None = None

    def link(self, ctx: Context, transaction: Transaction, links: Links, node: tuple[str, str]) -> None:
        """Add the edges. The session counts towards the goal and the task, so that their context reaches it."""
        session = self._serving(ctx.ns)
        if self.session is not None:
            now = ctx.clock()
            record = SessionRecord.new(ctx.ns, self.session, agent=self.agent, recorded_at=now)
            transaction.put(record, only_new=True)
            transaction.link(SESSION_OF, ("session", self.session), ("participant", self.agent), self.at)
            transaction.link(IN_SESSION, node, ("session", self.session), self.at)
        if self.message is not None:
            exists = links.optional("triggered_by_message_id", "message", self.message)
            transaction.link(TRIGGERED_BY, node, ("message", self.message), self.at, when=exists)
        for parameter, kind, id, edge in (
            ("goal_id", "goal", self.goal, FOR_GOAL),
            ("task_id", "task", self.task, FOR_TASK),
        ):
            if id is None:
                continue
            exists = links.optional(parameter, kind, id)
            transaction.link(edge, node, (kind, id), self.at, when=exists)
            if session is not None:
                transaction.link(edge, ("session", session), (kind, id), self.at, when=exists)

    def _serving(self, ns: Namespace) -> str | None:
        """The session that serves the goal: the one given, else the one of the message that set it off."""
        if self.session is not None or self.message is None or (self.goal is None and self.task is None):
            return self.session
        message = ns.get(MessageRecord, self.message)
        return None if message is None else message.session
