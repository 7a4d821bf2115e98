"""Following a change of the half-life or the threshold: what was planned by the old ones is planned by the new.

The settings by which a namespace's episodes were planned are remembered beside their due set. Where they are others
than now, a sweep goes through the whole set once, a slice at a time, and remembers how far it came.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.config.settings import Settings
from reverie.knowledge.decay import decays_at
from reverie.pipelines.context import Context
from reverie.pipelines.decay.plan import anchor_of, plan
from reverie.pipelines.sweeps import Budget, Swept, commit_paced
from reverie.store import decay, due
from reverie.store.decay import ARCHIVE
from reverie.store.records.activity import EpisodeRecord

_SLICE = 32


@dataclass(frozen=True)
class _Way:
    """How far the plan by some settings came: the cursor, the server process that it is of, and how many it passed."""

    rule: str
    cursor: int = 0
    process: str = ""
    passed: int = 0

    @property
    def text(self) -> str:
        return f"{self.rule} {self.cursor} {self.process} {self.passed}" if self.cursor else self.rule

    @classmethod
    def read(cls, text: str, rule: str, process: str) -> "_Way":
        """The way as it was left; a new one when the settings changed again, or the server was started again."""
        words = text.split()
        if len(words) == 4 and words[0] == rule and words[2] == process:
            return cls(rule, int(words[1]), process, int(words[3]))
        return cls(rule, 0, process)


def _rule(settings: Settings) -> str:
    return f"{settings.decay_half_life.total_seconds()}/{settings.decay_threshold}"


def outdated(ctx: Context) -> list[str]:
    """The namespaces of this Redis with episodes that were planned by other settings; see `planned_otherwise`."""
    return decay.planned_otherwise(ctx.ns, _rule(ctx.settings))


def replan(ctx: Context, budget: Budget) -> Swept:
    """Plan the episodes of a namespace by the settings of now, each once; what they make due is the sweep's.

    `done` counts the episodes that were looked at. Raises StoreUnavailable; the next run goes on from where it came to.
    """
    rule, process, done = _rule(ctx.settings), due.process(ctx.ns), 0
    while (text := decay.rule(ctx.ns)) != rule:
        way = _Way.read(text, rule, process)
        if budget.spent:
            return Swept(done, max(1, due.count(ctx.ns, ARCHIVE, ctx.clock())[0] - way.passed))
        cursor, found = due.scan(ctx.ns, ARCHIVE, way.cursor, _SLICE)
        _plan_anew(ctx, found)
        done += len(found)
        budget.items -= len(found)
        transaction = ctx.ns.transaction()
        # When somebody else went this way meanwhile, from there on.
        decay.set_rule(transaction, text, _Way(rule, cursor, process, way.passed + len(found)).text)
        transaction.commit()
    return Swept(done, 0)


def _plan_anew(ctx: Context, found: Sequence[tuple[str, datetime]]) -> None:
    ids = [id for id, _ in found]
    transactions = []
    for (id, planned), record, used in zip(
        found, ctx.ns.get_many(EpisodeRecord, ids), decay.last_used(ctx.ns, ids), strict=True
    ):
        if record is None:
            continue  # the sweep forgets it when it falls due
        anchor = anchor_of(record, used)
        if decays_at(ctx.settings, record.importance, anchor) != planned:
            transaction = ctx.ns.transaction()
            transaction.require_due(ARCHIVE, id, planned)
            plan(transaction, ctx.settings, id, record.importance, anchor)
            transactions.append(transaction)
    commit_paced(ctx, transactions, together=_SLICE)
