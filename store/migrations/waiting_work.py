"""Step 1: stores from before schemas were numbered."""

import redis

from reverie.config.task_names import DUE_SETS, TOPIC_TASKS
from reverie.store import waiting
from reverie.store.namespace import Namespace

_NAMESPACES = 500
"""Looked through at once."""


def note_where_work_waits(client: "redis.Redis") -> None:
    """Note in which namespaces work waits: workers used to look into every namespace, and now look there alone."""
    anywhere, cursor = Namespace(client, "reverie"), 0
    while True:
        cursor, _ = waiting.remark(anywhere, list(TOPIC_TASKS), DUE_SETS, cursor, _NAMESPACES)
        if cursor == 0:
            return
