"""From a clause to its claims: the first rule of `RULES` that knows the clause decides.

A rule gives the clause's claims (none at all, when nothing is asserted) or None when it does not know the clause.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en import (
    changes,
    events,
    handing,
    instructions,
    lastdays,
    measures,
    opinions,
    possession,
    reporting,
)
from reverie.pipelines.ingest.language.en.assertions import is_bare, is_withheld
from reverie.pipelines.ingest.language.en.claiming import Case
from reverie.pipelines.ingest.language.en.framing import framed

Rule = Callable[[Case], "list[Claim] | None"]


def claims_of(case: Case) -> list[Claim]:
    """The claims of one clause."""
    for rule in RULES:
        found = rule(case)
        if found is not None:
            return [framed(case, claim) for claim in found if claim.content]
    return []


def not_asserted(case: Case) -> list[Claim] | None:
    """Questions, wishes, conditions and the like give nothing."""
    return [] if is_withheld(case.clause) or (is_bare(case.clause) and not events.is_ellipsis(case.clause)) else None


def reminders(case: Case) -> list[Claim] | None:
    """ "Remember that ...", "note that ...": what is to be remembered is said."""
    inner = reporting.reminder(case.clause)
    if inner is None:
        return None
    return [claim for clause in inner for claim in claims_of(replace(case, clause=clause))]


def reported(case: Case) -> list[Claim] | None:
    """ "She told me that ...", "I think ...": what is said, not the saying."""
    said = reporting.said(case)
    if said is None:
        return None
    found: list[Claim] = []
    for clause in said.clauses:
        found += [
            replace(claim, confidence=min(said.confidence, claim.confidence), negated=claim.negated != said.denied)
            for claim in claims_of(replace(case, clause=clause))
        ]
    return found


RULES: tuple[Rule, ...] = (
    reporting.names,
    reminders,
    instructions.instructions,
    reporting.wanting,
    not_asserted,
    reported,
    lastdays.last_days,
    measures.moved_dates,
    handing.handovers,
    changes.changes,
    measures.measures,
    possession.attributes,
    possession.roles,
    events.ellipsis,
    opinions.evaluations,
    possession.belongings,
    opinions.feelings,
    possession.existence,
    events.active,
    events.events,
)
