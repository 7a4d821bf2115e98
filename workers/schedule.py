"""What runs when. Every interval is a setting."""

from typing import Any

from reverie.config import task_names
from reverie.config.settings import Settings


def beat_schedule(settings: Settings) -> dict[str, dict[str, Any]]:
    """Celery beat's schedule. A message not taken before the next one is due is dropped: the next one does its work."""
    return {
        "wake for waiting work": _every(task_names.WORK_SWEEP, settings.sweep_every.total_seconds()),
        "regroup changed topics": _every(task_names.TOPICS_REGROUP, settings.topics_every.total_seconds()),
        "archive weak episodes": _every(task_names.DECAY_ARCHIVE, settings.decay_every.total_seconds()),
        "delete archived episodes": _every(task_names.DECAY_DELETE, settings.decay_every.total_seconds()),
        "close idle sessions": _every(task_names.SESSIONS_CLOSE_IDLE, settings.sessions_every.total_seconds()),
    }


def _every(task: str, seconds: float) -> dict[str, Any]:
    return {"task": task, "schedule": seconds, "options": {"expires": max(seconds, 1.0)}}
