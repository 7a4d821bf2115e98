"""Facts page by page."""

from collections.abc import Callable, Sequence
from typing import Literal

from reverie.knowledge.identity import object_term, predicate_term, subject_term
from reverie.pipelines import facts
from reverie.pipelines.context import Context
from reverie.pipelines.facts import FactView
from reverie.store import pages
from reverie.store.facts import OF, SAID_BY, STATED_IN
from reverie.store.records.facts import FactRecord
from reverie.tools.browse.paging import DatedParams, Page, dated, walk
from reverie.tools.fields import Id, Text


class ListFactsParams(DatedParams):
    """Facts by when they were first recorded. `participant` is who said them, `message` one that they rest on, `source`
    the strongest that stands behind them; `current` leaves out those that hold no more.
    """

    subject: Text | None = None
    predicate: Text | None = None
    object: Text | None = None
    participant: Id | None = None
    message: Id | None = None
    source: Literal["user", "tool", "model"] | None = None
    current: bool = True


def list_facts(ctx: Context, params: ListFactsParams) -> Page[FactView]:
    """A page of facts, each as it holds now, else in its last version. Raises ValidationFailed, StoreUnavailable."""
    asked: tuple[tuple[str, str | None, Callable[[str], str]], ...] = (
        ("subject", params.subject, subject_term),
        ("object", params.object, object_term),
        ("predicate", params.predicate, predicate_term),
    )
    orders = [pages.linked(ctx.ns, OF, "fact", (kind, term(text))) for kind, text, term in asked if text is not None]
    first, *others = [*orders, pages.every(ctx.ns, "fact")]
    others = [] if len(orders) < 2 else orders[1:]
    if params.participant is not None:
        others.append(pages.linked(ctx.ns, SAID_BY, "fact", ("participant", params.participant)))
    if params.message is not None:
        others.append(pages.linked(ctx.ns, STATED_IN, "fact", ("message", params.message)))
    now = ctx.clock()

    def keep(records: Sequence[FactRecord]) -> list[bool]:
        wanted = [
            (not params.current or facts.holds(one, now)) and params.source in (None, one.origin) for one in records
        ]
        for order in others:
            there = pages.members(ctx.ns, order, [one.id for one in records])
            wanted = [both and one for both, one in zip(wanted, there, strict=True)]
        return wanted

    is_whole = not (others or params.current or params.source)
    walked = walk(ctx.ns, FactRecord, dated(first, params), params, None if is_whole else keep)
    return Page(items=tuple(facts.latest(ctx, walked.found)), cursor=walked.cursor, total=walked.total)
