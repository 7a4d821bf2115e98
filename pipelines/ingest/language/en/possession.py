"""What is whose: "my email is", "Priya is my manager", "painting is my favourite", "there are"."""

from __future__ import annotations

from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en import lexicon
from reverie.pipelines.ingest.language.en.claiming import INFERRED, Case, claim
from reverie.pipelines.ingest.language.en.clauses import announces
from reverie.pipelines.ingest.language.en.naming import core_of, phrase, proper_name
from reverie.pipelines.ingest.language.en.negation import is_negated
from reverie.pipelines.ingest.language.en.rendering import sentence
from reverie.pipelines.ingest.language.en.words import lemma


def attributes(case: Case) -> list[Claim] | None:
    """ "My email is ...", "my favourite book is ...": an attribute of its owner."""
    clause = case.clause
    noun = clause.subject
    if noun is None or lemma(clause.head) != "be" or noun.pos_ not in ("NOUN", "PROPN"):
        return None
    owner = case.voice.possessor(noun)
    favourite = any(child.lower_ in lexicon.FAVOURITE for child in noun.children)
    if owner is None or not (favourite or noun.lemma_.lower() in lexicon.ATTRIBUTES):
        return None
    value = clause.child("attr", "acomp", "xcomp", "prep", "oprd", "npadvmod", "ccomp", "advmod")
    if value is None:
        return None
    target = value
    if value.dep_ == "prep":
        target = next((child for child in value.children if child.dep_ == "pobj"), value)
    text = (
        "".join(t.text_with_ws for t in target.subtree).strip()
        if target.dep_ == "xcomp"
        else phrase(target) or target.text
    )
    label = " ".join(each.text for each in noun.subtree if each.dep_ in ("compound", "amod") or each == noun).lower()
    return [
        claim(
            case, owner, f"have {label}", text.strip(" .,!"), sentence(clause, case.voice), negated=is_negated(clause)
        )
    ]


def roles(case: Case) -> list[Claim] | None:
    """ "Priya is my manager", "my teacher is Mrs. Okafor": who is what to whom."""
    clause = case.clause
    if lemma(clause.head) != "be" or clause.subject is None:
        return None
    noun, who = clause.child("attr"), clause.subject
    if noun is None:
        return None
    if who.lemma_.lower() in lexicon.ROLES and proper_name(who) is None and noun.pos_ == "PROPN":
        noun, who = who, noun
    owner = case.voice.possessor(noun)
    referent = case.voice.refer(who)
    if noun.lemma_.lower() not in lexicon.ROLES or owner is None or referent is None or referent.plural:
        return None
    return [
        claim(
            case,
            referent.name,
            f"be {core_of(noun).lower()} of",
            owner,
            sentence(clause, case.voice),
            negated=is_negated(clause),
        )
    ]


def belongings(case: Case) -> list[Claim] | None:
    """ "Painting is my favourite", "pottery is a huge part of my life", "family time matters to me"."""
    clause = case.clause
    verb = lemma(clause.head)
    if (
        clause.subject is None
        or case.voice.is_speaker(clause.subject)
        or verb not in ("be", "matter", "mean", "appeal")
    ):
        return None
    topic = phrase(clause.subject)
    if clause.subject.pos_ == "PRON":
        found = case.voice.refer(clause.subject)
        if found is None or announces(clause) is not None:
            return None
        topic = found.name
    who = case.voice.utterance.speaker
    if verb != "be":
        target = next((token for token in clause.own if token.lower_ == "me" and token.head.lower_ == "to"), None)
        return (
            None
            if target is None
            else [
                claim(
                    case,
                    who,
                    "value",
                    topic,
                    sentence(clause, case.voice),
                    negated=is_negated(clause),
                    confidence=INFERRED,
                )
            ]
        )
    noun = clause.child("attr", "acomp")
    if noun is None or clause.reported or noun.lemma_.lower() in lexicon.ROLES:
        return None
    if any(child.lower_ in lexicon.SPEAKERS_OWN for child in noun.children) and clause.subject.pos_ != "PROPN":
        return [
            claim(
                case,
                who,
                f"have {core_of(noun).lower()}",
                topic,
                sentence(clause, case.voice),
                negated=is_negated(clause),
                confidence=INFERRED,
            )
        ]
    return None


def existence(case: Case) -> list[Claim] | None:
    """ "There are three printers on the second floor"."""
    clause = case.clause
    if clause.subject is None or clause.subject.lower_ != "there" or lemma(clause.head) != "be":
        return None
    noun = clause.child("attr", "nsubj")
    if noun is None or noun.lower_ == "there" or noun.pos_ == "PRON":
        return []
    place = next((token for token in clause.own if token.dep_ == "prep" and token.head in (noun, clause.head)), None)
    target = None if place is None else next((child for child in place.children if child.dep_ == "pobj"), None)
    if place is None or target is None:
        return []
    return [
        claim(
            case,
            core_of(noun),
            f"be {place.lower_}",
            phrase(target),
            sentence(clause, case.voice),
            negated=is_negated(clause),
        )
    ]
