"""Any OpenAI-compatible endpoint."""

import time
from collections.abc import Sequence
from typing import Any

from openai import BadRequestError, OpenAI, OpenAIError, Timeout, UnprocessableEntityError
from openai.types.chat import ChatCompletion
from pydantic import ValidationError
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_before_delay, wait_random_exponential

from reverie.config.errors import ConfigurationError, ModelFailed
from reverie.models.llm.base import Prompt, Reply, Usage
from reverie.models.llm.failures import Endpoint, Passing, is_transport
from reverie.models.llm.habits import KNOWN, Habits

_CONNECT = 5.0
"""Seconds to connect, as the client's own default has it: an address that swallows packets leaves time to try again."""
_BACKOFF = wait_random_exponential(multiplier=0.5, max=8)
"""The client's own delays, from half a second to eight, for servers that do not say how long to wait."""


class OpenAIModel:
    """Chat completions. What may pass (429, 5xx, a broken or refused connection) is tried again, after the delay that
    the server asked for; a request that the endpoint refuses is tried in the other forms that endpoints know.

    All of that within one time: `timeout` seconds, also for a reply that comes drop by drop. The client's own retries
    are off, because they know no such bound and do not see a reply that breaks off.
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
        try:
            self._client = OpenAI(api_key=api_key, base_url=base_url, timeout=timeout, max_retries=0)
        except OpenAIError:
            raise ConfigurationError("the language model needs REVERIE_LLM_API_KEY") from None
        self._endpoint = Endpoint(model, str(self._client.base_url), self._client.api_key)

    def complete(
        self,
        prompts: Sequence[Prompt],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
        timeout: float | None = None,
    ) -> Reply:
        budget = self._timeout if timeout is None else timeout
        deadline = time.monotonic() + budget
        tries = Retrying(
            retry=retry_if_exception_type(Passing),
            wait=_delay,
            stop=stop_before_delay(budget),
            reraise=True,
        )
        return tries(self._asked, prompts, schema, max_tokens or self._max_tokens, deadline)

    def _asked(
        self, prompts: Sequence[Prompt], schema: dict[str, Any] | None, max_tokens: int, deadline: float
    ) -> Reply:
        """One reply, in the form that the endpoint takes. Raises ModelFailed."""
        place = (self._endpoint.url, self.name)
        habits = known = KNOWN.get(place, Habits())
        refusal: ModelFailed | None = None
        while True:
            try:
                reply = self._reply(habits.request(self.name, prompts, schema, max_tokens), deadline, prompts)
            except (BadRequestError, UnprocessableEntityError) as error:
                refusal = refusal or self._endpoint.failure(error, prompts)
                other = habits.adapted(f"{error.param or ''} {error.body}", shaped=schema is not None)
                if other is None:
                    raise refusal from error
                habits = other
            except OpenAIError as error:
                raise self._endpoint.failure(error, prompts) from error
            else:
                if habits != known:
                    KNOWN[place] = habits
                return reply

    def _reply(self, request: dict[str, Any], deadline: float, prompts: Sequence[Prompt]) -> Reply:
        left = deadline - time.monotonic()
        if left <= 0:
            raise self._endpoint.late()
        body = bytearray()
        timed = self._client.with_options(timeout=Timeout(left, connect=min(left, _CONNECT)))
        try:
            with timed.chat.completions.with_streaming_response.create(**request) as response:
                for part in response.iter_bytes():
                    body += part
                    if time.monotonic() > deadline:
                        raise self._endpoint.late()
        except Exception as error:
            if is_transport(error):
                raise self._endpoint.failure(error, prompts) from error
            raise
        try:
            completion = ChatCompletion.model_validate_json(bytes(body))
        except ValidationError as error:
            raise self._endpoint.nonsense(bytes(body), prompts) from error
        if not completion.choices:
            raise self._endpoint.nonsense(b"no choice", prompts)
        choice = completion.choices[0]
        used = completion.usage
        usage = Usage(1, used.prompt_tokens if used else 0, used.completion_tokens if used else 0)
        return Reply(choice.message.content or "", usage)


def _delay(state: RetryCallState) -> float:
    """Seconds until the next try: a growing delay with jitter, and at least what the server asked for."""
    error = state.outcome.exception() if state.outcome else None
    asked = error.retry_after if isinstance(error, ModelFailed) else None
    return max(asked or 0.0, _BACKOFF(state))
