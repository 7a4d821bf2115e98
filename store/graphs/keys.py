"""The ids and keys of one knowledge graph, which belongs to one (app, user).

Everything of a graph hangs on its id, a digest of app and user: no key, no record id and no search row is shared
between two users, and an id of one graph names nothing in another.
"""

from hashlib import blake2b

from reverie.store.keys import encode
from reverie.store.namespace import Namespace


def _digest(text: str, size: int) -> str:
    return blake2b(text.encode(), digest_size=size).hexdigest()


class GraphKeys:
    """The ids and keys of one graph. Keys are sorted sets of ids unless said otherwise."""

    def __init__(self, ns: Namespace, app: str, user: str) -> None:
        self.ns = ns
        self.app = app
        self.user = user
        # An encoded id has two hexadecimal digits after each underscore, so that `_z` parts the two for certain.
        self.id = _digest(f"{encode(app)}_z{encode(user)}", 16)
        self._base = f"graph:{self.id}:"

    # Ids: made from what they name, so that the same statement always has the same one.

    def entity_id(self, name: str) -> str:
        """Id of what has this exact name, whether it is an entity already or only the end of a relation."""
        return _digest(f"{self.id}:{name}", 16)

    def observation_id(self, entity: str, text: str) -> str:
        """Id of an observation of an entity (its id) by its folded text."""
        return "o" + _digest(f"{entity}:{text}", 12)

    def relation_id(self, source: str, relation_type: str, target: str) -> str:
        """Id of a relation by its folded type, between two exact names."""
        return "r" + _digest(f"{self.entity_id(source)}:{self.entity_id(target)}:{relation_type}", 12)

    def turn_id(self, content: str) -> str:
        """Id of an entry of the episodic log by all that it says, as one text."""
        return "t" + _digest(f"{self.id}:{content}", 12)

    # Keys

    def _key(self, name: str) -> str:
        return self.ns.keys.named(self._base + name)

    @property
    def entities(self) -> str:
        """The entities by the moment of their last update."""
        return self._key("entities")

    @property
    def names(self) -> str:
        """Members `<folded name, encoded>:<entity id>`, all of one score: found by their prefix."""
        return self._key("names")

    @property
    def relations(self) -> str:
        """Every relation, by the moment it was last opened."""
        return self._key("relations")

    @property
    def open_relations(self) -> str:
        """Those relations whose last interval has not ended."""
        return self._key("relations:open")

    @property
    def turns(self) -> str:
        """The episodic log by time."""
        return self._key("turns")

    def session(self, session: str) -> str:
        """The entries of the log that belong to one session."""
        return self._key(f"session:{encode(session)}")

    @property
    def sessions(self) -> str:
        """The sessions of the log, encoded, by their last entry's time."""
        return self._key("sessions")

    @property
    def writes(self) -> str:
        """The counter of writes to the graph: while it stands still, what a deletion read is still all there is."""
        return self._key("writes")

    def observations(self, entity: str, *, open_only: bool) -> str:
        """The observations of an entity (its id) by the moment each was last opened: all, or those not ended."""
        return self._key(f"{entity}:observations" + (":open" if open_only else ""))

    def touching(self, entity: str, *, open_only: bool) -> str:
        """The relations that start or end at a name (the id of that name): all, or those not ended."""
        return self._key(f"{entity}:relations" + (":open" if open_only else ""))


def log_tag(graph: str) -> str:
    """Tag of the search rows of a graph's episodic log; its other rows bear the graph's id."""
    return graph + "t"


def registry(ns: Namespace) -> str:
    """Hash of every graph of the namespace: its id to app and user as JSON."""
    return ns.keys.named("graphs")
