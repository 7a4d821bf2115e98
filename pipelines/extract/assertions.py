"""What is not asserted: questions, orders, wishes, conditions, doubts, courtesies. Nothing is learned from these."""

from __future__ import annotations

from collections.abc import Callable

from spacy.tokens import Token

from reverie.pipelines.extract import lexicon
from reverie.pipelines.extract.clauses import Clause, subject_of
from reverie.pipelines.extract.words import is_past, lemma

_IDLE_STATES = frozenset(
    [
        "sure",
        "sorry",
        "glad",
        "fine",
        "good",
        "okay",
        "ok",
        "ready",
        "here",
        "back",
        "afraid",
        "free",
        "busy",
        "curious",
        "late",
        "well",
        "done",
        "there",
        "off",
        "in",
        "up",
        "down",
        "happy",
        "right",
    ]
)


def is_question(clause: Clause) -> bool:
    """It ends in a question mark, or opens with a question word and an inverted verb."""
    sentence = clause.head.sent
    if "?" in sentence.text[-3:]:
        return True
    first = clause.own[0]
    subject = subject_of(clause.head)
    inverted = (
        any(aux.i < subject.i for aux in clause.head.children if aux.dep_ in ("aux", "auxpass"))
        if subject is not None
        else False
    )
    return first.tag_ in ("WRB", "WP", "WDT") and first.dep_ not in ("mark", "nsubj", "nsubjpass") and inverted


def is_order(clause: Clause) -> bool:
    """An imperative: a base form that begins its clause, without a subject."""
    head = clause.head
    if clause.subject is not None or head.tag_ not in ("VB", "VBP") or is_past(head):
        return False
    return all(aux.lower_ in ("do", "n't", "not") for aux in head.children if aux.dep_ in ("aux", "auxpass"))


def is_conditional(clause: Clause) -> bool:
    """It holds only if something else does."""
    for token in clause.head.children:
        if token.dep_ in ("advcl", "ccomp", "prep", "mark"):
            marks = (
                [token]
                if token.dep_ == "mark"
                else [each for each in token.children if each.dep_ in ("mark", "advmod")]
            )
            if any(mark.lower_ in lexicon.CONDITIONS for mark in marks) and token.dep_ != "ccomp":
                return True
    first = clause.head.sent[0]
    if first.lower_ in lexicon.CONDITIONS or (
        first.lower_ in ("should", "had") and clause.head.i > first.i and "," in clause.head.sent.text
    ):
        return True
    return clause.base is not None and clause.borrowed and is_conditional(clause.base)


def is_doubtful(clause: Clause) -> bool:
    """Might, could, would, should, maybe."""
    for token in clause.auxiliaries:
        if token.lower_ in lexicon.DOUBTFUL or (token.lower_ == "'d" and token.tag_ == "MD"):
            return not is_preference(clause)
    return any(token.lower_ in lexicon.MAYBE for token in clause.own)


def is_preference(clause: Clause) -> bool:
    """ "I'd like to", "I would rather"."""
    would = any(token.lower_ in ("would", "'d") for token in clause.auxiliaries)
    rather = any(token.lower_ == "rather" for token in clause.head.children)
    return (
        would
        and (rather or lemma(clause.head) in ("like", "love", "prefer", "hate"))
        and clause.child("xcomp", "dobj", "advcl", "prep") is not None
    )


def is_wish(clause: Clause) -> bool:
    """Wishes and hopes, the speaker's or reported."""
    if lemma(clause.head) in lexicon.WISHING:
        return True
    state = clause.child("acomp")
    if state is not None and state.lower_ == "hopeful":
        return True
    return lemma(clause.head) == "wait" and any(token.dep_ == "neg" for token in clause.head.children)


def is_about_listener(clause: Clause) -> bool:
    """What the speaker tells the listener about the listener is no knowledge."""
    return clause.subject is not None and clause.subject.lower_ in lexicon.LISTENER


def is_invitation(clause: Clause) -> bool:
    """ "Let's", "let me"."""
    return lemma(clause.head) == "let" and clause.head.tag_ in ("VB", "VBP") and clause.subject is None


def is_courtesy(clause: Clause) -> bool:
    """ "I agree", "I bet", "I'm glad you came", "I see": talk that only keeps the talk going."""
    if clause.subject is not None and clause.subject.lower_ not in lexicon.SPEAKER:
        return False
    verb = lemma(clause.head)
    if verb in lexicon.PHATIC:
        return True
    if (
        verb in ("know", "see", "hear", "understand", "feel", "relate")
        and clause.child("dobj", "ccomp", "xcomp", "acomp", "prep") is None
    ):
        return True
    if verb == "be":
        return _is_idle_state(clause)
    return False


def _is_idle_state(clause: Clause) -> bool:
    state = clause.child("acomp", "advmod", "attr", "prep")
    if state is None:
        return True
    if clause.child("attr") is not None:
        return False
    if state.dep_ == "prep":
        return state.lower_ in ("with", "like")
    if any(token.lower_ in lexicon.LISTENER for token in state.subtree):
        return True
    return state.lower_ in _IDLE_STATES


def is_bare(clause: Clause) -> bool:
    """A verb alone says nothing: "He did", "I have"."""
    said = [
        token
        for token in clause.head.children
        if token.dep_ not in ("nsubj", "aux", "auxpass", "punct", "neg", "advmod", "cc", "intj", "mark")
    ]
    return not said and lemma(clause.head) in (
        "do",
        "have",
        "be",
        "go",
        "come",
        "get",
        "try",
        "know",
        "think",
        "can",
        "will",
    )


WITHHELD: tuple[Callable[[Clause], bool], ...] = (
    is_question,
    is_order,
    is_conditional,
    is_doubtful,
    is_wish,
    is_about_listener,
    is_invitation,
    is_courtesy,
)


def is_withheld(clause: Clause) -> bool:
    """Whether any of the rules above takes the clause out."""
    return any(rule(clause) for rule in WITHHELD)


def first_word(clause: Clause) -> Token:
    """The first word of the sentence that is not a greeting or a mark."""
    sentence = clause.head.sent
    return next(
        (token for token in sentence if not token.is_punct and token.lower_ not in lexicon.GREETING - {"please"}),
        sentence[0],
    )
