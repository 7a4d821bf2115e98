"""The server's configuration file."""

from __future__ import annotations

from typing import Literal

from reverie.store.embedded.folder import Folder
from reverie.store.embedded.programs import Programs

Fsync = Literal["always", "everysec"]


def quoted(text: str) -> str:
    """A value as Redis' configuration reads it back, whatever bytes a path may hold."""
    plain = set(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 /._-+=:@%,~")
    octets = text.encode("utf-8", "surrogateescape")  # how the file system names what is not UTF-8
    return '"' + "".join(chr(octet) if octet in plain else f"\\x{octet:02x}" for octet in octets) + '"'


def render(folder: Folder, programs: Programs, password: str, fsync: Fsync) -> str:
    """The text of ``redis.conf``. The port is chosen at each start and is not in it.

    A process that dies, the server itself included, loses nothing that was acknowledged: its writes are with
    the kernel by then. Only a machine that loses power can lose the last second, unless ``fsync`` says
    ``always``.
    """
    lines = [
        "bind 127.0.0.1",
        "protected-mode yes",
        f"requirepass {quoted(password)}",
        "daemonize no",
        "databases 16",
        f"dir {quoted(str(folder.data))}",
        f"logfile {quoted(str(folder.log))}",
        "loglevel notice",
        "always-show-logo no",
        'save ""',
        "appendonly yes",
        f"appendfsync {fsync}",
        "maxmemory-policy noeviction",
        # A slow search fails instead of giving a part of its results as if it were all.
        f"loadmodule {quoted(str(programs.search))} TIMEOUT 5000 ON_TIMEOUT FAIL",
        f"loadmodule {quoted(str(programs.json))}",
    ]
    return "\n".join(lines) + "\n"
