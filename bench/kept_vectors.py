"""The default embedder with its vectors kept on disk, so that a second run of a benchmark embeds nothing again.

`install(FILE)` puts it in place of the default one in this process; a worker gets it by
`celery -A kept_vectors worker` with REVERIE_KEPT_VECTORS naming the file. Several processes may share a file.
"""

import os
import sqlite3
import threading
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np

from reverie.models.embedders.base import Vector, Vectors
from reverie.models.embedders.local import LocalEmbedder

VARIABLE = "REVERIE_KEPT_VECTORS"
_documents, _query = LocalEmbedder.documents, LocalEmbedder.query


class KeptVectors:
    """Vectors by the side and the text they were made of, in an SQLite file."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._local = threading.local()

    def _file(self) -> sqlite3.Connection:
        if getattr(self._local, "process", None) != os.getpid():
            made = sqlite3.connect(self._path, timeout=60, isolation_level=None)
            made.execute("pragma journal_mode=wal")
            made.execute("create table if not exists vectors (key blob primary key, vector blob) without rowid")
            self._local.file, self._local.process = made, os.getpid()
        file: sqlite3.Connection = self._local.file
        return file

    def documents(self, embedder: LocalEmbedder, texts: Sequence[str]) -> Vectors:
        keys = [_key("document", text) for text in texts]
        found = {key: self._found(key) for key in keys}
        missing = [place for place, key in enumerate(keys) if found[key] is None]
        made = _documents(embedder, [texts[place] for place in missing])
        for place, vector in zip(missing, made, strict=True):
            found[keys[place]] = vector
            self._keep(keys[place], vector)
        whole: Vectors = np.array([found[key] for key in keys], np.float32).reshape(len(texts), embedder.dimension)
        return whole

    def query(self, embedder: LocalEmbedder, text: str) -> Vector:
        key = _key("query", text)
        found = self._found(key)
        if found is None:
            found = _query(embedder, text)
            self._keep(key, found)
        return found

    def _found(self, key: bytes) -> Vector | None:
        row = self._file().execute("select vector from vectors where key = ?", (key,)).fetchone()
        return None if row is None else np.frombuffer(row[0], np.float32)

    def _keep(self, key: bytes, vector: Vector) -> None:
        self._file().execute("insert or ignore into vectors values (?, ?)", (key, vector.astype(np.float32).tobytes()))


def _key(side: str, text: str) -> bytes:
    return blake2b(f"{side}\0{text}".encode(errors="replace"), digest_size=16).digest()


def install(path: Path) -> None:
    """Let every default embedder of this process take its vectors from this file, and keep there what it makes."""
    kept = KeptVectors(path)
    LocalEmbedder.documents = lambda self, texts: kept.documents(self, texts)  # type: ignore[method-assign]
    LocalEmbedder.query = lambda self, text: kept.query(self, text)  # type: ignore[method-assign]


if VARIABLE in os.environ:
    install(Path(os.environ[VARIABLE]))
    from reverie.workers.app import app as app
