"""The tools as a model sees and calls them."""

import json
import re
from typing import Any

import pytest
from conftest import ChatServer, Say
from openai import OpenAI

import reverie.tools
from reverie import Graph, Memory, StoreUnavailable, ValidationFailed
from reverie.agent import Agent
from reverie.pipelines.context import Context
from reverie.pipelines.graph.base import KnowledgeGraph
from reverie.tools import dispatch
from reverie.tools.registry import registry


@pytest.fixture
def agent(fake_ctx: Context) -> Agent:
    return Agent(fake_ctx, "assistant")


def call(agent: Agent, name: str, /, **arguments: object) -> Any:
    return json.loads(reverie.tools.dispatch(agent, name, json.dumps(arguments)))


def objects(schema: Any) -> list[dict[str, Any]]:
    """Every object schema inside a schema."""
    found = []
    if isinstance(schema, dict):
        found += [schema] if schema.get("type") == "object" else []
        found += [inner for value in schema.values() for inner in objects(value)]
    if isinstance(schema, list):
        found += [inner for value in schema for inner in objects(value)]
    return found


def test_every_call_of_an_agent_is_a_tool() -> None:
    assert {
        "observe", "recall", "summarize_session",
        "create_goal", "start_goal", "complete_goal", "abandon_goal", "set_goal_status", "update_goal", "get_goal",
        "list_goals", "goal_context",
        "create_task", "start_task", "complete_task", "block_task", "set_task_status", "get_task", "list_tasks",
        "record_action", "record_episode", "get_artifact", "add_observation",
        "assert_fact", "invalidate_fact", "find_facts",
        "remember", "relate", "forget", "load_memory",
    } <= set(registry())  # fmt: skip


@pytest.mark.parametrize("schema", reverie.tools.schemas(), ids=lambda schema: schema["function"]["name"])
def test_a_schema_is_strict(schema: dict[str, Any]) -> None:
    function = schema["function"]
    assert schema["type"] == "function"
    assert function["strict"] is True
    assert function["name"].replace("_", "").isalnum()
    assert function["description"]
    for one in objects(function["parameters"]):
        assert one["additionalProperties"] is False
        assert one["required"] == list(one["properties"])
    text = json.dumps(function["parameters"])
    assert set(re.findall(r'"format": "([^"]*)"', text)) <= {"date-time"}
    for keyword in ("default", "title", "minLength", "maxLength", "pattern", "prefixItems"):
        assert f'"{keyword}":' not in text.replace('"title": {', "")


def test_all_schemas_together_leave_room_for_the_talk() -> None:
    """Thirty cost 3,500 tokens at most: measured with the table of cl100k, which took a token for 4.5 characters."""
    costs = sorted(len(json.dumps(one, separators=(",", ":"))) for one in reverie.tools.schemas())
    assert sum(costs[-30:]) / 4.525 <= 3500


def test_a_model_runs_only_the_tools_that_it_was_given(agent: Agent) -> None:
    given = ["recall", "create_goal"]

    said = json.loads(
        dispatch(agent, "assert_fact", {"subject": "Ana", "predicate": "is", "object": "admin"}, tools=given)
    )
    assert said == {"error": "there is no tool 'assert_fact'; the tools are recall, create_goal"}
    assert agent.facts() == []
    assert json.loads(dispatch(agent, "create_goal", {"title": "Ship"}, tools=given))["created"] is True
    with pytest.raises(ValidationFailed, match="recal"):
        dispatch(agent, "recall", {"query": "x"}, tools=["recal"])


def test_a_graph_is_the_graph_of_a_models_calls(agent: Agent) -> None:
    graph = Graph(agent.ctx, "coach", "alice")
    dispatch(agent, "remember", {"entity": "Alice", "facts": ["runs on Mondays"]}, graph=graph)
    assert [node.name for node in graph.open_nodes(["Alice"])] == ["Alice"]


