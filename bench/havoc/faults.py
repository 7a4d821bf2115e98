"""What is done to the world, at random."""

import contextlib
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import redis

from havoc.world import World, supervisor_of

KILLS = ("worker", "worker and pool", "pool child", "beat", "writer", "broker", "server", "supervisor")


class Faults:
    """Draws one fault after the other, and counts them by name."""

    def __init__(self, world: World, seed: int) -> None:
        self.done: Counter[str] = Counter()
        self._world = world
        self._random = random.Random(seed)
        self._deck: list[tuple[str, Callable[[], bool]]] = []
        self._all: list[tuple[int, str, Callable[[], bool]]] = [
            (3, "worker", lambda: self._kill(world.workers)),
            (3, "worker and pool", lambda: self._kill(world.workers, whole=True)),
            (3, "pool child", self._pool_child),
            (1, "beat", lambda: self._kill([world.beat])),
            (3, "writer", lambda: self._kill(world.writers)),
            (2, "broker", lambda: self._kill([world.broker] if world.broker else [])),
            (2, "server", self._server),
            (1, "supervisor", self._supervisor),
            (1, "worker told to stop", self._stop),
            (1, "worker stopped, then killed", self._freeze),
            (2, "server paused", self._pause_server),
            (1, "broker paused", self._pause_broker),
            (1, "store full", lambda: self._for_a_while(_full(world.store()))),
            (1, "store read only", lambda: self._for_a_while(_read_only(world.store()))),
            (1, "broker full", lambda: self._for_a_while(_full(world.queues()))),
            (1, "broker read only", lambda: self._for_a_while(_read_only(world.queues()))),
        ]

    @property
    def kills(self) -> int:
        return sum(self.done[name] for name in KILLS) + self.done["worker stopped, then killed"]

    def one(self) -> None:
        """Do one thing and wait until it is over. Each has its turns before any has more, in an order of chance."""
        if not self._deck:
            self._deck = [(name, do) for weight, name, do in self._all for _ in range(weight)]
            self._random.shuffle(self._deck)
        name, do = self._deck.pop()
        with contextlib.suppress(redis.RedisError):  # what was to be disturbed is away already
            if do():
                self.done[name] += 1

    def _kill(self, among: list, *, whole: bool = False) -> bool:  # type: ignore[type-arg]
        if not among:
            return False
        self._random.choice(among).kill(whole=whole)
        return True

    def _pool_child(self) -> bool:
        children = self._random.choice(self._world.workers).children()
        return bool(children) and _signal(self._random.choice(children), signal.SIGKILL)

    def _server(self) -> bool:
        return _signal(self._world.server_pid(), signal.SIGKILL)

    def _supervisor(self) -> bool:
        pid = self._world.server_pid()
        return pid is not None and _signal(supervisor_of(pid), signal.SIGKILL)

    def _stop(self) -> bool:
        self._random.choice(self._world.workers).send(signal.SIGTERM)
        return True

    def _freeze(self) -> bool:
        worker = self._random.choice(self._world.workers)
        worker.send(signal.SIGSTOP)
        time.sleep(self._random.uniform(0.5, 3))
        worker.kill(whole=True)
        return True

    def _pause_server(self) -> bool:
        return self._pause(self._world.server_pid())

    def _pause_broker(self) -> bool:
        return self._pause(self._world.broker.process.pid if self._world.broker else None)

    def _pause(self, pid: int | None) -> bool:
        if not _signal(pid, signal.SIGSTOP):
            return False
        time.sleep(self._random.uniform(1, 6))
        return _signal(pid, signal.SIGCONT)

    def _for_a_while(self, trouble: "contextlib.AbstractContextManager[bool]") -> bool:
        with trouble as begun:
            if begun:
                time.sleep(self._random.uniform(2, 5))
        return begun


def _signal(pid: int | None, number: int) -> bool:
    if pid is None:
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
        return True
    return False


Opened = contextlib.AbstractContextManager["redis.Redis | None"]


@contextmanager
def _full(opened: Opened) -> Iterator[bool]:
    with opened as client:
        if client is not None:
            client.config_set("maxmemory", 1)
        yield client is not None
        if client is not None:
            client.config_set("maxmemory", 0)


@contextmanager
def _read_only(opened: Opened) -> Iterator[bool]:
    with opened as client:
        if client is not None:
            client.replicaof("127.0.0.1", "1")  # nobody listens there: nothing is copied, and nothing lost
        yield client is not None
        if client is not None:
            client.replicaof("NO", "ONE")
