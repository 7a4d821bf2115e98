"""Waking the workers: one Celery message for many writes, never inside the path of a write."""

import logging
import threading
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatch

from celery import Celery

from reverie.config.task_names import ROUTES, TOPIC_TASKS
from reverie.store import waiting
from reverie.store.celery_urls import celery_url
from reverie.store.namespace import Namespace

log = logging.getLogger("reverie.wakeups")

_PATIENCE = 2
"""Seconds to wait for the broker."""


def queue_of(task: str) -> str:
    """The queue that the routes give a task."""
    return next(queue for pattern, queue in ROUTES.items() if fnmatch(task, pattern))


class WakeUps:
    """Collects (topic, namespace) pairs and sends one wake-up for each, at most every `interval`.

    None is sent while an earlier one for the same, of whatever process, waits for a worker. The worker that it wakes
    sees by itself in which namespaces work waits, and whose turn it is. A wake-up may be lost, with the process or with
    the broker: the durable work waits in Redis, and a sweep wakes for it again. That is why a broker that is down is
    only logged here.
    """

    def __init__(self, broker_url: str, interval: timedelta, ns: Namespace) -> None:
        self._celery = Celery("reverie-wakeups", broker=celery_url(broker_url), set_as_current=False)
        self._celery.conf.update(
            task_ignore_result=True,
            broker_connection_timeout=_PATIENCE,
            broker_transport_options={
                "socket_connect_timeout": _PATIENCE,
                "socket_timeout": _PATIENCE,
                "max_retries": 0,  # a broker that is away is tried again with the next write
            },
        )
        self._interval = interval.total_seconds()
        self._space = ns
        self._wanted: set[tuple[str, str]] = set()
        self._lock = threading.Lock()
        self._signal = threading.Event()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def wake(self, topic: str, namespace: str) -> None:
        """Ask for a wake-up; returns at once."""
        with self._lock:
            self._wanted.add((topic, namespace))
            # A process that was forked since has the object, and not the thread.
            if (self._thread is None or not self._thread.is_alive()) and not self._closed.is_set():
                self._thread = threading.Thread(target=self._run, name="reverie-wakeups", daemon=True)
                self._thread.start()
        self._signal.set()

    def _run(self) -> None:
        while not self._closed.is_set():
            self._signal.wait()
            self._signal.clear()
            self._send()
            self._closed.wait(self._interval)

    def _send(self) -> None:
        with self._lock:
            wanted, self._wanted = self._wanted, set()
        for topic, namespace in sorted(wanted):
            task = TOPIC_TASKS[topic]
            try:
                if not waiting.ask_for_wake_up(self._space, topic, namespace, datetime.now(UTC)):
                    continue
                try:
                    self._celery.send_task(task, [namespace], queue=queue_of(task), retry=False)
                except BaseException:
                    waiting.wake_up_failed(self._space, topic, namespace)
                    raise
            except Exception as error:  # noqa: BLE001  # whatever a broker's library raises, the work waits in Redis
                log.warning("no wake-up sent, the sweep will: %s", type(error).__name__)
                return  # the others would fail as well, each after a while

    def close(self) -> None:
        """Send what is left and stop."""
        self._closed.set()
        self._signal.set()
        if self._thread is not None:
            self._thread.join(5)
        self._send()
        self._celery.close()
