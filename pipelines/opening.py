"""Opening the store for an embedder: what a front door and a worker process do alike."""

from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property, partial

import redis
from pydantic import SecretStr

from reverie.config.settings import Settings
from reverie.config.task_names import QUEUES
from reverie.models.embedders import Embedder
from reverie.models.embedders.deadline import DeadlineEmbedder
from reverie.models.llm import LanguageModel, WatchedModel
from reverie.models.tokens import TokenCounter, counter_for
from reverie.pipelines.base import Clock, KnowledgeBase, Wake, system_clock, wake_nobody
from reverie.store import connection, fitness, index, schema_version
from reverie.store.embedded import Lease
from reverie.store.space import Space
from reverie.store.transit import Transit

_REINDEX_TIMEOUT = timedelta(minutes=10)


@dataclass(frozen=True)
class Connection:
    """A checked connection with its index and models."""

    settings: Settings
    client: "redis.Redis"
    url: str = field(repr=False)
    generation: int
    embedder: Embedder
    quick_embedder: DeadlineEmbedder
    tokens: TokenCounter
    llm: LanguageModel | None = None
    lease: Lease | None = field(default=None, repr=False)

    @property
    def broker_url(self) -> str:
        """Celery's broker: the one set, else database 1 of the same server."""
        return _or_database(self.settings.broker_url, self.url, 1)

    @cached_property
    def transit(self) -> Transit:
        """What Celery keeps in Redis. Connects at first use."""
        urls = (self.broker_url, _or_database(self.settings.result_url, self.url, 2))
        broker, results = (
            connection.connect(url, self.settings.redis_timeout) if connection.is_redis(url) else None for url in urls
        )
        return Transit(broker, results, QUEUES)

    def knowledge_base(self, namespace: str, *, clock: Clock = system_clock, wake: Wake = wake_nobody) -> KnowledgeBase:
        return KnowledgeBase(
            space=Space(self.client, namespace, self.generation, self.embedder.dimension),
            settings=self.settings,
            embedder=self.embedder,
            quick_embedder=self.quick_embedder,
            tokens=self.tokens,
            llm=self.llm,
            clock=clock,
            wake=wake,
            transit=self.transit,
        )

    def close(self) -> None:
        self.client.close()
        self.transit.close()
        if self.lease is not None:
            self.lease.release()


def _or_database(given: SecretStr | None, url: str, number: int) -> str:
    return given.get_secret_value() if given else connection.database(url, number)


def open_connection(
    settings: Settings, embedder: Embedder, *, llm: LanguageModel | None = None, any_index: bool = False
) -> Connection:
    """Connect, check the server, and find or make the index for this embedder; `llm` as its knowledge bases get it.

    With `any_index` an index of another embedder is let through: only a reindex may ask for that.
    """
    url, lease = connection.locate(settings)
    # A reindex asks for what takes its time: an index is dropped with all its rows in one command.
    client = connection.connect(url, _REINDEX_TIMEOUT if any_index else settings.redis_timeout, lease)
    try:
        fitness.check(client)
        schema_version.ensure(client)
        meta = index.read_meta(client) if any_index else None
        if meta is None:
            meta = index.ensure(client, embedder.name, embedder.dimension)
            client.restore_index = partial(index.restore, client, meta)
    except BaseException:
        client.close()
        if lease is not None:
            lease.release()
        raise
    quick = DeadlineEmbedder(embedder, settings.embed_deadline)
    watched = None if llm is None else WatchedModel(llm, settings.llm_pause.total_seconds())
    return Connection(settings, client, url, meta.generation, embedder, quick, counter_for(embedder), watched, lease)
