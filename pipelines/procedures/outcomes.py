"""What an episode's free-form outcome says."""

import re

_WORKED = {
    "success", "successful", "successfully", "succeeded", "ok", "okay", "done", "complete", "completed", "passed",
    "pass", "fixed", "solved", "resolved", "achieved", "worked",
}  # fmt: skip
_FAILED = {
    "failure", "failed", "fail", "error", "errored", "timeout", "crashed", "rejected", "denied", "aborted", "broken",
    "unsuccessful", "unsolved",
}  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+")


def worked(outcome: str | None) -> bool | None:
    """Whether an outcome is a success by its first telling word; None when it says neither."""
    for word in _WORD.findall((outcome or "").casefold()):
        if word in _FAILED:
            return False
        if word in _WORKED:
            return True
    return None
