"""The Celery app: `celery -A reverie.workers.app worker`."""

from datetime import timedelta

from celery import Celery
from kombu import Exchange, Queue

from reverie.config.settings import Settings, current
from reverie.config.task_names import QUEUE_MAINTAIN, QUEUES, ROUTES
from reverie.store import connection
from reverie.store.celery_urls import celery_url, results_options, results_url
from reverie.workers import transport
from reverie.workers.schedule import beat_schedule

SOFT_LIMIT = 300
HARD_LIMIT = 360
PATIENCE = 5.0
"""Seconds to wait for an answer of the broker; as long as for the store's."""
RESULTS_KEPT = timedelta(days=1)


def make_app(settings: Settings) -> Celery:
    """The app for these settings. The embedded server is started when no Redis is given."""
    url, server = connection.locate(settings)
    broker = settings.broker_url.get_secret_value() if settings.broker_url else connection.database(url, 1)
    results = settings.result_url.get_secret_value() if settings.result_url else connection.database(url, 2)
    made = Celery("reverie", broker=celery_url(broker), backend=results_url(results), include=TASK_MODULES)
    lease = settings.work_lease.total_seconds()
    transport.install(lambda name: made.tasks.get(name), lease)
    made.conf.update(
        task_queues=[Queue(name, Exchange(name), routing_key=name) for name in QUEUES],
        task_default_queue=QUEUE_MAINTAIN,
        task_routes=[[(pattern, {"queue": queue}) for pattern, queue in ROUTES.items()]],
        task_serializer="json",
        accept_content=["json"],
        result_serializer="json",
        task_ignore_result=True,
        result_expires=RESULTS_KEPT,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_soft_time_limit=SOFT_LIMIT,
        task_time_limit=HARD_LIMIT,
        worker_prefetch_multiplier=1,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        worker_send_task_events=True,
        task_send_sent_event=True,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_channel_error_retry=True,  # what Redis refuses while it is full or read only ends no worker
        broker_transport_options={
            "unacked_restore_interval": lease / transport.RENEWALS,
            "socket_timeout": PATIENCE,
            "socket_connect_timeout": PATIENCE,
            "socket_keepalive": True,
        },
        redis_backend_use_ssl=results_options(results),
        worker_consumer="reverie.workers.consumer:Consumer",
        worker_hijack_root_logger=False,
        timezone="UTC",
        enable_utc=True,
        beat_schedule=beat_schedule(settings),
        beat_scheduler="reverie.workers.beat:Scheduler",
    )
    made.reverie_lease = server  # kept as long as the app: the embedded server stops with its last user
    return made


TASK_MODULES = [
    "reverie.workers.messages",
    "reverie.workers.ingest",
    "reverie.workers.reextract",
    "reverie.workers.embed",
    "reverie.workers.decay",
    "reverie.workers.procedures",
    "reverie.workers.graph",
    "reverie.workers.erasure",
    "reverie.workers.sessions",
    "reverie.workers.consolidate",
    "reverie.workers.sweep",
    "reverie.workers.topics",
    "reverie.workers.tools",
    "reverie.workers.signals",
    "reverie.workers.stopping",
]

app = make_app(current())
