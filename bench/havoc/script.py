"""What the writers write: the same for the same number, so that it can be read again undisturbed."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from reverie import Memory
from reverie.config.task_names import CALL_TOOL, OBSERVE_MESSAGE
from reverie.graph import Graph

_START = datetime(2026, 5, 1, 12, tzinfo=UTC)
_JOBS = ("a designer", "a baker", "a nurse", "an architect")
_TOWNS = ("Lyon", "Porto", "Ghent", "Graz", "Turin")
_SENTENCES = (
    "I work at Acme as {job}.",
    "I moved to {town} last week.",
    "My sister Clara lives in {town}.",
    "I am allergic to peanuts.",
    "I bought a red bicycle yesterday.",
    "Do you know how long the train takes?",
)
_NAMES = ("Ana", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gina", "Hugo")
WAYS = (
    "observe", "send observe", "goal", "secret", "observe", "forget", "fact", "send goal", "graph",
    "observe", "send secret", "send fact", "forget", "episode",
)  # fmt: skip
"""By the number of a piece, modulo their count: through the API, or through Celery ("send").

A secret is a message that nobody else says; what follows it by two is that it is forgotten.
"""
_FORGOTTEN_AFTER = 2


@dataclass(frozen=True)
class Piece:
    """The piece that a writer writes as its `number`-th."""

    writer: int
    number: int

    @property
    def way(self) -> str:
        return WAYS[self.number % len(WAYS)]

    @property
    def kind(self) -> str:
        way = self.way.removeprefix("send ")
        return {"observe": "message", "secret": "message"}.get(way, way)

    @property
    def id(self) -> str:
        return f"{self.writer}-{self.number}"

    @property
    def agent(self) -> str:
        return f"agent-{self.writer}"

    @property
    def session(self) -> str:
        return f"session-{self.writer}"

    @property
    def forgets(self) -> "Piece":
        """Of a piece by which another is forgotten, that one."""
        return Piece(self.writer, self.number - _FORGOTTEN_AFTER)

    @property
    def word(self) -> str:
        """A word that only this piece holds."""
        return f"zq{self.writer}x{self.number}y"

    @property
    def text(self) -> str:
        if self.way.endswith("secret"):
            return f"I live in {self.word.capitalize()} now, which is a secret."
        sentence = _SENTENCES[self.number % len(_SENTENCES)]
        return sentence.format(job=_JOBS[self.number % len(_JOBS)], town=_TOWNS[self.number % len(_TOWNS)])

    @property
    def message(self) -> dict[str, Any]:
        """The parameters of `Session.observe`."""
        at = _START + timedelta(minutes=self.number)
        return {"sender": _NAMES[self.writer % len(_NAMES)], "content": self.text, "message_id": self.id, "at": at}

    @property
    def fact(self) -> dict[str, Any]:
        """The parameters of `Agent.assert_fact`."""
        return {"subject": f"Thing {self.id}", "predicate": "is kept at", "object": f"place {self.number}"}

    @property
    def user(self) -> str:
        return f"user-{self.writer}"

    @property
    def note(self) -> str:
        return f"noted {self.id}"

    def graph(self, memory: Memory) -> Graph:
        return memory.graph(app="chaos", user=self.user)

    def write(self, memory: Memory) -> None:
        """Through the API."""
        agent = memory.agent(self.agent)
        if self.kind == "message":
            agent.session(self.session).observe(**self.message)
        elif self.kind == "forget":
            memory.forget(message=self.forgets.id)
        elif self.kind == "fact":
            agent.assert_fact(**self.fact)
        elif self.kind == "graph":
            self.graph(memory).remember(self.user, [self.note])
        elif self.kind == "goal":
            agent.goals.create(title=f"Goal {self.id}", goal_id=self.id)
        else:
            agent.record_episode("build", episode_id=self.id, outcome="success", state={"topic": f"Topic {self.id}"})

    def task(self, namespace: str) -> tuple[str, dict[str, Any]]:
        """Name and document of the task that writes it."""
        whose = {"namespace": namespace, "agent": self.agent}
        if self.kind == "message":
            at = self.message["at"].isoformat()
            return OBSERVE_MESSAGE, whose | {"session": self.session} | self.message | {"at": at}
        if self.kind == "fact":
            return CALL_TOOL, whose | {"tool": "assert_fact", "arguments": self.fact}
        arguments = {"title": f"Goal {self.id}", "goal_id": self.id}
        return CALL_TOOL, whose | {"tool": "create_goal", "arguments": arguments}
