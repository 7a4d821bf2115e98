"""Anything else that is asserted: who did what, in the active, the passive and what is left out."""

from __future__ import annotations

from dataclasses import replace

from spacy.tokens import Token

from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en import lexicon
from reverie.pipelines.ingest.language.en.assertions import (
    first_word,
    is_fond,
)
from reverie.pipelines.ingest.language.en.claiming import INFERRED, Case, claim
from reverie.pipelines.ingest.language.en.clauses import Clause, announces
from reverie.pipelines.ingest.language.en.coordination import objects, subjects
from reverie.pipelines.ingest.language.en.negation import is_negated
from reverie.pipelines.ingest.language.en.predicates import Relation, relation_of, said
from reverie.pipelines.ingest.language.en.rendering import finish, sentence, spoken_of
from reverie.pipelines.ingest.language.en.things import DWELLINGS
from reverie.pipelines.ingest.language.en.words import gerund, is_past, lemma


def active(case: Case) -> list[Claim] | None:
    """ "The contract was signed by Priya": the one who did it is the subject."""
    clause = case.clause
    by = clause.child("agent")
    doer = None if by is None else next((token for token in by.children if token.dep_ == "pobj"), None)
    if doer is None or clause.subject is None:
        return None
    referent = case.voice.refer(doer)
    if referent is None or not referent.person:
        return None
    thing = case.voice.refer(clause.subject)
    if thing is None:
        return []
    return [
        claim(
            case,
            referent.name,
            lemma(clause.head),
            thing.name,
            sentence(clause, case.voice),
            negated=is_negated(clause),
        )
    ]


def ellipsis(case: Case) -> list[Claim] | None:
    """ "..., Priya is", "and so is my son": the rest is said by the clause before."""
    clause = case.clause
    if not is_ellipsis(clause) or not case.before or clause.subject is None:
        return None
    referent = case.voice.refer(clause.subject)
    if referent is None:
        return []
    model = case.before[-1]
    same = any(token.lower_ in ("so", "too", "also", "neither") for token in clause.own)
    negated = model.negated if same else False
    shown = spoken_of(list(clause.subject.subtree), case.voice, "")
    latest_known = f" {model.object}" if model.object else ""
    predicate = model.predicate
    if predicate.endswith(" of") and model.object:
        content = f"{shown} is {model.object}'s {predicate.removeprefix('be ').removesuffix(' of')}"
    else:
        verb, _, rest = predicate.partition(" ")
        content = (
            f"{shown} {'is' if verb == 'be' else verb} {rest}{latest_known}"
            if verb == "be"
            else f"{shown} {clause.head.text} {predicate}{latest_known}"
        )
    return [replace(model, subject=referent.name, negated=negated, content=finish(content), confidence=INFERRED)]


def is_ellipsis(clause: Clause) -> bool:
    if lemma(clause.head) not in ("be", "do", "have", "can") or clause.subject is None:
        return False
    if clause.borrowed or clause.subject.lower_ in lexicon.POINTING | lexicon.THING:
        return False
    rest = [
        token
        for token in clause.head.children
        if token.dep_ not in ("nsubj", "punct", "cc", "intj") and token.lower_ not in ("so", "too", "also", "neither")
    ]
    return not rest


def events(case: Case) -> list[Claim] | None:
    """Anything else that is asserted of somebody or something."""
    clause, voice = case.clause, case.voice
    if announces(clause) is not None:
        return []
    relation = relation_of(clause, voice, case.cut)
    if _is_hollow(clause, relation) or (relation.object is None and _only_dates(clause)):
        return []
    if relation.predicate in ("live in", "be in") and relation.heads and _is_frame_of_mind(relation.heads[0]):
        return []
    negated = is_negated(clause, relation.heads)
    relation = _ended(case, relation)
    content = sentence(clause, voice)
    if clause.subject is None:
        if not _may_leave_out_subject(clause):
            return []
        who = voice.utterance.speaker
        return [
            claim(case, who, relation.predicate, value, content, negated=negated) for value in _values(relation, case)
        ]
    found: list[Claim] = []
    for token in subjects(clause.subject):
        referent = voice.refer(token)
        if referent is None or clause.subject.dep_ in ("csubj", "expl"):
            continue
        pronoun = token.pos_ == "PRON" and not voice.is_speaker(token)
        found += [
            claim(
                case,
                referent.name,
                relation.predicate,
                value,
                content,
                negated=negated,
                confidence=INFERRED if pronoun else 1.0,
            )
            for value in _values(relation, case)
        ]
    return found


