"""The sweep: wakes a worker for every topic that has work due, whatever became of its first wake-up."""

from celery import shared_task

from reverie.config import task_names
from reverie.store import work
from reverie.workers.runtime import connection, knowledge_base, topics, wake


@shared_task(name=task_names.WORK_SWEEP)
def sweep() -> str:
    """Wake for what is due in every namespace."""
    woken = 0
    names = connection().knowledge_base("reverie").space.namespaces()
    for namespace in names:
        kb = knowledge_base(namespace)
        for topic, (_, due) in work.backlog(kb.space, topics(), kb.clock()).items():
            if due:
                wake(topic, namespace)
                woken += 1
    return f"{woken} wake-ups over {len(names)} namespaces"
