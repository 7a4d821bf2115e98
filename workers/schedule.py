"""What runs when. Every interval is a setting."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from reverie.config import task_names
from reverie.config.settings import Settings
from reverie.config.task_names import TOPIC_TASKS
from reverie.pipelines import decay, sessions, topics


@dataclass(frozen=True)
class Scheduled:
    """A task that beat sends, the setting that is its interval, and the due sets and topics it looks after."""

    name: str
    task: str
    setting: str
    due: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()

    def every(self, settings: Settings) -> timedelta:
        interval: timedelta = getattr(settings, self.setting)
        return interval


SCHEDULE = (
    Scheduled("wake for waiting work", task_names.WORK_SWEEP, "sweep_every", topics=tuple(TOPIC_TASKS)),
    Scheduled("find work nobody marked", task_names.WORK_REMARK, "remark_every"),
    Scheduled("close idle sessions", task_names.SESSIONS_CLOSE_IDLE, "sessions_every", (sessions.IDLE,)),
    Scheduled("regroup changed topics", task_names.TOPICS_REGROUP, "topics_every", (topics.CHANGED,)),
    Scheduled("archive weak episodes", task_names.DECAY_ARCHIVE, "decay_every", (decay.ARCHIVE,)),
    Scheduled("heed changed decay settings", task_names.DECAY_REPLAN, "decay_every"),
    Scheduled("delete archived episodes", task_names.DECAY_DELETE, "decay_every", (decay.DELETE,)),
)


def beat_schedule(settings: Settings) -> dict[str, dict[str, Any]]:
    """Celery beat's schedule. A message not taken before the next one is due is dropped: the next one does its work."""
    return {one.name: _every(one.task, one.every(settings).total_seconds()) for one in SCHEDULE}


def _every(task: str, seconds: float) -> dict[str, Any]:
    return {"task": task, "schedule": seconds, "options": {"expires": max(seconds, 1.0)}}
