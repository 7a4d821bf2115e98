"""What is not asserted: questions, orders, wishes, conditions, doubts, courtesies. Nothing is learned from these."""

from __future__ import annotations

from collections.abc import Callable

from spacy.tokens import Token

from reverie.pipelines.ingest.language.en import lexicon
from reverie.pipelines.ingest.language.en.clauses import Clause, subject_of
from reverie.pipelines.ingest.language.en.moods import is_averted, is_imagined
from reverie.pipelines.ingest.language.en.negation import reach
from reverie.pipelines.ingest.language.en.noise import is_exaggerated, is_idiom, is_of_the_moment
from reverie.pipelines.ingest.language.en.parser import verbs
from reverie.pipelines.ingest.language.en.words import is_past, lemma


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
    if clause.subject is not None or head.tag_ not in ("VB", "VBP") or is_past(head) or is_fond(clause):
        return False
    return all(aux.lower_ in ("do", "n't", "not") for aux in head.children if aux.dep_ in ("aux", "auxpass"))


def is_fond(clause: Clause) -> bool:
    """ "Love my new bike", "Appreciate the support of those close to me": of oneself, though "I" is left out."""
    fond = lemma(clause.head) in lexicon.FOND
    words = {token.lower_ for token in clause.own}
    return fond and bool(words & {"my", "our", "me"}) and not words & lexicon.LISTENER


def is_dictated(clause: Clause) -> bool:
    """ "Reply with this: ...": what follows the colon is an order's, not the speaker's word."""
    sentence = clause.head.sent
    if any(token.lower_ in ("note", "remember", "know", "mind") for token in sentence[:2]):
        return False  # what is to be noted is said
    colon = next((token.i for token in sentence if token.text == ":"), None)
    return (
        colon is not None
        and colon < clause.head.i
        and (sentence[0].lower_ in verbs() or sentence[0].lower_ == "please")
    )


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
    ours = clause.subject is not None and clause.subject.lower_ == "we"
    for token in clause.auxiliaries:
        if ours and token.lower_ == "can":
            return True
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


def is_compliment(clause: Clause) -> bool:
    """ "Your painting looks great", "that photo is gorgeous": what is said to please."""
    subject = clause.subject
    if subject is None:
        return clause.head.tag_ == "VBZ"
    if subject.lower_ == "it" and any(token.lower_ in lexicon.LISTENER for token in clause.own):
        return True
    yours = any(token.lower_ in lexicon.LISTENER for token in subject.subtree)
    shown = any(
        token.lower_ in ("that", "this", "these", "those") and token.dep_ == "det" for token in subject.children
    )
    verb = lemma(clause.head)
    if yours and verb in (
        "be",
        "mean",
        "look",
        "sound",
        "shine",
        "show",
        "seem",
        "inspire",
        "help",
        "make",
        "motivate",
        "speak",
        "go",
    ):
        return clause.child("attr", "acomp", "dobj", "xcomp", "ccomp") is not None or verb != "be"
    return (shown and verb in ("look", "sound")) or (
        shown and verb == "be" and clause.child("acomp") is not None and "!" in clause.head.sent.text
    )


def is_showing(clause: Clause) -> bool:
    """ "Here's a photo", "how it changed": a pointer or a fragment, no statement."""
    first = first_word(clause)
    if first.lower_ == "here" and lemma(clause.head) == "be":
        return True
    if clause.subject is None and clause.head.sent.text.rstrip().endswith(":"):
        return True  # "pasting the chat:"
    if clause.head.dep_ == "relcl":
        return False
    own = [token for token in clause.own if not token.is_punct and token.dep_ != "cc"]
    return (
        bool(own)
        and own[0].tag_ in ("WRB", "WP", "WDT")
        and own[0].head == clause.head
        and clause.subject is not own[0]
        and own[0].lower_ != "when"
    )


def is_invitation(clause: Clause) -> bool:
    """ "Let's", "let me"."""
    return lemma(clause.head) == "let" and clause.head.tag_ in ("VB", "VBP") and clause.subject is None


def is_courtesy(clause: Clause) -> bool:
    """ "I agree", "I bet", "I'm glad you came", "I see": talk that only keeps the talk going."""
    if clause.subject is not None and clause.subject.lower_ not in lexicon.SPEAKER:
        return False
    verb = lemma(clause.head)
    if verb in lexicon.PHATIC:
        ours = verb == "appreciate" and not any(token.lower_ in lexicon.LISTENER for token in clause.own)
        return not ours
    if (
        verb in ("know", "see", "hear", "understand", "feel", "relate")
        and clause.child("dobj", "ccomp", "xcomp", "acomp", "prep") is None
    ):
        return True
    if verb == "be":
        return _is_idle_state(clause)
    if verb in ("miss", "keep", "thank", "let", "wish") and any(
        token.lower_ in lexicon.LISTENER for token in clause.own
    ):
        return True
    thing = clause.child("dobj", "dative")
    if thing is not None and thing.lower_ in lexicon.LISTENER:
        return verb in ("miss", "keep", "thank", "tell", "let", "wish", "see", "hear", "love", "get", "support", "join")
    return verb == "do" and (thing is None or thing.lower_ in ("best", "well", "good", "great", "same"))


def _is_idle_state(clause: Clause) -> bool:
    state = clause.child("acomp", "advmod", "attr", "prep")
    if state is None:
        return True
    if clause.child("attr") is not None:
        return False
    if state.dep_ == "prep":
        return state.lower_ in ("with", "like")
    if any(token.lower_ in lexicon.LISTENER for token in clause.own):
        return True
    more = [
        token
        for token in (*state.children, *clause.head.children)
        if token.i > clause.head.i and token.dep_ in ("prep", "xcomp", "ccomp", "conj")
    ]
    return state.lower_ in lexicon.IDLE_STATES and not more


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


def is_left_open(clause: Clause) -> bool:
    """Only the amount is denied ("not every day"): whether it is so at all is left open."""
    return reach(clause) == "open"


WITHHELD: tuple[Callable[[Clause], bool], ...] = (
    is_averted,
    is_imagined,
    is_left_open,
    is_idiom,
    is_exaggerated,
    is_of_the_moment,
    is_question,
    is_order,
    is_dictated,
    is_conditional,
    is_doubtful,
    is_wish,
    is_about_listener,
    is_invitation,
    is_courtesy,
    is_compliment,
    is_showing,
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
