"""Forgetting: gone everywhere, and nothing brings it back."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import typer
from conftest import WordEmbedder

from reverie import Memory, ValidationFailed
from reverie.cli.app import main
from reverie.config.settings import Settings, current
from reverie.config.task_names import DUE_SETS
from reverie.knowledge.ids import entity_id
from reverie.pipelines import consolidate, erasure, ingest, summaries, topics, vectors
from reverie.pipelines.graph import learning
from reverie.store import due, work
from reverie.store.records.conversation import MessageRecord
from reverie.store.records.facts import FactRecord
from reverie.store.records.knowledge import EntityRecord, ObservationRecord
from reverie.workers import messages as tasks
from reverie.workers import runtime

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
SECRET = "I work at Zyxcorp as a designer, and my locker code is quokka."


@pytest.fixture
def memory(settings: Settings, namespace: str) -> Iterator[Memory]:
    wanted = settings.model_copy(update={"graph_learns": True})
    with Memory(namespace, settings=wanted, embedder=WordEmbedder()) as opened:
        yield opened


def say(memory: Memory, content: str, minute: int, sender: str = "Ana", session: str = "s-1", **more: object) -> str:
    """Say something and let everything be worked out of it."""
    given = {"sender": sender, "content": content, "at": NOON + timedelta(minutes=minute), **more}
    id = memory.agent("assistant").session(session).observe(**given).message_id
    ingest.ingest(memory.ctx, [id])
    topics.count(memory.ctx, [id])
    learning.learn(memory.ctx, [id])
    return id


def dump(memory: Memory) -> str:
    """Everything that the namespace's keys and values hold."""
    client, tag = memory.ctx.ns.client, memory.ctx.ns.keys.tag
    found: list[bytes] = []
    for key in client.scan_iter(match=f"*{{{tag}}}*"):
        found.append(key)
        kind = client.type(key)
        if kind == b"hash":
            found += [part for pair in client.hgetall(key).items() for part in pair]
        elif kind == b"zset":
            found += client.zrange(key, 0, -1)
        elif kind == b"string":
            found.append(client.get(key))
        else:
            found.append(client.execute_command("JSON.GET", key))
    return b"\n".join(found).decode("utf-8", "replace")


def recalled(memory: Memory, query: str) -> str:
    return "\n".join(item.content for item in memory.agent("assistant").recall(query).items)


def test_a_message_goes_with_everything_that_was_drawn_from_it(memory: Memory) -> None:
    secret = say(memory, SECRET, 0)
    after = say(memory, "I play chess on Sundays.", 1)
    memory.agent("assistant").session("s-1").summarize()
    assert "quokka" in recalled(memory, "locker code")

    report = memory.forget(message=secret, verify=True)

    assert (report.verified, report.traces) == (True, ())
    assert report.erased["message"] == 1
    assert report.erased["observation"] >= 1
    assert report.erased["graph_observation"] >= 1
    left = dump(memory)
    for word in ("quokka", "Zyxcorp", "zyxcorp", "locker"):
        assert word not in left
    assert "quokka" not in recalled(memory, "locker code")
    assert memory.ctx.ns.get(MessageRecord, after) is not None
    assert "chess" in recalled(memory, "chess")
    assert [
        one.text for node in memory.graph(app="assistant", user="Ana").open_nodes(["Ana"]) for one in node.observations
    ]


def test_a_turn_that_was_summarised_is_gone_from_the_summary_and_does_not_come_back(memory: Memory) -> None:
    secret = say(memory, SECRET, 0)
    say(memory, "I play chess on Sundays.", 1)
    session = memory.agent("assistant").session("s-1")
    session.summarize()
    assert "quokka" in recalled(memory, "a summary of the conversation about the locker")

    memory.forget(message=secret)
    assert "quokka" not in dump(memory)
    waiting = memory.ctx.ns.client.zrange(memory.ctx.ns.keys.work(summaries.TOPIC), 0, -1)
    summaries.run(memory.ctx, [entry.decode() for entry in waiting])

    assert "quokka" not in dump(memory)
    assert "chess" in recalled(memory, "a summary of the conversation")


