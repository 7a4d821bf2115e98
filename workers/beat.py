"""Beat's scheduler."""

import logging
from contextlib import suppress

from celery.beat import PersistentScheduler

log = logging.getLogger("reverie.workers")


class Scheduler(PersistentScheduler):
    """Celery's scheduler with its file, that begins a new file where the old one cannot be read.

    A beat that was killed while it wrote, and two that wrote to one file, leave what cannot be unpickled; Celery's own
    gives up on it, and would at each start after. All that the file holds is when each task was sent last.
    """

    def setup_schedule(self) -> None:
        try:
            super().setup_schedule()
        except Exception as error:  # noqa: BLE001  # what a broken pickle raises is anything
            log.warning("the schedule's file %s cannot be read and is begun anew: %r", self.schedule_filename, error)
            # First of all closed: it would write what it holds over the new one when it is collected.
            with suppress(Exception):
                self._store.close()
            self._remove_db()
            super().setup_schedule()
