"""Replies of a given shape: asked for, found among whatever else was said, checked, repaired once."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from reverie.config.errors import ModelFailed, ModelRefused
from reverie.models.llm.base import LanguageModel, Prompt, Usage
from reverie.models.llm.outage import WatchedModel

Shape = TypeVar("Shape", bound=BaseModel)


@dataclass(frozen=True)
class Answer(Generic[Shape]):
    """A reply that passed; None when neither the first reply nor the repair did. Its tokens were paid for anyway.

    `unavailable` says that there was no reply at all: the model failed, or it rests after a failure (then nothing was
    `asked`).
    """

    value: Shape | None
    usage: Usage
    error: str = ""
    unavailable: bool = False
    asked: bool = True


def ask(
    model: LanguageModel,
    prompts: Sequence[Prompt],
    shape: type[Shape],
    *,
    timeout: float,
    max_tokens: int | None = None,
) -> Answer[Shape]:
    """A value of `shape`, within `timeout` seconds for the reply and its repair together. Never raises ModelFailed."""
    rest = model.resting() if isinstance(model, WatchedModel) else None
    if rest is not None:
        return Answer(None, Usage(), rest, unavailable=True, asked=False)
    deadline = time.monotonic() + timeout
    schema = shape.model_json_schema()
    usage = Usage()
    asked = list(prompts)
    error = ""
    for _ in range(2):
        left = deadline - time.monotonic()
        if left <= 0:
            return Answer(None, usage, error or "too slow")
        try:
            reply = model.complete(asked, schema=schema, max_tokens=max_tokens, timeout=left)
        except ModelFailed as failure:
            return Answer(None, usage, str(failure), unavailable=not isinstance(failure, ModelRefused))
        usage += reply.usage
        try:
            return Answer(parse(reply.text, shape), usage)
        except ValueError as wrong:
            error = _short(wrong)
        asked = [
            *prompts,
            Prompt("assistant", reply.text),
            Prompt("user", f"That reply cannot be used: {error}. Reply with the whole JSON object alone, mended."),
        ]
    return Answer(None, usage, error)


def parse(text: str, shape: type[Shape]) -> Shape:
    """The first JSON object in a reply that has the shape, whatever prose stands around it.

    Raises ValueError when there is none.
    """
    wrong: ValidationError | None = None
    for document in _objects(text):
        try:
            return shape.model_validate(document)
        except ValidationError as error:
            wrong = wrong or error
    if wrong is not None:
        raise wrong
    raise ValueError("it holds no complete JSON object")


def _objects(text: str) -> Iterator[object]:
    """The JSON objects in a text, outermost first, from left to right."""
    decoder = json.JSONDecoder()
    place = text.find("{")
    while place >= 0:
        try:
            document, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            yield document
        place = text.find("{", end)


def _short(wrong: ValueError) -> str:
    """What is wrong, without the value that was: it may hold what a user wrote."""
    if isinstance(wrong, ValidationError):
        places = [f"{'.'.join(str(part) for part in item['loc'])}: {item['msg']}" for item in wrong.errors()[:3]]
        return "; ".join(places)
    return str(wrong)
