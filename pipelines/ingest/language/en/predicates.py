"""The predicate and the object of a clause."""

from __future__ import annotations

import re
from dataclasses import dataclass

from spacy.tokens import Token

from reverie.pipelines.ingest.language.en import lexicon
from reverie.pipelines.ingest.language.en.clauses import Clause
from reverie.pipelines.ingest.language.en.naming import Voice, phrase, single_phrase
from reverie.pipelines.ingest.language.en.parser import verbs
from reverie.pipelines.ingest.language.en.words import gerund, is_perfect, lemma

_OFTEN = re.compile(
    r"\b(?:once|twice|(?:\d+|two|three|four|five|six|seven|several|a few|many) times)\s+(?:a|an|per|every|each)\s+"
    r"(?:day|week|month|year|night|hour)\b",
    re.I,
)
_PLACED = lexicon.words("up off down into over away back out")
_PREPOSITIONS_FIRST = ("to", "into", "in", "at", "for", "as", "on", "with", "about", "over", "of", "from", "by")


@dataclass(frozen=True)
class Relation:
    """A predicate in its base form and its object; `objects` holds the heads the object was read from."""

    predicate: str
    object: str | None
    heads: tuple[Token, ...] = ()


def relation_of(clause: Clause, voice: Voice, cut: frozenset[int]) -> Relation:
    """What the clause says of its subject; words at `cut` (its time) stay out of the object."""
    if (title := _quoted(clause)) is not None:
        return Relation(lemma(clause.head), title)
    return _relation(clause.head, clause, voice, cut)


def _quoted(clause: Clause) -> str | None:
    """A title in quotation marks right after the verb: it is the object, whatever its words are."""
    doc, opening = clause.head.doc, clause.head.i + 1
    if opening >= clause.head.sent.end or doc[opening].text != '"':
        return None
    closing = next((place for place in range(opening + 1, clause.head.sent.end) if doc[place].text == '"'), None)
    return None if closing is None else doc[opening + 1 : closing].text


def _relation(head: Token, clause: Clause, voice: Voice, cut: frozenset[int]) -> Relation:
    verb = lemma(head)
    if verb == "be":
        return _copula(head, voice, cut)
    if (
        head.lower_ == "got"
        and _child(head, "dobj")
        and any(each.lemma_ == "have" or each.lower_ == "'s" for each in clause.auxiliaries)
    ):
        verb = "have"  # "I've got two cats"
    if (fronted := _fronted(head)) is not None and fronted.i not in cut:
        return Relation(verb, _named(fronted, voice, cut), (fronted,))
    if (
        verb == "go"
        and (planned := _child(head, "xcomp")) is not None
        and head.tag_ == "VBG"
        and any(each.dep_ == "aux" for each in planned.children)
    ):
        return _relation(planned, clause, voice, cut)
    if any(token.dep_ == "auxpass" and not (token.lower_ == "'s" and is_perfect(token)) for token in head.children) or (
        head == clause.head and any(token.dep_ == "auxpass" for token in clause.auxiliaries)
    ):
        link = next((lemma(token) for token in head.children if token.dep_ == "auxpass"), "be")
        return _with_object(f"{link} {head.lower_}", head, voice, cut)
    if verb == "use" and (habit := _child(head, "xcomp")) is not None and head.lower_ == "used":
        inner = _relation(habit, clause, voice, cut)
        return Relation(f"used to {inner.predicate}", inner.object, inner.heads)
    particle = _child(head, "prt") or next(
        (
            token
            for token in head.children
            if (token.lower_ == "forward" and verb == "look") or (verb == "pass" and token.lower_ == "away")
        ),
        None,
    )
    if particle is not None:
        verb = f"{verb} {particle.lower_}"
    complement = _child(head, "xcomp")
    if complement is not None and _child(head, "dobj", "acomp") is None:
        if verb == "go" and complement.lower_.endswith("ing"):
            return _with_object(f"go {complement.lower_}", complement, voice, cut)
        if complement.pos_ in ("ADJ", "NOUN", "PROPN", "ADV") or complement.tag_ in ("JJ", "NN"):
            return Relation(verb, _said(complement, voice, cut), (complement,))
        if complement.lower_ == "to":  # "I don't intend to"
            return Relation(verb, None)
        to = any(token.lower_ == "to" and token.dep_ == "aux" for token in complement.children)
        inner = _relation(complement, clause, voice, cut)
        first, _, rest = inner.predicate.partition(" ")
        activity = complement.lower_ if complement.tag_ == "VBG" and first == lemma(complement) else gerund(first)
        link = f"to {first}" if to else first if complement.tag_ == "VB" else activity
        return Relation(f"{verb} {link} {rest}".strip(), inner.object, inner.heads)
    state = _child(head, "acomp", "oprd")
    if state is not None and _child(head, "dobj") is None:
        return _with_object(f"{verb} {state.lower_}", state, voice, cut)
    return _with_object(verb, head, voice, cut if particle is None else cut | {particle.i})