def test_an_entity_and_a_fact_with_no_other_support_go_with_the_message(memory: Memory) -> None:
    only = say(memory, "I work at Zyxcorp.", 0)
    both = [say(memory, f"I live in Lyon{'!' * n}", 1 + n) for n in range(2)]
    agent = memory.agent("assistant")
    observations = [
        id
        for message in (only, *both)
        for id in memory.ctx.ns.sources("OBSERVED_IN", "observation", ("message", message))
    ]
    facts = {}
    for record in memory.ctx.ns.get_many(ObservationRecord, observations):
        assert record is not None
        upsert = agent.assert_fact(
            subject=record.subject,
            predicate=record.predicate,
            object=record.object,
            supporting_observation_ids=[record.id],
        )
        facts[record.object] = upsert.fact_id

    memory.forget(message=only)
    memory.forget(message=both[0])

    ns = memory.ctx.ns
    assert ns.get(FactRecord, facts["Zyxcorp"]) is None
    lyon = ns.get(FactRecord, facts["Lyon"])
    assert lyon is not None
    assert both[0] not in lyon.sources
    assert ns.get(EntityRecord, entity_id("Zyxcorp")) is None
    assert ns.get(EntityRecord, entity_id("Lyon")) is not None
    assert "Zyxcorp" not in dump(memory)
    memory.forget(message=both[1])
    assert ns.get(FactRecord, facts["Lyon"]) is None
    assert ns.get(EntityRecord, entity_id("Lyon")) is None
    assert "Lyon" not in dump(memory)


def test_what_was_consolidated_goes_with_its_traces_in_the_audit(memory: Memory) -> None:
    secret = say(memory, "I work at Zyxcorp.", 0)
    say(memory, "I live in Lyon.", 1)
    consolidate.consolidate(memory.ctx, "assistant")
    assert any("Zyxcorp" in fact.object for fact in memory.agent("assistant").facts() if fact.object)

    report = memory.forget(message=secret, verify=True)

    assert report.verified, report.traces
    assert "Zyxcorp" not in dump(memory)
    assert [fact.object for fact in memory.agent("assistant").facts()] == ["Lyon"]


def test_a_task_that_finds_its_message_gone_brings_nothing_back(memory: Memory) -> None:
    session = memory.agent("assistant").session("s-1")
    id = session.observe(sender="Ana", content=SECRET, at=NOON).message_id
    memory.forget(message=id)
    before = dump(memory)

    ingest.ingest(memory.ctx, [id])
    topics.count(memory.ctx, [id])
    learning.learn(memory.ctx, [id])
    vectors.fill(memory.ctx, [vectors.entry("message", id)])

    assert dump(memory) == before
    assert "quokka" not in before
    assert session.messages() == []


def test_a_message_that_is_delivered_late_stays_out(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "context", lambda namespace: memory.ctx)
    document = {
        "namespace": memory.namespace, "agent": "assistant", "session": "s-1",
        "sender": "Ana", "content": SECRET, "message_id": "m-1", "at": NOON.isoformat(),
    }  # fmt: skip
    say(memory, SECRET, 0, message_id="m-1")
    memory.forget(message="m-1")
    assert tasks.observe_message(document) == {"erased": True}

    say(memory, "Another one.", 0, session="s-2")
    memory.forget(session="s-2")
    late = document | {"session": "s-2", "message_id": "m-2"}
    assert tasks.observe_message(late) == {"erased": True}
    new = document | {"session": "s-2", "message_id": "m-3", "at": datetime.now(UTC).isoformat()}
    assert tasks.observe_message(new)["created"]
    assert [one.message_id for one in memory.agent("assistant").session("s-2").messages()] == ["m-3"]


