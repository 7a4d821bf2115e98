"""Counting uses, and what they make of a procedure. The order in which uses become known does not matter."""

from collections.abc import Iterable

from reverie.config.settings import Settings
from reverie.store.records.procedures import ProcedureRecord, Standing, Tally, Use

_RECENT = 64
"""Uses kept one by one: within them a use that becomes known late is put where it belongs."""


def counted(settings: Settings, tally: Tally, uses: Iterable[Use]) -> Tally:
    """The tally after further uses, in order of time."""
    successes, failures, standing = tally.successes, tally.failures, tally.standing
    for use in uses:
        successes, failures = successes + use.worked, failures + (not use.worked)
        standing = _standing(settings, standing, successes, successes / (successes + failures))
    return Tally(successes=successes, failures=failures, standing=standing)


def _standing(settings: Settings, before: Standing, successes: int, rate: float) -> Standing:
    if before == "candidate":
        return "active" if successes >= settings.procedure_active_from else "candidate"
    if before == "active":
        return "deprecated" if rate < settings.procedure_deprecated_under else "active"
    return "active" if rate >= settings.procedure_active_again_from else "deprecated"


def with_use(settings: Settings, procedure: ProcedureRecord, use: Use) -> ProcedureRecord:
    """The procedure after a use; the same one when the use is known."""
    if any(known.id == use.id for known in procedure.recent):
        return procedure
    recent = sorted([*procedure.recent, use], key=lambda one: (one.at, one.id))
    old, recent = recent[:-_RECENT], recent[-_RECENT:]
    before = counted(settings, procedure.before, old)
    now = counted(settings, before, recent)
    changed: ProcedureRecord = procedure.revised({"before": before, "recent": recent, "now": now})
    return changed