def _fronted(head: Token) -> Token | None:
    """ "Estonian I speak like a native": an object before the subject."""
    if _child(head, "dobj", "ccomp", "xcomp", "auxpass") is not None:
        return None
    subject = _child(head, "nsubj")
    if subject is None or subject.pos_ != "PRON" or lemma(head) in lexicon.MOTION:
        return None
    before = [each for each in head.children if each.dep_ in ("npadvmod", "dep") and each.i == subject.i - 1]
    found = before[0] if before and before[0].pos_ in ("PROPN", "NOUN", "ADJ") else None
    return None if found is None or found.ent_type_ in ("DATE", "TIME", "PERSON") or any(found.children) else found


def _copula(head: Token, voice: Voice, cut: frozenset[int]) -> Relation:
    state = _child(head, "acomp")
    if state is not None:
        if state.pos_ in ("ADJ", "VERB", "ADV") or state.tag_ in ("JJ", "VBN", "VBG"):
            return _with_object(f"be {state.lower_}", state, voice, cut)
        return Relation("be", _said(state, voice, cut), (state,))
    noun = _child(head, "attr", "oprd")
    if noun is not None and noun.i not in cut:
        return Relation("be", _said(noun, voice, cut), (noun,))
    place = next((token for token in head.children if token.lower_ in _PLACED and token.i == head.i + 1), None)
    if place is not None:
        return _with_object(f"be {place.lower_}", head, voice, cut | {place.i})
    complement = _child(head, "xcomp", "ccomp")
    if complement is not None:
        return Relation("be", _said(complement, voice, cut, whole=True), (complement,))
    return _with_object("be", head, voice, cut)


