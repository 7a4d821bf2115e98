"""One value set against another in a breath: "Bath, not Bristol", "not Mats but Mads", "9464 instead of 9090"."""

from __future__ import annotations

from dataclasses import dataclass, replace

from spacy.tokens import Token

from reverie.knowledge.claims import Mood
from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en.clauses import Clause
from reverie.pipelines.ingest.language.en.rendering import finish
from reverie.pipelines.ingest.language.en.words import third_person

_INSTEAD = {"instead": "of", "rather": "than", "as": "opposed", "opposed": "to"}


@dataclass(frozen=True)
class Contrast:
    """The value that is set aside, in which mood, and the words that say so.

    `right` is the value that takes its place, where the verb itself is denied ("isn't called Mats but Mads").
    """

    wrong: str
    mood: Mood
    cut: frozenset[int]
    right: str | None = None


def contrast_of(clause: Clause) -> Contrast | None:
    """The contrast in a clause, or None."""
    own = [token for token in clause.own if token.i > clause.head.i]
    for place, token in enumerate(own):
        if (
            token.lower_ == "not"
            and token.head != clause.head
            and place > 0
            and own[place - 1].text in (",", "-", "(", ";")
        ):
            wrong = _until_mark(own[place + 1 :])
            if wrong and wrong[0].tag_ not in ("VBG", "VBN", "VB", "RB", "TO"):
                cut = frozenset(each.i for each in (own[place - 1], token, *wrong))
                return Contrast(_text(wrong), "corrected", cut)
        if (
            token.lower_ in ("instead", "rather")
            and place + 1 < len(own)
            and own[place + 1].lower_ == _INSTEAD[token.lower_]
        ):
            wrong = _until_mark(own[place + 2 :])
            if wrong and wrong[0].tag_ not in ("VBG", "VB"):
                return Contrast(_text(wrong), "ended", frozenset(each.i for each in (token, own[place + 1], *wrong)))
    return _exchanged(clause, own)


def _exchanged(clause: Clause, own: list[Token]) -> Contrast | None:
    """ "Isn't called Mats but Mads": the verb is denied of the first and said of the second."""
    denied = any(child.dep_ == "neg" for child in clause.head.children)
    but = next((place for place, token in enumerate(own) if token.lower_ == "but" and token.dep_ == "cc"), None)
    if not denied or but is None:
        return None
    first = own[but].head
    second = next((child for child in first.children if child.dep_ == "conj" and child.i > own[but].i), None)
    if second is None or second.pos_ in ("VERB", "AUX") or first == clause.head:
        return None
    wrong = [token for token in own[:but] if token == first or first in token.ancestors]
    right = _until_mark(own[but + 1 :])
    cut = frozenset(token.i for token in (own[but], *right))
    return Contrast(_text(wrong), "corrected", cut, _text(right)) if wrong and right else None


def _until_mark(tokens: list[Token]) -> list[Token]:
    found: list[Token] = []
    for token in tokens:
        if token.is_punct or token.lower_ in ("and", "but", "because", "like", "as", "anymore", "with"):
            break
        found.append(token)
    return found[:6]


def _text(tokens: list[Token]) -> str:
    kept = [token for token in tokens if not (token == tokens[0] and token.dep_ in ("det", "prep"))]
    while len(kept) > 1 and kept[0].pos_ in ("DET", "ADP"):
        kept = kept[1:]
    return "".join(token.text_with_ws for token in kept).strip(" ,.;:'\"")


def set_apart(claims: list[Claim], contrast: Contrast) -> list[Claim]:
    """The claims of a clause, and beside each with an object the one that the contrast sets aside."""
    found: list[Claim] = []
    for claim in claims:
        if claim.object is None and contrast.right is None:
            found.append(claim)
            continue
        if contrast.right is not None:
            if not claim.negated:
                found.append(claim)
                continue
            claim = _affirmed(claim, contrast.right)
        wrong = replace(claim, object=contrast.wrong, mood=contrast.mood, began=False, negated=False)
        found += [claim, replace(wrong, content=_denial(wrong))]
    return found


def _affirmed(claim: Claim, right: str) -> Claim:
    plain = replace(claim, object=right, negated=False, mood="asserted")
    first, _, rest = plain.predicate.partition(" ")
    return replace(plain, content=finish(f"{plain.subject} {third_person(first)} {rest} {right}"))


def _denial(claim: Claim) -> str:
    first, _, rest = claim.predicate.partition(" ")
    verb = f"is not {rest}" if first == "be" else f"does not {first} {rest}"
    return finish(f"{claim.subject} {verb} {claim.object or ''}")
