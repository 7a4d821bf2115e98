"""Any OpenAI-compatible endpoint."""

import time
from collections.abc import Sequence
from typing import Any

from openai import BadRequestError, OpenAI, OpenAIError
from openai.types.chat import ChatCompletion
from pydantic import ValidationError

from reverie.config.errors import ConfigurationError, ModelFailed
from reverie.models.llm.base import Prompt, Reply, Usage


class OpenAIModel:
    """Chat completions, without retries: every caller has a deterministic way, and its work is tried again anyway.

    `timeout` is for the whole reply, also from an endpoint that sends it drop by drop.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 30.0,
        max_tokens: int = 1024,
    ) -> None:
        self.name = model
        self._timeout = timeout
        self._max_tokens = max_tokens
        self._follows_schemas = True
        try:
            self._client = OpenAI(api_key=api_key, base_url=base_url, timeout=timeout, max_retries=0)
        except OpenAIError:
            raise ConfigurationError("the language model needs REVERIE_LLM_API_KEY") from None

    def complete(
        self,
        prompts: Sequence[Prompt],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
        timeout: float | None = None,
    ) -> Reply:
        deadline = time.monotonic() + (self._timeout if timeout is None else timeout)
        request: dict[str, Any] = {
            "model": self.name,
            "messages": [{"role": prompt.role, "content": prompt.content} for prompt in prompts],
            "max_tokens": max_tokens or self._max_tokens,
            "temperature": 0,
        }
        asked = {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}}
        try:
            if schema is not None and self._follows_schemas:
                try:
                    return self._reply(request | {"response_format": asked}, deadline)
                except BadRequestError:
                    # Many compatible endpoints know no schemas; the prompt says what is wanted, too.
                    reply = self._reply(request, deadline)
                    self._follows_schemas = False
                    return reply
            return self._reply(request, deadline)
        except (OpenAIError, ValidationError, UnicodeDecodeError) as error:
            raise ModelFailed(f"the language model {self.name} failed: {type(error).__name__}") from error

    def _reply(self, request: dict[str, Any], deadline: float) -> Reply:
        left = deadline - time.monotonic()
        if left <= 0:
            raise ModelFailed(f"the language model {self.name} was too slow")
        body = bytearray()
        send = self._client.with_options(timeout=left).chat.completions.with_streaming_response
        with send.create(**request) as response:
            for part in response.iter_bytes():
                body += part
                if time.monotonic() > deadline:
                    raise ModelFailed(f"the language model {self.name} was too slow")
        completion = ChatCompletion.model_validate_json(bytes(body))
        if not completion.choices:
            raise ModelFailed(f"the language model {self.name} gave no reply")
        choice = completion.choices[0]
        used = completion.usage
        usage = Usage(1, used.prompt_tokens if used else 0, used.completion_tokens if used else 0)
        return Reply(choice.message.content or "", usage)
