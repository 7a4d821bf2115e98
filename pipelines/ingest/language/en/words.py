"""The shapes of English words: base forms the tagger missed, third persons, participles."""

from __future__ import annotations

from functools import lru_cache

from spacy.tokens import Token

from reverie.pipelines.ingest.language.en.parser import is_common, lemma_tables, verbs

_THIRD = {
    "be": "is", "am": "is", "are": "is", "'m": "is", "'re": "is", "have": "has", "'ve": "has", "do": "does",
    "go": "goes", "were": "was", "m": "is", "re": "is", "ve": "has",
}  # fmt: skip
_THIRD_OF = {"is": "be", "are": "be", "am": "be", "was": "be", "were": "be", "has": "have", "does": "do", "goes": "go"}
_VOWELS = "aeiou"
_MISSED = {
    "felt": "feel",
    "found": "find",
    "left": "leave",
    "'s": "be",
    "'re": "be",
    "'m": "be",
    "been": "be",
    "got": "get",
}


@lru_cache(maxsize=1)
def _irregular() -> dict[str, list[str]]:
    forms: dict[str, list[str]] = lemma_tables().get_table("lemma_exc")["verb"]
    return forms


def is_verb(token: Token) -> bool:
    """Whether the token can carry a clause: a verb, or a noun that stands as one ("the flight leaves")."""
    if token.pos_ in ("VERB", "AUX") or token.tag_.startswith("VB"):
        return True
    return (
        token.dep_ == "ROOT"
        and token.pos_ == "NOUN"
        and any(child.dep_ == "nsubj" and child.i < token.i for child in token.children)
    )


def lemma(token: Token) -> str:
    """The base form of a verb in lower case, always a real word; of another word, what the parser gives.

    A past form that was tagged as a base form ("Lost my job") is mended.
    """
    word = token.lower_
    if word in _MISSED and is_verb(token):
        return _MISSED[word]
    if token.tag_ in ("VB", "VBP"):
        return str(_irregular()[word][0]) if word in _irregular() and word not in ("lay", "found", "wound") else word
    if token.tag_ in ("VBZ", "VBD", "VBN", "VBG"):
        return token.lemma_.lower() if word.startswith("'") else verb_base(word)
    if token.pos_ == "NOUN" and is_verb(token):
        return word[:-1] if word.endswith("s") else word
    return token.lemma_.lower()


def verb_base(word: str) -> str:
    """The base of an inflected verb: "hates" → "hate", "texted" → "text", "planning" → "plan", "sold" → "sell".

    The stems of a regular form are tried in the order of their likelihood, and the first that a dictionary has as a
    verb is taken, then the first that it has at all; the last resort is the plain stem.
    """
    if word in _THIRD_OF:
        return _THIRD_OF[word]
    if word in _irregular():
        return str(_irregular()[word][0])
    for ending in ("ing", "ed", "s"):
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 2:
            continue
        candidates = _stems(stem, ending)
        known = [one for one in candidates if one in verbs()] or [one for one in candidates if is_common(one)]
        return known[0] if known else candidates[-1]
    return word


def _stems(stem: str, ending: str) -> list[str]:
    """What may stand before an ending, the likeliest first."""
    if ending == "s":
        return [stem, *([f"{stem[:-2]}y"] if stem.endswith("ie") else []), *([stem[:-1]] if stem.endswith("e") else [])]
    if len(stem) > 2 and stem[-1] not in _VOWELS and stem[-2] not in _VOWELS:
        doubled = stem[-1] == stem[-2]
        return [stem, f"{stem}e", *([stem[:-1]] if doubled else [])] if not doubled else [stem, stem[:-1], f"{stem}e"]
    changed = [f"{stem[:-1]}y"] if stem.endswith("i") else [f"{stem[:-1]}ie"] if stem.endswith("y") else []
    return [f"{stem}e", *changed, stem]


def deed(head: Token) -> Token:
    """What was done: "roll" of "had to roll back", "sell" of "ended up selling", else the verb itself."""
    inner = next((child for child in head.children if child.dep_ == "xcomp" and child.i > head.i), None)
    if inner is None or not is_past(head):
        return head
    to = inner.tag_ == "VB" and any(child.lower_ == "to" for child in inner.children)
    if to and lemma(head) in ("have", "manage", "get", "need"):
        return inner
    return inner if inner.tag_ == "VBG" and lemma(head) in ("end", "wind", "finish") else head


def is_past(token: Token) -> bool:
    """Whether the form itself tells of the past."""
    return token.tag_ in ("VBD", "VBN") or (token.tag_ in ("VB", "VBP") and lemma(token) != token.lower_)


def is_perfect(token: Token) -> bool:
    """Whether an "'s" stands for "has": "it's been", "it's made me think"."""
    verb = token.head
    if token.dep_ not in ("aux", "auxpass") or verb.tag_ not in ("VBN", "VBD"):
        return False
    return (
        token.dep_ == "aux"
        or verb.lower_ in ("been", "got", "had")
        or any(child.dep_ in ("dobj", "ccomp", "dative") and child.i > verb.i for child in verb.children)
    )


def third_person(word: str) -> str:
    """ "work" → "works", "have" → "has", "'m" → "is"."""
    lower = word.lower()
    if lower in _THIRD:
        return _THIRD[lower]
    if lower.endswith("y") and lower[-2:-1] not in _VOWELS:
        return word[:-1] + "ies"
    if lower.endswith(("s", "sh", "ch", "x", "z", "o")):
        return word + "es"
    return word + "s"


def gerund(base: str) -> str:
    """ "smoke" → "smoking", "run" → "running"."""
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        return base[:-1] + "ing"
    short = (
        len(base) <= 4
        and len(base) > 2
        and base[-1] not in _VOWELS + "wxy"
        and base[-2] in _VOWELS
        and base[-3] not in _VOWELS
    )
    return base + base[-1] + "ing" if short else base + "ing"


def base_form(word: str) -> str:
    """ "stolen" → "steal", "reading" → "read"; a word that is no form of a verb stays as it is."""
    lower = word.lower()
    if lower in verbs() and lower not in _irregular():
        return lower
    base = verb_base(lower)
    return base if base in verbs() else word
