"""The front door."""

import time
from datetime import timedelta
from types import TracebackType
from typing import Self

from pydantic import SecretStr

from reverie.agent import Agent
from reverie.config.errors import ModelFailed, ValidationFailed, WaitTimeout
from reverie.config.settings import Settings, load
from reverie.facts import Predicates
from reverie.graph import Graph
from reverie.models import embedders, llm
from reverie.models.embedders import Embedder
from reverie.models.llm import LanguageModel
from reverie.pipelines import ingest
from reverie.pipelines.base import Clock, KnowledgeBase, system_clock
from reverie.pipelines.opening import Connection, open_connection
from reverie.store import work
from reverie.tools.fields import Id, Params, validated
from reverie.tools.observe import Receipt
from reverie.wakeups import WakeUps


class _Names(Params):
    namespace: Id


class Memory:
    """The memory of one namespace.

    Without a Redis URL in the settings the embedded server is started, shared by every process that asks for the same
    data folder. `embedder`, `language` (a language model) and `clock` replace the configured ones, for tests and for
    models of your own.

    Raises ConfigurationError, EmbedderMismatch, StoreUnavailable, StoreUnfit, EmbeddedServerError.
    """

    def __init__(
        self,
        namespace: str | None = None,
        *,
        settings: Settings | None = None,
        redis_url: str | None = None,
        embedder: Embedder | None = None,
        language: LanguageModel | None = None,
        clock: Clock = system_clock,
    ) -> None:
        overrides = {"redis_url": SecretStr(redis_url)} if redis_url else {}
        self.settings = settings.model_copy(update=overrides) if settings else load(**overrides)
        name = validated(_Names, namespace=self.settings.namespace if namespace is None else namespace).namespace
        self.connection: Connection = open_connection(
            self.settings, embedder or embedders.create(self.settings), llm=language or llm.create(self.settings)
        )
        self._wakeups = WakeUps(self.connection.broker_url, self.settings.wake_interval)
        self.kb: KnowledgeBase = self.connection.knowledge_base(name, clock=clock, wake=self._wakeups.wake)

    @property
    def namespace(self) -> str:
        return self.kb.namespace

    @property
    def predicates(self) -> Predicates:
        """How many values the predicates of facts hold at a time."""
        return Predicates(self.kb)

    def agent(self, agent_id: str) -> Agent:
        """The memory as one agent sees and writes it."""
        return Agent(self.kb, agent_id)

    def graph(self, *, app: str, user: str) -> Graph:
        """The knowledge graph of one user of one app."""
        return Graph(self.kb, app, user)

    def wait(self, receipt: Receipt, timeout: timedelta | float = 30.0) -> None:
        """Wait until a message was ingested; needs a running worker.

        Raises WaitTimeout when it is not done in time (the work goes on), ModelFailed when it ended as a dead letter.
        """
        seconds = timeout.total_seconds() if isinstance(timeout, timedelta) else timeout
        if seconds < 0:
            raise ValidationFailed("timeout", "must not be negative")
        deadline, pause = time.monotonic() + seconds, 0.01
        while work.pending(self.kb.space, ingest.TOPIC, [receipt.message_id])[0]:
            if time.monotonic() >= deadline:
                raise WaitTimeout(
                    f"the message {receipt.message_id!r} was not ingested within {seconds:g} s; "
                    "it stays queued: is a worker running (`reverie worker`)?"
                )
            time.sleep(min(pause, max(0.0, deadline - time.monotonic())))
            pause = min(pause * 1.5, 0.25)
        for letter in work.dead_letters(self.kb.space):
            if letter.topic == ingest.TOPIC and letter.entry == receipt.message_id:
                raise ModelFailed(f"the message {receipt.message_id!r} could not be ingested: {letter.error}")

    def close(self) -> None:
        """Send what wake-ups are left and let the embedded server go. The memory is not usable afterwards."""
        self._wakeups.close()
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
