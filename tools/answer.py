"""Answers from the memory, by the configured model or by a generator of the caller's own."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from reverie.config.errors import LanguageModelMissing
from reverie.models import llm
from reverie.models.llm import LanguageModel
from reverie.pipelines import answer as reading
from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.recall import ContextBundle, Item
from reverie.tools.episodes import record_episode
from reverie.tools.fields import Id, JsonObject, Params, Text, Unit, validated
from reverie.tools.recall import recall

log = logging.getLogger("reverie.answer")


class GeneratedAnswer(BaseModel):
    """What a generator returns; a bare text will do."""

    model_config = ConfigDict(frozen=True)

    text: str
    model: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None


Generate = Callable[[ContextBundle, str], "GeneratedAnswer | str"]
"""Answers a question from a bundle; cites items as [1], [2] in the bundle's order."""


class RecordParams(Params):
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


def answer(
    kb: KnowledgeBase, agent: str, question: str, *, model: LanguageModel | None = None, **bounds: Any
) -> Answer:
    """Answer by the configured language model, citing only what was recalled.

    Raises LanguageModelMissing when none is configured, ModelFailed when it fails, ValidationFailed, StoreUnavailable.
    """
    speaker = model or llm.create(kb.settings)
    if speaker is None:
        raise LanguageModelMissing(
            "no language model is configured: set REVERIE_LLM_MODEL (and REVERIE_LLM_BASE_URL, REVERIE_LLM_API_KEY), "
            "or call answer_query with a generator of your own"
        )

    def generate(bundle: ContextBundle, asked: str) -> GeneratedAnswer:
        reply = speaker.complete(reading.prompts(bundle, asked))
        return GeneratedAnswer(
            text=reply.text,
            model=speaker.name,
            input_tokens=reply.usage.input_tokens,
            output_tokens=reply.usage.output_tokens,
        )

    return answer_query(kb, agent, question, generate=generate, **bounds)


def answer_query(
    kb: KnowledgeBase,
    agent: str,
    question: str,
    *,
    generate: Generate,
    record: RecordParams | Mapping[str, Any] | None = None,
    **bounds: Any,
) -> Answer:
    """Answer by `generate`, which is not asked when the memory holds too little of the question.

    With `record` ({} will do) the question is recorded as an Episode; a recording that fails is noted and breaks
    nothing. Raises ValidationFailed, StoreUnavailable, and what `generate` raises.
    """
    recording = None if record is None else validated(RecordParams, record)
    bundle = recall(kb, agent, query=question, **bounds)
    said = GeneratedAnswer(text=reading.UNKNOWN)
    if reading.covers(bundle, kb.settings.answer_floor):
        generated = generate(bundle, question)
        said = GeneratedAnswer(text=generated) if isinstance(generated, str) else generated
    text, cited = reading.settle(said.text, bundle.items)
    known = reading.knows(text)
    episode, notes = (None, ()) if recording is None else _record(kb, agent, question, known, cited, recording)
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


def _record(
    kb: KnowledgeBase, agent: str, question: str, known: bool, cited: tuple[Item, ...], asked: RecordParams
) -> tuple[str | None, tuple[str, ...]]:
    sources = list(dict.fromkeys(source for item in cited for source in item.sources))
    try:
        recorded = record_episode(
            kb,
            agent,
            action_type=asked.action_type,
            outcome=asked.outcome or ("answered" if known else "unknown"),
            state={**asked.state, "question": question, "sources": sources},
            importance=asked.importance,
            session_id=asked.session_id,
            goal_id=asked.goal_id,
        )
    except Exception as error:  # noqa: BLE001  # whatever stops the recording, the answer is there
        log.warning("the question was not recorded: %s", type(error).__name__)
        return None, (f"the question was not recorded: {type(error).__name__}",)
    return recorded.episode_id, ()