def _is_frame_of_mind(token: Token) -> bool:
    """ "Live in fear of spiders": no place to live."""
    bare = not any(child.dep_ in ("det", "poss", "compound", "nummod") for child in token.children)
    return token.tag_ == "NN" and bare and token.lemma_.lower() not in DWELLINGS and token.text.islower()


def _values(relation: Relation, case: Case) -> list[str | None]:
    """The object, or each of several that are joined by "and"."""
    if relation.object is None or len(relation.heads) != 1 or relation.heads[0].pos_ == "PRON":
        return [relation.object]
    named = next((child for child in relation.heads[0].children if child.dep_ == "appos"), None)
    if relation.heads[0].lower_ in ("one", "ones") and named is not None and named.pos_ in ("NOUN", "PROPN"):
        return [said(named, case.voice, case.cut)]  # "a third one, a baritone"
    joined = objects(relation.heads[0], case.clause.head)
    if len(joined) < 2:
        return [relation.object]
    return [said(each, case.voice, case.cut) for each in joined]


def _only_dates(clause: Clause) -> bool:
    """ "since we talked", "after I woke up": said to date something else."""
    return any(token.dep_ == "mark" and token.lower_ in ("since", "after", "when") for token in clause.head.children)


def _is_hollow(clause: Clause, relation: Relation) -> bool:
    """ "I love it", "that helps", "time flies": nothing is named that could be remembered."""
    named = [
        token
        for token in clause.own
        if token.pos_ in ("NOUN", "PROPN", "NUM") and token.lower_ not in lexicon.VAGUE and token.dep_ != "npadvmod"
    ]
    if clause.subject is not None and clause.subject in named:
        bare = not any(
            child.dep_ in ("det", "poss", "compound", "nummod", "relcl", "acl", "appos")
            for child in clause.subject.children
        )
        generic = bare and clause.subject.pos_ == "NOUN" and clause.head.tag_ in ("VBZ", "VBP")
        return generic and len(named) == 1
    said = [
        token
        for token in clause.own
        if token.pos_ in ("ADJ",)
        or token.dep_ in ("acomp", "xcomp", "advcl", "prt")
        or (token.pos_ == "VERB" and token != clause.head)
    ]
    return (
        not named
        and not said
        and relation.object is not None
        and bool(relation.heads)
        and relation.heads[0].pos_ in ("PRON", "ADV", "DET")
    )


def _may_leave_out_subject(clause: Clause) -> bool:
    """ "Lost my job", "Been reading": the speaker is meant; a bare participle of description is not."""
    head = clause.head
    if clause.base is not None:
        return clause.base.head.tag_ == "VBG" or head.tag_ != "VBG"
    if head.dep_ not in ("ROOT", "ccomp", "parataxis") or first_word(clause).i < head.left_edge.i:
        return False
    if lemma(head) == "be" and head.tag_ == "VBN":
        return False  # "been a busy week": it has been
    if head.tag_ == "VBG":
        return clause.child("dobj", "prep", "xcomp", "prt", "ccomp", "advmod") is not None
    return is_past(head) or is_fond(clause)


def _ended(case: Case, relation: Relation) -> Relation:
    """ "I used to smoke, but I stopped": what was stopped is said by the clause before."""
    if relation.object is not None or lemma(case.clause.head) not in lexicon.ENDING or not case.siblings:
        return relation
    earlier = [each for each in case.siblings if each.head.i < case.clause.head.i]
    if not earlier:
        return relation
    said = relation_of(earlier[-1], case.voice, frozenset())
    verb, _, rest = said.predicate.removeprefix("used to ").partition(" ")
    if rest == "at" and verb == "work":
        return Relation(relation.predicate, said.object)
    words = [gerund(verb), rest, said.object or ""]
    return Relation(relation.predicate, " ".join(word for word in words if word))
