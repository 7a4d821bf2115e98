"""Who somebody is, told in passing: "Marlene, our landlady and a retired judge", "our dog Rex".

Each gives a claim beside what its sentence says: Marlene is the landlady of whoever speaks, who has a dog called Rex.
"Eva" of "my sister Eva" is told so in the content of what is said of her.
"""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Doc, Token

from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en import lexicon
from reverie.pipelines.ingest.language.en.naming import Voice, core_of, proper_name, single_phrase
from reverie.pipelines.ingest.language.en.rendering import finish
from reverie.pipelines.ingest.language.en.things import ANIMALS, is_occupation

_FORMER = lexicon.words("ex ex-wife ex-husband late former old")


def introduced(doc: Doc, voice: Voice) -> list[Claim]:
    """The claims of a text about who the people and the animals are that it names."""
    found: dict[tuple[str, str, str | None], Claim] = {}
    for token in doc:
        if token.pos_ not in ("NOUN", "PROPN") or "?" in token.sent.text[-3:]:
            continue
        for noun, name, holder in _pairs(token):
            for claim in _claims(noun, name, voice.possessor(holder), voice):
                found.setdefault((claim.subject, claim.predicate, claim.object), claim)
    return list(found.values())


def _pairs(token: Token) -> Iterator[tuple[Token, str, Token]]:
    """Each noun that says who a named one is, with the name, and the word that "my" hangs on."""
    if token.pos_ == "NOUN" and token.lemma_.lower() in ANIMALS:
        for child in token.children:
            if child.dep_ == "appos" and child.pos_ == "PROPN" and child.i == token.i + 1:
                yield token, child.text, token
    if token.pos_ == "PROPN" and (given := proper_name(token)) is not None:
        before = token.doc[token.i - 1] if token.i > token.sent.start else None
        if before is not None and before.lemma_.lower() in ANIMALS and before.head == token:
            yield before, token.text, token
        after = token.doc[token.i + 1] if token.i + 1 < len(token.doc) else None
        if after is None or after.text != ",":
            return
        listed = [child for child in token.children if child.dep_ in ("appos", "conj") and child.pos_ == "NOUN"]
        for child in listed:
            if child.left_edge.i == token.i + 2 and _is_indefinite_or_owned(child):
                more = [other for other in child.children if other.dep_ == "conj" and other.pos_ == "NOUN"]
                yield from ((each, given, each) for each in (child, *more))


def _is_indefinite_or_owned(noun: Token) -> bool:
    return any(
        child.dep_ == "poss" or (child.dep_ == "det" and child.lower_ in ("a", "an", "the")) for child in noun.children
    )


def _claims(noun: Token, name: str, owner: str | None, voice: Voice) -> Iterator[Claim]:
    role = noun.lemma_.lower()
    if any(child.lower_ in _FORMER for child in noun.children) or name in (voice.utterance.speaker, owner):
        return
    if owner is not None and role in lexicon.ROLES:
        word = core_of(noun).lower() if noun.tag_ == "NN" else role
        yield Claim(
            name,
            f"be {word} of",
            owner,
            finish(f"{name} is {owner}'s {word}"),
            kind="kin" if role in lexicon.KIN else None,
        )
    elif owner is not None and role in ANIMALS:
        yield Claim(owner, "have", f"{role} called {name}", finish(f"{owner} has a {role} called {name}"), kind="pet")
    elif owner is None and is_occupation(role) and not any(child.dep_ == "poss" for child in noun.children):
        told = single_phrase(noun)
        yield Claim(name, "be", told, finish(f"{name} is a {told}"), kind="role")
