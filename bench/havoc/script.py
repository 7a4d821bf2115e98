"""What the writers write: the same for the same number, so that it can be read again undisturbed."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from reverie import Memory
from reverie.config.task_names import CALL_TOOL, OBSERVE_MESSAGE

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
WAYS = ("observe", "send observe", "observe", "goal", "send goal", "observe", "send observe", "episode")
"""By the number of a piece, modulo their count: through the API, or through Celery ("send")."""


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
        return {"observe": "message"}.get(self.way.removeprefix("send "), self.way.removeprefix("send "))

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
    def text(self) -> str:
        sentence = _SENTENCES[self.number % len(_SENTENCES)]
        return sentence.format(job=_JOBS[self.number % len(_JOBS)], town=_TOWNS[self.number % len(_TOWNS)])

    @property
    def message(self) -> dict[str, Any]:
        """The parameters of `Session.observe`."""
        at = _START + timedelta(minutes=self.number)
        return {"sender": _NAMES[self.writer % len(_NAMES)], "content": self.text, "message_id": self.id, "at": at}

    def write(self, memory: Memory) -> None:
        """Through the API."""
        agent = memory.agent(self.agent)
        if self.kind == "message":
            agent.session(self.session).observe(**self.message)
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
        arguments = {"title": f"Goal {self.id}", "goal_id": self.id}
        return CALL_TOOL, whose | {"tool": "create_goal", "arguments": arguments}
