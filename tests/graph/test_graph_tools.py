"""The graph in the hands of a model."""

import json
from typing import Any

import pytest
from conftest import ChatServer, Say
from openai import OpenAI

from reverie import Memory
from reverie.graph import Graph
from reverie.tools import dispatch, schemas

NAMES = ["remember", "relate", "forget", "load_memory"]


@pytest.fixture
def graph(quick_memory: Memory) -> Graph:
    return quick_memory.graph(app="coach", user="alice")


def turn(memory: Memory, graph: Graph, model: OpenAI, said: str) -> str:
    """One turn of a conversation: the model calls tools until it answers."""
    messages: list[Any] = [{"role": "system", "content": graph.profile_card()}, {"role": "user", "content": said}]
    while True:
        reply = model.chat.completions.create(model="scripted", messages=messages, tools=schemas(NAMES))
        message = reply.choices[0].message
        if not message.tool_calls:
            return message.content or ""
        messages.append(message.model_dump(exclude_none=True))
        for call in message.tool_calls:
            answer = dispatch(memory.agent("coach"), call.function.name, call.function.arguments, graph=graph.handle)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": answer})


def results(request: dict[str, Any]) -> list[Any]:
    """What the tools returned, as the model was sent it."""
    return [json.loads(message["content"]) for message in request["messages"] if message["role"] == "tool"]


def test_an_agent_that_corrects_itself_supersedes_in_one_turn(
    quick_memory: Memory, graph: Graph, chat_server: ChatServer
) -> None:
    def forget_the_old(request: dict[str, Any]) -> Say:
        [remembered] = results(request)
        old = next(fact["id"] for fact in remembered["also_known"] if "Paris" in fact["text"])
        return Say(calls=(("forget", json.dumps({"id": old, "reason": "she moved to Lyon"})),))

    chat_server.script = [
        Say(
            calls=(
                ("remember", json.dumps({"entity": "Ana", "facts": ["lives in Paris"], "entity_type": "person"})),
                ("relate", json.dumps({"source": "Ana", "relation": "works_at", "target": "Acme"})),
            )
        ),
        Say("Noted."),
        Say(calls=(("remember", json.dumps({"entity": "ana ", "facts": ["lives in Lyon"], "entity_type": None})),)),
        forget_the_old,
        Say("Lyon it is."),
    ]
    with OpenAI(base_url=chat_server.url, api_key="none") as model:
        assert turn(quick_memory, graph, model, "Ana lives in Paris and works at Acme.") == "Noted."
        assert turn(quick_memory, graph, model, "She moved to Lyon.") == "Lyon it is."

    [ana] = graph.open_nodes(["Ana"])
    assert [one.text for one in ana.observations] == ["lives in Lyon"]
    assert [one.target for one in ana.relations] == ["Acme"]
    assert (ana.entity_type, graph.entity_count()) == ("person", 2)
    assert "Ana (person): lives in Lyon" in graph.profile_card()
    assert "Ana (person): lives in Paris" in chat_server.requests[2]["messages"][0]["content"]
    [_, forgotten] = results(chat_server.requests[4])
    assert (forgotten["text"], forgotten["reason"]) == ("lives in Paris", "she moved to Lyon")


def call(memory: Memory, graph: Graph, name: str, **arguments: object) -> Any:
    return json.loads(dispatch(memory.agent("coach"), name, json.dumps(arguments), graph=graph.handle))


def test_what_a_model_gets_wrong_is_said_so_that_it_can_mend_it(quick_memory: Memory, graph: Graph) -> None:
    def problem(name: str, **arguments: object) -> str:
        said: str = call(quick_memory, graph, name, **arguments)["error"]
        return said

    assert problem("remember", entity=" ", facts=["x"]) == "entity: must not be blank"
    assert problem("remember", entity="Ana", facts=[]).startswith("facts: ")
    assert problem("remember", entity="Ana", facts=[" "]) == "facts.0: must not be blank"
    assert problem("relate", source="Ana", relation="knows", target="").startswith("target: ")
    assert "there is no" in problem("forget", id="o123")
    assert graph.entity_count() == 0


def test_remember_with_and_without_a_type(quick_memory: Memory, graph: Graph) -> None:
    typed = call(quick_memory, graph, "remember", entity="Rex", facts=["barks"], entity_type="dog")
    untyped = call(quick_memory, graph, "remember", entity="Rex", facts=["barks", "is brown"])
    fresh = call(quick_memory, graph, "remember", entity="Tom", facts=["purrs"])

    assert (typed["entity_type"], untyped["entity_type"], fresh["entity_type"]) == ("dog", "dog", "thing")
    assert [fact["created"] for fact in untyped["stored"]] == [False, True]
    assert typed["stored"][0]["id"] == untyped["stored"][0]["id"]


def test_relate_makes_the_end_that_is_missing_and_keeps_the_type_of_the_other(
    quick_memory: Memory, graph: Graph
) -> None:
    call(quick_memory, graph, "remember", entity="Ana", facts=["sings"], entity_type="person")
    related = call(quick_memory, graph, "relate", source="Ana", relation="works_at", target="Acme")

    assert {node.name: node.entity_type for node in graph.open_nodes(["Ana", "Acme"])} == {
        "Ana": "person",
        "Acme": "thing",
    }
    assert [fact["text"] for fact in related["also_known"]] == ["sings"]
    assert call(quick_memory, graph, "forget", id=related["id"])["text"] == "Ana works_at Acme"
    assert graph.read_graph().relations == ()


def test_load_memory_gives_facts_with_their_ids(quick_memory: Memory, graph: Graph) -> None:
    stored = call(quick_memory, graph, "remember", entity="Ana", facts=["sings in a choir"])
    graph.add_session([{"content": "We sang Bach yesterday.", "author": "alice"}])

    found, *_ = call(quick_memory, graph, "load_memory", query="choir")
    assert found["facts"] == [{"id": stored["stored"][0]["id"], "text": "sings in a choir"}]
    assert call(quick_memory, graph, "load_memory", query="Bach")[0]["kind"] == "turn"
    assert [one["kind"] for one in call(quick_memory, graph, "load_memory")] == ["card"]


def test_load_memory_keeps_within_its_budget(quick_memory: Memory, graph: Graph) -> None:
    graph.add_session([{"content": f"the choir sings song number {n}", "role": "user"} for n in range(5)])
    everything = graph.load_memory("choir song", limit=5)
    costs = [quick_memory.ctx.tokens.count(one.content) for one in everything]

    assert [one.content for one in graph.load_memory("choir song", 5, token_budget=sum(costs[:2]))] == [
        one.content for one in everything[:2]
    ]
    assert graph.load_memory("choir song", 5, token_budget=1) == []
    assert {turn.role for turn in graph.turns()} == {"user"}
