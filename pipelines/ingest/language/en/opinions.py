"""What a speaker holds of things and how things move the speaker: said of the speaker, not of the thing."""

from __future__ import annotations

from dataclasses import replace

from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en import lexicon
from reverie.pipelines.ingest.language.en.claiming import INFERRED, Case, claim
from reverie.pipelines.ingest.language.en.clauses import Clause, announces
from reverie.pipelines.ingest.language.en.naming import phrase
from reverie.pipelines.ingest.language.en.negation import is_negated
from reverie.pipelines.ingest.language.en.predicates import relation_of
from reverie.pipelines.ingest.language.en.rendering import finish, sentence
from reverie.pipelines.ingest.language.en.words import is_past, is_verb, lemma

_GIVEN = {
    "give": "given",
    "bring": "brought",
    "teach": "taught",
    "show": "shown",
    "make": "made",
    "keep": "kept",
    "let": "let",
    "send": "sent",
}


def evaluations(case: Case) -> list[Claim] | None:
    """ "It was so powerful", "self-care is really important": what the speaker holds of it."""
    clause = case.clause
    subject = clause.subject
    if subject is None or lemma(clause.head) not in ("be", "mean", "look", "sound", "seem", "feel"):
        return None
    value = clause.child("acomp", "attr", "oprd", "xcomp")
    if value is None or case.voice.is_speaker(subject) or clause.reported:
        return None
    best = any(child.tag_ == "JJS" for child in value.children)
    held = announces(clause)
    weighed = value.lemma_.lower() in lexicon.EVALUATIVE or value.lower_ in lexicon.EVALUATIVE
    if not (
        weighed
        or best
        or (held is not None and value.pos_ == "ADJ")
        or (subject.dep_ == "csubj" and value.pos_ == "ADJ")
    ):
        return None
    who = case.voice.utterance.speaker
    said = sentence(clause, case.voice)
    topic: str | None
    if held is not None:
        topic = held.doc[held.left_edge.i : min(held.right_edge.i + 1, held.left_edge.i + 12)].text.strip(" .,!")
    elif subject.dep_ == "csubj":
        topic = phrase(subject)
    else:
        referent = case.voice.refer(subject)
        if referent is None and subject.pos_ == "PRON":
            return []
        if referent is not None and referent.person:
            return None
        topic = referent.name if referent is not None else phrase(subject)
    finds = "found" if is_past(clause.head) else "finds"
    first = said.split(" ", 1)[0]
    opening = (
        said[:1]
        if subject.pos_ == "PROPN" or first.removesuffix("'s") in (who, case.voice.listener)
        else said[:1].lower()
    )
    content = finish(f"{who} {finds} that {opening}{said[1:]}")
    return [claim(case, who, f"find {value.lower_}", topic, content, negated=is_negated(clause), confidence=INFERRED)]


def feelings(case: Case) -> list[Claim] | None:
    """ "It makes me happy", "the group has made me feel accepted": said of the one who feels."""
    clause = case.clause
    if lemma(clause.head) not in (
        "make",
        "help",
        "give",
        "inspire",
        "motivate",
        "remind",
        "encourage",
        "teach",
        "let",
        "keep",
        "bring",
        "show",
    ):
        return None
    moved = next((token for token in clause.own if token.lower_ in ("me", "us")), None)
    if lemma(clause.head) in ("give", "bring", "send") and not _gives_heart(clause):
        return None
    if moved is None or case.voice.is_speaker(clause.subject):
        return None
    if clause.subject is None or clause.subject.lower_ in lexicon.POINTING:
        return []
    source = case.voice.refer(clause.subject)
    if source is None and clause.subject.pos_ == "PRON":
        return []
    predicate, target = _felt(case, source.name if source is not None else phrase(clause.subject))
    content = sentence(clause, case.voice)
    return [
        claim(
            case,
            case.voice.utterance.speaker,
            predicate,
            target,
            content,
            negated=is_negated(clause),
            confidence=INFERRED,
        )
    ]


def _felt(case: Case, source: str) -> tuple[str, str | None]:
    """ "makes me feel accepted" is (feel accepted), "gives me courage" (be given, courage); else (be moved by, it)."""
    head = case.clause.head
    verb = lemma(head)
    if verb in _GIVEN:
        thing = next((token for token in case.clause.children("dobj") if token.lower_ not in ("me", "us")), None)
        if thing is not None:
            return f"be {_GIVEN[verb]}", phrase(thing)
    inner = case.clause.child("ccomp", "xcomp")
    if verb == "make" and inner is not None:
        if not is_verb(inner):
            return f"be {inner.lower_}", None
        relation = relation_of(
            replace(case.clause, head=inner, own=tuple(inner.subtree), borrowed=False), case.voice, case.cut
        )
        return relation.predicate, relation.object
    return f"be {_GIVEN.get(verb) or _participle(verb)} by", source


def _gives_heart(clause: Clause) -> bool:
    return any(token.i > clause.head.i and token.lemma_.lower() in lexicon.HEART for token in clause.own)


def _participle(verb: str) -> str:
    return f"{verb}d" if verb.endswith("e") else f"{verb}ed"