def test_what_is_optional_is_nullable_and_null_means_left_out(agent: Agent) -> None:
    (schema,) = reverie.tools.schemas(["create_task"])
    properties = schema["function"]["parameters"]["properties"]
    assert properties["title"]["type"] == "string"
    assert properties["priority"]["type"] == ["number", "null"]

    created = call(agent, "create_task", **dict.fromkeys(properties) | {"title": "Backfill"})
    assert (created["status"], created["phase"], created["created"]) == ("todo", "planned", True)


def test_free_json_travels_as_a_text(agent: Agent) -> None:
    result = call(agent, "record_action", action_type="shell", input='{"cmd": "make"}', output="plain text")
    action = agent.action(result["action_id"])
    assert action is not None
    assert (action.input, action.output) == ({"cmd": "make"}, "plain text")
    result = call(agent, "record_action", action_type="shell", output={"exit": 0})
    action = agent.action(result["action_id"])
    assert action is not None
    assert action.output == {"exit": 0}


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("create_gaol", "{}", "there is no tool"),
        ("create_goal", "{}", "title: is required"),
        ("create_goal", '{"title": "  "}', "title: must not be blank"),
        ("create_goal", '{"title": "x", "colour": "red"}', "colour: is not a parameter"),
        ("create_goal", '{"title": "x", "deadline": "2026-05-01T10:00:00"}', "time zone"),
        ("create_goal", '{"title": ', "no JSON"),
        ("create_goal", "[" * 100_000, "no JSON"),
        ("create_goal", '["x"]', "one JSON object"),
        ("create_task", '{"title": "x", "priority": 7}', "priority: must be a finite number from 0 to 1"),
        ("complete_goal", '{"goal_id": "nope"}', "there is no goal"),
        ("goal_context", '{"goal_id": "nope"}', "there is no goal"),
        ("get_artifact", '{"artifact_id": "nope"}', "there is no artifact"),
        ("add_observation", '{"message_id": "nope", "content": "x"}', "there is no message"),
        ("invalidate_fact", '{"fact_id": "nope"}', "there is no fact"),
        ("list_goals", '{"phase": "someday"}', "phase"),
    ],
)
def test_what_a_model_can_mend_comes_back_as_text(agent: Agent, name: str, arguments: str, said: str) -> None:
    answer = json.loads(reverie.tools.dispatch(agent, name, arguments))

    assert set(answer) == {"error"}
    assert said in answer["error"]


