"""From a clause to its claims: the first rule of `RULES` that knows the clause decides.

A rule gives the clause's claims (none at all, when nothing is asserted) or None when it does not know the clause.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from spacy.tokens import Token

from reverie.pipelines.extract import lexicon, times
from reverie.pipelines.extract.assertions import (
    first_word,
    is_bare,
    is_order,
    is_preference,
    is_question,
    is_wish,
    is_withheld,
)
from reverie.pipelines.extract.clauses import Clause, from_head, subject_of
from reverie.pipelines.extract.model import Claim
from reverie.pipelines.extract.naming import Voice, core_of, phrase, proper_name
from reverie.pipelines.extract.negation import is_negated
from reverie.pipelines.extract.predicates import Relation, relation_of
from reverie.pipelines.extract.rendering import finish, sentence, spoken_of
from reverie.pipelines.extract.words import gerund, is_past, is_verb, lemma

REPORTED, THOUGHT, INFERRED = 0.8, 0.7, 0.9


@dataclass(frozen=True)
class Case:
    """One clause in its setting: the clauses of its sentence, the claims made before it, when it happened."""

    clause: Clause
    voice: Voice
    siblings: Sequence[Clause]
    before: Sequence[Claim]
    when: times.When | None
    cut: frozenset[int]


Rule = Callable[[Case], "list[Claim] | None"]


def claims_of(case: Case) -> list[Claim]:
    """The claims of one clause."""
    for rule in RULES:
        found = rule(case)
        if found is not None:
            return [claim for claim in found if claim.content]
    return []


def requests(case: Case) -> list[Claim] | None:
    """ "Please use PostgreSQL", "never push to main": the speaker asks for it."""
    clause = case.clause
    if not is_order(clause) or is_question(clause):
        return None
    words = {token.lower_ for token in clause.own}
    verb = lemma(clause.head)
    standing = bool(words & {"always", "never", "ever"}) or ("please" in words and verb not in lexicon.COURTESY)
    if verb in lexicon.COURTESY - {"keep"} or not (
        standing or (verb in lexicon.STANDING and "!" not in clause.head.sent.text)
    ):
        return None
    if is_withheld(replace(clause, subject=clause.head)):
        return None
    relation = relation_of(clause, case.voice, case.cut)
    negated = is_negated(clause, relation.heads)
    who = case.voice.turn.speaker
    drop = frozenset(
        token.i
        for token in clause.own
        if token.lower_ in ("please", "do", "n't", "not", "never", "ever", "always") and token.head == clause.head
    )
    rest = spoken_of(
        [token for token in clause.own if token.i not in drop and token.dep_ != "intj"],
        _Silent(case.voice),
        "",
    )
    always = "always " if "always" in words else ""
    content = finish(
        f"{who} asks {'never' if negated else always + 'to'} {'to ' if negated else ''}{rest.strip(' ,')[:1].lower()}{rest.strip(' ,')[1:]}"
    )
    return [_claim(case, who, f"request {relation.predicate}", relation.object, content, negated)]


def _Silent(voice: Voice) -> Voice:
    return voice


def not_asserted(case: Case) -> list[Claim] | None:
    """Questions, wishes, conditions and the like give nothing."""
    return [] if is_withheld(case.clause) or (is_bare(case.clause) and not _is_ellipsis(case.clause)) else None


def reported(case: Case) -> list[Claim] | None:
    """ "She told me that ...", "I think ...": what is said, not the saying."""
    clause = case.clause
    verb = lemma(clause.head)
    inner = clause.child("ccomp")
    if inner is None or inner.i < clause.head.i or not is_verb(inner) or verb not in lexicon.SAYING | lexicon.THINKING:
        return None
    denied = any(token.dep_ == "neg" for token in clause.head.children)
    if denied and verb not in ("think", "believe"):
        return []
    confidence = THOUGHT if verb in lexicon.THINKING else REPORTED
    found: list[Claim] = []
    for each in from_head(inner, None, reported=True):
        if each.subject is None:
            continue
        claims = claims_of(replace(case, clause=each))
        found += [
            replace(claim, confidence=min(confidence, claim.confidence), negated=claim.negated != denied)
            for claim in claims
        ]
    return found


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
    return [_claim(case, owner, f"have {label}", text.strip(" .,!"), sentence(clause, case.voice), _denied(clause))]


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
        _claim(
            case,
            referent.name,
            f"be {core_of(noun).lower()} of",
            owner,
            sentence(clause, case.voice),
            _denied(clause),
        )
    ]


def ellipsis(case: Case) -> list[Claim] | None:
    """ "..., Priya is", "and so is my son": the rest is said by the clause before."""
    clause = case.clause
    if not _is_ellipsis(clause) or not case.before or clause.subject is None:
        return None
    referent = case.voice.refer(clause.subject)
    if referent is None:
        return []
    model = case.before[-1]
    same = any(token.lower_ in ("so", "too", "also", "neither") for token in clause.own)
    negated = model.negated if same else False
    shown = spoken_of(list(clause.subject.subtree), case.voice, "")
    tail = f" {model.object}" if model.object else ""
    predicate = model.predicate
    if predicate.endswith(" of") and model.object:
        content = f"{shown} is {model.object}'s {predicate.removeprefix('be ').removesuffix(' of')}"
    else:
        verb, _, rest = predicate.partition(" ")
        content = (
            f"{shown} {'is' if verb == 'be' else verb} {rest}{tail}"
            if verb == "be"
            else f"{shown} {clause.head.text} {predicate}{tail}"
        )
    return [replace(model, subject=referent.name, negated=negated, content=finish(content), confidence=INFERRED)]


def _is_ellipsis(clause: Clause) -> bool:
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


def wanting(case: Case) -> list[Claim] | None:
    """ "I'd like to return order 88213", "I'd rather take the train"."""
    clause = case.clause
    if not is_preference(clause) or clause.subject is None:
        return None
    referent = case.voice.refer(clause.subject)
    if referent is None:
        return []
    relation = relation_of(clause, case.voice, case.cut)
    verb, _, rest = relation.predicate.partition(" ")
    if any(token.lower_ == "rather" for token in clause.head.children):
        predicate = f"prefer to {relation.predicate}"
    else:
        predicate = f"want {rest}".strip()
    return [_claim(case, referent.name, predicate, relation.object, sentence(clause, case.voice), _denied(clause))]


def evaluations(case: Case) -> list[Claim] | None:
    """ "It was so powerful", "self-care is really important": what the speaker holds of it."""
    clause = case.clause
    subject = clause.subject
    if subject is None or lemma(clause.head) not in ("be", "mean", "look", "sound", "seem", "feel"):
        return None
    value = clause.child("acomp", "attr", "oprd", "xcomp")
    if value is None or case.voice.is_speaker(subject) or clause.reported:
        return None
    if value.lemma_.lower() not in lexicon.EVALUATIVE and value.lower_ not in lexicon.EVALUATIVE:
        return None
    referent = case.voice.refer(subject) if subject.dep_ != "csubj" else None
    if subject.dep_ != "csubj" and (
        (referent is None and subject.pos_ == "PRON") or (referent is not None and referent.person)
    ):
        return [] if referent is None else None
    who = case.voice.turn.speaker
    topic = referent.name if referent is not None else phrase(subject)
    said = sentence(clause, case.voice)
    if subject.pos_ == "PRON" and referent is not None:
        said = f"{referent.shown} {said.split(' ', 1)[-1]}"
    finds = "found" if is_past(clause.head) else "finds"
    content = finish(f"{who} {finds} that {said[:1].lower() if subject.pos_ not in ('PROPN',) else said[:1]}{said[1:]}")
    return [_claim(case, who, f"find {value.lower_}", topic, content, _denied(clause), INFERRED)]


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
    ):
        return None
    moved = next((token for token in clause.own if token.lower_ in ("me", "us")), None)
    if moved is None or case.voice.is_speaker(clause.subject):
        return None
    if clause.subject is None or clause.subject.lower_ in lexicon.POINTING:
        return []
    source = case.voice.refer(clause.subject)
    if source is None and clause.subject.pos_ == "PRON":
        return []
    name = source.name if source is not None else phrase(clause.subject)
    relation = relation_of(clause, case.voice, case.cut)
    predicate = f"be {'made' if lemma(clause.head) == 'make' else 'moved'} by"
    content = sentence(clause, case.voice)
    if clause.subject.pos_ == "PRON" and source is not None:
        content = finish(f"{source.shown} {content.split(' ', 1)[-1]}")
    return [
        _claim(
            case,
            case.voice.turn.speaker,
            predicate,
            name or relation.object,
            content,
            _denied(clause),
            INFERRED,
        )
    ]


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
        _claim(
            case,
            core_of(noun),
            f"be {place.lower_}",
            phrase(target),
            sentence(clause, case.voice),
            _denied(clause),
        )
    ]


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
    return [_claim(case, referent.name, lemma(clause.head), thing.name, sentence(clause, case.voice), _denied(clause))]


def events(case: Case) -> list[Claim] | None:
    """Anything else that is asserted of somebody or something."""
    clause, voice = case.clause, case.voice
    relation = relation_of(clause, voice, case.cut)
    negated = is_negated(clause, relation.heads)
    relation = _ended(case, relation)
    content = sentence(clause, voice)
    if clause.subject is None:
        if not _may_leave_out_subject(clause):
            return []
        return [_claim(case, voice.turn.speaker, relation.predicate, relation.object, content, negated)]
    found: list[Claim] = []
    for token in _subjects(clause.subject):
        referent = voice.refer(token)
        if referent is None or clause.subject.dep_ in ("csubj", "expl"):
            continue
        pronoun = token.pos_ == "PRON" and not voice.is_speaker(token)
        said = content
        if pronoun and token.lower_ == "it":
            said = finish(f"{referent.shown} {content.split(' ', 1)[-1]}")
        found.append(
            _claim(
                case,
                referent.name,
                relation.predicate,
                relation.object,
                said,
                negated,
                INFERRED if pronoun else 1.0,
            )
        )
    return found


def _subjects(token: Token) -> list[Token]:
    """ "Emma and Paul" are two; "my friends and family" are one."""
    joined = [token] + [child for child in token.children if child.dep_ == "conj"]
    single = [
        each
        for each in joined
        if each.pos_ == "PROPN" or each.lower_ == "i" or (each.tag_ == "NN" and each.lemma_.lower() in lexicon.ROLES)
    ]
    return joined if len(single) == len(joined) else [token]


def _may_leave_out_subject(clause: Clause) -> bool:
    """ "Lost my job", "Been reading": the speaker is meant; a bare participle of description is not."""
    head = clause.head
    if clause.base is not None:
        return True
    if head.dep_ != "ROOT" or first_word(clause).i < head.left_edge.i:
        return False
    if head.tag_ == "VBG":
        return clause.child("dobj", "prep", "xcomp", "prt", "ccomp", "advmod") is not None
    return is_past(head)


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


def _denied(clause: Clause) -> bool:
    return is_negated(clause, ())


def _claim(
    case: Case,
    subject: str,
    predicate: str,
    target: str | None,
    content: str,
    negated: bool,
    confidence: float = 1.0,
) -> Claim:
    when = case.when
    return Claim(
        subject=subject,
        predicate=predicate,
        object=target or None,
        content=content,
        temporal_phrase=when.phrase if when else None,
        when=when.iso if when else None,
        when_start=when.start if when else None,
        when_end=when.end if when else None,
        negated=negated,
        confidence=confidence,
    )


RULES: tuple[Rule, ...] = (
    requests,
    wanting,
    not_asserted,
    reported,
    attributes,
    roles,
    ellipsis,
    evaluations,
    feelings,
    existence,
    active,
    events,
)

__all__ = ["RULES", "Case", "claims_of", "is_wish", "subject_of"]
