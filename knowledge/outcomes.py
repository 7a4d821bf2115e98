"""What an episode's free-form outcome says: that it worked, that it did not, or neither.

Numbers and fields that tell it (`success: false`, exit codes, HTTP statuses, "0 of 5 passed") are read first, then the
words, clause by clause. What tells of a failure anywhere is a failure; what half tells of a success is neither.
"""

import re
import unicodedata
from collections.abc import Iterator

_WORKED = {
    "success", "successful", "successfully", "succeed", "succeeds", "succeeded", "ok", "okay", "done", "complete",
    "completed", "passed", "pass", "passes", "achieved", "worked", "works", "finished",
}  # fmt: skip
_MENDED = {"fixed", "solved", "resolved", "repaired", "handled", "recovered"}
"""A success, also over the trouble that it names."""
_FAILED = {
    "failed", "fail", "fails", "failing", "errored", "crashed", "rejected", "denied", "refused", "aborted", "broken",
    "unsuccessful", "unsuccessfully", "unsolved", "unresolved", "incomplete", "unfinished", "unable", "cannot",
    "cancelled", "canceled",
}  # fmt: skip
_TROUBLE = {
    "failure", "failures", "error", "errors", "timeout", "timeouts", "crash", "crashes", "exception", "exceptions",
    "traceback", "panic",
}  # fmt: skip
_DENIES = {"not", "no", "never", "without", "nothing", "none", "neither", "nor", "zero", "0", "hardly"}
_SPOILS = {
    "partial", "partially", "partly", "almost", "nearly", "half", "mostly", "maybe", "perhaps", "probably", "should",
    "might", "would", "could", "will", "needs", "must", "if", "unless", "until", "hopefully", "apparently",
}  # fmt: skip
"""What makes a success no success, and yet no failure."""
_REACH = 4
"""So many words after a denial are denied: "not entirely a success", "never got to be done"."""
_PLAIN = {"only", "just", "doubt"}
"""After a "not" or "no" these deny nothing."""

_HALF = "half"
"""The verdict over what is no failure, and a success only in part or not yet."""

_CLAUSES = re.compile(r"[;,.:!?\n()]|\b(?:but|however|though|although|then)\b")
_WORD = re.compile(r"\d+|[^\W\d_]+(?:'[^\W\d_]+)?")
_FIELD = re.compile(
    r"\b(success(?:ful)?|succeeded|ok|passed|done|completed?|resolved|failed|failure|error)[\"']?\s*[:=]\s*"
    r"[\"']?(true|false|yes|no|none|null|0|1)\b(?=\s*(?:[\"',;)}\]]|$))"
)
_EXIT = re.compile(r"\b(?:exit(?:ed)?|returned|rc)(?:[\s_-]*(?:code|status|with|value))*\s*[:=]?\s*(-?\d+)\b")
_HTTP = re.compile(
    r"\b(?:http(?:/\d(?:\.\d)?)?|status)(?:[\s_-]*(?:code|status))*\s*[:=]?\s*([1-5]\d\d)\b"
    r"|^\s*([1-5]\d\d)(?:\s+[a-z][a-z ]*)?\s*$"
)
_SHARE = re.compile(r"\b(\d+)\s*(?:/|of|out of)\s*(\d+)\b")
_PERCENT = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)\s*(?:%|percent\b)")
_COUNT = re.compile(
    r"\b(\d+)\s+(?:tests?\s+|checks?\s+)?(passed|passing|failed|failing|failures?|errors?)\b(?=\s*(?:[,;.)\]]|and\b|in\b|$))"
)


def worked(outcome: str | None) -> bool | None:
    """Whether an outcome is a success; None when it says neither."""
    text = unicodedata.normalize("NFKC", outcome or "").casefold().replace("\u2019", "'")
    told = [*_numbers(text), *(_clause(part) for part in _CLAUSES.split(_COUNT.sub(" ", _FIELD.sub(" ", text))))]
    if False in told:
        return False
    return None if _HALF in told or True not in told else True


def _numbers(text: str) -> Iterator[bool | str]:
    """What fields, codes and counts say."""
    for name, value in _FIELD.findall(text):
        yield (value in ("true", "yes", "1")) is (name not in ("failed", "failure", "error"))
    for code in _EXIT.findall(text):
        yield int(code) == 0
    for pair in _HTTP.findall(text):
        yield int(pair[0] or pair[1]) < 400
    for done, of in _SHARE.findall(text):
        if int(done) <= int(of) and int(of) > 0:
            yield _part(int(done) / int(of))
    for percent in _PERCENT.findall(text):
        yield _part(float(percent) / 100)
    for count, what in _COUNT.findall(text):
        yield (int(count) > 0) is what.startswith("pass")


def _part(share: float) -> bool | str:
    return True if share >= 1 else _HALF if share > 0 else False


def _clause(text: str) -> bool | str | None:
    """What the first telling word of a clause says, with what denies or spoils it before."""
    words = _WORD.findall(text)
    mended = any(word in _MENDED for word in words)
    for place, word in enumerate(words):
        good = word in _WORKED or word in _MENDED
        bad = word in _FAILED or (word in _TROUBLE and not mended)
        if not good and not bad:
            continue
        if any(one in _SPOILS for one in words[:place]):
            return _HALF
        return good is not any(_denies(words, at) for at in range(max(0, place - _REACH), place))
    return None


def _denies(words: list[str], at: int) -> bool:
    word = words[at]
    follows = words[at + 1] if at + 1 < len(words) else ""
    return (word in _DENIES or word.endswith("n't")) and follows not in _PLAIN
