"""Erasing a whole namespace."""

from reverie.config.errors import StoreUnavailable
from reverie.config.task_names import DUE_SETS, TOPIC_TASKS
from reverie.pipelines.context import Context
from reverie.pipelines.erasure.deliveries import erase_results, left, withdraw_tasks
from reverie.pipelines.erasure.report import ErasureReport
from reverie.store import contents, namespaces
from reverie.store.tombstones import bar_beside

_ROUNDS = 20


def erase_namespace(ctx: Context, *, verify: bool) -> ErasureReport:
    """Remove every key of the namespace. What is written meanwhile goes too, as long as it is not written for ever."""
    count = 0
    bar_beside(ctx.ns, [("namespace", ctx.namespace)], ctx.clock())
    tasks, results = withdraw_tasks(ctx, "namespace", ctx.namespace), erase_results(ctx, None)
    for _ in range(_ROUNDS):
        gone = namespaces.clear(ctx.ns, [*TOPIC_TASKS, *DUE_SETS])
        count += gone
        if not gone:
            traces = (
                [key.decode() for key in contents.keys(ctx.ns)] + left(ctx, "namespace", ctx.namespace)
                if verify
                else []
            )
            return ErasureReport(
                scope="namespace",
                id=ctx.namespace,
                erased={},
                rewritten={},
                keys=count,
                tasks=tasks,
                results=results,
                verified=not traces if verify else None,
                traces=tuple(traces),
            )
    raise StoreUnavailable("others keep writing to this namespace; stop them and forget it again")
