"""The client of every call into Redis: what goes wrong there leaves it as an error of Reverie."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, TypeVar

import redis
from redis.client import Pipeline
from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    BusyLoadingError,
    ConnectionError,
    MaxConnectionsError,
    NoPermissionError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TimeoutError,
)

from reverie.config.errors import (
    EmbedderMismatch,
    IndexMissing,
    ReverieError,
    StoreDenied,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
)

T = TypeVar("T")

_FULL: Final = "Redis is full (maxmemory): forget what is not needed, which works in a full memory, or raise maxmemory"
_REPLICA: Final = "this Redis is a read-only replica; name its primary in REVERIE_REDIS_URL"
_LOADING: Final = "Redis is loading its data; try again in a moment"
_ALLOW: Final = "the Redis user of REVERIE_REDIS_URL may not do this; allow it: ACL SETUSER <user> ~* +@all"
_GONE: Final = "the search index is gone; run `reverie reindex` to make it again from what is stored"
_ONE_NODE: Final = "this Redis is one node of a cluster; name a server that holds all keys in REVERIE_REDIS_URL"

_BY_TYPE: Final[tuple[tuple[type[RedisError], type[ReverieError], str], ...]] = (
    (OutOfMemoryError, StoreFull, _FULL),
    (ReadOnlyError, StoreReadOnly, _REPLICA),
    (NoPermissionError, StoreDenied, _ALLOW),
    (BusyLoadingError, StoreUnavailable, _LOADING),
    (
        AuthenticationError,
        StoreDenied,
        "Redis refuses the password or the user, or asks for one; write redis://USER:PASSWORD@HOST:PORT/0 into "
        "REVERIE_REDIS_URL, with special characters percent-encoded",
    ),
    (AuthorizationError, StoreDenied, _ALLOW),
    (MaxConnectionsError, StoreUnavailable, "this process has too many connections to Redis open; try again"),
)

# Words of the replies of Redis 7 to 8 and of its search module; the first that fits counts. The client has cut the
# codes off those replies that it has a class for.
_BY_REPLY: Final[tuple[tuple[str, type[ReverieError], str], ...]] = (
    ("no space left", StoreFull, "the disk of Redis is full; make room there, and it takes writes again"),
    ("used memory > 'maxmemory'", StoreFull, _FULL),
    ("misconf", StoreReadOnly, "Redis takes no writes because it cannot save to disk; look at its log and its disk"),
    ("read only replica", StoreReadOnly, _REPLICA),
    ("noreplicas", StoreReadOnly, "Redis takes no writes: too few replicas for its min-replicas-to-write"),
    ("link with master is down", StoreUnavailable, "this Redis is a replica that lost its primary; name the primary"),
    ("cluster is down", StoreUnavailable, "the Redis cluster is down; see CLUSTER INFO of its nodes"),
    ("hash slot not served", StoreUnavailable, "the Redis cluster is down; see CLUSTER INFO of its nodes"),
    ("crossslot", StoreUnavailable, _ONE_NODE),
    ("max number of clients", StoreUnavailable, "Redis has no room for another client; raise its maxclients"),
    ("busy ", StoreUnavailable, "Redis is busy with a script; wait for its end, or end it with SCRIPT KILL"),
    ("is loading the dataset", StoreUnavailable, _LOADING),
    ("noperm", StoreDenied, _ALLOW),
    ("acl failure", StoreDenied, _ALLOW),
    ("has no permissions", StoreDenied, _ALLOW),
    (
        "does not match index's expected size",
        EmbedderMismatch,
        "the search index was rebuilt for another embedder since this process started; restart the process with that "
        "embedder, or run `reverie reindex` with this one",
    ),
    ("no such index", IndexMissing, _GONE),
    ("unknown index", IndexMissing, _GONE),
    ("timeout limit was reached", StoreUnavailable, "a search took longer than Redis allows; try again"),
)  # fmt: skip


def translated(error: RedisError) -> ReverieError:
    """The error of Reverie that says what an error of the client means and how to mend it; holds no user's text."""
    for kind, made, message in _BY_TYPE:
        if isinstance(error, kind):
            return made(message)
    said = str(error).lower()
    for words, made, message in _BY_REPLY:
        if words in said:
            return made(message)
    if isinstance(error, TimeoutError):
        return StoreUnavailable(
            "Redis does not answer in time; see whether it hangs or is overloaded (REVERIE_REDIS_TIMEOUT sets the time)"
        )
    if isinstance(error, ConnectionError):
        return StoreUnavailable(f"Redis cannot be reached: {error}; start it or check REVERIE_REDIS_URL")
    name = type(error).__name__
    if name in ("MovedError", "AskError", "TryAgainError", "ClusterCrossSlotError"):
        return StoreUnavailable(_ONE_NODE)
    # What a reply quotes of a command may be a user's text.
    reason = str(error).partition(" with args")[0].partition(" near ")[0]
    return StoreError(f"Redis refused a command ({name}): {reason[:200]}")


