"""Stopping a worker, mended where Celery's own takes half a minute.

A worker that is told to stop just as it handed a task to a process of its pool, and before that process said that it
began, forgets the task (celery 5.7, `AsynPool.flush`): its end is never counted, and the process that did it waits 30 s
for that before it ends (billiard 4, `Worker._ensure_messages_consumed`). The task itself is done; its message was not
acknowledged, and is delivered once more, which does no harm. So a process here waits no longer than a moment.
"""

from typing import Any

from billiard import pool
from celery.signals import worker_process_init

SECONDS = 1.0


@worker_process_init.connect
def wait_a_moment_only(**_: Any) -> None:
    """Let this process wait so long for its last results to be taken when it ends."""
    pool.GUARANTEE_MESSAGE_CONSUMPTION_RETRY_LIMIT = round(SECONDS / pool.GUARANTEE_MESSAGE_CONSUMPTION_RETRY_INTERVAL)
