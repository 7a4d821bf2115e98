"""What an endpoint takes in a request. Compatible endpoints differ: each is asked once, and remembered."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from reverie.models.llm.base import Prompt

_OF_CONTENT = re.compile(r"context.(?:length|window)|content.?(?:filter|policy|management)|too (?:long|many tokens)")
"""A refusal of what was asked: no other form of the request helps."""
_OF_SHAPES = re.compile(r"response_format|json_schema|json_object|schema|structured|grammar|guided")
_FOLLOW = "Reply with one JSON object that follows this JSON schema, and with nothing else:\n"


@dataclass(frozen=True)
class Habits:
    """The form of the requests that an endpoint takes."""

    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """How the longest reply is named. Reasoning models know the second name alone."""
    temperature: bool = True
    """Whether the temperature may be set. Reasoning models refuse it."""
    shape: Literal["json_schema", "json_object", "text"] = "json_schema"
    """How a reply of a given shape is asked for: by its schema, as some JSON, or in words alone."""

    def request(
        self, model: str, prompts: Sequence[Prompt], schema: Mapping[str, Any] | None, max_tokens: int
    ) -> dict[str, Any]:
        """The body of a request."""
        messages = [{"role": prompt.role, "content": prompt.content} for prompt in prompts]
        body: dict[str, Any] = {"model": model, "messages": messages, self.limit: max_tokens}
        if self.temperature:
            body["temperature"] = 0
        if schema is None:
            return body
        if self.shape == "json_schema":
            asked = {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}}
            return body | {"response_format": asked}
        wanted = _FOLLOW + json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
        body["messages"] = [*messages, {"role": "user", "content": wanted}]
        return body if self.shape == "text" else body | {"response_format": {"type": "json_object"}}

    def adapted(self, words: str, *, shaped: bool) -> "Habits | None":
        """Habits that may fit an endpoint that refused a request in these words; None when no other form would.

        A refusal that names nothing is taken for one of the shape, if one was asked for.
        """
        said = words.casefold()
        if _OF_CONTENT.search(said):
            return None
        if self.limit == "max_tokens" and re.search(r"max_(?:completion_)?tokens", said):
            return replace(self, limit="max_completion_tokens")
        if self.temperature and "temperature" in said:
            return replace(self, temperature=False)
        named = _OF_SHAPES.search(said) or not re.search(r"max_(?:completion_)?tokens|temperature", said)
        if shaped and named and self.shape != "text":
            return replace(self, shape="json_object" if self.shape == "json_schema" else "text")
        return None


KNOWN: Final[dict[tuple[str, str], Habits]] = {}
"""What this process found out, by the endpoint's URL and the model."""
