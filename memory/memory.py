"""The front door."""

from collections.abc import Sequence
from copy import copy
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import SecretStr

from reverie.agent import Agent
from reverie.browse import Browse
from reverie.config.settings import Settings, load
from reverie.cycles import Cycles
from reverie.facts import Facts, Predicates
from reverie.graph import Graph
from reverie.models import embedders, llm, rerankers
from reverie.models.embedders import Embedder
from reverie.models.llm import LanguageModel
from reverie.models.rerankers import Reranker
from reverie.pipelines import consolidate
from reverie.pipelines.context import Clock, Context, system_clock
from reverie.pipelines.erasure import ErasureReport, Progress
from reverie.pipelines.facts import FactView
from reverie.pipelines.opening import Connection, open_connection
from reverie.pipelines.reextract import Heed, Reextracted, reextract
from reverie.pipelines.spending import Spending, spending
from reverie.pipelines.transfer import (
    Exported,
    ExportProgress,
    Imported,
    ImportProgress,
    export_namespace,
    import_namespace,
)
from reverie.tools.fields import Count, Id, Moment, Params, Several, validated
from reverie.tools.forgetting import ForgetParams, forget_for_good, would_forget
from reverie.tools.observations import ObservationView, observations_of
from reverie.tools.observe import Receipt
from reverie.waiting import Until, wait
from reverie.wakeups import WakeUps


class _Names(Params):
    namespace: Id


class _Message(Params):
    message_id: Id


class _Most(Params):
    most: Count | None


class _Export(Params):
    file: Path
    since: Moment | None
    after: Several[Path]
    vectors: bool


class _Import(Params):
    file: Path
    merge: bool


