"""What a "not" reaches: whether a clause denies its predicate, ends it, or leaves it open.

"I don't smoke"                 denied
"I hardly drink coffee"         denied
"I don't smoke anymore"         ended
"I don't eat meat every day"    open: how often is denied, and nothing is learned
"I don't just play chess"       affirmed
"it's not that I don't smoke"   affirmed
"""

from __future__ import annotations

from typing import Literal

from spacy.tokens import Token

from reverie.pipelines.ingest.language.en import lexicon
from reverie.pipelines.ingest.language.en.clauses import Clause
from reverie.pipelines.ingest.language.en.lexicon import words
from reverie.pipelines.ingest.language.en.words import lemma

Reach = Literal["none", "denied", "ended", "open"]

_FOCUS = words("just only merely simply exclusively solely necessarily")
_BARELY = words("hardly scarcely barely")
_SELDOM = words(
    "rarely seldom always often usually generally normally constantly every all both everyone everybody "
    "everything everywhere entirely completely fully totally exactly really that very too much particularly "
    "especially quite strictly technically alone together"
)
_FREQUENT = words("day week month year night morning evening weekend time meal")
_LIGHT = words("mind care matter deny doubt miss")
_NO_LONGER = ("anymore", "longer")


def is_negated(clause: Clause, heads: tuple[Token, ...] = ()) -> bool:
    """Whether the clause denies its predicate of its object (whose head words are `heads`), once or for good."""
    return reach(clause, heads) in ("denied", "ended")


def reach(clause: Clause, heads: tuple[Token, ...] = ()) -> Reach:
    """What the negation of a clause does to what it says."""
    marks = _marks(clause, heads)
    if not marks:
        return "none"
    if any(_focuses(mark, clause) for mark in marks):
        return "none"
    if len(marks) > 1 and all(mark.dep_ == "neg" for mark in marks[:2]):
        return "none"  # "can't not eat"
    if _is_double(clause):
        return "none"
    if any(token.lower_ in _NO_LONGER for token in _adverbs(clause)):
        return "ended"
    if lemma(clause.head) in _LIGHT or _is_partial(clause, marks, heads):
        return "open"
    return "denied"


def _marks(clause: Clause, heads: tuple[Token, ...]) -> list[Token]:
    """The words that deny."""
    found = []
    for token in clause.head.children:
        said_of_verb = token.dep_ == "neg" and token.lower_ in lexicon.DENIALS
        adverb = token.dep_ in ("advmod", "npadvmod", "preconj") and (
            token.lower_ in _BARELY | {"never", "neither"} or (token.lower_ == "longer" and _has_no(token))
        )
        if said_of_verb or adverb:
            found.append(token)
    subject = clause.subject
    if subject is not None:
        found += [
            each
            for each in (subject, *subject.children)
            if (each.lower_ in ("neither", "nobody", "none", "no", "nothing") and each.dep_ != "neg")
            or each.lower_ == "noone"
        ]
    if not found and clause.borrowed and clause.base is not None and _joined_by_or(clause):
        found += _marks(clause.base, ())
    found += [each for head in heads for each in head.children if each.dep_ in ("det", "neg") and each.lower_ == "no"]
    return found


def _has_no(token: Token) -> bool:
    return any(child.lower_ in ("no", "not") for child in token.children)


def _adverbs(clause: Clause) -> list[Token]:
    return [token for token in clause.own if token.dep_ in ("advmod", "npadvmod", "neg")]


def _focuses(mark: Token, clause: Clause) -> bool:
    """ "Not just", "not only": what follows is affirmed, and more."""
    following = clause.head.doc[mark.i + 1] if mark.i + 1 < len(clause.head.doc) else None
    beside = {token.lower_ for token in mark.children}
    return (following is not None and following.lower_ in _FOCUS) or bool(beside & _FOCUS)


def _is_double(clause: Clause) -> bool:
    """ "It's not that I don't ...", "I don't deny that ...": the denial is denied."""
    head = clause.head
    outer = head.head if head.dep_ == "ccomp" else None
    return (
        outer is not None
        and outer.i < head.i
        and lemma(outer) in ("be", "deny", "doubt")
        and any(child.dep_ == "neg" for child in outer.children)
    )


def _is_partial(clause: Clause, marks: list[Token], heads: tuple[Token, ...]) -> bool:
    """ "Not every day", "not all jazz", "not always": only the amount is denied."""
    if any(mark.lower_ in _BARELY | {"never", "no", "nobody", "none", "neither"} for mark in marks):
        return False
    first = min(mark.i for mark in marks)
    for token in clause.own:
        if token.i <= first:
            continue
        if token.dep_ in ("advmod", "neg", "npadvmod", "det", "predet", "amod") and token.lower_ in _SELDOM:
            return token.head == clause.head or token.head in heads or token.head.head == clause.head
        if (
            token.dep_ == "npadvmod"
            and token.lemma_.lower() in _FREQUENT
            and any(child.lower_ in ("every", "each", "all", "whole") for child in token.children)
        ):
            return True
        if token.lower_ in ("everyone", "everybody", "everything") and token.head == clause.head:
            return True
    return False


def _joined_by_or(clause: Clause) -> bool:
    return clause.base is not None and any(
        token.dep_ == "cc" and token.lower_ in ("or", "nor") for token in clause.base.head.children
    )
