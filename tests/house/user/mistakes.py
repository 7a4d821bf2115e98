"""What a type checker has to find in a user's project; read by test_signatures.py and never run."""

from reverie import Memory


def use(memory: Memory) -> None:
    agent = memory.agent("assistant")
    agent.goals.create("Ship", colour="red")  # wrong
    agent.goals.create(3)  # wrong
    agent.goals.update_task("t", priority="high")  # wrong
    agent.goals.get("g").title  # wrong
    agent.recall("q", limit="three")  # wrong
    agent.session("s").observe("Ana", "hi", at="now")  # wrong
    agent.assert_fact("user", "prefers", "dark mode", fact_id=3)  # wrong
    agent.record_action("shell", outputs=1)  # wrong
    agent.record_episode("build", importance="high")  # wrong
    agent.answer_query("q", lambda bundle: "so")  # wrong
    memory.graph("coach", "alice").remember("Alice", facts=3)  # wrong
    memory.graph("coach", "alice").add_session(entries=5)  # wrong
    memory.wait(3)  # wrong
    memory.forget(massage="m")  # wrong
    for fact in agent.facts(subject="user"):
        fact.nothing  # wrong
