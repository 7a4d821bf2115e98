"""Opening a memory to read it: a namespace or an agent that holds nothing is said, so that a typing error is seen."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.text import Text

from reverie import Memory
from reverie.cli.output import errors
from reverie.store.records.conversation import ParticipantRecord

_NAMED = 20
"""Namespaces that are named where one was asked for that is none."""


@contextmanager
def reading(namespace: str | None, *, note: bool = True) -> Iterator[Memory]:
    """The memory of a namespace; says on stderr when nothing was ever written there, and which ones there are.

    Without `note` it says nothing: for what is read of the whole store.
    """
    with Memory(namespace) as memory:
        known = memory.ctx.ns.namespaces()
        if note and memory.namespace not in known:
            more = f" and {len(known) - _NAMED} more" if len(known) > _NAMED else ""
            there = (", ".join(known[:_NAMED]) or "none yet") + more
            _say(f"nothing was ever written to the namespace {memory.namespace!r}; there are: {there}")
        yield memory


def say_if_unknown(memory: Memory, agent: str) -> None:
    """Say on stderr when nobody of this id has said or done anything in the namespace."""
    if memory.ctx.ns.get(ParticipantRecord, memory.agent(agent).id) is None:
        _say(f"no agent {agent!r} wrote to {memory.namespace!r}; what every agent of it shares is shown")


def _say(text: str) -> None:
    errors.print(Text(f"note: {text}", style="yellow"), soft_wrap=True)
