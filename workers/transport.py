"""Celery's Redis transport, mended where a message could be lost, or end or hold up the worker.

- kombu pops a message and notes only afterwards that it has it: a worker that is killed in between loses it. Here one
  script does both (see `reverie.store.deliveries`); as a script cannot wait, an idle worker asks again and again.
- kombu hands on what it finds, whatever that is. Here it passes the gate first (see `reverie.workers.gate`).
- An acknowledgement that Redis refuses (it is full, read only, or away) is owed, and made good when it answers again;
  kombu's own would be forgotten, and its place among the prefetched messages never given free.
- When Redis goes away, kombu 5.7 closes a channel a second time when its connection is gone already, and meets an
  `AttributeError`, which nothing handles. Here it is the connection error that it is, and the worker connects again.

Queues whose consumer acknowledges nothing, such as those of replies to `inspect`, are read as kombu reads them.
"""

import json
import logging
import time
import uuid
from collections.abc import Callable, Iterable
from queue import Empty
from typing import Any, Final

from celery.worker.state import active_requests
from kombu.transport import TRANSPORT_ALIASES, redis, virtual
from kombu.utils.encoding import bytes_to_str
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError, ResponseError

from reverie.store import deliveries, envelopes
from reverie.workers.gate import Gate, until

log = logging.getLogger("reverie.workers")

RENEWALS: Final = 6
"""How often a lease is renewed in its time: the worker's event loop may be held up for most of it and loses nothing."""
_IDLE: Final = 0.05
"""Seconds between two questions of an idle worker: 20 a second take under 1 % of a core of it, less of Redis."""
_REFUSED: Final = 1.0
"""Seconds to wait after Redis refused to give messages."""
_AGAIN: Final = 5.0
"""Seconds after which a message that was given back is delivered again: what ends its worker at once must not do so
without a pause."""

_owed: set[str] = set()
"""Tags of this process's that are done with and still noted as taken."""


class QoS(virtual.QoS):
    """Keeps count of what a channel was given; in Redis it is noted already."""

    _renewed = 0.0

    def ack(self, delivery_tag: str) -> None:
        _owed.add(delivery_tag)
        super().ack(delivery_tag)
        self.channel.quietly("acknowledge", self.pay)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        if not requeue:
            self.ack(delivery_tag)
            return
        super().ack(delivery_tag)
        self.give_back([delivery_tag], _AGAIN, delivered=True)

    def give_back(self, tags: Iterable[str], seconds: float, *, delivered: bool) -> None:
        """Let messages go back to their queues; those that Redis does not take go when their lease ends."""
        given = list(tags)
        if given:
            self.channel.quietly(
                "give back", lambda client: deliveries.put_off(client, given, seconds, delivered=delivered)
            )

    def pay(self, client: Any) -> None:
        """Settle what is owed."""
        owed = list(_owed)
        if owed:
            deliveries.settle(client, owed)
            _owed.difference_update(owed)

    def restore_unacked(self) -> list[Any]:
        """When the channel closes: give back what is not being worked on. What is will be acknowledged later."""
        self._flush()
        self.give_back(set(self._delivered) - _running(), 0.0, delivered=False)
        self._delivered.clear()
        return []

    def restore_visible(self, *_: Any, **__: Any) -> None:
        """Called by kombu's timers: renew what this worker has, and settle what is owed."""
        now = time.monotonic()
        lease = self.channel.lease
        if now - self._renewed < lease / RENEWALS / 2:
            return
        self._renewed = now
        tags = list((set(self._delivered) | _running()) - _owed - self._dirty)
        self.channel.quietly("acknowledge", self.pay)
        if tags:
            self.channel.quietly("renew", lambda client: deliveries.renew(client, tags, lease))


def _running() -> set[str]:
    return {request.message.delivery_tag for request in tuple(active_requests)}


