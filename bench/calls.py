"""Every public call and every tool, each with parameters that are right, for others to be put in their place."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from reverie import Memory
from reverie.pipelines.recall import ContextBundle
from reverie.tools.observe import Receipt
from reverie.tools.registry import dispatch, registry, schemas

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
AT = NOON.isoformat()


@dataclass(frozen=True)
class World:
    """A memory with a little of everything in it."""

    memory: Memory
    receipt: Receipt
    bundle: ContextBundle

    def __getattr__(self, name: str) -> Any:
        agent = self.memory.agent("a")
        places: dict[str, Callable[[], Any]] = {
            "agent": lambda: agent,
            "session": lambda: agent.session("s"),
            "goals": lambda: agent.goals,
            "graph": lambda: self.memory.graph(app="a", user="a"),
            "facts": lambda: self.memory.facts,
            "predicates": lambda: self.memory.predicates,
            "cycles": lambda: self.memory.cycles,
            "browse": lambda: self.memory.browse,
        }
        return places[name]()


def world(memory: Memory, text: str = "violet curtains") -> World:
    """Fill a memory, so that reads find something; every text holds `text`."""
    agent = memory.agent("a")
    receipt = agent.session("s").observe(sender="Nadia", content=f"I live in Rome, {text}.", message_id="m")
    observed = agent.add_observation(message_id="m", content=f"Nadia lives in Rome {text}", subject="Nadia")
    agent.assert_fact(
        subject="Nadia", predicate="has", object=text, supporting_observation_ids=[observed.observation_id]
    )
    agent.goals.create(title=f"goal {text}", goal_id="g")
    agent.goals.create_task(title=f"task {text}", task_id="t", goal_id="g")
    agent.record_action(action_type="shell", action_id="x", output=text, goal_id="g")
    agent.record_episode(action_type="shell", episode_id="e", state={"topic": text})
    memory.graph(app="a", user="a").remember("Nadia", [f"has {text}"])
    return World(memory, receipt, agent.recall("curtains"))


@dataclass(frozen=True)
class Call:
    """A call by its place and name, with what it takes. `is_read` when it changes nothing, whatever it is given."""

    place: str
    method: str
    given: Mapping[str, Any] = field(default_factory=dict)
    is_read: bool = False

    @property
    def name(self) -> str:
        return f"{self.place}.{self.method}"

    def make(self, world: World, given: Mapping[str, Any]) -> Any:
        """Make the call with these parameters. Raises what it raises."""
        found: Any = getattr(world, self.place)
        method = found if self.method == "__call__" else getattr(found, self.method)
        return method(**given) if callable(method) else method


_AS_OF = {"valid_as_of": NOON, "known_as_of": NOON}
_BOUNDS = {
    "limit": 3,
    "token_budget": 500,
    "sessions": ["s"],
    "participants": ["Nadia"],
    "since": NOON,
    "until": None,
    **_AS_OF,
    "kinds": ["message"],
    "exclude": ["m"],
    "at": NOON,
    "channels": ["text", "vector", "time", "graph"],
}
_MESSAGE = {
    "sender": "Nadia",
    "content": "violet",
    "message_id": None,
    "at": NOON,
    "role": "user",
    "addressed_to": ["a"],
    "metadata": {"k": 1},
    "content_type": "text",
    "goal_id": "g",
    "tool_calls": None,
    "tool_call_id": None,
}
_GOAL = {
    "title": "t",
    "description": "d",
    "status": "active",
    "metrics": {"m": 1},
    "guardrails": [1],
    "deadline": NOON,
    "parent_goal_id": None,
}
_TASK = {
    "title": "t",
    "task_id": None,
    "description": "d",
    "status": "todo",
    "priority": 0.5,
    "goal_id": "g",
    "depends_on_task_id": "t",
    "depends_on_task_ids": ["t"],
    "subtask_of_task_id": None,
}
_ACTION = {
    "action_type": "shell",
    "action_id": None,
    "input": {"a": 1},
    "output": "x",
    "status": "ok",
    "started_at": NOON,
    "ended_at": NOON,
    "error": None,
    "triggered_by_message_id": "m",
    "session_id": "s",
    "goal_id": "g",
    "task_id": "t",
    "previous_action_id": "x",
}
_EPISODE = {
    "action_type": "shell",
    "episode_id": None,
    "outcome": "ok",
    "state": {"topic": "x"},
    "delta": [1],
    "importance": 0.5,
    "at": NOON,
    "session_id": "s",
    "goal_id": "g",
    "triggered_by_message_id": "m",
    "involved_action_ids": ["x"],
}
_OBSERVATION = {
    "message_id": "m",
    "content": "c",
    "observation_id": None,
    "subject": "s",
    "predicate": "p",
    "object": "o",
    "temporal_phrase": "yesterday",
    "temporal_anchor": NOON,
    "observed_at": NOON,
    "confidence": 0.5,
}
_FACT = {
    "fact_id": None,
    "subject": "s",
    "predicate": "p",
    "object": "o",
    "valid_from": NOON,
    "valid_to": None,
    "source": "tool",
    "supporting_observation_ids": [],
}
_ENDED = {"fact_id": "f", "replacement_fact_id": None, "reason": "r", "at": NOON}
_FORGOTTEN = {
    "message": "none",
    "episode": None,
    "action": None,
    "fact": None,
    "session": None,
    "participant": None,
    "user": None,
    "namespace": None,
}
_PAGE = {"limit": 3, "cursor": None, "count": True}
_DATED = {**_PAGE, "since": NOON, "until": None, "newest_first": True}
_END = {"id": "o1", "reason": "r", "at": NOON}


def _nothing(*asked: Any) -> str:  # noqa: ARG001  # it has one answer
    return "x"


def _one(place: str, method: str, is_read: bool = False, /, **given: Any) -> Call:
    return Call(place, method, given, is_read)


CALLS: tuple[Call, ...] = (
    _one("memory", "agent", True, agent_id="a"),
    _one("memory", "beside", True, namespace="other"),
    _one("memory", "graph", True, app="a", user="u"),
    _one("memory", "facts_from", True, message_id="m"),
    _one("memory", "observations_from", True, message_id="m"),
    _one("memory", "forget", **_FORGOTTEN, verify=False, wait=False, progress=None),
    _one("memory", "would_forget", True, **_FORGOTTEN),
    _one("memory", "reextract", most=1, heed=None),
    _one("memory", "spending", True),
    _one("memory", "wait", message="m", timeout=0, until="ingested"),
    _one("memory", "namespace", True),
    _one("agent", "session", True, session_id="s", goal_id="g"),
    _one("agent", "tools", True, names=["recall"], graph=None),
    _one("agent", "recall", query="violet?", **_BOUNDS),
    _one("agent", "record_action", **_ACTION),
    _one("agent", "action", True, action_id="x"),
    _one("agent", "actions", True, session_id="s", newest=2),
    _one("agent", "artifact", True, artifact_id="x"),
    _one("agent", "record_episode", **_EPISODE),
    _one("agent", "episode", True, episode_id="e"),
    _one("agent", "episodes", True, newest=2),
    _one("agent", "explain_decay", True, episode_id="e"),
    _one("agent", "pin", episode_id="e"),
    _one("agent", "unpin", episode_id="e"),
    _one("agent", "restore", episode_id="e"),
    _one("agent", "procedures", True, state={"a": 1}, standing="active"),
    _one("agent", "record_procedure_use", procedure_id="p", success=True, use_id="u", at=NOON),
    _one("agent", "instructions", True, giver="ana"),
    _one("agent", "topics", True, newest=2),
    _one("agent", "add_observation", **_OBSERVATION),
    _one("agent", "observation", True, observation_id="o"),
    _one("agent", "assert_fact", **_FACT),
    _one("agent", "invalidate_fact", **_ENDED),
    _one("agent", "answer", question="violet?", **_BOUNDS),
    _one("agent", "answer_query", question="violet?", generate=_nothing, record=None, **_BOUNDS),
    _one("agent", "consolidate", session="s", subject="Nadia", dry_run=True),
    _one("agent", "goals", True),
    _one("agent", "facts", True),
    _one(
        "browse",
        "messages",
        True,
        session="s",
        participant="Nadia",
        agent="a",
        role="user",
        content_type="text",
        metadata={"k": 1},
        **_DATED,
    ),
    _one(
        "browse",
        "facts",
        True,
        subject="Nadia",
        predicate="has",
        object="violet",
        participant="Nadia",
        message="m",
        source="user",
        current=True,
        **_DATED,
    ),
    _one("browse", "entities", True, type="person", name="Nadia", **_DATED),
    _one("browse", "episodes", True, agent="a", session="s", goal_id="g", action_type="x", outcome="ok", **_DATED),
    _one("browse", "sessions", True, agent="a", open=True, **_DATED),
    _one("browse", "participants", True, **_DATED),
    _one("browse", "namespaces", True, prefix="t", **_PAGE),
    _one("browse", "counts", True),
    _one("session", "observe", **_MESSAGE),
    _one("session", "observe_many", messages=[_MESSAGE], embed=True, on_error="refuse"),
    _one("session", "messages", True, newest=2),
    _one("session", "summarize"),
    _one("session", "close"),
    _one("session", "closed_at", True),
    _one("goals", "create", goal_id=None, **_GOAL),
    _one("goals", "start", goal_id="g"),
    _one("goals", "complete", goal_id="g", result={"r": 1}),
    _one("goals", "abandon", goal_id="g"),
    _one("goals", "set_status", goal_id="g", status="active"),
    _one("goals", "update", goal_id="g", **_GOAL),
    _one("goals", "get", True, goal_id="g"),
    _one("goals", "all", True),
    _one("goals", "in_phase", True, phase="active"),
    _one("goals", "planned", True),
    _one("goals", "active", True),
    _one("goals", "completed", True),
    _one("goals", "abandoned", True),
    _one("goals", "context", True, goal_id="g", messages=3),
    _one("goals", "create_task", **_TASK),
    _one("goals", "update_task", **{name: value for name, value in _TASK.items() if name != "depends_on_task_id"}),
    _one("goals", "start_task", task_id="t"),
    _one("goals", "complete_task", task_id="t"),
    _one("goals", "block_task", task_id="t"),
    _one("goals", "set_task_status", task_id="t", status="todo"),
    _one("goals", "task", True, task_id="t"),
    _one("goals", "tasks", True),
    _one("goals", "tasks_in", True, phase="active"),
    _one("goals", "tasks_of", True, goal_id="g"),
    _one("facts", "__call__", True, subject="Nadia", predicate="lives in", object=None, **_AS_OF),
    _one("facts", "get", True, fact_id="f"),
    _one("facts", "history", True, fact_id="f"),
    _one("facts", "correct", fact_id="f", object="o", reason="r"),
    _one("facts", "retract", fact_id="f", reason="r"),
    _one("predicates", "declare", name="has", single=False),
    _one("predicates", "is_single", True, name="has"),
    _one("predicates", "declared", True),
    _one("cycles", "__call__", True, agent="a", newest=2),
    _one("cycles", "get", True, cycle_id="c"),
    _one("cycles", "undo", cycle_id="c"),
    _one("graph", "create_entities", entities=[{"name": "n", "entity_type": "t", "observations": ["o"]}]),
    _one(
        "graph",
        "create_relations",
        relations=[{"source": "n", "relation_type": "r", "target": "m", "valid_from": NOON}],
    ),
    _one("graph", "add_observations", entity="Nadia", observations=["o", {"text": "x", "valid_from": NOON}]),
    _one("graph", "invalidate_observation", **_END),
    _one("graph", "invalidate_relation", **_END),
    _one("graph", "delete_entities", names=["n"]),
    _one("graph", "delete_user"),
    _one("graph", "search_nodes", True, query="violet", limit=3, min_score=0.0, **_AS_OF),
    _one("graph", "open_nodes", True, names=["Nadia"], **_AS_OF),
    _one("graph", "read_graph", True, **_AS_OF),
    _one("graph", "export", True, format="json", **_AS_OF),
    _one("graph", "neighbours", True, name="Nadia", depth=2, limit=3, **_AS_OF),
    _one("graph", "profile_card", True, entities=3, observations=2, characters=100, **_AS_OF),
    _one("graph", "entity_count", True),
    _one("graph", "add_session", entries=["x", {"content": "y", "author": "z", "at": NOON}], session_id="s"),
    _one("graph", "turns", True, session_id="s", newest=2),
    _one("graph", "search", True, query="violet", limit=3, min_score=0.0),
    _one("graph", "delete_session", session_id="s"),
    _one("graph", "health_check", True),
    _one("graph", "remember", entity="Nadia", facts=["f"], entity_type="person"),
    _one("graph", "relate", source="n", relation="r", target="m"),
    _one("graph", "forget", id="o1", reason="r"),
    _one("graph", "load_memory", True, query="violet", limit=3, token_budget=100),
    _one("bundle", "render", True),
)

_PARAMETERS = {
    **_MESSAGE,
    **_GOAL,
    **_TASK,
    **_ACTION,
    **_EPISODE,
    **_OBSERVATION,
    **_FACT,
    **_ENDED,
    "query": "violet?",
    "limit": 3,
    "goal_id": "g",
    "task_id": "t",
    "phase": "active",
    "result": {"r": 1},
    "artifact_id": "x",
    "entity": "Nadia",
    "facts": ["f"],
    "entity_type": "person",
    "source": "tool",
    "relation": "r",
    "target": "m",
    "id": "o1",
    "at": AT,
    "started_at": AT,
    "ended_at": AT,
    "deadline": AT,
    "observed_at": AT,
    "temporal_anchor": AT,
    "valid_from": AT,
    "valid_as_of": AT,
    "known_as_of": AT,
}


def tool_arguments(tool: str) -> dict[str, Any]:
    """Arguments of a tool that are right, or nearly so, by the names of its parameters."""
    return {name: _PARAMETERS.get(name, "s") for name in registry()[tool].params.model_fields}


def tool_call(world: World, name: Any, arguments: Any, token: Any = None) -> str:
    """Run one tool as a model calls it."""
    return dispatch(world.agent, name, arguments, token=token)


def tool_schemas(names: Any) -> list[dict[str, Any]]:
    return schemas(names)
