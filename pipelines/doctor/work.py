"""Work that nobody does, and records that nobody can read."""

from datetime import timedelta
from typing import Final

from reverie.config.task_names import DUE_SETS, TOPIC_TASKS
from reverie.pipelines.context import Context
from reverie.pipelines.doctor.finding import Finding, finding
from reverie.store import inspection, restoring, stats, work

_STUCK: Final = timedelta(hours=1)
"""Work that was due for so long is taken for stuck: a worker that keeps up takes seconds, an import some minutes."""


def check_work(ctx: Context, *, fix: bool) -> list[Finding]:
    """Find work that is stuck, unmarked or given up, imports that were interrupted, and unreadable records."""
    ns, of = ctx.ns, ctx.namespace
    unmarked = inspection.unmarked(ns, list(TOPIC_TASKS), DUE_SETS)
    if fix and unmarked:
        inspection.mark(ns, list(TOPIC_TASKS), DUE_SETS)
    stuck = inspection.overdue(ns, list(TOPIC_TASKS), ctx.clock() - _STUCK)
    begun = restoring.standing(ns)
    return [
        *finding(
            "work.unmarked", of, "topics hold work that no worker would look for", unmarked,
            mended=len(unmarked) if fix else 0,
        ),
        *finding(
            "work.stuck", of, f"topics hold work that has been due for more than {_STUCK.seconds // 3600} h",
            [f"{topic} {count}" for topic, count in stuck.items()],
            advice="start a worker with `reverie worker`, or see its log and `reverie status`",
        ),
        *finding(
            "work.dead", of, "pieces of work were given up",
            [f"{letter.topic} {letter.id}" for letter in work.dead_letters(ns)],
            advice="`reverie dead-letters list` says why; `retry` or `drop` them",
        ),
        *finding(
            "records.unreadable", of, "records cannot be read by this version",
            [f"{kind} {id}" for kind, id in stats.unreadable_records(ns)],
            advice="upgrade Reverie, or `reverie forget` them",
        ),
        *finding(
            "import.interrupted", of, "an import was not finished", [] if begun is None else [begun.export],
            advice="give the same `reverie import` again, or `reverie forget` the namespace",
        ),
    ]  # fmt: skip
