"""A store that is watched from outside: it is asked for figures, opened by nobody and written to never."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from reverie.config.settings import Settings
from reverie.store import connection, fitness, stats, totals
from reverie.store.fitness import Fitness
from reverie.store.namespace import Namespace
from reverie.store.stats import IndexFigures
from reverie.store.totals import Totals


class Watched:
    """The Redis of the settings and its broker, asked at each question alone. Those raise StoreUnavailable."""

    def __init__(self, settings: Settings) -> None:
        url, self._lease = connection.locate(settings)
        self._client = connection.connect(url, settings.redis_timeout)
        broker = settings.broker_url.get_secret_value() if settings.broker_url else connection.database(url, 1)
        is_redis = connection.is_redis(broker)
        self._broker = connection.connect(broker, settings.redis_timeout) if is_redis else None
        self._anywhere = Namespace(self._client, "reverie")

    def server(self) -> Fitness:
        """What the server says about itself."""
        return fitness.examine(self._client)

    def index(self) -> IndexFigures | None:
        """What the search index says about itself; None before its first use."""
        return stats.index_figures(self._client)

    def totals(self, topics: Sequence[str], now: datetime) -> Totals:
        """Figures over all namespaces."""
        return totals.totals(self._anywhere, topics, now)

    def queues(self, names: Sequence[str]) -> Mapping[str, int]:
        """How many Celery messages wait in each queue; {} where the broker is no Redis."""
        return {} if self._broker is None else stats.queue_lengths(self._broker, names)

    def close(self) -> None:
        """Let go of the connections, and of the embedded server."""
        self._client.close()
        if self._broker is not None:
            self._broker.close()
        if self._lease is not None:
            self._lease.release()