_freeing: ContextVar[bool] = ContextVar("reverie_freeing", default=False)
_restoring: ContextVar[bool] = ContextVar("reverie_restoring", default=False)
_ALLOWED: Final = "#!lua flags=allow-oom\n"
_ONE_COMMAND: Final = _ALLOWED + "return redis.call(unpack(ARGV))"


@contextmanager
def freeing() -> Iterator[None]:
    """What is written in this block makes room in the end, so that a full Redis takes it too."""
    token = _freeing.set(True)
    try:
        yield
    finally:
        _freeing.reset(token)


class Client(redis.Redis):
    """A Redis client whose every failure is an error of Reverie, and which mends what it can before it fails.

    `revive` is called when the server is gone: it starts it again and gives its URL, or None when it cannot.
    `restore_index` is called when the search index is gone, and makes it again.
    """

    connection_pool: redis.ConnectionPool

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.revive: Callable[[], str | None] | None = None
        self.restore_index: Callable[[], None] | None = None
        self._texts: dict[str, str | bytes] = {}

    def execute_command(self, *words: Any, **options: Any) -> Any:
        """Send one command. Raises StoreError, EmbedderMismatch."""

        def send() -> Any:
            try:
                return super(Client, self).execute_command(*words, **options)
            except OutOfMemoryError:
                if not _freeing.get():
                    raise
                return self.force(words, options)

        return self.settle(send)

    def pipeline(self, transaction: bool = True, shard_hint: Any = None) -> "ClientPipeline":
        return ClientPipeline(self, transaction, shard_hint)

    def register_script(self, script: str | bytes) -> Any:
        registered = super().register_script(script)
        self._texts[registered.sha] = registered.script
        return registered

    def force(self, words: Sequence[Any], options: dict[str, Any]) -> Any:
        """Send a command in a way that a full Redis does not refuse."""
        name = str(words[0]).upper()
        if name in ("EVALSHA", "EVAL"):
            text = self._texts.get(words[1], words[1])
            script = text.decode() if isinstance(text, bytes) else text
            return super().execute_command("EVAL", _ALLOWED + script.removeprefix("#!lua\n"), *words[2:])
        reply = super().execute_command("EVAL", _ONE_COMMAND, 0, *words)
        callback = self.response_callbacks.get(name)
        return callback(reply, **options) if callback else reply

    def settle(self, send: Callable[[], T]) -> T:
        """Run `send`, and once more when what it failed of was mended. Raises StoreError, EmbedderMismatch."""
        try:
            return send()
        except NoScriptError:
            raise  # whoever names a script by its digest loads it and tries again
        except RedisError as error:
            problem = translated(error)
            if not self._mended(error, problem):
                raise problem from error
        try:
            return send()
        except NoScriptError:
            raise
        except RedisError as error:
            raise translated(error) from error

    def _mended(self, error: RedisError, problem: ReverieError) -> bool:
        if isinstance(problem, IndexMissing):
            if self.restore_index is None or _restoring.get():
                return False
            token = _restoring.set(True)
            try:
                self.restore_index()
            finally:
                _restoring.reset(token)
            return True
        lost = type(error) is ConnectionError and type(problem) is StoreUnavailable
        if not lost or self.revive is None:
            return False
        url = self.revive()
        if url is None:
            return False
        old = self.connection_pool
        # Another pool, not other addresses in this one: what other threads have open of it ends as theirs.
        self.connection_pool = redis.ConnectionPool(**old.connection_kwargs | redis.connection.parse_url(url))
        old.disconnect(inuse_connections=False)
        return True


class ClientPipeline(Pipeline):
    """A pipeline of a `Client`."""

    command_stack: list[tuple[Any, Any]]
    scripts: set[Any]

    def __init__(self, client: Client, transaction: bool, shard_hint: Any) -> None:
        super().__init__(client.connection_pool, client.response_callbacks, transaction, shard_hint)
        self._client = client

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Send the commands. Raises StoreError, EmbedderMismatch for the first that failed."""
        commands, scripts = list(self.command_stack), set(self.scripts)

        def send() -> list[Any]:
            self.connection_pool = self._client.connection_pool
            self.command_stack, self.scripts = list(commands), set(scripts)
            if not _freeing.get() or self.transaction or self.explicit_transaction:
                return list(super(ClientPipeline, self).execute(raise_on_error))
            replies = list(super(ClientPipeline, self).execute(raise_on_error=False))
            for index, (words, options) in enumerate(commands):
                if isinstance(replies[index], OutOfMemoryError):
                    replies[index] = self._client.force(words, options)
                elif raise_on_error and isinstance(replies[index], ResponseError):
                    raise replies[index]
            return replies

        return self._client.settle(send)

    def annotate_exception(self, exception: Exception, number: int, command: Sequence[Any]) -> None:
        """Leave an error as it is: the command that it would quote holds a user's text."""
