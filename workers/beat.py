"""Beat's scheduler."""

import logging
from contextlib import suppress
from typing import Any

from celery.beat import PersistentScheduler

log = logging.getLogger("reverie.workers")


class Scheduler(PersistentScheduler):
    """Celery's scheduler with its file, that begins a new file where the old one cannot be read.

    A beat that was killed while it wrote, and two that wrote to one file, leave what cannot be unpickled; Celery's own
    gives up on it, and would at each start after. All that the file holds is when each task was sent last. So beat goes
    on without it where it cannot be written, as on a full disk.
    """

    def setup_schedule(self) -> None:
        try:
            super().setup_schedule()
        except Exception as error:  # noqa: BLE001  # what a broken pickle raises is anything
            log.warning("the schedule's file %s cannot be read and is begun anew: %r", self.schedule_filename, error)
            self._drop()
        else:
            return
        try:
            super().setup_schedule()
        except Exception as error:  # noqa: BLE001  # each kind of file has errors of its own
            log.warning(
                "the schedule's file %s cannot be made, beat goes on without: %r", self.schedule_filename, error
            )
            self._drop()
            self._open_schedule = _Unsaved
            super().setup_schedule()

    def _drop(self) -> None:
        # First of all closed, and empty: it would write what it holds over the new one when it is collected.
        with suppress(Exception):
            self._store.cache.clear()
        with suppress(Exception):
            self._store.close()
        with suppress(OSError):
            self._remove_db()

    def sync(self) -> None:
        try:
            super().sync()
        except Exception as error:  # noqa: BLE001
            log.warning("the schedule's file %s cannot be written: %r", self.schedule_filename, error)

    def close(self) -> None:
        try:
            super().close()
        except Exception as error:  # noqa: BLE001
            log.warning("the schedule's file %s cannot be written: %r", self.schedule_filename, error)


class _Unsaved(dict[str, Any]):
    """In place of the file."""

    def sync(self) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""