class Channel(redis.Channel):
    """A channel that takes messages safely, and knows when its connection is gone."""

    QoS = QoS
    gate: Gate | None = None
    lease = 60.0
    """Seconds for which a taken message is a worker's; what a killed worker had taken comes back after them."""

    def __init__(self, *args: Any, **named: Any) -> None:
        self._unacknowledged: set[str] = set()
        self._tag: str | None = None
        self._not_before = 0.0
        self._warned = float("-inf")
        super().__init__(*args, **named)

    def basic_consume(self, queue: str, no_ack: bool, *args: Any, **named: Any) -> Any:
        if no_ack:
            self._unacknowledged.add(queue)
        return super().basic_consume(queue, no_ack, *args, **named)

    @property
    def takes(self) -> bool:
        """Whether messages are taken here as this module says, not as kombu does."""
        return self.gate is not None and any(queue not in self._unacknowledged for queue in self.active_queues)

    def _brpop_start(self, timeout: float | None = None) -> None:
        if not self.takes:
            super()._brpop_start(timeout)
            return
        now = time.monotonic()
        queues = self._queue_cycle.consume(len(self.active_queues))
        if now < self._not_before or not queues:
            return
        lists = [self._q_for_pri(queue, priority) for priority in self.priority_steps for queue in queues]
        self._tag, self._in_poll, self._brpop_sent_at = str(uuid.uuid4()), self.client.connection, now
        self.client.connection.send_command(*deliveries.take(lists, self._tag, self.lease, envelopes.MAX_BYTES))

    def _brpop_read(self, **options: Any) -> bool:
        tag, self._tag = self._tag, None
        if tag is None:
            return bool(super()._brpop_read(**options))
        try:
            taken = self.client.parse_response(self.client.connection, "EVAL", **options)
        except self.connection_errors:
            self.client.connection.disconnect()
            raise
        except ResponseError as error:
            self._not_before = time.monotonic() + _REFUSED
            self._warn("take messages", error)
            raise Empty from None
        finally:
            self._in_poll = None
        if taken is None:
            self._not_before = time.monotonic() + _IDLE
            raise Empty
        self._hand_on(bytes_to_str(taken[0]).rsplit(self.sep, 1)[0], taken[1], tag)
        return True

    def _hand_on(self, queue: str, raw: bytes, tag: str) -> None:
        if self._closing or self.gate is None:
            self.qos.give_back([tag], 0.0, delivered=False)
            return
        self._queue_cycle.rotate(queue)
        payload, eta = self.gate.admit(raw, queue, tag)
        wait = until(eta)
        if wait > 0:
            # Not held in memory meanwhile, where a worker that ends would take it along.
            self.qos.give_back([tag], wait, delivered=False)
        else:
            self.connection._deliver(payload, queue)

    def quietly(self, what: str, do: Callable[[Any], object]) -> None:
        """Do something in Redis now, if it lets us."""
        try:
            with self.conn_or_acquire() as client:
                do(client)
        except RedisError as error:
            self._warn(what, error)

    def _warn(self, what: str, error: Exception) -> None:
        now = time.monotonic()
        if now - self._warned >= 30.0:  # once in half a minute: it may go on for long
            self._warned = now
            log.warning("the broker does not let this worker %s, which it tries again: %s", what, error)

    def _receive_one(self, c: Any) -> Any:
        """What was broadcast to workers; what cannot be read is left out, and nothing of it is logged."""
        try:
            response = c.parse_response()
        except self.connection_errors:
            self._in_listen = None
            raise
        if not isinstance(response, list | tuple):
            return None
        said = self._handle_message(c, response)
        if not bytes_to_str(said["type"]).endswith("message") or not said["data"]:
            return None
        try:
            exchange = bytes_to_str(said["channel"]).partition(".")[2].split("/", 1)[0]
            return self._deliver_fanout_message(json.loads(said["data"]), exchange)
        except Exception as error:  # noqa: BLE001  # whatever was sent, the worker goes on
            log.warning("a broadcast that cannot be read is left out: %s", type(error).__name__)
            return None

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        if self.connection is None or self.connection.client is None:
            raise RedisConnectionError("the channel was closed together with its connection")
        found: dict[str, Any] = super()._connparams(asynchronous=asynchronous)
        return found


class Poller(redis.MultiChannelPoller):
    """Comes back in time to ask again, where no event loop does."""

    def get(self, callback: Any, timeout: float | None = None) -> Any:
        if any(channel.takes for channel in self._channels):
            timeout = _IDLE if timeout is None else min(timeout, _IDLE)
        return super().get(callback, timeout)


class Transport(redis.Transport):
    """The transport of Redis URLs in this process, once `install` was called."""

    Channel = Channel

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.cycle = Poller()

    def register_with_event_loop(self, connection: Any, loop: Any) -> None:
        super().register_with_event_loop(connection, loop)
        # The loop asks at each of its rounds; this has it come round.
        loop.call_repeatedly(_IDLE, _come_round)


def _come_round() -> None:
    """Nothing: being called is what matters."""


def install(find: Callable[[str], Any], lease: float) -> None:
    """Use this transport for Redis URLs, with a gate for the tasks that `find` gives by their names.

    A taken message is a worker's for `lease` seconds, and longer while it renews them.
    """
    Channel.gate, Channel.lease = Gate(find), lease
    for scheme in ("redis", "rediss"):
        TRANSPORT_ALIASES[scheme] = f"{__name__}:{Transport.__name__}"
