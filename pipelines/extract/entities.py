"""Named things in a turn: few, typed and clean."""

from __future__ import annotations

import re
from collections.abc import Iterable

from spacy.tokens import Doc

from reverie.pipelines.extract import lexicon
from reverie.pipelines.extract.language import CODE, EMAIL, PATH, URL
from reverie.pipelines.extract.model import Claim, EntityMention
from reverie.pipelines.extract.naming import proper_name

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


def entities_of(doc: Doc, participants: Iterable[str], claims: Iterable[Claim]) -> tuple[EntityMention, ...]:
    """The entities a turn names, in order, each once."""
    people = {name.lower(): name for name in participants}
    found: dict[str, EntityMention] = {}

    def add(name: str, kind: str) -> None:
        found.setdefault(name.lower(), EntityMention(name, kind))

    for token in doc:
        for pattern, kind in _LITERALS:
            if pattern.fullmatch(token.text):
                add(token.text, kind)
                break
    for span in doc.ents:
        kind = TYPES.get(span.label_)
        name = re.sub(r"^(?:the|a|an|my|our)\s+|'s$", "", span.text.strip(" .,!?'\"-"), flags=re.I)
        if kind is None or not _admitted(name, span.root.pos_) or name.lower() in found:
            continue
        add(people.get(name.lower(), name), "person" if name.lower() in people else kind)
    for token in doc:
        if (
            token.dep_ == "appos"
            and token.pos_ == "PROPN"
            and token.head.lemma_.lower() in lexicon.ROLES | lexicon.PETS
        ):
            name = proper_name(token)
            if name is not None and _admitted(name, "PROPN"):
                found[name.lower()] = EntityMention(
                    name, "person" if token.head.lemma_.lower() in lexicon.ROLES else "animal"
                )
    for claim in claims:
        if claim.subject.lower() in people:
            add(people[claim.subject.lower()], "person")
    return tuple(found.values())


def _admitted(name: str, pos: str) -> bool:
    words = name.split()
    if not words or len(words) > 6 or len(name) < 2 or (not name[0].isupper() and pos != "PROPN"):
        return False
    if words[0].lower() in lexicon.GREETING or name.lower() in lexicon.GREETING:
        return False
    return any(word[:1].isupper() for word in words) and not name.isdigit()
