"""What "and" joins: several subjects of one verb, several objects, one fact each.

"My kids Tom and Lea play football"       Tom; Lea
"I collect postcards and fountain pens"   postcards; fountain pens
"I play squash, the oboe and chess"       squash; oboe; chess
"""

from __future__ import annotations

from spacy.tokens import Token

from reverie.pipelines.ingest.language.en import lexicon
from reverie.pipelines.ingest.language.en.naming import single_phrase

_TOGETHER = lexicon.words(
    "between mix combine compare connect join merge swap confuse separate divide blend pair match marry"
)
_WHOLES = frozenset(
    tuple(pair.split("-"))
    for pair in [
        "salt-pepper",
        "rock-roll",
        "bed-breakfast",
        "fish-chips",
        "arts-crafts",
        "mac-cheese",
        "bread-butter",
        "pen-paper",
        "trial-error",
        "research-development",
        "health-safety",
        "supply-demand",
        "terms-conditions",
        "food-drink",
    ]
)
"""Pairs of words that name one thing."""


def subjects(token: Token) -> list[Token]:
    """The subjects that a subject token stands for: "Emma and Paul" are two, "my friends and family" are one."""
    joined = _joined(token)
    if any(each.lower_ == "i" for each in joined):
        return [each for each in joined if each.lower_ == "i" or _is_one(each)]
    if all(_is_one(each) for each in joined):
        named = next((child for child in token.children if child.dep_ == "appos" and child.pos_ == "PROPN"), None)
        if named is not None and len(joined) == 1 and token.tag_ == "NNS":
            return _joined(named)
        return joined
    named = next((child for child in token.children if child.dep_ == "appos" and child.pos_ == "PROPN"), None)
    if named is not None and named.i == token.i + 1 and len(_joined(named)) > 1:
        return _joined(named)
    return [token]


def objects(head: Token, verb: Token) -> list[Token]:
    """The heads of the objects that are joined to an object, it first; itself alone when they belong together."""
    found = _joined(head)
    if verb.lemma_.lower() in _TOGETHER or head.head.lower_ in _TOGETHER:
        return [head]
    if head.dep_ == "dobj":
        found += [child for child in verb.children if child.dep_ == "dobj" and child.i > head.i and child not in found]
        found = [each for first in found for each in ([first] if first is head else _joined(first))]
    found = list(dict.fromkeys(found))
    if len(found) < 2:
        return [head]
    if any(
        child.lower_ in ("or", "nor", "but", "versus", "than")
        for each in found
        for child in each.children
        if child.dep_ == "cc"
    ):
        return [head]
    if len(found) == 2 and (found[0].lemma_.lower(), found[1].lemma_.lower()) in _WHOLES:
        return [head]
    if not all(each.pos_ in ("NOUN", "PROPN", "ADJ") or each.tag_ in ("VBG", "CD") for each in found):
        return [head]
    return found if all(single_phrase(each) for each in found) else [head]


def _joined(token: Token) -> list[Token]:
    """The token and what is joined to it, in order."""
    found = [token]
    for child in token.children:
        listed = child.dep_ == "appos" and any(each.dep_ == "cc" for each in child.children) and token.pos_ == "NOUN"
        listed = listed and not any(each.dep_ == "nummod" for each in token.children)
        noun = child.pos_ not in ("VERB", "AUX") or child.tag_ == "VBG"
        if (child.dep_ == "conj" or listed) and child.i > token.i and noun:
            found += _joined(child)
    return found


def _is_one(token: Token) -> bool:
    return (
        token.pos_ == "PROPN" or (token.tag_ == "NN" and token.lemma_.lower() in lexicon.ROLES) or token.pos_ == "PRON"
    )