def test_a_process_that_died_leaves_the_rest_to_the_workers(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    id = say(memory, SECRET, 0)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("reverie.pipelines.erasure.messages._finish_all", die)
    with pytest.raises(KeyboardInterrupt):
        memory.forget(message=id)
    monkeypatch.undo()
    assert "quokka" in dump(memory)

    claims, _ = work.claim(memory.ctx.ns, erasure.TOPIC, memory.ctx.clock(), timedelta(seconds=60), 10)
    erasure.finish(memory.ctx, [claim.entry for claim in claims])
    erasure.finish(memory.ctx, [claim.entry for claim in claims])

    assert "quokka" not in dump(memory)
    assert work.pending(memory.ctx.ns, erasure.TOPIC, [claim.entry for claim in claims]) == [False]


def test_a_session_goes_with_what_was_done_in_it(memory: Memory) -> None:
    say(memory, SECRET, 0)
    say(memory, "I play chess.", 1, session="s-2")
    agent = memory.agent("assistant")
    agent.record_action(action_type="open", input={"code": "quokka"}, output="quokka " * 600, session_id="s-1")
    agent.record_episode(action_type="answer", state={"question": "the quokka code?"}, session_id="s-1")
    agent.session("s-1").summarize()

    report = memory.forget(session="s-1", verify=True)

    assert report.verified, report.traces
    for kind in ("message", "action", "artifact", "episode", "session"):
        assert report.erased[kind] == 1
    assert "quokka" not in dump(memory)
    assert agent.session("s-1").messages() == []
    assert len(agent.session("s-2").messages()) == 1


def test_a_user_goes_with_messages_and_graphs_and_others_stay(memory: Memory) -> None:
    say(memory, SECRET, 0)
    kept = say(memory, "Ana told me something.", 1, sender="Bob", addressed_to=["Ana"])
    for user in ("Ana", "ana", "Bob"):
        graph = memory.graph(app="coach", user=user)
        graph.remember("Self", [f"the quokka of {user}"])
        graph.add_session([f"wombat of {user}"])

    report = memory.forget(user="Ana", verify=True)

    assert report.verified, report.traces
    assert memory.graph(app="coach", user="Ana").profile_card() == ""
    assert memory.graph(app="assistant", user="Ana").profile_card() == ""
    assert memory.graph(app="coach", user="ana").profile_card() == "Self (thing): the quokka of ana"
    assert len(memory.graph(app="coach", user="Bob").turns()) == 1
    assert memory.agent("assistant").session("s-1").messages()[0].message_id == kept
    assert memory.agent("assistant").session("s-1").messages()[0].addressed_to == ()
    assert "locker" not in dump(memory)


def test_an_agent_goes_with_its_plans(memory: Memory) -> None:
    agent = memory.agent("planner")
    heard = agent.session("s-1").observe(sender="Ana", content="I live in Lyon.", at=NOON).message_id
    ingest.ingest(memory.ctx, [heard])
    consolidate.consolidate(memory.ctx, "planner")
    goal = agent.goals.create(title="Find the quokka")
    agent.goals.create_task(title="Ask the quokka", goal_id=goal.goal_id)
    agent.record_episode(action_type="answer", state={"question": "quokka?"})

    report = memory.forget(participant="planner", verify=True)

    assert report.verified, report.traces
    assert "quokka" not in dump(memory)
    assert agent.goals.all() == []
    assert [message.content for message in agent.session("s-1").messages()] == ["I live in Lyon."]
    assert memory.forget(participant="Ana", verify=True).verified


def test_dead_letters_with_the_words_go_too(memory: Memory) -> None:
    id = say(memory, SECRET, 0, message_id="m-1")
    now = memory.ctx.clock()
    work.bury(memory.ctx.ns, "reverie.messages.observe", '{"message_id": "m-1", "content": "quokka"}', "x", 1, now)
    work.bury(memory.ctx.ns, "ingest", id, "x", 1, now)
    work.bury(memory.ctx.ns, "ingest", "another", "x", 1, now)

    assert memory.forget(message=id).dead_letters == 2
    assert [letter.entry for letter in work.dead_letters(memory.ctx.ns)] == ["another"]


def test_a_namespace_goes_whole_and_no_other(memory: Memory, quick_memory: Memory) -> None:
    with Memory(memory.namespace + "-2", settings=memory.settings, embedder=WordEmbedder()) as other:
        say(memory, SECRET, 0)
        say(other, SECRET, 0)
        with pytest.raises(ValidationFailed, match="open"):
            memory.forget(namespace=other.namespace)

        report = memory.forget(namespace=memory.namespace, verify=True)

        assert report.verified
        assert report.keys > 10
        assert dump(memory) == ""
        assert memory.namespace not in memory.ctx.ns.namespaces()
        assert "quokka" in recalled(other, "locker code")
        other.forget(namespace=other.namespace)
    say(memory, "A new beginning.", 0)
    assert len(memory.agent("assistant").session("s-1").messages()) == 1


def test_forgetting_what_is_not_there_does_nothing(memory: Memory) -> None:
    for scope in ("message", "session", "participant", "user"):
        report = memory.forget(**{scope: "nobody"}, verify=True)  # type: ignore[arg-type]  # each takes an id
        assert (report.erased, report.verified) == ({}, True)
    for wrong in ({}, {"message": "a", "session": "b"}, {"message": ""}):
        with pytest.raises(ValidationFailed):
            memory.forget(**wrong)  # type: ignore[arg-type]  # wrong on purpose


def test_the_proof_finds_what_is_left(memory: Memory) -> None:
    ns = memory.ctx.ns
    id = say(memory, SECRET, 0)
    leaks = [ns.keys.named("cache:a"), ns.keys.named("cache:b"), ns.keys.named("cache:c")]
    ns.client.set(leaks[0], f"he said: {SECRET}")
    ns.client.hset(leaks[1], "text", SECRET)
    ns.client.zadd(leaks[2], {f"SEEN:message:{id}": 1})

    report = memory.forget(message=id, verify=True)

    ns.client.delete(*leaks)
    assert not report.verified
    assert sorted(report.traces) == leaks
    ns.client.delete(*leaks)


def test_the_proof_excuses_what_somebody_else_said(memory: Memory) -> None:
    id = say(memory, SECRET, 0)
    say(memory, SECRET, 1, sender="Bob", session="s-2")

    assert memory.forget(message=id, verify=True).verified


def test_the_command_line_forgets(
    memory: Memory, settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert settings.redis_url is not None
    monkeypatch.setenv("REVERIE_REDIS_URL", settings.redis_url.get_secret_value())
    monkeypatch.setenv("REVERIE_DATA_DIR", str(settings.data_dir))
    say(memory, SECRET, 0, message_id="m-1")

    def run(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["reverie", "forget", "-n", memory.namespace, *arguments])
        current.cache_clear()
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return int(ended.value.code or 0), said.out + said.err

    code, said = run("--yes")
    assert (code, "exactly one" in said) == (1, True)
    code, said = run("--message", "m-1", "--yes")
    assert (code, "1 message" in said) == (0, True)
    assert "quokka" not in dump(memory)
    assert run("--all", "--yes", "--json")[0] == 0
    assert dump(memory) == ""
    current.cache_clear()


def test_an_episode_and_an_action_go_by_themselves_with_what_they_hold(memory: Memory) -> None:
    agent = memory.agent("assistant")
    heard = say(memory, "I live in Lyon.", 0)
    action = agent.record_action(action_type="search", input={"for": "quokka"}, output={"found": "wombat " * 600})
    episode = agent.record_episode(action_type="answer", state={"question": "Where is the quokka of Zyxcorp?"})
    assert "quokka" in recalled(memory, "quokka")

    report = memory.forget(action=action.action_id, verify=True)
    assert (report.verified, report.erased) == (True, {"action": 1, "artifact": 1})
    report = memory.forget(episode=episode.episode_id, verify=True)
    assert (report.verified, report.erased) == (True, {"episode": 1})

    for word in ("quokka", "wombat", "Zyxcorp"):
        assert word not in dump(memory)
    assert memory.ctx.ns.get(MessageRecord, heard) is not None


def test_what_a_message_triggered_goes_with_it(memory: Memory) -> None:
    agent = memory.agent("assistant")
    heard, other = say(memory, SECRET, 0), say(memory, "I play chess.", 1)
    agent.record_action(action_type="note", input={"text": "locker code quokka"}, triggered_by_message_id=heard)
    agent.record_episode(action_type="answer", state={"question": "quokka?"}, triggered_by_message_id=heard)
    agent.record_episode(action_type="answer", state={"question": "chess?"}, triggered_by_message_id=other)

    report = memory.forget(message=heard, verify=True)

    assert report.verified, report.traces
    assert (report.erased["action"], report.erased["episode"]) == (1, 1)
    assert "quokka" not in dump(memory)
    assert "chess?" in recalled(memory, "chess")


def test_a_fact_goes_by_itself_and_is_not_made_again(memory: Memory) -> None:
    heard = say(memory, "I work at Zyxcorp.", 0)
    say(memory, "I live in Lyon.", 1)
    consolidate.consolidate(memory.ctx, "assistant")
    [fact] = [one for one in memory.agent("assistant").facts() if one.object == "Zyxcorp"]

    report = memory.forget(fact=fact.fact_id, verify=True)

    assert report.verified, report.traces
    assert [(one.kind, one.id) for one in report.elsewhere] == [("message", heard)]
    consolidate.consolidate(memory.ctx, "assistant")
    assert [one.object for one in memory.agent("assistant").facts()] == ["Lyon"]
    assert memory.ctx.ns.get(MessageRecord, heard) is not None


def test_it_is_said_beforehand_what_would_go(memory: Memory) -> None:
    ids = [say(memory, text, minute) for minute, text in enumerate([SECRET, "I live in Lyon."])]
    memory.agent("assistant").session("s-1").summarize()
    before = dump(memory)
    would = memory.would_forget(session="s-1")
    assert would["message"] == 2
    assert would["observation"] >= 2
    assert memory.would_forget(message="nobody") == {}
    assert memory.would_forget(namespace=memory.namespace)["key"] > 10
    assert dump(memory) == before
    assert memory.forget(message=ids[0]).erased["message"] == 1


def test_very_many_messages_go_at_once_and_their_traces_in_the_background(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reverie.pipelines.erasure.scopes.PATIENCE", 0.0)
    for minute in range(3):
        say(memory, f"{SECRET} {minute}", minute)

    consolidate.consolidate(memory.ctx, "assistant")
    assert "Zyxcorp" in recalled(memory, "Where does Ana work?")

    report = memory.forget(session="s-1")

    assert (report.erased["message"], report.left) == (3, 3)
    assert "Zyxcorp" not in recalled(memory, "Where does Ana work?")
    assert "quokka" not in recalled(memory, "locker code quokka")
    assert "quokka" in dump(memory)
    told: list[tuple[int, int]] = []
    again = memory.forget(session="s-1", verify=True, progress=lambda done, expected: told.append((done, expected)))
    assert again.verified, again.traces
    assert "quokka" not in dump(memory)


def test_who_waits_is_told_how_far_it_is(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reverie.pipelines.erasure.messages._AT_ONCE", 2)
    for minute in range(3):
        say(memory, f"I like the number {minute}.", minute)
    told: list[tuple[int, int]] = []
    report = memory.forget(session="s-1", wait=True, progress=lambda done, expected: told.append((done, expected)))
    assert (told, report.left) == ([(2, 3), (3, 3)], 0)


def test_the_command_line_says_first_what_would_go(
    memory: Memory, settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert settings.redis_url is not None
    monkeypatch.setenv("REVERIE_REDIS_URL", settings.redis_url.get_secret_value())
    monkeypatch.setenv("REVERIE_DATA_DIR", str(settings.data_dir))
    say(memory, SECRET, 0, message_id="m-1")
    asked: list[str] = []

    def refuse(question: str, *, abort: bool) -> None:
        asked.append(question)
        raise typer.Abort

    def run(namespace: str, *arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["reverie", "forget", "-n", namespace, *arguments])
        current.cache_clear()
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return int(ended.value.code or 0), said.out + said.err

    monkeypatch.setattr("typer.confirm", refuse)
    code, said = run(memory.namespace, "--session", "s-1")
    assert code != 0
    assert "would go: 1 session, 1 message" in said
    assert asked == [f"Forget the session s-1 in {memory.namespace} for good?"]
    assert run(memory.namespace, "--session", "s-1", "--dry-run")[0] == 0
    assert "quokka" in dump(memory)
    code, said = run(f"{memory.namespace}-other", "--all", "--yes")
    assert (code, "there is no namespace" in said) == (1, True)
    current.cache_clear()


@pytest.mark.parametrize(
    ("scope", "name", "left"),
    [
        ("session", "s-1", set()),
        # The session itself stays, and is looked at as any other.
        ("participant", "assistant", {"session-idle"}),
    ],
)
def test_nothing_falls_due_of_what_was_forgotten(memory: Memory, scope: str, name: str, left: set[str]) -> None:
    say(memory, "I met Zuzana in Brno.", 0, sender="assistant")
    agent = memory.agent("assistant")
    agent.record_episode("Planned a journey to Brno.", session_id="s-1")
    put_away = agent.record_episode("Looked for a hotel.", session_id="s-1")
    transaction = memory.ctx.ns.transaction()
    transaction.schedule("decay-delete", put_away.episode_id, NOON)
    transaction.commit()
    ns = memory.ctx.ns
    assert {one for one in DUE_SETS if due.count(ns, one, NOON)[0]} == set(DUE_SETS)

    memory.forget(**{scope: name}, wait=True)

    assert {one for one in DUE_SETS if due.count(ns, one, NOON)[0]} == left
