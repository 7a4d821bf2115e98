"""Every Celery task by its name, and the queue it runs on. `memory` wakes tasks by these names alone."""

from typing import Final

QUEUE_DOCUMENTS: Final = "documents"
"""Of what other runtimes send: a burst of it holds up no wake-up, which would stand behind it in one queue."""
QUEUE_INGEST: Final = "ingest"
QUEUE_CONSOLIDATE: Final = "consolidate"
QUEUE_MAINTAIN: Final = "maintain"
QUEUES: Final = (QUEUE_DOCUMENTS, QUEUE_INGEST, QUEUE_CONSOLIDATE, QUEUE_MAINTAIN)

OBSERVE_MESSAGE: Final = "reverie.messages.observe"
CALL_TOOL: Final = "reverie.tools.call"
REFUSE: Final = "reverie.messages.refuse"
"""What a worker makes of a message that no task can be given; nobody sends it."""
INGEST_DRAIN: Final = "reverie.ingest.drain"
INGEST_MESSAGE: Final = "reverie.ingest.message"
CHUNKS_DRAIN: Final = "reverie.ingest.chunks"
INGEST_REPLACED: Final = "reverie.ingest.replaced"
REEXTRACT: Final = "reverie.ingest.reextract"
ERASURE_DRAIN: Final = "reverie.erasure.drain"
GRAPH_DRAIN: Final = "reverie.graph.drain"
EMBED_DRAIN: Final = "reverie.embed.drain"
DECAY_ARCHIVE: Final = "reverie.decay.archive"
DECAY_DELETE: Final = "reverie.decay.delete"
DECAY_REPLAN: Final = "reverie.decay.replan"
PROCEDURES_DRAIN: Final = "reverie.procedures.drain"
SESSIONS_CLOSE_IDLE: Final = "reverie.sessions.close_idle"
SUMMARIES_DRAIN: Final = "reverie.summaries.drain"
TOPICS_DRAIN: Final = "reverie.topics.drain"
TOPICS_REGROUP: Final = "reverie.topics.regroup"
CONSOLIDATE_DRAIN: Final = "reverie.consolidate.drain"
WORK_SWEEP: Final = "reverie.work.sweep"
WORK_REMARK: Final = "reverie.work.remark"

DOCUMENT_TASKS: Final = (OBSERVE_MESSAGE, CALL_TOOL)
"""Tasks that runtimes outside send, with one JSON document that may hold text; all others take ids."""

ROUTES: Final[dict[str, str]] = {
    "reverie.messages.*": QUEUE_DOCUMENTS,
    "reverie.tools.*": QUEUE_DOCUMENTS,
    "reverie.ingest.*": QUEUE_INGEST,
    "reverie.embed.*": QUEUE_INGEST,
    "reverie.consolidate.*": QUEUE_CONSOLIDATE,
    "reverie.*": QUEUE_MAINTAIN,
}
"""Task name pattern to queue; the first pattern that matches wins."""

TOPIC_TASKS: Final[dict[str, str]] = {
    "ingest": INGEST_DRAIN,
    "chunks": CHUNKS_DRAIN,
    "replaced": INGEST_REPLACED,
    "embed": EMBED_DRAIN,
    "graph": GRAPH_DRAIN,
    "erasure": ERASURE_DRAIN,
    "summaries": SUMMARIES_DRAIN,
    "topics": TOPICS_DRAIN,
    "procedures": PROCEDURES_DRAIN,
    "consolidate": CONSOLIDATE_DRAIN,
}
"""Topic of durable work (see `reverie.store.work`) to the task that drains it."""

DUE_SETS: Final = ("session-idle", "topics-changed", "decay", "decay-delete")
"""Every due set (see `reverie.store.due`), by the name that its pipeline gives it."""
