"""What a user writes, as a type checker has to understand it; read by test_signatures.py and never run."""

from datetime import UTC, datetime

import reverie
from reverie import ContextBundle, Embedder, GoalPhase, LanguageModel, Memory, Receipt, Settings
from reverie.tools import dispatch, schemas


def use(memory: Memory) -> str:
    agent = memory.agent("assistant")
    session = agent.session("s")
    receipt: Receipt = session.observe("Ana", "hi", at=datetime.now(UTC))
    goal = agent.goals.create("Ship", metrics={"days": 3})
    assert goal.phase is GoalPhase.ACTIVE
    goals = agent.goals()
    goals.create_task("Paint", goal_id=goal.goal_id, depends_on_task_ids=["a", "b"])
    goals.update_task("t", title="Paint twice")
    for one in goals.abandoned():
        print(one.goal_id, one.title)
    fact = agent.assert_fact("user", "prefers", "dark mode", fact_id="f-dark")
    agent.invalidate_fact("f-dark", replacement_fact_id="f-light", reason="x")
    agent.invalidate_fact(fact.fact_id)
    agent.record_action("shell", output={"exit": 0})
    agent.record_episode("build", outcome="failure")
    agent.add_observation("m-1", "Caroline plays clarinet", subject="Caroline")
    bundle: ContextBundle = agent.recall("q", 3)
    for item in bundle:
        print(item.content, item.score)
    print(len(bundle))
    answer = agent.answer_query("q", lambda bundle, question: "so [1]")
    graph = memory.graph("coach", "alice")
    graph.remember("Alice", ["runs"])
    graph.relate("Alice", "works_at", "Acme")
    graph.create_entities([{"name": "Alice", "entity_type": "person", "observations": ["x"]}])
    graph.add_session([{"role": "user", "content": "hi"}])
    graph.load_memory("q", token_budget=200)
    graph.search_nodes("running", 5)
    dispatch(agent, "recall", "{}", graph=graph, tools=["recall"])
    schemas()
    memory.wait("m1")
    memory.wait(receipt)
    summary: str | None = session.summarize()
    return receipt.message_id + bundle.render() + answer.text + reverie.__version__ + str(summary)


def made(settings: Settings, embedder: Embedder, llm: LanguageModel) -> Memory:
    return Memory("n", settings=settings, embedder=embedder, language_model=llm)
