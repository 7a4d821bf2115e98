"""Answers from the memory, by the configured model or by a generator of the caller's own."""

import inspect
import logging
from collections.abc import Callable

from pydantic import BaseModel, ConfigDict, Field

from reverie.config.errors import LanguageModelMissing, ModelFailed, StoreUnavailable, ValidationFailed
from reverie.models.llm import LanguageModel, Usage
from reverie.pipelines import answer as reading
from reverie.pipelines import spending
from reverie.pipelines.context import Context
from reverie.pipelines.recall import ContextBundle, Item
from reverie.store.namespace import Namespace
from reverie.tools.episodes import RecordEpisodeParams, record_episode
from reverie.tools.fields import Id, JsonObject, Params, Text, Unit, validated
from reverie.tools.recall import RecallParams, recall

log = logging.getLogger("reverie.answer")

PURPOSE = "answers"
"""Under which what a language model took for answers is counted."""


class GeneratedAnswer(BaseModel):
    """What a generator returns; a bare text will do."""

    model_config = ConfigDict(frozen=True)

    text: str
    model: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None


Generate = Callable[[ContextBundle, str], "GeneratedAnswer | str"]
"""Answers a question from a bundle; cites items as [1], [2] in the bundle's order."""


class QueryRecordOptions(Params):
    """How a question is recorded as an Episode. Its text is the question."""

    action_type: Text = "answer"
    outcome: Text | None = None
    """"answered" or "unknown" when not given."""
    session_id: Id | None = None
    goal_id: Id | None = None
    importance: Unit = 0.5
    state: JsonObject = Field(default_factory=dict)


class Answer(BaseModel):
    """An answer with what it rests on."""

    model_config = ConfigDict(frozen=True)

    text: str
    known: bool
    """False when the memory does not hold the answer."""
    citations: tuple[Item, ...]
    """The items cited, in the order of their first mention; `sources` of each are message ids."""
    context: ContextBundle
    model: str | None = None
    input_tokens: int | None = None
    """As the provider counted them; None when it did not say."""
    output_tokens: int | None = None
    recorded_episode: str | None = None
    notes: tuple[str, ...] = ()
    """What went wrong beside the answer, such as a recording that failed."""


def answer(ctx: Context, agent: str, params: RecallParams, *, model: LanguageModel | None = None) -> Answer:
    """Answer the query of `params` within its bounds by the configured language model, citing only what was recalled.

    Raises LanguageModelMissing when none is configured, ModelFailed when it fails, ValidationFailed, StoreUnavailable.
    """
    speaker = ctx.llm if model is None else model
    if speaker is None:
        raise LanguageModelMissing(
            "no language model is configured: set REVERIE_LLM_MODEL (and REVERIE_LLM_BASE_URL, REVERIE_LLM_API_KEY), "
            "or call answer_query with a generator of your own"
        )

    def generate(bundle: ContextBundle, asked: str) -> GeneratedAnswer:
        try:
            reply = speaker.complete(reading.prompts(bundle, asked))
        except ModelFailed:
            _count(ctx.ns, Usage(requests=1), failed=True)
            raise
        used = reply.usage
        _count(ctx.ns, used, failed=not reply.text.strip())
        return GeneratedAnswer(
            text=reply.text,
            model=speaker.name,
            # A provider that does not count says nothing, and no request takes nothing.
            input_tokens=used.input_tokens or None,
            output_tokens=used.output_tokens or None,
        )

    return answer_query(ctx, agent, params, generate=generate)


def answer_query(
    ctx: Context,
    agent: str,
    params: RecallParams,
    *,
    generate: Generate,
    record: QueryRecordOptions | None = None,
) -> Answer:
    """Answer the query of `params` by `generate`, which is not asked when the memory holds too little of the question.

    With `record` the question is recorded as an Episode; a recording that fails is noted and breaks
    nothing. Raises ValidationFailed (also for a generator that gives no text), StoreUnavailable, and what `generate`
    raises.
    """
    if not callable(generate):
        raise ValidationFailed("generate", "must be a function of the bundle and the question")
    recording = None if record is None else validated(QueryRecordOptions, record)
    question = params.query
    bundle = recall(ctx, agent, params)
    said = GeneratedAnswer(text=reading.UNKNOWN)
    if reading.covers(ctx, bundle, question):
        said = _said(generate(bundle, question))
    text, cited = reading.settle(said.text, bundle.items)
    known = reading.knows(text)
    episode, notes = (None, ()) if recording is None else _record(ctx, agent, question, known, cited, recording)
    return Answer(
        text=text if known else reading.UNKNOWN,
        known=known,
        citations=cited if known else (),
        context=bundle,
        model=said.model,
        input_tokens=said.input_tokens,
        output_tokens=said.output_tokens,
        recorded_episode=episode,
        notes=notes,
    )


def _count(ns: Namespace, used: Usage, *, failed: bool) -> None:
    try:
        spending.count(ns, PURPOSE, used, failed=failed)
    except StoreUnavailable:
        log.warning("the tokens of an answer were not counted")


def _said(generated: object) -> GeneratedAnswer:
    if isinstance(generated, str):
        return GeneratedAnswer(text=generated)
    if isinstance(generated, GeneratedAnswer):
        return generated
    if inspect.isawaitable(generated):
        if inspect.iscoroutine(generated):
            generated.close()  # nobody will await it
        raise ValidationFailed("generate", "is asynchronous; wrap it, such as in lambda b, q: asyncio.run(mine(b, q))")
    raise ValidationFailed("generate", f"must return a text or a GeneratedAnswer, not {type(generated).__name__}")


def _record(
    ctx: Context, agent: str, question: str, known: bool, cited: tuple[Item, ...], asked: QueryRecordOptions
) -> tuple[str | None, tuple[str, ...]]:
    sources = list(dict.fromkeys(source for item in cited for source in item.sources))
    try:
        recorded = record_episode(
            ctx,
            agent,
            validated(
                RecordEpisodeParams,
                action_type=asked.action_type,
                outcome=asked.outcome or ("answered" if known else "unknown"),
                state={**asked.state, "question": question, "sources": sources},
                importance=asked.importance,
                session_id=asked.session_id,
                goal_id=asked.goal_id,
            ),
        )
    except Exception as error:  # noqa: BLE001  # whatever stops the recording, the answer is there
        log.warning("the question was not recorded: %s", type(error).__name__)
        return None, (f"the question was not recorded: {type(error).__name__}",)
    return recorded.episode_id, ()
