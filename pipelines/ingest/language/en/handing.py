"""Duties that pass from one to another: "Ana handed the newsletter over to Marc", "Ben took over the on-call from Eva".

Whoever had the duty has it no more, and who takes it has it from then on.
"""

from __future__ import annotations

from spacy.tokens import Token

from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en.claiming import Case, claim
from reverie.pipelines.ingest.language.en.clauses import Clause
from reverie.pipelines.ingest.language.en.lexicon import words
from reverie.pipelines.ingest.language.en.naming import core_of, phrase
from reverie.pipelines.ingest.language.en.negation import is_negated
from reverie.pipelines.ingest.language.en.rendering import finish, sentence
from reverie.pipelines.ingest.language.en.things import ANIMALS, OWNED
from reverie.pipelines.ingest.language.en.words import lemma

_GIVING = words("hand pass give turn transfer delegate reassign entrust")
_TAKING = words("take inherit")
_NOT_HANDED = words(
    "note key letter book card ball present gift money message badge laptop phone notice parcel package"
)
STATE = "be in charge of"


def handovers(case: Case) -> list[Claim] | None:
    """The end and the beginning of a duty; None when the clause hands none over."""
    clause = case.clause
    verb, thing = lemma(clause.head), clause.child("dobj", "nsubjpass")
    if thing is None or clause.subject is None or is_negated(clause):
        return None
    over = any(
        token.lower_ in ("over", "on") and token.dep_ in ("prt", "advmod", "prep") for token in clause.head.children
    )
    if verb in _GIVING and thing.pos_ in ("NOUN", "PROPN"):
        receiver = _target(clause, thing, "to")
        if receiver is None or not _is_duty(thing) or not (over or _leads(thing)):
            return None
        giver = None if thing.dep_ == "nsubjpass" else clause.subject
        return _both(case, thing, giver, receiver)
    if verb in _TAKING and over and thing.pos_ in ("NOUN", "PROPN") and _is_duty(thing):
        return _both(case, thing, _target(clause, thing, "from"), clause.subject)
    return None


def _both(case: Case, thing: Token, giver: Token | None, receiver: Token) -> list[Claim] | None:
    new = case.voice.refer(receiver)
    if new is None or not (new.person or receiver.pos_ == "PROPN"):
        return None
    duty = _duty(thing)
    content = sentence(case.clause, case.voice)
    article = (
        "" if thing.pos_ == "PROPN" or not any(child.dep_ in ("det", "poss") for child in thing.children) else "the "
    )
    begun = finish(f"{new.name} is in charge of {article}{duty}")
    found = [claim(case, new.name, "take over", duty, begun, state=STATE, kind="duty", began=True)]
    old = None if giver is None else case.voice.refer(giver)
    if old is not None:
        found.insert(0, claim(case, old.name, "hand over", duty, content, state=STATE, kind="duty", mood="ended"))
    return found


def _leads(thing: Token) -> bool:
    return thing.lemma_.lower() in ("lead", "leadership", "ownership", "responsibility")


def _duty(thing: Token) -> str:
    """What is looked after: "migration" of "the migration lead", "search" of "ownership of search"."""
    if _leads(thing):
        below = next((each for link in thing.children if link.lower_ in ("of", "for") for each in link.children), None)
        if below is not None:
            return phrase(below)
        return core_of(thing).rsplit(" ", 1)[0]
    return core_of(thing)


def _is_duty(thing: Token) -> bool:
    noun = thing.lemma_.lower()
    return noun not in _NOT_HANDED | OWNED | ANIMALS


def _target(clause: Clause, thing: Token, link: str) -> Token | None:
    """What the preposition leads to, after the verb, its object or its particle."""
    near = (clause.head, thing, *clause.head.children)
    for holder in near:
        for child in holder.children:
            if child.lower_ == link and child.dep_ in ("prep", "dative") and child.i > clause.head.i:
                return next((each for each in child.children if each.dep_ == "pobj"), None)
    return None
