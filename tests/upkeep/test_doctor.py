"""The doctor: nothing is found in a store that is whole, and whatever is broken is found and mended."""

import json
import random
import sys
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from conftest import WordEmbedder
from lives import live

from reverie import Memory
from reverie.cli.app import main
from reverie.config.settings import Settings, current
from reverie.pipelines import vectors
from reverie.pipelines.doctor import Finding, examine
from reverie.store import restoring, work
from reverie.store.keys import NAMESPACES, encode, waiting_key
from reverie.store.namespace import Namespace


@pytest.fixture
def lived(settings: Settings) -> Iterator[Memory]:
    with Memory(f"ill {uuid.uuid4().hex}", settings=settings, embedder=WordEmbedder()) as memory:
        live(memory, random.Random(3), 12)
        agent = memory.agent("assistant")
        agent.session("s").observe("ana", "a violet message", "m")
        agent.record_episode("build", episode_id="e")
        yield memory
        memory.forget(namespace=memory.namespace)


def _found(memory: Memory, *, fix: bool = False) -> dict[str, Finding]:
    return {one.check: one for one in examine(memory.connection, [memory.namespace], fix=fix)}


def test_nothing_is_found_in_a_store_that_is_whole(lived: Memory) -> None:
    live(lived, random.Random(5), 40, 12)
    assert _found(lived) == {}
    assert _found(lived, fix=True) == {}


def _row(ns: Namespace) -> str:
    return ns.keys.row("message", "m")


BREAKS: dict[str, Callable[[Namespace], Any]] = {
    "rows.missing": lambda ns: ns.client.delete(_row(ns)),
    "rows.orphans": lambda ns: ns.client.hset(
        ns.keys.row("message", "gone"), mapping={"n": ns.keys.tag, "k": "message"}
    ),
    "rows.vectors": lambda ns: ns.client.hdel(_row(ns), "v"),
    "rows.unsound": lambda ns: ns.client.hset(_row(ns), "at", "yesterday"),
    "rows.old": lambda ns: ns.client.hset(f"rvr0:{{{ns.keys.tag}}}:message:m", "n", ns.keys.tag),
    "edges.torn": lambda ns: ns.client.zrem(ns.keys.linked("SENT_BY", "message", "participant", "ana"), "m"),
    "edges.sourceless": lambda ns: ns.client.zadd(ns.keys.links("message", "gone"), {"SENT_BY:participant:ana": 1}),
    "orders.unlisted": lambda ns: ns.client.zrem(ns.keys.every("message"), "m"),
    "orders.gone": lambda ns: ns.client.zadd(ns.keys.every("message"), {"gone": 1}),
    "due.gone": lambda ns: ns.client.zadd(ns.keys.due("session-idle"), {"gone": 1}),
    "due.unplanned": lambda ns: ns.client.zrem(ns.keys.due("decay"), "e"),
    "work.unmarked": lambda ns: [ns.client.zrem(waiting_key("decay"), ns.namespace)],
    "namespace.unregistered": lambda ns: ns.client.srem(NAMESPACES, ns.namespace),
}
"""What breaks a whole namespace, by the check that finds it."""


@pytest.mark.parametrize("check", BREAKS)
def test_what_is_broken_is_found_and_mended(lived: Memory, check: str) -> None:
    ns = lived.ctx.ns
    BREAKS[check](ns)
    seen = _found(lived)
    assert check in seen
    assert (seen[check].mended, seen[check].advice) == (0, "")
    assert _found(lived) == seen, "looking changes nothing"
    mended = _found(lived, fix=True)
    assert not mended[check].is_left
    assert _found(lived) == {}
    if check.startswith("rows."):
        entries = [vectors.entry("message", "m")]
        assert work.pending(ns, vectors.TOPIC, entries) == [check not in ("rows.orphans", "rows.old")]
        assert any(item.id == "m" for item in lived.agent("assistant").recall("violet").items)


@pytest.mark.parametrize("side", ["in", "out"])
@pytest.mark.parametrize("edge", ["IN_SESSION", "SENT_BY"])
def test_an_edge_is_mended_from_either_side(lived: Memory, side: str, edge: str) -> None:
    ns = lived.ctx.ns
    target = ("session", "s") if edge == "IN_SESSION" else ("participant", "ana")
    key = ns.keys.linked(edge, "message", *target)
    if side == "in":
        ns.client.zrem(key, *[one for one in ns.client.zrange(key, 0, -1) if one.endswith(b"m")])
    else:
        ns.client.zrem(ns.keys.links("message", "m"), f"{edge}:{target[0]}:{encode(target[1])}")
    assert _found(lived).keys() == {"edges.torn"}
    _found(lived, fix=True)
    assert _found(lived) == {}
    assert ns.sources(edge, "message", target)[-1] == "m"
    assert ns.targets(("message", "m"), edge) == [target]


def test_a_vector_of_another_dimension_is_found_and_made_anew(lived: Memory) -> None:
    ns = lived.ctx.ns
    ns.client.hset(_row(ns), "v", b"\0" * 6)
    assert _found(lived, fix=True)["rows.unsound"].examples == ("('message', 'm', 0)",)
    vectors.fill(lived.ctx, [vectors.entry("message", "m")])
    assert len(ns.client.hget(_row(ns), "v")) == 2 * lived.ctx.embedder.dimension
    assert _found(lived) == {}


def test_what_it_cannot_mend_comes_with_advice(lived: Memory) -> None:
    ns = lived.ctx.ns
    long_ago = lived.ctx.clock() - timedelta(hours=2)
    transaction = ns.transaction()
    transaction.queue("ingest", "waits for ever", long_ago)
    transaction.commit()
    ns.client.execute_command("JSON.SET", ns.keys.record("goal", "bad"), "$", '{"id": "bad"}')
    lived.agent("assistant").goals.all()
    ns.client.sadd(ns.keys.unreadable, json.dumps(["goal", "bad"]))
    restoring.begin(ns, "export-1", "records")
    found = _found(lived, fix=True)
    for check in ("work.stuck", "records.unreadable", "import.interrupted"):
        assert found[check].is_left
        assert found[check].advice
    restoring.finish(ns)


def test_a_reindex_that_was_killed_is_told_and_left_to_the_reindex(lived: Memory) -> None:
    ns = lived.ctx.ns
    ns.client.set(ns.keys.marker, ns.keys.generation + 1)
    found = _found(lived, fix=True)
    assert "reverie reindex" in found["namespace.refused"].advice
    assert found["namespace.refused"].is_left
    ns.client.set(ns.keys.marker, ns.keys.generation)
    assert _found(lived) == {}


def test_the_command_tells_and_mends(
    lived: Memory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = lived.settings
    assert settings.redis_url is not None
    monkeypatch.setenv("REVERIE_REDIS_URL", settings.redis_url.get_secret_value())
    monkeypatch.setenv("REVERIE_DATA_DIR", str(settings.data_dir))
    current.cache_clear()

    def run(*words: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["reverie", "doctor", "--namespace", lived.namespace, *words])
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0), capsys.readouterr().out

    lived.ctx.ns.client.delete(_row(lived.ctx.ns))
    code, said = run()
    assert code == 1
    assert "rows.missing" in said
    assert "doctor --fix" in said
    code, said = run("--json")
    assert (code, json.loads(said)["healthy"]) == (1, False)
    assert run("--fix")[0] == 0
    assert run() == (0, "nothing is wrong\n")
    current.cache_clear()
