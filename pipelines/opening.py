"""Opening the store for an embedder: what a front door and a worker process do alike."""

from dataclasses import dataclass
from functools import cached_property

from pydantic import SecretStr

from reverie.config.settings import Settings
from reverie.config.task_names import QUEUES
from reverie.models.embedders import Embedder
from reverie.models.embedders.deadline import DeadlineEmbedder
from reverie.models.llm import LanguageModel, WatchedModel
from reverie.models.rerankers import DeadlineReranker, Reranker
from reverie.models.tokens import TokenCounter, counter_for
from reverie.pipelines.context import Clock, Context, Wake, system_clock, wake_nobody
from reverie.store import connection
from reverie.store.broker import Broker
from reverie.store.opened import Store, open_store


@dataclass(frozen=True)
class Connection:
    """A checked connection with its index and models."""

    settings: Settings
    store: Store
    embedder: Embedder
    quick_embedder: DeadlineEmbedder
    tokens: TokenCounter
    llm: LanguageModel | None = None
    reranker: Reranker | None = None

    @property
    def broker_url(self) -> str:
        """Celery's broker: the one set, else database 1 of the same server."""
        return _or_database(self.settings.broker_url, self.store.url, 1)

    @cached_property
    def broker(self) -> Broker:
        """What Celery keeps in Redis. Connects at first use."""
        urls = (self.broker_url, _or_database(self.settings.result_url, self.store.url, 2))
        broker, results = (
            connection.connect(url, self.settings.redis_timeout) if connection.is_redis(url) else None for url in urls
        )
        return Broker(broker, results, QUEUES)

    def context(self, namespace: str, *, clock: Clock = system_clock, wake: Wake = wake_nobody) -> Context:
        return Context(
            ns=self.store.namespace(namespace),
            settings=self.settings,
            embedder=self.embedder,
            quick_embedder=self.quick_embedder,
            tokens=self.tokens,
            llm=self.llm,
            reranker=self.reranker,
            clock=clock,
            wake=wake,
            broker=self.broker,
        )

    def close(self) -> None:
        self.broker.close()
        self.store.close()


def _or_database(given: SecretStr | None, url: str, number: int) -> str:
    return given.get_secret_value() if given else connection.database(url, number)


def open_connection(
    settings: Settings,
    embedder: Embedder,
    *,
    llm: LanguageModel | None = None,
    reranker: Reranker | None = None,
    any_index: bool = False,
) -> Connection:
    """Connect, check the server, and find or make the index for this embedder.

    Contexts get `llm` with a pause after its failures, and `reranker` within its deadline.

    With `any_index` an index of another embedder is let through: only a reindex may ask for that.
    """
    store = open_store(settings, embedder.name, embedder.dimension, any_index=any_index)
    quick = DeadlineEmbedder(embedder, settings.embed_deadline)
    watched = None if llm is None else WatchedModel(llm, settings.llm_pause.total_seconds())
    timed = None if reranker is None else DeadlineReranker(reranker, settings.reranker_deadline)
    return Connection(settings, store, embedder, quick, counter_for(embedder), watched, timed)
