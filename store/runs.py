"""When each scheduled task last ran, and what it said it did; for all namespaces together."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime

from reverie.store.keys import RUNS
from reverie.store.namespace import Namespace


@dataclass(frozen=True)
class Run:
    """The last run of a task: its end, how long it took in seconds, whether it succeeded and what it said."""

    at: datetime
    seconds: float
    succeeded: bool
    said: str


def note(anywhere: Namespace, task: str, run: Run) -> None:
    """Keep a run as the last one of its task."""
    anywhere.client.hset(RUNS, task, json.dumps(asdict(run) | {"at": run.at.isoformat()}))


def last(anywhere: Namespace) -> dict[str, Run]:
    """The last run of each task that ever ran here."""
    found: dict[bytes, bytes] = anywhere.client.hgetall(RUNS)
    documents = {task.decode(): json.loads(document) for task, document in found.items()}
    return {
        task: Run(**document | {"at": datetime.fromisoformat(document["at"])}) for task, document in documents.items()
    }
