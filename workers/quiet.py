"""Logs of a system at rest: scheduled tasks that found nothing to do are not worth a line each.

Celery logs three lines for every run of every scheduled task, two dozen a minute while nobody writes. Here a scheduled
task is logged when it did something; at level DEBUG all of it is logged. `reverie schedule` tells when each ran last.
"""

import logging

from reverie.workers.schedule import SCHEDULE

IDLE = "nothing is due"
"""What a scheduled task says that found nothing to do."""
_SCHEDULED = frozenset(one.task for one in SCHEDULE)


def is_told(record: logging.LogRecord) -> bool:
    """Whether a line of Celery's is to be logged: not that a scheduled task was sent, came, or found nothing."""
    if logging.getLogger().isEnabledFor(logging.DEBUG) or record.levelno > logging.INFO:
        return True
    about = record.args
    if isinstance(about, tuple):  # beat names the entry and the task
        return _SCHEDULED.isdisjoint(str(part) for part in about)
    if not isinstance(about, dict) or about.get("name") not in _SCHEDULED:
        return True
    return "return_value" in about and IDLE not in str(about["return_value"])


def install() -> None:
    """Let Celery's loggers of tasks tell what `is_told`."""
    for name in ("celery.worker.strategy", "celery.app.trace", "celery.beat"):
        logging.getLogger(name).addFilter(is_told)
