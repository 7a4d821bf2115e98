"""Every public call meets every failure of a server: one clear error within five seconds, and nothing half written."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from conftest import WordEmbedder
from faults import Proxy, proxied, redis_server, within

from reverie import Memory, ReverieError, StoreDenied, StoreFull, StoreReadOnly, StoreUnavailable
from reverie.config.settings import load
from reverie.store import connection
from reverie.store.client import Client

Call = Callable[[Memory], Any]

STORED: dict[str, str] = {}
"""Ids that `fill` was given."""

READS: dict[str, Call] = {
    "messages": lambda m: m.agent("a").session("s").messages(),
    "closed_at": lambda m: m.agent("a").session("s").closed_at,
    "action": lambda m: m.agent("a").action("act"),
    "actions": lambda m: m.agent("a").actions(),
    "artifact": lambda m: m.agent("a").artifact("art"),
    "episode": lambda m: m.agent("a").episode("e"),
    "episodes": lambda m: m.agent("a").episodes(),
    "explain_decay": lambda m: m.agent("a").explain_decay("e"),
    "procedures": lambda m: m.agent("a").procedures(),
    "topics": lambda m: m.agent("a").topics(),
    "observation": lambda m: m.agent("a").observation("o"),
    "facts": lambda m: m.facts(),
    "facts.get": lambda m: m.facts.get("f"),
    "facts.history": lambda m: m.facts.history("f"),
    "facts_from": lambda m: m.facts_from("m"),
    "observations_from": lambda m: m.observations_from("m"),
    "is_single": lambda m: m.predicates.is_single("likes tea with"),
    "declared": lambda m: m.predicates.declared(),
    "cycles": lambda m: m.cycles(),
    "cycles.get": lambda m: m.cycles.get("c"),
    "spending": lambda m: m.spending(),
    "dry_run": lambda m: m.agent("a").consolidate(dry_run=True),
    "goals.get": lambda m: m.agent("a").goals.get("g"),
    "goals.all": lambda m: m.agent("a").goals.all(),
    "goals.context": lambda m: m.agent("a").goals.context("g"),
    "goals.task": lambda m: m.agent("a").goals.task("t"),
    "goals.tasks": lambda m: m.agent("a").goals.tasks(),
    "goals.tasks_of": lambda m: m.agent("a").goals.tasks_of("g"),
    "search_nodes": lambda m: _graph(m).search_nodes("violet"),
    "open_nodes": lambda m: _graph(m).open_nodes(["ana"]),
    "read_graph": lambda m: _graph(m).read_graph(),
    "neighbours": lambda m: _graph(m).neighbours("ana"),
    "profile_card": lambda m: _graph(m).profile_card(),
    "entity_count": lambda m: _graph(m).entity_count(),
    "turns": lambda m: _graph(m).turns(),
    "search": lambda m: _graph(m).search("violet"),
}
"""Calls that only read."""

WRITES: dict[str, Call] = {
    "observe": lambda m: m.agent("a").session("s").observe(sender="ana", content="scarlet"),
    "observe in a new session": lambda m: m.agent("b").session("s2").observe(sender="eve", content="scarlet"),
    "observe_many": lambda m: m.agent("a").session("s").observe_many([{"sender": "ana", "content": "scarlet"}] * 3),
    "close": lambda m: m.agent("a").session("s").close(),
    "summarize": lambda m: m.agent("a").session("s").summarize(),
    "record_action": lambda m: m.agent("a").record_action(action_type="call", output="word " * 400),
    "record_episode": lambda m: m.agent("a").record_episode(action_type="call", state={"topic": "tea"}),
    "pin": lambda m: m.agent("a").pin("e"),
    "add_observation": lambda m: m.agent("a").add_observation(message_id="m", content="ana likes tea"),
    "assert_fact": lambda m: m.agent("a").assert_fact(subject="ana", predicate="likes", object="coffee"),
    "invalidate_fact": lambda m: m.agent("a").invalidate_fact(fact_id=STORED["fact"]),
    "consolidate": lambda m: m.agent("a").consolidate(),
    "declare": lambda m: m.predicates.declare("likes tea with"),
    "goals.create": lambda m: m.agent("a").goals.create(title="Ship"),
    "goals.complete": lambda m: m.agent("a").goals.complete("g"),
    "goals.update": lambda m: m.agent("a").goals.update("g", title="Sink"),
    "goals.create_task": lambda m: m.agent("a").goals.create_task(title="Paint", goal_id="g"),
    "goals.block_task": lambda m: m.agent("a").goals.block_task("t"),
    "create_entities": lambda m: _graph(m).create_entities([{"name": "eve", "observations": ["paints"]}]),
    "create_relations": lambda m: _graph(m).create_relations(
        [{"source": "ana", "relation_type": "knows", "target": "eve"}]
    ),
    "add_observations": lambda m: _graph(m).add_observations("ana", ["paints"]),
    "add_session": lambda m: _graph(m).add_session(["hello"]),
    "remember": lambda m: _graph(m).remember("ana", ["sings"]),
    "relate": lambda m: _graph(m).relate("ana", "knows", "eve"),
}
"""Calls that store something, each of it new."""

SCOPES = {
    "forget message": {"message": "m"},
    "forget session": {"session": "s"},
    "forget participant": {"participant": "ana"},
    "forget user": {"user": "ana"},
    "forget namespace": {"namespace": "n"},
}

FORGETS: dict[str, Call] = {
    "forget message": lambda m: m.forget(message="m"),
    "forget session": lambda m: m.forget(session="s"),
    "forget participant": lambda m: m.forget(participant="ana"),
    "forget user": lambda m: m.forget(user="ana"),
    "delete_entities": lambda m: _graph(m).delete_entities(["ana"]),
    "delete_session": lambda m: _graph(m).delete_session("log"),
    "delete_user": lambda m: _graph(m).delete_user(),
    "forget namespace": lambda m: m.forget(namespace="n"),
}
"""Calls that make room."""

RECALLS: dict[str, Call] = {"recall": lambda m: m.agent("a").recall("violet lamp")}
"""Calls that read, and note that they did."""


def _graph(memory: Memory) -> Any:
    return memory.graph(app="app", user="ana")


def fill(url: str) -> None:
    """Store one of everything that the calls name; when it returns, no wake-up is to be sent any more."""
    with Memory("n", settings=load(redis_url=url), embedder=WordEmbedder()) as memory:
        agent = memory.agent("a")
        agent.goals.create(title="Travel", goal_id="g")
        agent.goals.create_task(title="Pack", task_id="t", goal_id="g")
        agent.session("s").observe(sender="ana", content="the violet lamp is mine", message_id="m")
        agent.record_action(action_type="call", action_id="act")
        agent.record_episode(action_type="call", episode_id="e", state={"topic": "the violet lamp"})
        STORED["fact"] = agent.assert_fact(subject="ana", predicate="owns", object="a violet lamp").fact_id
        _graph(memory).create_entities(
            [{"name": "ana", "entity_type": "person", "observations": ["owns a violet lamp"]}]
        )
        _graph(memory).add_session(["I own a violet lamp"], session_id="log")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with redis_server(tmp_path_factory.mktemp("faults")) as url:
        yield url


@pytest.fixture(scope="module")
def admin(server: str) -> Iterator[Client]:
    """A client that no failure is made for."""
    with closing(connection.connect(server)) as client:
        yield client


@pytest.fixture(scope="module")
def opened(server: str) -> Iterator[tuple[Proxy, Memory]]:
    with proxied(server) as (proxy, url):
        fill(server)
        with Memory("n", settings=load(redis_url=url, redis_timeout=0.3), embedder=WordEmbedder()) as memory:
            yield proxy, memory
            proxy.heal()


def held(client: Client) -> dict[bytes, bytes]:
    """Everything that the server holds of memories."""
    return {key: client.dump(key) for key in client.keys("rv*")}


REPLIES = {
    "LOADING Redis is loading the dataset in memory": (StoreUnavailable, "loading its data"),
    "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.": (
        StoreUnavailable,
        "SCRIPT KILL",
    ),
    "NOAUTH Authentication required.": (StoreDenied, "PASSWORD"),
    "WRONGPASS invalid username-password pair or user is disabled.": (StoreDenied, "REVERIE_REDIS_URL"),
    "NOPERM User app has no permissions to run the 'evalsha' command": (StoreDenied, "ACL SETUSER"),
    "CLUSTERDOWN The cluster is down": (StoreUnavailable, "CLUSTER INFO"),
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.": (StoreUnavailable, "primary"),
    "MOVED 3999 127.0.0.1:6381": (StoreUnavailable, "one node of a cluster"),
    "ERR max number of clients reached": (StoreUnavailable, "maxclients"),
    "READONLY You can't write against a read only replica.": (StoreReadOnly, "primary"),
    "NOREPLICAS Not enough good replicas to write.": (StoreReadOnly, "min-replicas-to-write"),
    "MISCONF Errors writing to the AOF file: No space left on device": (StoreFull, "disk"),
    "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.": (
        StoreReadOnly,
        "save",
    ),
    "OOM command not allowed when used memory > 'maxmemory'.": (StoreFull, "maxmemory"),
    "ERR something new with args beginning with: 'violet'": (ReverieError, "something new"),
}


@pytest.mark.parametrize("name", [*READS, *WRITES, *FORGETS, *RECALLS])
def test_every_call_tells_a_failure_in_one_error(name: str, opened: tuple[Proxy, Memory], admin: Client) -> None:
    proxy, memory = opened
    call = (READS | WRITES | FORGETS | RECALLS)[name]
    before = held(admin)
    for reply, (kind, words) in REPLIES.items():
        proxy.answer(reply)
        with within(5), pytest.raises(kind, match=words) as caught:
            call(memory)
        assert "violet" not in str(caught.value)
    proxy.reset()
    with within(5), pytest.raises(StoreUnavailable, match="cannot be reached"):
        call(memory)
    proxy.hang()
    with within(5), pytest.raises(StoreUnavailable, match="REVERIE_REDIS_TIMEOUT"):
        call(memory)
    assert held(admin) == before
    proxy.heal()


def test_a_hanging_server_is_told_within_five_seconds_by_default(server: str) -> None:
    with proxied(server) as (proxy, url):
        memory = Memory("hanging", settings=load(redis_url=url), embedder=WordEmbedder())
        proxy.hang()
        with within(5), pytest.raises(StoreUnavailable, match="does not answer in time"):
            memory.agent("a").goals.all()
        with within(5), pytest.raises(StoreUnavailable, match="does not answer in time"):
            Memory("hanging", settings=load(redis_url=url), embedder=WordEmbedder())
        proxy.heal()
        assert memory.agent("a").goals.all() == []
        memory.close()


@pytest.fixture
def own(tmp_path: Path) -> Iterator[tuple[Client, Memory]]:
    """A filled memory on a server of the test's own."""
    with (
        redis_server(tmp_path / "own") as url,
        closing(connection.connect(url)) as client,
    ):
        fill(url)
        with Memory("n", settings=load(redis_url=url), embedder=WordEmbedder()) as memory:
            yield client, memory


