"""The address of an embedded server, and asking it who it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import redis

from reverie.store.embedded.folder import Folder, Running


@dataclass(frozen=True)
class Endpoint:
    """Where the server listens.

    Attributes:
        host: always 127.0.0.1.
        port: TCP port; the same after a restart unless somebody else took it.
        password: never in a log or a command line; not in the repr either.
        pid: process id of the server.
        folder: the folder with its data, log and password.
    """

    host: str
    port: int
    password: str = field(repr=False)
    pid: int
    folder: Path

    def url(self, database: int = 0) -> str:
        """The address for a Redis client, password included."""
        return f"redis://:{self.password}@{self.host}:{self.port}/{database}"


def ask(folder: Folder, running: Running) -> dict[str, Any] | str:
    """What the server says of itself (INFO), or in words why it gives no answer."""
    client = redis.Redis(
        host="127.0.0.1",
        port=running.port,
        password=folder.password(),
        socket_timeout=5,
        socket_connect_timeout=5,
        retry=None,
    )
    try:
        about = cast(dict[str, Any], client.info())
    except redis.BusyLoadingError:
        return "loading"
    except redis.RedisError as error:
        return f"{type(error).__name__}: {error}"
    finally:
        client.close()
    if about.get("loading"):
        # INFO is answered while the data set is read; nothing else is.
        return "loading"
    if about["process_id"] != running.pid:
        return f"port {running.port} belongs to another server (process {about['process_id']})"
    # It tells about itself before it has read its data, and refuses everything else.
    return "loading" if about.get("loading") or about.get("async_loading") else about
