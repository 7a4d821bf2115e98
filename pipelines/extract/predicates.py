"""The predicate and the object of a clause."""

from __future__ import annotations

from dataclasses import dataclass

from spacy.tokens import Token

from reverie.pipelines.extract import lexicon
from reverie.pipelines.extract.clauses import Clause
from reverie.pipelines.extract.naming import Voice, phrase
from reverie.pipelines.extract.words import gerund, lemma

_PREPOSITIONS_FIRST = (
    "to",
    "into",
    "in",
    "at",
    "for",
    "as",
    "on",
    "with",
    "about",
    "over",
    "of",
    "from",
    "by",
)
_MOTION = frozenset(
    [
        "move",
        "go",
        "travel",
        "switch",
        "relocate",
        "fly",
        "drive",
        "migrate",
        "change",
        "upgrade",
        "return",
        "come",
        "transfer",
        "convert",
    ]
)


@dataclass(frozen=True)
class Relation:
    """A predicate in its base form and its object; `objects` holds the heads the object was read from."""

    predicate: str
    object: str | None
    heads: tuple[Token, ...] = ()


def relation_of(clause: Clause, voice: Voice, cut: frozenset[int]) -> Relation:
    """What the clause says of its subject; words at `cut` (its time) stay out of the object."""
    return _relation(clause.head, clause, voice, cut)


def _relation(head: Token, clause: Clause, voice: Voice, cut: frozenset[int]) -> Relation:
    verb = lemma(head)
    if any(token.dep_ == "auxpass" for token in head.children) or (
        head == clause.head and any(token.dep_ == "auxpass" for token in clause.auxiliaries)
    ):
        link = next((lemma(token) for token in head.children if token.dep_ == "auxpass"), "be")
        return _with_object(f"{link} {head.lower_}", head, voice, cut)
    if verb == "be":
        return _copula(head, voice, cut)
    if verb == "use" and (habit := _child(head, "xcomp")) is not None and head.lower_ == "used":
        inner = _relation(habit, clause, voice, cut)
        return Relation(f"used to {inner.predicate}", inner.object, inner.heads)
    particle = _child(head, "prt")
    if particle is not None:
        verb = f"{verb} {particle.lower_}"
    complement = _child(head, "xcomp")
    if complement is not None and _child(head, "dobj") is None:
        if complement.pos_ in ("ADJ", "NOUN", "PROPN", "ADV") or complement.tag_ in ("JJ", "NN"):
            return Relation(verb, phrase(complement, cut) or None, (complement,))
        to = any(token.lower_ == "to" and token.dep_ == "aux" for token in complement.children)
        inner = _relation(complement, clause, voice, cut)
        first, _, rest = inner.predicate.partition(" ")
        link = f"to {first}" if to else gerund(first)
        return Relation(f"{verb} {link} {rest}".strip(), inner.object, inner.heads)
    state = _child(head, "acomp", "oprd")
    if state is not None and _child(head, "dobj") is None:
        return _with_object(f"{verb} {state.lower_}", state, voice, cut)
    return _with_object(verb, head, voice, cut)


def _copula(head: Token, voice: Voice, cut: frozenset[int]) -> Relation:
    state = _child(head, "acomp")
    if state is not None:
        if state.pos_ in ("ADJ", "VERB", "ADV") or state.tag_ in ("JJ", "VBN", "VBG"):
            return _with_object(f"be {state.lower_}", state, voice, cut)
        return Relation("be", phrase(state, cut) or None, (state,))
    noun = _child(head, "attr", "oprd")
    if noun is not None and noun.i not in cut:
        return Relation("be", phrase(noun, cut) or None, (noun,))
    complement = _child(head, "xcomp", "ccomp")
    if complement is not None:
        return Relation("be", phrase(complement, cut) or None, (complement,))
    return _with_object("be", head, voice, cut)


def _with_object(predicate: str, head: Token, voice: Voice, cut: frozenset[int]) -> Relation:
    thing = next((token for token in head.children if token.dep_ in ("dobj", "oprd") and token.i not in cut), None)
    if thing is not None:
        return Relation(predicate, _named(thing, voice, cut), (thing,))
    links = [
        token
        for token in head.children
        if token.dep_ in ("prep", "agent", "dative") and _target(token) is not None and _target(token).i not in cut
    ]  # type: ignore[union-attr]
    if links:
        verb = predicate.split()[0]
        motion = verb in _MOTION
        link = min(
            links,
            key=lambda each: (
                _PREPOSITIONS_FIRST.index(each.lower_) if motion and each.lower_ in _PREPOSITIONS_FIRST else 0,
                each.i,
            ),
        )
        target = _target(link)
        assert target is not None
        if target.tag_ == "VBG":
            inner = _with_object(f"{predicate} {link.lower_} {target.lower_}", target, voice, cut)
            return inner
        return Relation(f"{predicate} {link.lower_}", _named(target, voice, cut), (target,))
    complement = _child(head, "ccomp", "xcomp")
    if complement is not None:
        return Relation(predicate, phrase(complement, cut) or None, (complement,))
    manner = next(
        (
            token
            for token in head.children
            if token.dep_ in ("advmod", "npadvmod")
            and token.i > head.i
            and token.i not in cut
            and token.lower_ not in ("too", "anymore", "again", "also", "more", "longer", "now", "already")
        ),
        None,
    )
    return Relation(
        predicate,
        phrase(manner, cut) or None if manner is not None else None,
        () if manner is None else (manner,),
    )


def _target(link: Token) -> Token | None:
    return next(
        (token for token in link.children if token.dep_ in ("pobj", "pcomp", "pobj")),
        link if link.dep_ == "dative" and link.pos_ != "ADP" else None,
    )


def _named(token: Token, voice: Voice, cut: frozenset[int]) -> str | None:
    if token.pos_ == "PRON" and token.lower_ not in lexicon.POINTING:
        found = voice.refer(token)
        return token.text if found is None else found.name
    return phrase(token, cut) or token.text


def _child(head: Token, *deps: str) -> Token | None:
    return next((token for token in head.children if token.dep_ in deps), None)