@pytest.mark.parametrize(
    ("option", "value", "healthy", "kind"),
    [
        ("maxmemory", "1", "0", StoreFull),
        ("min-replicas-to-write", "1", "0", StoreReadOnly),
        ("replicaof", "127.0.0.1 1", "no one", StoreReadOnly),
    ],
)
def test_a_server_that_takes_no_writes_is_told_and_holds_nothing_half(
    own: tuple[Client, Memory], option: str, value: str, healthy: str, kind: type[ReverieError]
) -> None:
    client, memory = own
    before = held(client)

    def put(setting: str) -> None:
        if option == "replicaof":
            client.execute_command("REPLICAOF", *setting.split())
        else:
            client.config_set(option, setting)

    put(value)
    for name, call in WRITES.items():
        if name != "consolidate":  # which has nothing to do here
            with pytest.raises(kind):
                call(memory)
        assert held(client) == before, name
    for name, call in (READS | RECALLS).items():
        call(memory)
        assert held(client) == before, name
    assert memory.agent("a").recall("violet lamp").items
    Memory("n", settings=memory.settings, embedder=WordEmbedder()).close()
    put(healthy)
    for call in WRITES.values():
        call(memory)


ALLOWED = ("on", "resetpass", ">secret", "resetkeys", "~*", "resetchannels", "&*", "+@all")
TAKEN = {
    "a command": ("-zadd",),
    "a command of a module": ("-json.set",),
    "all that writes": ("-@write",),
    "scripts": ("-evalsha", "-eval"),
    "keys": ("resetkeys", "~other:*"),
    "keys to be written": ("resetkeys", "%R~*"),
    "the right to log in": ("off",),
    "the password": ("resetpass", ">another"),
}


