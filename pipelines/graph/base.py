"""The handle of one knowledge graph, and what its reads have in common."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from reverie.knowledge.versions import holding
from reverie.pipelines.context import Context
from reverie.store.graphs import GraphKeys
from reverie.store.records.facts import Version


@dataclass(frozen=True)
class KnowledgeGraph:
    """The graph of one user of one app. `app` and `user` are ids: kept exactly, `alice` is not `Alice`."""

    ctx: Context
    app: str
    user: str

    @cached_property
    def at(self) -> GraphKeys:
        """Its name in the store, as the verbs of `store.graphs` take it."""
        return GraphKeys(self.ctx.ns, self.app, self.user)

    def moments(self, valid_as_of: datetime | None, known_as_of: datetime | None) -> "AsOf":
        """As of which two times is read; None is now."""
        now = self.ctx.clock()
        present = (valid_as_of is None or valid_as_of >= now) and (known_as_of is None or known_as_of >= now)
        return AsOf(valid_as_of or now, known_as_of or now, only_open=present)


@dataclass(frozen=True)
class AsOf:
    """What held at `valid` in the world by what was believed at `known`.

    `only_open`: neither lies in the past, so that what has ended cannot be part of the answer.
    """

    valid: datetime
    known: datetime
    only_open: bool

    def holding(self, versions: list[Version]) -> Version | None:
        """The version of a statement that counts, if any."""
        return holding(versions, self.valid, self.known)