def test_what_a_model_cannot_mend_is_raised(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    def down(*words: object, **options: object) -> object:
        raise StoreUnavailable

    monkeypatch.setattr(agent.ctx.ns, "commit", down)
    with pytest.raises(StoreUnavailable):
        call(agent, "create_goal", title="x")
    with pytest.raises(ValidationFailed, match="no tool"):
        reverie.tools.schemas(["nope"])


def test_a_call_made_again_under_its_token_has_no_second_effect(agent: Agent) -> None:
    for _ in range(2):
        for name, arguments in [
            ("create_goal", '{"title": "Ship"}'),
            ("create_task", '{"title": "Backfill"}'),
            ("record_action", '{"action_type": "shell"}'),
            ("record_episode", '{"action_type": "build"}'),
            ("assert_fact", '{"subject": "Ana", "predicate": "plays", "object": "chess"}'),
        ]:
            assert "error" not in json.loads(reverie.tools.dispatch(agent, name, arguments, token="call-1"))

    assert [len(found) for found in (agent.goals.all(), agent.goals.tasks(), agent.actions(), agent.episodes())] == [
        1
    ] * 4
    assert [fact.observation_count for fact in agent.facts()] == [1]


def test_every_goal_and_task_tool_does_what_the_agent_does(agent: Agent) -> None:
    call(agent, "create_goal", title="Ship", goal_id="g", metrics='{"downtime": 5}')
    call(agent, "create_task", title="Build", task_id="t", goal_id="g")
    assert call(agent, "complete_goal", goal_id="g", result='{"downtime": 2}') == {"done": True}
    assert call(agent, "get_goal", goal_id="g")["metrics"] == {"downtime": 2}
    call(agent, "start_goal", goal_id="g")
    assert [goal["goal_id"] for goal in call(agent, "list_goals", phase="active")] == ["g"]
    call(agent, "update_goal", goal_id="g", title="Ship it")
    call(agent, "set_goal_status", goal_id="g", status="on hold")
    call(agent, "abandon_goal", goal_id="g")
    assert call(agent, "get_goal", goal_id="g")["phase"] == "abandoned"
    for name, phase in [("start_task", "active"), ("block_task", "blocked"), ("complete_task", "completed")]:
        call(agent, name, task_id="t")
        assert call(agent, "get_task", task_id="t")["phase"] == phase
    call(agent, "set_task_status", task_id="t", status="todo")
    assert [task["task_id"] for task in call(agent, "list_tasks", goal_id="g", phase="planned")] == ["t"]
    assert call(agent, "list_tasks", goal_id="g", phase="blocked") == []
    assert [task["task_id"] for task in call(agent, "list_tasks")] == ["t"]
    assert call(agent, "goal_context", goal_id="g")["tasks"][0]["title"] == "Build"


def test_an_agent_loop_calls_several_tools_in_one_turn(quick_memory: Memory, chat_server: ChatServer) -> None:
    """The `openai` client against an endpoint over HTTP: schemas go out, calls come back, results go out again."""
    agent = quick_memory.agent("assistant")
    chat_server.script = [
        Say(
            calls=(
                ("create_goal", '{"title": "Migrate billing", "goal_id": "g-billing"}'),
                ("create_task", '{"title": "Backfill the ledger", "goal_id": "g-billing", "priority": 8}'),
                ("assert_fact", '{"subject": "user", "predicate": "prefers", "object": "dark mode", "source": "user"}'),
                ("remember", '{"entity": "Alice", "facts": ["owns the ledger"]}'),
            )
        ),
        Say(calls=(("create_task", '{"title": "Backfill the ledger", "goal_id": "g-billing", "priority": 0.8}'),)),
        Say(
            calls=(("recall", '{"query": "which mode does the user prefer?"}'), ("load_memory", '{"query": "ledger"}'))
        ),
        Say("Planned."),
    ]
    graph = KnowledgeGraph(quick_memory.ctx, "coach", "alice")
    client = OpenAI(base_url=chat_server.url, api_key="none", max_retries=0)
    messages: list[Any] = [{"role": "user", "content": "Plan the migration."}]
    results: list[Any] = []
    while True:
        turn = (
            client.chat.completions.create(
                model="scripted",
                messages=messages,
                tools=reverie.tools.schemas(),  # type: ignore[arg-type]  # plain dicts
            )
            .choices[0]
            .message
        )
        messages.append(turn.model_dump(exclude_none=True))
        for asked in turn.tool_calls or ():
            assert asked.type == "function"
            result = reverie.tools.dispatch(agent, asked.function.name, asked.function.arguments, graph=graph)
            results.append(json.loads(result))
            messages.append({"role": "tool", "tool_call_id": asked.id, "content": result})
        if not turn.tool_calls:
            break
    client.close()

    assert messages[-1]["content"] == "Planned."
    assert "priority" in results[1]["error"]
    assert results[4]["created"]
    assert "dark mode" in results[5]["memory"]
    assert "ledger" in json.dumps(results[6])
    assert [task.priority for task in agent.goals.tasks_of("g-billing")] == [0.8]
    assert [fact.object for fact in agent.facts("user")] == ["dark mode"]
    assert quick_memory.graph(app="coach", user="alice").entity_count() == 1
    assert len(chat_server.requests) == 4
    assert len(chat_server.requests[0]["tools"]) == len(registry())


def test_a_choice_of_words_is_refused_without_printing_what_it_was_given(agent: Agent) -> None:
    forest: Any = "x"
    for _ in range(90):
        forest = [forest, forest]
    for tool in ("list_goals", "list_tasks"):
        assert "phase" in json.loads(dispatch(agent, tool, {"phase": forest}))["error"]
    for ask in (agent.goals.in_phase, agent.goals.tasks_in):
        with pytest.raises(ValidationFailed):
            ask(forest)
