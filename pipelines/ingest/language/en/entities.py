"""Named things in a turn: few, typed and clean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from spacy.tokens import Doc, Span, Token

from reverie.pipelines.ingest.language.base import Claim, EntityMention
from reverie.pipelines.ingest.language.en import lexicon
from reverie.pipelines.ingest.language.en.naming import core_of, proper_name
from reverie.pipelines.ingest.language.en.parser import CODE, EMAIL, PATH, URL, is_common
from reverie.pipelines.ingest.language.en.times import DAYS, MONTHS

TYPES = {
    "PERSON": "person", "ORG": "organization", "GPE": "place", "LOC": "place", "FAC": "place", "PRODUCT": "product",
    "WORK_OF_ART": "work", "EVENT": "event", "NORP": "group", "LANGUAGE": "language",
}  # fmt: skip
_LITERALS = (
    (re.compile(EMAIL), "email"),
    (re.compile(URL), "url"),
    (re.compile(PATH), "file"),
    (re.compile(CODE), "code"),
)
_QUOTED = re.compile(r'"([A-Z][^"\n]{1,60}[\w!?])[,.]?"')
_CALENDAR = frozenset(name[:3] for name in (*DAYS, *MONTHS)) | {"tues", "thur", "thurs", "sept", "last", "next", "this"}
_MOST_WORDS = 6


def entities_of(doc: Doc, participants: Iterable[str], claims: Iterable[Claim]) -> tuple[EntityMention, ...]:
    """The entities a turn names, each once: people of the session, literals, titles, names, terms, in this order."""
    people = {name.casefold(): name for name in participants}
    claimed = list(claims)
    found: dict[str, EntityMention] = {}
    for claim in claimed:
        if claim.subject.casefold() in people:
            found.setdefault(claim.subject.casefold(), EntityMention(people[claim.subject.casefold()], "person"))
    for mention in (
        *_literals(doc),
        *_titles(doc),
        *_introduced(doc),
        *_named(doc),
        *_terms(doc, claimed),
    ):
        key = mention.name.casefold()
        if key in people:
            found.setdefault(key, EntityMention(people[key], "person"))
        elif not any(key in other and mention.name != other for other in found):
            found.setdefault(key, mention)
    return tuple(found.values())


def _literals(doc: Doc) -> Iterator[EntityMention]:
    for token in doc:
        for pattern, kind in _LITERALS:
            if pattern.fullmatch(token.text):
                yield EntityMention(token.text, kind)
                break


def _titles(doc: Doc) -> Iterator[EntityMention]:
    """What is quoted and capitalised is a title."""
    for match in _QUOTED.finditer(doc.text):
        words = match[1].split()
        if len(words) <= _MOST_WORDS and sum(word[:1].isupper() for word in words) * 2 >= len(words):
            yield EntityMention(match[1].rstrip(",."), "work")


def _introduced(doc: Doc) -> Iterator[EntityMention]:
    """ "My sister Clara", "Oscar, my guinea pig"."""
    for token in doc:
        if token.dep_ != "appos":
            continue
        for noun, name in ((token.head, token), (token, token.head)):
            role = noun.lemma_.lower()
            if name.pos_ != "PROPN" or role not in lexicon.ROLES | lexicon.PETS:
                continue
            given = proper_name(name)
            if given is not None and _is_clean(given):
                yield EntityMention(given, "person" if role in lexicon.ROLES else "animal")


def _named(doc: Doc) -> Iterator[EntityMention]:
    for span in doc.ents:
        kind = TYPES.get(span.label_)
        name = re.sub(r"^(?:the|a|an|my|our)\s+|'s$", "", span.text.strip(" .,!?'\"-"), flags=re.I)
        if kind is None or not _is_clean(name) or (len(span) == 1 and _only_opens(span)):
            continue
        if kind == "organization" and len(name.split()) == 1 and _acts_like_a_person(span.root):
            kind = "person"
        yield EntityMention(name, kind)


def _terms(doc: Doc, claims: Iterable[Claim]) -> Iterator[EntityMention]:
    """What a claim is about under a term of its own, of two or three dictionary words: "support group"."""
    said = " ".join(f"{claim.subject} {claim.object}" for claim in claims).casefold()
    for token in doc:
        if token.pos_ != "NOUN" or token.dep_ == "compound" or token.lemma_.lower() in lexicon.VAGUE | lexicon.ROLES:
            continue
        words = [child for child in token.children if child.dep_ == "compound" and child.i < token.i]
        term = [*words, token]
        if not words or len(words) > 2 or term[0].i != token.i - len(words) or core_of(token).casefold() not in said:
            continue
        if any(child.dep_ == "amod" and child.lower_ not in lexicon.PLAIN for word in term for child in word.children):
            continue  # "mental health work" is no health work
        if all(word.is_alpha and word.is_lower and len(word) > 2 and is_common(word.lemma_) for word in term):
            yield EntityMention("".join(word.text_with_ws for word in words) + token.lemma_.lower(), "topic")


def _is_clean(name: str) -> bool:
    words = name.split()
    if not words or len(words) > _MOST_WORDS or len(name) < 2 or any(char in name for char in '"[](){}|<>=,;!?'):
        return False
    if any(word.lower().rstrip(".") in _CALENDAR or word.lower() in lexicon.GREETING for word in words[:1]):
        return False
    if {word.lower() for word in words} & (lexicon.SPEAKER | lexicon.LISTENER | lexicon.SPEAKERS_OWN):
        return False
    return any(word[:1].isupper() for word in words) and not any(char.isdigit() for char in words[0])


def _only_opens(span: Span) -> bool:
    """A common word that is written large because it opens a sentence, or shouts."""
    token = span.root
    opens = token.is_sent_start or token.i == 0 or token.nbor(-1).text in (".", "!", "?", "-", ":", '"')
    if not opens or not is_common(token.text):
        return token.pos_ not in ("PROPN", "NOUN", "ADJ")
    beside = [child for child in token.children if child.dep_ in ("conj", "appos") and child.pos_ in ("PROPN", "NOUN")]
    return not beside


def _acts_like_a_person(token: Token) -> bool:
    """Joined with a person, or the one by whom something was done."""
    joined = [child for child in token.children if child.dep_ == "conj"] + (
        [token.head] if token.dep_ == "conj" else []
    )
    by = token.dep_ == "pobj" and token.head.dep_ == "agent"
    engaged = token.dep_ == "pobj" and token.head.head.lemma_ in ("marry", "engage", "date", "meet")
    return by or engaged or any(each.ent_type_ == "PERSON" for each in joined)
