"""Who uses the server: one locked file per user.

A lease file is made, and a dead one removed, only by the holder of the folder's gate; so nobody can take a
lease that is just being written for one whose owner died.

Imports nothing beside the standard library: the supervisor runs it without the rest of the package.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from .folder import Folder
from .locks import FileLock, is_locked, lock


def take_lease(folder: Folder) -> FileLock:
    """Count this process among the users until it closes the lock or ends. The caller holds the gate."""
    return lock(folder.leases / f"{os.getpid()}-{secrets.token_hex(4)}")


def live_leases(folder: Folder) -> list[Path]:
    """The leases whose owner (or a child it forked) still lives."""
    if not folder.leases.is_dir():
        return []
    return sorted(path for path in folder.leases.iterdir() if is_locked(path))


def sweep_leases(folder: Folder) -> list[Path]:
    """Remove the leases of the dead and give those of the living. The caller holds the gate."""
    live = live_leases(folder)
    for path in folder.leases.iterdir():
        if path not in live:
            path.unlink(missing_ok=True)
    return live


def owner(lease: Path) -> int:
    """Process id of the lease's owner."""
    return int(lease.name.partition("-")[0])
