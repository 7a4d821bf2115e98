"""Waiting for what the workers do with a message."""

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Literal

from pydantic import Field

from reverie.config.errors import ModelFailed, NotFound, WaitTimeout
from reverie.pipelines import consolidate, ingest
from reverie.pipelines.context import Context
from reverie.store import waiting, work
from reverie.store.keys import encode
from reverie.store.records.conversation import MessageRecord
from reverie.tools.fields import Id, Params, validated

Until = Literal["ingested", "consolidated"]
_SEEN_LATELY = timedelta(minutes=1)
"""Idle workers look when they are woken; while something waits, the sweep wakes one every few seconds."""


class _Waiting(Params):
    message_id: Id
    timeout: float = Field(ge=0, le=threading.TIMEOUT_MAX)
    until: Until


def wait(ctx: Context, message_id: str, timeout: timedelta | float, until: Until) -> None:
    """Wait until a message is ingested, and until what it says was consolidated.

    Waiting for consolidation makes it due at once. Raises ValidationFailed, NotFound, WaitTimeout, ModelFailed.
    """
    seconds = timeout.total_seconds() if isinstance(timeout, timedelta) else timeout
    checked = validated(_Waiting, message_id=message_id, timeout=seconds, until=until)
    message_id, seconds, until = checked.message_id, checked.timeout, checked.until
    deadline = time.monotonic() + seconds
    _wait(
        lambda: not work.pending(ctx.ns, ingest.TOPIC, [message_id])[0],
        deadline,
        lambda: f"the message {message_id!r} was not ingested within {seconds:g} s: {_behind(ctx, ingest.TOPIC)}",
    )
    _refuse_dead(ctx, ingest.TOPIC, message_id, f"the message {message_id!r} could not be ingested")
    message = ctx.ns.get(MessageRecord, message_id)
    if message is None:
        raise NotFound("message", message_id)
    if until == "ingested" or not consolidate.is_waiting(ctx.ns, message_id, message.agent):
        return
    consolidate.hasten(ctx, [message.agent], at_least=1)
    agent = message.agent

    def is_done() -> bool:
        if not consolidate.is_waiting(ctx.ns, message_id, agent):
            return True
        _refuse_dead(ctx, consolidate.TOPIC, encode(agent), f"what {message_id!r} says could not be consolidated")
        return False

    _wait(
        is_done,
        deadline,
        lambda: (
            f"what the message {message_id!r} says was not consolidated within {seconds:g} s: "
            f"{_behind(ctx, consolidate.TOPIC)}"
        ),
    )


def _behind(ctx: Context, topic: str) -> str:
    """What a piece of work of a topic waits behind, and whether anybody works on the topic."""
    now = ctx.clock()
    waits, due = work.backlog(ctx.ns, [topic], now)[topic]
    everywhere = waiting.queue(ctx.ns, topic, now)
    here = f"{waits} entries of {topic!r} wait in the namespace {ctx.namespace!r}, {due} of them for a worker"
    others = f"{everywhere.namespaces} namespaces wait for their turn"
    looked = everywhere.last_look
    if looked is None:
        seen = "no worker ever looked for such work: is one running (`reverie worker`)?"
    elif now - looked > _SEEN_LATELY:
        seen = (
            f"no worker looked for such work since {looked:%Y-%m-%d %H:%M:%S} UTC: is one running (`reverie worker`)?"
        )
    else:
        seen = f"a worker looked for such work {max(0.0, (now - looked).total_seconds()):.0f} s ago"
    return f"{here}, {others}; {seen}"


def _wait(is_done: Callable[[], bool], deadline: float, late: Callable[[], str]) -> None:
    pause = 0.01
    while not is_done():
        if time.monotonic() >= deadline:
            raise WaitTimeout(f"{late()}; it stays queued")
        time.sleep(min(pause, max(0.0, deadline - time.monotonic())))
        pause = min(pause * 1.5, 0.25)


def _refuse_dead(ctx: Context, topic: str, entry: str, what: str) -> None:
    for letter in work.dead_letters(ctx.ns):
        if letter.topic == topic and letter.entry == entry:
            raise ModelFailed(f"{what}: {letter.error}")
