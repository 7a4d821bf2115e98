"""Actions and the artifacts of their large outputs."""

from datetime import timedelta

import pytest
from conftest import Clock

from reverie import Conflict, ValidationFailed
from reverie.agent import Agent
from reverie.pipelines.context import Context


@pytest.fixture
def agent(fake_ctx: Context) -> Agent:
    return Agent(fake_ctx, "assistant")


def test_an_action_keeps_what_went_in_and_came_out(agent: Agent) -> None:
    given = {"stdout": "ok", "exit": 0, "big": 2**70}
    result = agent.record_action(action_type="shell", input={"cmd": "make"}, output=given, status="success")

    action = agent.action(result.action_id)
    assert action is not None
    assert (action.input, action.output, action.status) == ({"cmd": "make"}, given, "success")
    assert result.overflow_artifact is None


def test_every_optional_link_is_written_or_skipped_by_name(agent: Agent, fake_ctx: Context) -> None:
    agent.session("s").observe(sender="ana", content="build it", message_id="m")
    agent.goals.create(goal_id="g", title="Ship")
    agent.goals.create_task(task_id="t", title="Build")
    agent.record_action(action_type="shell", action_id="a1")
    links = {
        "triggered_by_message_id": "m",
        "session_id": "s",
        "goal_id": "g",
        "task_id": "t",
        "previous_action_id": "a1",
    }

    assert agent.record_action(action_type="shell", action_id="a2", **links).skipped_links == ()
    unknown = dict.fromkeys(links, "nope") | {"session_id": "new"}
    assert set(agent.record_action(action_type="shell", action_id="a3", **unknown).skipped_links) == set(links) - {
        "session_id"
    }
    targets = fake_ctx.ns.targets
    assert targets(("action", "a2"), "PERFORMED_BY") == [("participant", "assistant")]
    assert targets(("action", "a2"), "TRIGGERED_BY") == [("message", "m")]
    assert targets(("action", "a2"), "IN_SESSION") == [("session", "s")]
    assert targets(("action", "a1"), "NEXT_ACTION") == [("action", "a2")]
    assert targets(("session", "s"), "FOR_GOAL") == [("goal", "g")]
    assert targets(("session", "s"), "FOR_TASK") == [("task", "t")]
    assert targets(("session", "new"), "FOR_GOAL") == []


def test_a_large_text_is_an_artifact_and_a_useful_stub_stays(agent: Agent) -> None:
    log = "\n".join(f"line {number} of the build log" for number in range(10_000)) + "\nerror: missing column"
    assert len(log) > 250_000
    result = agent.record_action(action_type="shell", action_id="a", output=log)

    assert result.overflow_artifact is not None
    artifact = agent.artifact(result.overflow_artifact)
    assert artifact is not None
    assert (artifact.content, artifact.action_id) == (log, "a")
    action = agent.action("a")
    assert action is not None
    assert action.artifact_id == action.output["artifact_id"] == artifact.artifact_id
    assert (action.output["type"], action.output["characters"]) == ("text", len(log))
    assert action.output["head"].startswith("line 0 of the build log")
    assert action.output["tail"].endswith("error: missing column")
    assert len(str(action.output)) < 1500


def test_a_large_object_or_list_is_an_artifact_too(agent: Agent) -> None:
    nested = {"rows": [{"id": number, "name": f"row {number}"} for number in range(500)], "total": 500}
    for output, kind in [(nested, "object"), (nested["rows"], "array")]:
        result = agent.record_action(action_type="query", output=output)
        assert result.overflow_artifact is not None
        artifact = agent.artifact(result.overflow_artifact)
        assert artifact is not None
        assert artifact.content == output
        action = agent.action(result.action_id)
        assert action is not None
        assert (action.output["type"], action.output["size"]) == (kind, len(output))
    assert agent.action(result.action_id) is not None


def test_the_threshold_is_in_tokens(agent: Agent) -> None:
    words = " ".join(["word"] * 256)
    assert agent.record_action(action_type="x", output=words).overflow_artifact is None
    assert agent.record_action(action_type="x", output=words + " word").overflow_artifact is not None


def deep() -> object:
    value: object = 1
    for _ in range(200):
        value = [value]
    return value


def circular() -> object:
    value: list[object] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    "output",
    [
        b"bytes",
        {"raw": b"bytes"},
        object(),
        {1, 2},
        float("nan"),
        {1: "a"},
        "\ud800",
        deep(),
        circular(),
        "x" * 2**20 * 2,
    ],
    ids=["bytes", "bytes inside", "object", "set", "nan", "number as key", "surrogate", "deep", "circular", "huge"],
)
def test_what_is_no_json_is_refused_by_name(agent: Agent, output: object) -> None:
    with pytest.raises(ValidationFailed) as caught:
        agent.record_action(action_type="x", output=output)
    assert caught.value.field == "output"
    assert agent.actions() == []


def test_the_same_action_twice_is_one(agent: Agent, fake_ctx: Context) -> None:
    large = "word " * 1000
    first = agent.record_action(action_type="x", action_id="a", output=large)
    again = agent.record_action(action_type="x", action_id="a", output=large)

    assert (first.created, again.created) == (True, False)
    assert first.overflow_artifact == again.overflow_artifact
    with pytest.raises(Conflict):
        agent.record_action(action_type="x", action_id="a", output="other")
    with pytest.raises(Conflict):
        Agent(fake_ctx, "other").record_action(action_type="x", action_id="a", output=large)
    assert first.overflow_artifact is not None
    assert Agent(fake_ctx, "other").artifact(first.overflow_artifact) is None


def test_actions_are_listed_in_order_of_time(agent: Agent, clock: Clock) -> None:
    start = clock()
    for name, hours in [("b", 2), ("a", 1), ("c", 3)]:
        agent.record_action(action_type="x", action_id=name, started_at=start + timedelta(hours=hours), session_id="s")

    assert [action.action_id for action in agent.actions()] == ["a", "b", "c"]
    assert [action.action_id for action in agent.actions(newest=1)] == ["c"]
    assert [action.action_id for action in agent.actions(session_id="s")] == ["a", "b", "c"]
    assert agent.actions(session_id="nope") == []
    with pytest.raises(ValidationFailed, match="ended_at"):
        agent.record_action(action_type="x", started_at=start, ended_at=start - timedelta(seconds=1))
