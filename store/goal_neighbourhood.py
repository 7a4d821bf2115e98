"""What surrounds a goal: its tasks, sessions, messages, facts and entities, in one round trip."""

from dataclasses import dataclass

from reverie.store import scripts
from reverie.store.keys import decode, encode
from reverie.store.namespace import Namespace
from reverie.store.records.base import unwrapped


@dataclass(frozen=True)
class GoalNeighbourhood:
    """Stored documents, and the ids of the sessions; of messages, sessions, facts and entities the newest first."""

    goal: bytes
    tasks: list[bytes]
    sessions: list[str]
    messages: list[bytes]
    facts: list[bytes]
    entities: list[bytes]


def of_goal(
    ns: Namespace, goal_id: str, *, messages: int, walked: int, facts: int, entities: int
) -> GoalNeighbourhood | None:
    """Walk from a goal outwards; None for an unknown id.

    `walked` newest messages are looked at for facts and entities, `messages` of them are returned.
    """
    found = scripts.run(
        ns.client,
        "goal_context",
        [ns.keys.record("goal", goal_id)],
        [ns.keys.base, encode(goal_id), messages, walked, facts, entities],
    )
    if not found:
        return None
    goal, tasks, sessions, said, claims, things = found
    return GoalNeighbourhood(
        goal=unwrapped(goal),
        tasks=[unwrapped(document) for document in tasks],
        sessions=[decode(session) for session in sessions],
        messages=[unwrapped(document) for document in said],
        facts=[unwrapped(document) for document in claims],
        entities=[unwrapped(document) for document in things],
    )