def stored(client: Client) -> dict[bytes, bytes]:
    """The same without the marks that have workers look somewhere: one too many has them find nothing."""
    return {key: value for key, value in held(client).items() if not key.startswith(b"rv:waiting:")}


@pytest.mark.parametrize("what", TAKEN)
def test_a_user_who_loses_a_right_is_told_and_goes_on_when_it_is_back(own: tuple[Client, Memory], what: str) -> None:
    client, memory = own
    client.execute_command("ACL", "SETUSER", "app", *ALLOWED)
    url = memory.connection.store.url.replace("redis://", "redis://app:secret@")
    with Memory("n", settings=load(redis_url=url), embedder=WordEmbedder()) as theirs:
        client.execute_command("ACL", "SETUSER", "app", *TAKEN[what])
        client.execute_command("CLIENT", "KILL", "USER", "app")
        denied = set()
        for name, call in WRITES.items():
            before = stored(client)
            try:
                with within(5):
                    call(theirs)
            except StoreDenied:
                denied.add(name)
                assert stored(client) == before, name
        assert denied >= {"observe", "record_action", "assert_fact", "goals.create", "create_entities"}
        client.execute_command("ACL", "SETUSER", "app", *ALLOWED)
        for call in WRITES.values():
            call(theirs)


@pytest.mark.parametrize("name", FORGETS)
def test_a_full_store_can_be_emptied(own: tuple[Client, Memory], name: str) -> None:
    client, memory = own
    full = len(held(client))
    client.config_set("maxmemory", "1")

    FORGETS[name](memory)

    assert len(held(client)) < full
    if name in SCOPES:
        assert memory.forget(**SCOPES[name], verify=True).verified  # type: ignore[arg-type]
    with pytest.raises(StoreFull):
        memory.agent("a").goals.create(title="Ship")
