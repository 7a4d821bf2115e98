"""A round: one sweep over every namespace in which something is due, within one budget."""

import random
from collections.abc import Callable

from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.sweeps import Budget, Swept
from reverie.store import due
from reverie.workers.app import app
from reverie.workers.runtime import connection, knowledge_base


def make_round(task: str, name: str, sweep: Callable[[KnowledgeBase, Budget], Swept], what: str) -> str:
    """Sweep one due set everywhere; what it did, in words. When something is left, `task` is sent again at once.

    Two rounds at a time do no harm: whoever comes second finds an id settled.
    """
    anywhere = connection().knowledge_base("reverie")
    names = due.where(anywhere.space, name, anywhere.clock())
    # Not always the same first: a namespace that is never done would starve all after it.
    random.shuffle(names)
    budget = Budget(anywhere.settings.sweep_items, anywhere.settings.sweep_time.total_seconds())
    swept = Swept()
    for namespace in names:
        swept += sweep(knowledge_base(namespace), budget)
    if swept.done and swept.left:
        app.send_task(task)
    return f"{swept.done} {what} in {len(names)} namespaces, {swept.left} left"