def _with_object(predicate: str, head: Token, voice: Voice, cut: frozenset[int]) -> Relation:
    thing = next((token for token in head.children if token.dep_ in ("dobj", "oprd") and token.i not in cut), None)
    if thing is not None and (whole := _where_it_is_said(thing, head, predicate, voice, cut)) is not None:
        return whole
    if thing is not None:
        return Relation(predicate, _named(thing, voice, cut), (thing,))
    links = [
        token
        for token in head.children
        if token.dep_ in ("prep", "agent", "dative")
        and (aim := _target(token)) is not None
        and aim.i not in cut
        and not (token.lower_ in lexicon.LOOSE_LINKS and head.pos_ != "NOUN")
    ]
    if links:
        verb = predicate.split()[0]
        motion = verb in lexicon.MOTION
        link = min(
            links,
            key=lambda each: (
                each.i < head.i or each.lower_ in lexicon.LOOSE_LINKS,
                _PREPOSITIONS_FIRST.index(each.lower_) if motion and each.lower_ in _PREPOSITIONS_FIRST else 0,
                each.i,
            ),
        )
        target = _target(link)
        assert target is not None
        name = link.lower_ if target.head == link else f"{link.lower_} {target.head.lower_}"  # "out of"
        if target.tag_ == "VBG":
            return _with_object(f"{predicate} {name} {target.lower_}", target, voice, cut)
        return Relation(f"{predicate} {name}", _named(target, voice, cut), (target,))
    complement = next((token for token in head.children if token.dep_ in ("ccomp", "xcomp") and token.i > head.i), None)
    if complement is not None:
        said = _said(complement, voice, cut, whole=True)
        if said is not None and said.startswith("to ") and complement.lower_ not in verbs():
            return Relation(f"{predicate} to", said.removeprefix("to "), (complement,))
        return Relation(predicate, said, (complement,))
    if (often := _OFTEN.search("".join(each.text_with_ws for each in head.subtree if each.i > head.i))) is not None:
        return Relation(predicate, often[0].strip())
    manner = next(
        (
            token
            for token in head.children
            if token.dep_ in ("advmod", "npadvmod")
            and token.i > head.i
            and token.i not in cut
            and token.lower_ not in lexicon.FILLERS
        ),
        None,
    )
    return Relation(
        predicate, _said(manner, voice, cut) if manner is not None else None, () if manner is None else (manner,)
    )


_SPELLS = lexicon.words(
    "winter summer spring autumn fall weekend year month week day night evening morning holiday christmas"
)
_ALL = lexicon.words("everything most all anything")


def _where_it_is_said(thing: Token, head: Token, predicate: str, voice: Voice, cut: frozenset[int]) -> Relation | None:
    """ "Spend the winter in Seville", "do everything in vim": what matters follows the preposition."""
    if thing.lemma_.lower() not in _SPELLS | _ALL:
        return None
    link = next(
        (token for token in (*head.children, *thing.children) if token.dep_ == "prep" and token.i > thing.i), None
    )
    target = None if link is None else _target(link)
    if link is None or target is None or target.i in cut or target.pos_ not in ("PROPN", "NOUN"):
        return None
    spell = thing.text if thing.lemma_.lower() in _ALL else f"the {thing.text}"
    return Relation(f"{predicate} {spell} {link.lower_}", _named(target, voice, cut), (target,))


def _target(link: Token) -> Token | None:
    nested = next((child for child in link.children if child.dep_ == "prep" and child.i == link.i + 1), None)
    if nested is not None and not any(child.dep_ in ("pobj", "pcomp") for child in link.children):
        return _target(nested)
    return next(
        (token for token in link.children if token.dep_ in ("pobj", "pcomp", "pobj")),
        link if link.dep_ == "dative" and link.pos_ != "ADP" else None,
    )


def _named(token: Token, voice: Voice, cut: frozenset[int]) -> str | None:
    if token.pos_ == "PRON" and token.lower_ not in lexicon.POINTING:
        found = voice.refer_here(token)
        return token.text if found is None else found.name
    return _said(token, voice, cut) or token.text


def _said(token: Token, voice: Voice, cut: frozenset[int], whole: bool = False) -> str | None:
    """The phrase with first persons named; `whole`: with all that hangs on it."""
    text = "".join(each.text_with_ws for each in token.subtree).strip(" ,;:.!-") if whole else phrase(token, cut)
    return _spoken(text, voice)


def _spoken(text: str, voice: Voice) -> str | None:
    for pattern, word in (
        (r"\b(?:I|me|we|us)\b(?!-)", voice.utterance.speaker),
        (r"\b(?:my|our)\b", "their"),
        (r"\b(?:myself|ourselves)\b", "themselves"),
    ):
        text = re.sub(pattern, word, text)
    return text or None


def said(token: Token, voice: Voice, cut: frozenset[int]) -> str | None:
    """One of several joined objects, with first persons named."""
    return _spoken(single_phrase(token, cut), voice)


def _child(head: Token, *deps: str) -> Token | None:
    return next((token for token in head.children if token.dep_ in deps), None)
