"""The contract of a language model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol


@dataclass(frozen=True)
class Prompt:
    """One message of a request."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class Usage:
    """Tokens that were paid for."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.requests + other.requests,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )


@dataclass(frozen=True)
class Reply:
    """What a model said."""

    text: str
    usage: Usage


class LanguageModel(Protocol):
    """Continues a conversation. What it says is never trusted: callers check it and have a way without it."""

    @property
    def name(self) -> str:
        """What its answers are noted with, such as the model's name."""
        ...

    def complete(
        self,
        prompts: Sequence[Prompt],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
        timeout: float | None = None,
    ) -> Reply:
        """One reply, within `timeout` seconds (the configured time when None) and `max_tokens`.

        With a JSON `schema` the reply is asked to follow it; a model that cannot be told so answers freely.
        Raises ModelFailed when the endpoint fails, refuses or is too slow.
        """
        ...