class Memory:
    """The memory of one namespace.

    Without a Redis URL in the settings the embedded server is started, shared by every process that asks for the same
    data folder. `embedder`, `language_model`, `reranker` and `clock` replace the configured ones, for tests and for
    models of your own.

    Raises ConfigurationError, EmbedderMismatch, StoreUnavailable, StoreUnfit, EmbeddedServerError.
    """

    def __init__(
        self,
        namespace: str | None = None,
        *,
        settings: Settings | None = None,
        redis_url: str | None = None,
        embedder: Embedder | None = None,
        language_model: LanguageModel | None = None,
        reranker: Reranker | None = None,
        clock: Clock = system_clock,
    ) -> None:
        overrides = {"redis_url": SecretStr(redis_url)} if redis_url else {}
        self.settings = settings.model_copy(update=overrides) if settings else load(**overrides)
        name = validated(_Names, namespace=self.settings.namespace if namespace is None else namespace).namespace
        self.connection: Connection = open_connection(
            self.settings,
            embedder or embedders.create(self.settings),
            llm=language_model or llm.create(self.settings),
            reranker=reranker or rerankers.create(self.settings),
        )
        self._wakeups = WakeUps(
            self.connection.broker_url, self.settings.wake_interval, self.connection.context(name).ns
        )
        self.ctx: Context = self.connection.context(name, clock=clock, wake=self._wakeups.wake)
        self._is_open_beside = False

    @property
    def namespace(self) -> str:
        """The tenant whose memory it is."""
        return self.ctx.namespace

    @property
    def predicates(self) -> Predicates:
        """How many values the predicates of facts hold at a time."""
        return Predicates(self.ctx)

    def beside(self, namespace: str) -> Self:
        """The memory of another namespace over the same connection, for a process that serves many tenants.

        namespace: the other tenant.

        It holds nothing of its own: closing it does nothing, and closing this memory closes both. Raises
        ValidationFailed.
        """
        name = validated(_Names, namespace=namespace).namespace
        other = copy(self)
        other.ctx = self.connection.context(name, clock=self.ctx.clock, wake=self._wakeups.wake)
        other._is_open_beside = True
        return other

    def agent(self, agent_id: str) -> Agent:
        """The memory as one agent sees and writes it."""
        return Agent(self.ctx, agent_id)

    def graph(self, app: str, user: str) -> Graph:
        """The knowledge graph of one user of one app."""
        return Graph(self.ctx, app, user)

    @property
    def facts(self) -> Facts:
        """The facts of the namespace, as of any pair of times."""
        return Facts(self.ctx)

    @property
    def browse(self) -> Browse:
        """All that the namespace holds, page by page."""
        return Browse(self.ctx)

    @property
    def cycles(self) -> Cycles:
        """What consolidation did, and how to take it back."""
        return Cycles(self.ctx)

    def facts_from(self, message_id: str) -> list[FactView]:
        """The facts that hold now and that a message speaks for; [] before it was consolidated."""
        return consolidate.facts_from(self.ctx, validated(_Message, message_id=message_id).message_id)

    def observations_from(self, message_id: str) -> list[ObservationView]:
        """What was observed in a message; [] before it was ingested, and for an unknown id. Raises ValidationFailed."""
        return observations_of(self.ctx, message_id)

    def forget(
        self,
        *,
        message: str | None = None,
        episode: str | None = None,
        action: str | None = None,
        fact: str | None = None,
        session: str | None = None,
        participant: str | None = None,
        user: str | None = None,
        namespace: str | None = None,
        verify: bool = False,
        wait: bool = False,
        progress: Progress | None = None,
    ) -> ErasureReport:
        """Forget for good a message, an episode, an action, a fact, a session, a participant, a user (the
        participant and their knowledge graphs of every app) or the whole namespace, which is named so that it is meant.

        The text goes everywhere it went: records, search rows, chunks, summaries, queued work, dead letters, what was
        observed and inferred, and facts and entities that rest on nothing else. What it closed or corrected is believed
        anew from what is left. Tasks that were sent before bring nothing back. Returns what went; with `verify` the
        namespace is scanned for what is left. Forgetting what is not there does nothing, so that a call that was
        interrupted can be made again.

        Messages go at once. What was drawn from very many goes on in the workers after a few seconds: no recall finds
        it any more, and `left` of the report says of how many messages it is. `wait` (and `verify`) return when all of
        it is done; `progress` is called with how many messages are done, and of how many.

        Raises ValidationFailed, StoreBusy, StoreUnavailable.
        """
        params = validated(
            ForgetParams,
            message=message,
            episode=episode,
            action=action,
            fact=fact,
            session=session,
            participant=participant,
            user=user,
            namespace=namespace,
            verify=verify,
            wait=wait,
        )
        return forget_for_good(self.ctx, params, progress)

    def would_forget(
        self,
        *,
        message: str | None = None,
        episode: str | None = None,
        action: str | None = None,
        fact: str | None = None,
        session: str | None = None,
        participant: str | None = None,
        user: str | None = None,
        namespace: str | None = None,
    ) -> dict[str, int]:
        """How many records of each kind `forget` would take away; nothing changes. {} when nothing of it is stored.

        Facts that rest on what goes are counted, whether they go or are believed anew. Raises ValidationFailed,
        StoreUnavailable.
        """
        params = validated(
            ForgetParams,
            message=message,
            episode=episode,
            action=action,
            fact=fact,
            session=session,
            participant=participant,
            user=user,
            namespace=namespace,
        )
        return would_forget(self.ctx, params)

    def __repr__(self) -> str:
        return f"Memory({self.namespace!r})"

    def wait(self, message: Receipt | str, timeout: timedelta | float = 30.0, *, until: Until = "ingested") -> None:
        """Wait until the workers are done with a message; needs a running worker.

        message: its receipt or its id.
        timeout: the longest wait, in seconds or as a timedelta.
        until: "ingested", or "consolidated" when what it says has to be facts too, which makes that due at once.

        Raises NotFound for an unknown id, WaitTimeout when it is not done in time (the work goes on), ModelFailed when
        it ended as a dead letter.
        """
        message_id = message.message_id if isinstance(message, Receipt) else message
        wait(self.ctx, validated(_Message, message_id=message_id).message_id, timeout, until)

    def spending(self) -> dict[str, Spending]:
        """Per purpose the requests, tokens and, where prices are set, the cost of language models in this namespace."""
        return spending(self.ctx)

    def reextract(self, *, most: int | None = None, heed: Heed | None = None) -> Reextracted:
        """Read messages anew that rules read while the language model was out, oldest first: `most` of them, or all.

        What the rules drew from a message and the model does not bear out goes, with the facts that rest on it alone.
        `heed` is told after each batch how many were tried, and of how many. Ends early when the model is still out;
        doing it again goes on from there.

        Raises ValidationFailed, LanguageModelMissing, ConfigurationError, StoreUnavailable.
        """
        return reextract(self.ctx, most=validated(_Most, most=most).most, heed=heed)

    def export_to(
        self,
        file: str | Path,
        *,
        since: datetime | None = None,
        after: Sequence[str | Path] = (),
        vectors: bool = False,
        progress: ExportProgress | None = None,
    ) -> Exported:
        """Write everything of the namespace that is no copy of something else into a file: JSON Lines in Zstandard.

        file: where to. It is written under its name with `.part` and put there when it is whole; what an export that
            was killed left is gone on with.
        since: leave out records that bear no later time than this, an aware datetime, and older edges.
        after: earlier exports of the namespace, a full one first: only what changed since the last is written.
        vectors: write the vectors too, for a server with the same embedder.
        progress: called with how many keys are done, and of how many.

        What is written meanwhile may be in the file or not; an export `after` this one has the rest. Raises
        ValidationFailed, StoreUnavailable.
        """
        asked = validated(_Export, file=file, since=since, after=after, vectors=vectors)
        return export_namespace(
            self.ctx, asked.file, since=asked.since, after=asked.after, vectors=asked.vectors, progress=progress
        )

    def import_from(self, file: str | Path, *, merge: bool = False, progress: ImportProgress | None = None) -> Imported:
        """Put an export into the namespace, which has to be empty; the workers give everything its vectors.

        file: an export, of any namespace, server and embedder. One of what changed after another goes over that.
        merge: put it over what is there: what has the same id is replaced, and what was erased here stays away.
        progress: called with the step, "records" or "rows", and how many lines of the file that has done.

        An import that was killed is gone on with by the same call. Raises ValidationFailed, StoreBusy (another process
        imports the same), StoreUnavailable.
        """
        asked = validated(_Import, file=file, merge=merge)
        return import_namespace(self.ctx, asked.file, merge=asked.merge, progress=progress)

    def close(self) -> None:
        """Send what wake-ups are left and let the embedded server go. The memory is not usable afterwards."""
        if self._is_open_beside:
            return
        self._wakeups.close()
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
