"""The memory as one agent sees it."""

from typing import Any

from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.recall import ContextBundle
from reverie.session import Session
from reverie.tools.fields import Id, Params, validated
from reverie.tools.recall import recall


class _Names(Params):
    agent_id: Id


class Agent:
    """What one agent writes and recalls. Cheap to make; holds nothing but its name."""

    def __init__(self, kb: KnowledgeBase, agent_id: str) -> None:
        self.kb = kb
        self.id = validated(_Names, agent_id=agent_id).agent_id

    def session(self, session_id: str, *, goal_id: str | None = None) -> Session:
        """One conversation; it exists from its first message on. What is observed in it counts towards `goal_id`."""
        return Session(self.kb, self.id, session_id, goal_id)

    def recall(self, query: str, /, **bounds: Any) -> ContextBundle:
        """What the memory holds on a question, best first, each item with its sources.

        `bounds`: limit (15), token_budget (8192), sessions, participants, since, until, kinds, valid_as_of and
        known_as_of (current facts when not given), at (when it is asked; now). Raises ValidationFailed,
        StoreUnavailable.
        """
        return recall(self.kb, self.id, query=query, **bounds)
