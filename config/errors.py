"""The errors a caller can meet.

ReverieError
├── ValidationFailed        the call's input is wrong; nothing was stored
├── NotFound                a mandatory id names nothing; nothing was stored
├── Conflict                the id exists with other content or another owner; nothing changed
├── ConfigurationError      a setting is wrong or missing
│   ├── EmbedderMismatch    the index was built with another embedder
│   └── LanguageModelMissing   no language model is configured
├── StoreError
│   ├── StoreUnavailable    Redis cannot be reached, or does not answer in time; a retry can help
│   │   ├── StoreFull       Redis has no room left, in memory or on disk
│   │   ├── StoreReadOnly   Redis takes no writes: a replica, or a server that cannot save
│   │   └── StoreDenied     Redis refuses the password, the user, or the user's command
│   ├── StoreBusy           others changed the same records all the time; a retry can help
│   ├── StoreUnfit          Redis lacks what Reverie needs, evicts, or holds a newer store
│   ├── IndexMissing        the search index is gone; a reindex makes it again
│   ├── RecordUnreadable    a stored record cannot be read by this version
│   └── EmbeddedServerError the embedded server cannot run here
├── ModelFailed             an embedder or language model failed; a retry can help
│   └── ModelRefused        a language model refused this very request; the same one fails again
└── WaitTimeout             the work awaited is not done yet; it goes on
"""

from typing import Any


class ReverieError(Exception):
    """Something went wrong in Reverie. Every error below says whether a retry can help and what was stored."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").split("\n")[0])


class ValidationFailed(ReverieError):
    """The call's input is wrong. Nothing was stored; the same call fails again, a mended one may pass.

    `field` names the parameter at fault ("" when it is the call as a whole), `reason` says how to mend it.
    """

    def __init__(self, field: str, reason: str) -> None:
        self.field = field
        self.reason = reason
        super().__init__(f"{field}: {reason}" if field else reason)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.field, self.reason)


class NotFound(ReverieError):
    """A mandatory id names nothing that exists here. Nothing was stored; a retry helps only once it exists."""

    def __init__(self, kind: str, id: str) -> None:
        self.kind = kind
        self.id = id
        super().__init__(f"there is no {kind} with the id {id!r} here; check the id or create it first")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, self.id)


class Conflict(ReverieError):
    """The id is taken by other content, another owner or another session. Nothing changed; a retry cannot help.

    Use another id, or the verb that changes the record (`update`).
    """

    def __init__(self, kind: str, id: str, reason: str) -> None:
        self.kind = kind
        self.id = id
        self.reason = reason
        super().__init__(f"{kind} {id!r} already exists {reason}; use another id, or update the existing one")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, self.id, self.reason)


class ConfigurationError(ReverieError):
    """A setting is wrong or missing. Nothing was stored; mend the setting the message names."""


class EmbedderMismatch(ConfigurationError):
    """The index was built with another embedder. Nothing was stored; set that one again or run `reverie reindex`."""


class LanguageModelMissing(ConfigurationError):
    """No language model is configured. Set REVERIE_LLM_MODEL (and REVERIE_LLM_BASE_URL, REVERIE_LLM_API_KEY)."""


class StoreError(ReverieError):
    """Redis refused or failed the call. What was written is one whole transaction or nothing."""


class StoreUnavailable(StoreError):
    """Redis cannot be reached. A retry can help; repeat the call with the same id, it is idempotent."""


class StoreFull(StoreUnavailable):
    """Redis has no room left, in memory or on disk. Nothing was stored; a retry helps once there is room.

    Forgetting still works in a full memory and makes room.
    """


class StoreReadOnly(StoreUnavailable):
    """Redis takes no writes now. Nothing was stored; a retry helps once it is a primary again and can save."""


class StoreDenied(StoreUnavailable):
    """Redis refuses the password, the user or what the user may do. Nothing was stored; a retry helps once mended."""


class StoreBusy(StoreError):
    """Others kept changing the same records. The change at hand was not stored; a retry helps once there are fewer."""


class StoreUnfit(StoreError):
    """This Redis cannot hold a memory: it lacks search or JSON, evicts keys, or holds the store of a newer Reverie.

    Nothing was stored and a retry cannot help; the message says what to change.
    """


class IndexMissing(StoreError):
    """The search index is gone. Records are still there, nothing was stored; run `reverie reindex` and try again."""


class RecordUnreadable(StoreError):
    """A stored record cannot be read by this version. It was left as it is; a retry cannot help.

    `kind` and `id` name it, `reason` says what is wrong with which field, without its content.
    """

    def __init__(self, kind: str, id: str, reason: str) -> None:
        self.kind = kind
        self.id = id
        self.reason = reason
        super().__init__(
            f"the {kind} {id!r} cannot be read: {reason}; mend its document, forget it, or use the version of "
            "Reverie that wrote it"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, self.id, self.reason)


class EmbeddedServerError(StoreError):
    """The embedded Redis cannot run here. Set REVERIE_REDIS_URL to a Redis Stack or Redis 8 server."""


class ModelFailed(ReverieError):
    """An embedder or language model failed or was too slow. A retry can help; no record was lost by it.

    `retry_after` is how long the endpoint asked to be left alone, in seconds; None when it did not say.
    """

    def __init__(self, message: str | None = None, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.args, {"retry_after": self.retry_after}


class ModelRefused(ModelFailed):
    """A language model refused this very request, such as one too long. It fails again; other requests may pass."""


class WaitTimeout(ReverieError):
    """The awaited work is not done yet. It goes on in the workers; wait again, or look at `reverie status`.

    The message says what it waits behind and when a worker last looked for such work.
    """
