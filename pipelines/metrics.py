"""The figures by which a store and its workers are watched. No label names a namespace, a participant or a text."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from reverie.config.errors import StoreError
from reverie.config.settings import Settings
from reverie.config.task_names import QUEUES, TOPIC_TASKS
from reverie.pipelines import vectors
from reverie.store import monitored
from reverie.store.totals import Totals

_MILLION = 1_000_000

Labels = tuple[str, ...]


@dataclass(frozen=True)
class Metric:
    """One metric with its values by the values of its labels."""

    name: str
    says: str
    values: Mapping[Labels, float]
    labels: tuple[str, ...] = ()
    kind: Literal["gauge", "counter"] = "gauge"


@dataclass
class _Metrics:
    found: list[Metric] = field(default_factory=list)

    def gauge(self, name: str, says: str, value: float) -> None:
        """Add a metric of one value."""
        self.found.append(Metric(name, says, {(): value}))

    def many(
        self, name: str, says: str, labels: tuple[str, ...], values: Mapping[Labels, float], *, counter: bool = False
    ) -> None:
        """Add a metric of a value for each combination of labels."""
        self.found.append(Metric(name, says, values, labels, "counter" if counter else "gauge"))


def measure(watched: monitored.Watched, settings: Settings) -> list[Metric]:
    """The figures now. Of a Redis that does not answer there is `reverie_up` alone, which is 0 then."""
    made = _Metrics()
    now = datetime.now(UTC)
    try:
        server, index, totals = watched.server(), watched.index(), watched.totals(list(TOPIC_TASKS), now)
        queues = watched.queues(QUEUES)
    except StoreError:
        made.gauge("reverie_up", "Whether Redis answers.", 0)
        made.gauge("reverie_ready", "Whether Redis answers, can hold a memory and takes writes.", 0)
        return made.found
    made.gauge("reverie_up", "Whether Redis answers.", 1)
    is_ready = not server.unfit and not server.ailing
    made.gauge("reverie_ready", "Whether Redis answers, can hold a memory and takes writes.", is_ready)
    made.gauge("reverie_redis_memory_bytes", "What Redis holds in memory.", server.used_bytes)
    made.gauge("reverie_redis_memory_limit_bytes", "What Redis may hold; 0 without a bound.", server.max_bytes or 0)
    made.gauge("reverie_namespaces", "Namespaces that hold anything.", totals.namespaces)
    made.gauge("reverie_dead_letters", "Pieces of work that were given up.", totals.dead_letters)
    made.gauge("reverie_read_by_rules", "Messages that rules read in a language model's stead.", totals.fallbacks)
    made.gauge("reverie_index_rows", "Search rows in the index.", 0 if index is None else index.rows)
    made.gauge(
        "reverie_index_refused_rows", "Search rows that the index refused.", 0 if index is None else index.failures
    )
    late = totals.topics[vectors.TOPIC].waiting
    made.gauge("reverie_rows_without_vector", "Search rows that wait for their vector.", late)
    _work(made, totals, now)
    _language_model(made, totals, settings)
    made.many(
        "reverie_queue_messages", "Celery messages that wait in a queue.", ("queue",),
        {(queue,): count for queue, count in queues.items()},
    )  # fmt: skip
    return made.found


def _work(made: _Metrics, totals: Totals, now: datetime) -> None:
    topics = totals.topics.items()
    made.many(
        "reverie_work_waiting", "Pieces of durable work of a topic.", ("topic",),
        {(topic,): total.waiting for topic, total in topics},
    )  # fmt: skip
    made.many(
        "reverie_work_due", "Those of them that may be done now.", ("topic",),
        {(topic,): total.due for topic, total in topics},
    )  # fmt: skip
    made.many(
        "reverie_work_oldest_seconds", "For how long the oldest of them has been due.", ("topic",),
        {(topic,): (now - total.oldest).total_seconds() if total.oldest else 0.0 for topic, total in topics},
    )  # fmt: skip


def _language_model(made: _Metrics, totals: Totals, settings: Settings) -> None:
    counted = {"requests": "requests", "failed": "replies that could not be used"}
    for name, says in counted.items():
        made.many(
            f"reverie_language_model_{name}", f"Language models: {says}.", ("purpose",),
            {(purpose,): number for (purpose, what), number in totals.usage.items() if what == name}, counter=True,
        )  # fmt: skip
    made.many(
        "reverie_language_model_tokens", "Language models: tokens, in or out.", ("purpose", "direction"),
        {
            (purpose, what.removesuffix("_tokens")): number
            for (purpose, what), number in totals.usage.items() if what.endswith("_tokens")
        },
        counter=True,
    )  # fmt: skip
    prices = {"input_tokens": settings.llm_input_price, "output_tokens": settings.llm_output_price}
    if any(price is not None for price in prices.values()):
        cost: dict[Labels, float] = {}
        for (purpose, what), number in totals.usage.items():
            cost[purpose,] = cost.get((purpose,), 0.0) + number * (prices.get(what) or 0) / _MILLION
        says = "Language models: money, in the currency of the prices that are set."
        made.many("reverie_language_model_cost", says, ("purpose",), cost, counter=True)
