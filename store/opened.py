"""A store that was found, checked and opened, with the search index of one embedder."""

from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

from reverie.config.settings import Settings
from reverie.store import connection, fitness, index, schema_version
from reverie.store.client import Client
from reverie.store.embedded import Lease
from reverie.store.namespace import Namespace

_REBUILD_TIMEOUT = timedelta(minutes=10)
"""For one reply when rows are rebuilt: an index is dropped with all its rows in one command."""


@dataclass(frozen=True)
class Store:
    """An open connection to the Redis at `url`, whose rows are of one generation of the search index."""

    url: str = field(repr=False)
    generation: int
    dimension: int
    """Of the vectors that are written."""
    client: Client = field(repr=False)
    """For this room alone."""
    lease: Lease | None = field(default=None, repr=False)

    def namespace(self, name: str) -> Namespace:
        """The handle of a namespace."""
        return Namespace(self.client, name, self.generation, self.dimension)

    def close(self) -> None:
        """Close the connection, and let go of the embedded server."""
        self.client.close()
        if self.lease is not None:
            self.lease.release()


def check_store(settings: Settings) -> None:
    """Connect, check the server, and let go of it. Raises ConfigurationError, StoreUnavailable, StoreUnfit,
    EmbeddedServerError.
    """
    url, lease = connection.locate(settings)
    client = connection.connect(url, settings.redis_timeout, lease)
    try:
        fitness.check(client)
    finally:
        client.close()
        if lease is not None:
            lease.release()


def open_store(settings: Settings, embedder: str, dimension: int, *, any_index: bool = False) -> Store:
    """Connect, check the server, and find or make the index for the embedder of this name and dimension.

    With `any_index` an index of another embedder is let through: only a reindex may ask for that. Raises
    ConfigurationError, EmbedderMismatch, StoreUnavailable, StoreUnfit, EmbeddedServerError.
    """
    url, lease = connection.locate(settings)
    client = connection.connect(url, _REBUILD_TIMEOUT if any_index else settings.redis_timeout, lease)
    try:
        fitness.check(client)
        schema_version.ensure(client)
        meta = index.read_meta(client) if any_index else None
        if meta is None:
            meta = index.ensure(client, embedder, dimension)
            client.restore_index = partial(index.restore, client, meta)
    except BaseException:
        client.close()
        if lease is not None:
            lease.release()
        raise
    return Store(url, meta.generation, dimension, client, lease)
