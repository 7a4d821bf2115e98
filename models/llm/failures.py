"""What went wrong at an endpoint, told to whoever has to mend it: the setting to look at, and the server's words.

The words carry no secret, and nothing of what was asked: endpoints that refuse a request like to repeat it.
"""

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from urllib.parse import parse_qsl, urlsplit

from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAIError

from reverie.config.errors import ModelFailed, ModelRefused
from reverie.models.llm.base import Prompt

_LONGEST = 200
"""Characters of a server's words that are shown: one or two sentences."""
_REPEATED = 24
"""So many characters in common with the request are no chance: three to five words."""
_SHORTEST_SECRET = 6
_KEYS = re.compile(r"(?<![a-z])(?:sk|pk|gsk|hf|xai|AIza)[-_][\w*.-]{4,}|bearer\s+\S+|(?<=://)[^/\s@]+@", re.I)
_TAGS = re.compile(r"<(script|style)\b.*?</\1\s*>|<[^>]*>", re.I | re.S)
_TRANSPORTS = ("httpx", "httpx2", "httpcore", "httpcore2")


class Passing(ModelFailed):
    """A failure that may have passed a moment later."""


@dataclass(frozen=True)
class Endpoint:
    """Where a model is asked."""

    model: str
    url: str
    key: str = field(default="", repr=False)

    @property
    def address(self) -> str:
        """The URL as it may be shown: without a login and without parameters."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path.rstrip('/')}"

    @property
    def secrets(self) -> tuple[str, ...]:
        parts = urlsplit(self.url)
        known = (self.key, parts.password or "", parts.username or "", *(value for _, value in parse_qsl(parts.query)))
        return tuple(sorted((one for one in known if len(one) >= _SHORTEST_SECRET), key=len, reverse=True))

    def failure(self, error: Exception, prompts: Sequence[Prompt]) -> ModelFailed:
        """The error for a caller, by what the client or its transport raised."""
        if isinstance(error, APIStatusError):
            return self._answered(error, self.words(error.body, prompts))
        if isinstance(error, APITimeoutError):
            return self.late()
        cause = type(error.__cause__ or error).__name__
        if isinstance(error, APIConnectionError):
            return Passing(self._said(f"cannot be reached ({cause})", "REVERIE_LLM_BASE_URL"))
        if isinstance(error, OpenAIError):
            return ModelFailed(self._said(f"failed ({cause})", "REVERIE_LLM_BASE_URL"))
        return Passing(self._said(f"broke off in the middle of its reply ({cause})", "REVERIE_LLM_BASE_URL"))

    def late(self) -> Passing:
        """The failure of an endpoint that did not answer within its time."""
        return Passing(self._said("was too slow", "REVERIE_LLM_TIMEOUT"))

    def nonsense(self, body: bytes, prompts: Sequence[Prompt]) -> ModelFailed:
        """The failure of an endpoint whose reply has the status of success, but is no chat completion."""
        words = self.words(body.decode("utf-8", "replace"), prompts) or "nothing"
        return ModelFailed(
            self._said(f"gave no chat completion ({words})", "REVERIE_LLM_BASE_URL, which usually ends with /v1")
        )

    def words(self, body: object, prompts: Sequence[Prompt]) -> str:
        """What a server said, in one line, without secrets and without what it was asked."""
        said = " ".join(_TAGS.sub(" ", _message(body)).split())
        for secret in self.secrets:
            said = said.replace(secret, "***")
        said = _KEYS.sub("***", said)
        asked = " ".join(" ".join(prompt.content.split()) for prompt in prompts).casefold()
        folded = said.casefold()
        if any(folded[at : at + _REPEATED] in asked for at in range(len(folded) - _REPEATED + 1)):
            return "its words repeat the request and are left out"
        return said if len(said) <= _LONGEST else f"{said[:_LONGEST]}…"

    def _answered(self, error: APIStatusError, words: str) -> ModelFailed:
        status = error.status_code
        told = f"{status}: {words}" if words else str(status)
        if status in (401, 403):
            return ModelFailed(self._said(f"refused the key ({told})", "REVERIE_LLM_API_KEY"))
        if status in (404, 405, 410):
            return ModelFailed(self._said(f"is not there ({told})", "REVERIE_LLM_MODEL and REVERIE_LLM_BASE_URL"))
        wait = retry_after(error.response.headers)
        asks = "" if wait is None else f", it asks to be left alone for {wait:.0f} s"
        if status == 429 and error.code == "insufficient_quota":
            return ModelFailed(
                self._said(f"has no quota left ({told})", "the account of REVERIE_LLM_API_KEY"), retry_after=wait
            )
        if status == 429:
            return Passing(self._said(f"is asked too often ({told}{asks})", "the limits of REVERIE_LLM_API_KEY"),
                           retry_after=wait)  # fmt: skip
        if status in (408, 409, 425) or status >= 500:
            return Passing(self._said(f"fails ({told}{asks})", "REVERIE_LLM_BASE_URL"), retry_after=wait)
        return ModelRefused(self._said(f"refused the request ({told})", "REVERIE_LLM_MODEL and REVERIE_LLM_MAX_TOKENS"))

    def _said(self, what: str, setting: str) -> str:
        return f"the language model {self.model} at {self.address} {what}; look at {setting}"


def is_transport(error: Exception) -> bool:
    """Whether an error is one of the HTTP library beneath the client, which lets some through."""
    return any(kind.__module__.partition(".")[0] in _TRANSPORTS for kind in type(error).__mro__)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds for which a server asked to be left alone, told in (milli)seconds or as a date; None if it did not.

    A date is one of the server's clock: where the reply has a Date, the difference of the two counts.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            told = float(headers.get(name, ""))
        except ValueError:
            continue
        return told * unit if 0 <= told < float("inf") else None
    try:
        until = parsedate_to_datetime(headers["retry-after"]).timestamp()
    except (KeyError, ValueError, OverflowError):
        return None
    try:
        now = parsedate_to_datetime(headers["date"]).timestamp()
    except (KeyError, ValueError, OverflowError):
        now = time.time()
    return max(0.0, until - now)


def _message(body: object) -> str:
    """The message in the body of an error, whichever of the usual shapes it has."""
    while isinstance(body, Mapping):
        found = next((body[name] for name in ("message", "error", "detail", "title") if body.get(name)), None)
        if found is None:
            return ""
        body = found
    if isinstance(body, list):
        return "; ".join(_message(one) or str(one.get("msg", "")) if isinstance(one, Mapping) else str(one)
                         for one in body[:3])  # fmt: skip
    return "" if body is None else str(body)
