"""The handle that tools and pipelines work on."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from reverie.config.settings import Settings
from reverie.models.embedders import Embedder
from reverie.models.embedders.deadline import DeadlineEmbedder
from reverie.models.llm import LanguageModel
from reverie.models.rerankers import Reranker
from reverie.models.tokens import TokenCounter
from reverie.store.broker import Broker
from reverie.store.namespace import Namespace

Clock = Callable[[], datetime]
Wake = Callable[[str, str], None]
"""Wakes the workers for a topic of a namespace: wake(topic, namespace). Never blocks, may be lost."""


def system_clock() -> datetime:
    return datetime.now(UTC)


def wake_nobody(topic: str, namespace: str) -> None:  # a Wake that does nothing
    """Send no wake-up; for runs without a broker, whose work the sweep finds."""


@dataclass(frozen=True)
class Context:
    """One namespace with all that is needed to work on it."""

    ns: Namespace
    settings: Settings
    embedder: Embedder
    quick_embedder: DeadlineEmbedder
    """The embedder within the deadline of a write."""
    tokens: TokenCounter
    llm: LanguageModel | None = None
    """The language model, None when none is configured: then everything is worked out without one."""
    reranker: Reranker | None = None
    """What reads the best of a recall again, within its deadline; None when none is configured."""
    clock: Clock = system_clock
    wake: Wake = wake_nobody
    broker: Broker | None = None
    """What Celery keeps in Redis; None where there is no Celery."""

    @property
    def namespace(self) -> str:
        return self.ns.namespace
