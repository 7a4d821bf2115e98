"""The one search index over all kinds and namespaces, and what it remembers of its embedder."""

import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import redis

from reverie.config.errors import EmbedderMismatch, IndexMissing, StoreError
from reverie.store import scripts
from reverie.store.keys import INDEX_ALIAS, INDEX_META, row_prefix

if TYPE_CHECKING:
    from redisvl.schema import IndexSchema

log = logging.getLogger("reverie.store")


@dataclass(frozen=True)
class IndexMeta:
    """What the index in use was built for."""

    embedder: str
    dimension: int
    generation: int = 1

    @property
    def name(self) -> str:
        return f"rv:rows:{self.generation}"


def _schema(meta: IndexMeta) -> "IndexSchema":
    # Imported here: it takes most of a second and is needed once in an index's life.
    from redisvl.schema import IndexSchema

    tag = {"case_sensitive": True, "separator": ","}
    return IndexSchema.from_dict(
        {
            "index": {"name": meta.name, "prefix": row_prefix(meta.generation), "storage_type": "hash"},
            "fields": [
                *({"name": name, "type": "tag", "attrs": tag} for name in ("n", "k", "o", "a", "s", "p")),
                *({"name": name, "type": "numeric"} for name in ("at", "im", "vf", "vt", "rf", "rt")),
                {"name": "t", "type": "text", "attrs": {"no_stem": True}},
                {"name": "c", "type": "text", "attrs": {"no_stem": True}},
                {
                    "name": "v",
                    "type": "vector",
                    "attrs": {
                        "algorithm": "hnsw",
                        "dims": meta.dimension,
                        "distance_metric": "cosine",
                        "datatype": "float16",
                        "m": 16,
                        "ef_construction": 128,
                    },
                },
            ],
        }
    )


def create(client: "redis.Redis", meta: IndexMeta) -> None:
    """Create the index of `meta` if it is not there. Stop-words are off: a query made of them finds its text.

    Offsets and highlighting are off too: half the memory of the text part, and nothing here asks for phrases.
    """
    schema = _schema(meta)
    command = [
        "FT.CREATE",
        meta.name,
        "ON",
        "HASH",
        "PREFIX",
        "1",
        row_prefix(meta.generation),
        "NOOFFSETS",
        "NOHL",
        "STOPWORDS",
        "0",
    ]
    arguments = [word for field in schema.redis_fields for word in field.redis_args()]
    try:
        client.execute_command(*command, "SCHEMA", *arguments)
    except StoreError as error:
        if "already exists" not in str(error):
            raise


def read_meta(client: "redis.Redis") -> IndexMeta | None:
    """What the index in use was built for; None before the first use."""
    found: dict[bytes, bytes] = client.hgetall(INDEX_META)
    if not found:
        return None
    return IndexMeta(found[b"embedder"].decode(), int(found[b"dimension"]), int(found[b"generation"]))


def ensure(client: "redis.Redis", embedder: str, dimension: int, generation: int = 1) -> IndexMeta:
    """The index for this embedder, made at first use, as this generation. Raises EmbedderMismatch when it was built
    with another."""
    meta = read_meta(client)
    if meta is None:
        client.eval(
            scripts.text("found_index"),
            1, INDEX_META, "embedder", embedder, "dimension", dimension, "generation", generation,
        )  # fmt: skip
        meta = read_meta(client)
    assert meta is not None
    if (meta.embedder, meta.dimension) != (embedder, dimension):
        raise EmbedderMismatch(
            f"the search index holds vectors of {meta.embedder} ({meta.dimension} dimensions), not of {embedder} "
            f"({dimension}); set REVERIE_EMBEDDER back, or run `reverie reindex` to rebuild every row with {embedder}"
        )
    try:
        point_alias(client, meta)
    except IndexMissing:
        create(client, meta)
        point_alias(client, meta)
    return meta


def restore(client: "redis.Redis", meta: IndexMeta) -> None:
    """Make an index again that is gone while a process writes its rows; Redis fills it from the rows that are there.

    Raises EmbedderMismatch when another embedder's index took its place meanwhile.
    """
    log.warning("the search index was gone and is made again; `reverie reindex` makes rows again that went with it")
    ensure(client, meta.embedder, meta.dimension, meta.generation)


def failures(client: "redis.Redis") -> int:
    """How many rows the index in use could not take: they are stored and found by nothing. 0 is healthy."""
    info = client.execute_command("FT.INFO", INDEX_ALIAS)
    pairs = dict(zip(info[::2], info[1::2], strict=True))
    return int(pairs[b"hash_indexing_failures"])


def adopt(client: "redis.Redis", meta: IndexMeta) -> None:
    """Make this index the one in use, in one step."""
    pipe = client.pipeline(transaction=True)
    pipe.hset(
        INDEX_META, mapping={"embedder": meta.embedder, "dimension": meta.dimension, "generation": meta.generation}
    )
    pipe.execute_command("FT.ALIASUPDATE", INDEX_ALIAS, meta.name)
    pipe.execute()


def drop(client: "redis.Redis", meta: IndexMeta) -> None:
    """Remove an index with its rows, if it is there."""
    with suppress(IndexMissing):
        client.execute_command("FT.DROPINDEX", meta.name, "DD")


def point_alias(client: "redis.Redis", meta: IndexMeta) -> None:
    """Make the alias that every search uses name this index."""
    client.execute_command("FT.ALIASUPDATE", INDEX_ALIAS, meta.name)
