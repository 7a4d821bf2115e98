"""Recalled text as it may stand in a prompt: it cannot pass for an item, for the fence around it or for a role."""

import json
import re
import unicodedata

from reverie.config.fence import FENCE_OPEN

CONTINUED = "  | "
"""Begins every line of an item after its first, so that no line of a text begins a line of the block."""

_SEEN = "\t\n\r\v\f\x1c\x1d\x1e\x85\u200c\u200d"
"""Tab and what breaks lines; the two joiners are part of how Persian, Indic scripts and emoji are written."""
_PLAIN_ID = re.compile(r"[\w.:@/+#=~-]+")
_ANGLES = str.maketrans(
    dict.fromkeys("<\uff1c\ufe64\u2039\u27e8\u3008", "(") | dict.fromkeys(">\uff1e\ufe65\u203a\u27e9\u3009", ")")
)
_FENCE_WORDS = re.compile(r"[\W_]*".join(re.findall(r"\w+", FENCE_OPEN)), re.I)
_ROLE_TAGS = re.compile(
    r"<(/?\s*(?:system|user|assistant|tool|developer|human|ai|model|instructions?|sys|inst|s|im_start|im_end)\b[^<>]*)>"
    r"|<(\|[^<>]*\|?)>"
    r"|\[(/?\s*(?:INST|SYS|SYSTEM)\s*)\]",
    re.I,
)
"""Tags that chat templates use for turns: of ChatML, Llama, Mistral, Anthropic's and others."""


def harmless(text: str) -> str:
    """The text without what steers a terminal or hides, its marks of fences and turns in round brackets.

    Control characters other than tab and line breaks, marks of direction and invisible ones are taken out.
    """
    seen = _without_unseen(text)
    if _FENCE_WORDS.search(seen if seen.isascii() else unicodedata.normalize("NFKC", seen)):
        seen = seen.translate(_ANGLES)
    while (rounded := _ROLE_TAGS.sub(_rounded, seen)) != seen:
        seen = rounded
    return seen


def lines(text: str, indent: str = "") -> str:
    """A harmless text of several lines, each after the first marked as a continuation and indented."""
    return f"\n{CONTINUED}{indent}".join(harmless(text).splitlines())


def one_line(text: str) -> str:
    """A harmless text on one line, its blanks folded."""
    return " ".join(harmless(text).split())


def named(id: str) -> str:
    """An id on one line; quoted where it holds more than letters, digits and the marks that ids are made with."""
    plain = one_line(id)
    return plain if _PLAIN_ID.fullmatch(plain) else json.dumps(plain, ensure_ascii=False)


def _without_unseen(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    hidden = {one for one in set(text) if unicodedata.category(one) in ("Cc", "Cf", "Cs")}.difference(_SEEN)
    return text.translate(dict.fromkeys(map(ord, hidden))) if hidden else text


def _rounded(tag: "re.Match[str]") -> str:
    return f"({next(part for part in tag.groups() if part is not None)})"
