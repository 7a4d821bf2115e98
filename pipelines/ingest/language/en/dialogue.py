"""What is said in reply to what was said before: answers, and the values that replace others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from spacy.tokens import Doc, Token

from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en.answers import Statement, answer
from reverie.pipelines.ingest.language.en.completing import completed
from reverie.pipelines.ingest.language.en.naming import Voice
from reverie.pipelines.ingest.language.en.parser import english
from reverie.pipelines.ingest.language.en.rendering import finish
from reverie.pipelines.ingest.language.en.sentences import claims_of_text

_SINCE = re.compile(r"\s*,?\s*\b(?:since|from|as of|until|till)\b.*$", re.I)
_PLACES = ("attr", "acomp", "oprd", "dobj", "pobj", "npadvmod", "conj")


def read(text: str, voice: Voice) -> list[Claim]:
    """The claims of a sentence that was made of what was said."""
    return claims_of_text(english()(completed(text)), voice)


def answered(question: str, text: str, voice: Voice) -> tuple[list[Claim], str]:
    """The claims that a text makes as the answer to a question, and what is left of it to be read by itself."""
    found = answer(question, text)
    if found is None:
        return [], text
    claims: list[Claim] = []
    for statement in found.statements:
        claims += _told(statement, voice)
    return claims, found.rest


def _told(statement: Statement, voice: Voice) -> list[Claim]:
    claims = read(statement.text, voice)
    if statement.verdict == "so":
        return claims
    new: list[Claim] = []
    if statement.instead is not None:
        sentence = with_value(english()(completed(statement.text)), statement.instead)
        new = [] if sentence is None else [replace(claim, began=True) for claim in read(sentence, voice)]
    if statement.verdict == "over" or (new and statement.instead is not None):
        since = next((claim.since for claim in new if claim.since is not None), None)
        over = [
            replace(claim, mood="corrected" if _never_changes(claim) else "ended", until=since, content=denial(claim))
            for claim in claims
            if not claim.negated
        ]
        return [*over, *new]
    return [replace(claim, negated=True, mood="denied", content=denial(claim)) for claim in claims if not claim.negated]


def _never_changes(claim: Claim) -> bool:
    """Whether another value means that the first one never held: a name, where nothing is said of a change."""
    return claim.kind in ("name", "birthday") or claim.predicate in ("have name", "have birthday")


def denial(claim: Claim) -> str:
    """The claim's denial as a sentence: "Ana does not own a car." """
    first, _, rest = claim.predicate.partition(" ")
    verb = f"is not {rest}" if first == "be" else f"does not {first} {rest}"
    return finish(f"{claim.subject} {verb} {claim.object or ''}")


def with_value(doc: Doc, value: str) -> str | None:
    """The sentence with another value in the place of the one it gives: "I live in Lyon" and "Nice since May" give
    "I live in Nice since May". None when no place for the value is found.
    """
    against = re.search(r",?\s*\bnot\s+(?:the\s+|an?\s+)?([^,.]+)$", value, re.I)
    named = None if against is None else re.search(rf"\b{re.escape(against[1])}\b", doc.text, re.I)
    if against is not None and named is not None:
        right = re.sub(r"^(?:the|an?)\s+", "", value[: against.start()].strip(" ,"), flags=re.I)
        return f"{doc.text[: named.start()]}{right}{doc.text[named.end() :]}"
    plain = _SINCE.sub("", value).strip(" ,")
    latest_known = value[len(plain) :] if value.startswith(plain) else ""
    plain = re.sub(r"^(?:in|at|on|to|as|for|with|from)\s+", "", plain)
    plain = re.sub(r",?\s+not\s+.*$", "", plain)
    old = _replaced(doc, plain)
    if old is None or not plain:
        return None
    first, last = old
    if first.i > 0 and first.nbor(-1).dep_ == "det":
        plain = re.sub(r"^(?:the|a|an)\s+", "", plain)
    before, after = doc[: first.i].text_with_ws, doc[last.i + 1 :].text if last.i + 1 < len(doc) else ""
    text = f"{before}{plain} {after}".strip()
    return f"{text.rstrip(' .')}{latest_known}." if latest_known else text


def _is_name(token: Token) -> bool:
    """A proper noun, or another noun that is written large inside its sentence."""
    return token.pos_ == "PROPN" or (token.pos_ == "NOUN" and token.text[:1].isupper() and not token.is_sent_start)


def _replaced(doc: Doc, value: str) -> tuple[Token, Token] | None:
    """The first and the last word of the value that a new one replaces: the one of its own sort that comes last."""
    if (value.split()[:1] and english().make_doc(value)[0].like_num) or any(char.isdigit() for char in value):
        digits = [token for token in doc if token.like_num or any(char.isdigit() for char in token.text)]
        if not digits:
            return None
        month = any(token.is_alpha for token in english()(value))
        one = digits[-1] if not month else digits[0]
        after = one.doc[one.i + 1] if month and one.i + 1 < len(one.doc) else one
        return one, after if after.ent_type_ == "DATE" and after.is_alpha else one
    named = value[:1].isupper()
    fitting = [
        token
        for token in doc
        if token.dep_ in _PLACES and _is_name(token) == named and token.pos_ in ("PROPN", "NOUN", "ADJ")
    ]
    if not fitting and named:
        fitting = [
            token for token in doc if _is_name(token) and token.dep_ not in ("nsubj", "nsubjpass", "poss", "compound")
        ]
    ranked: Sequence[Token] = sorted(
        fitting, key=lambda token: (_PLACES.index(token.dep_) if token.dep_ in _PLACES else 9, token.i)
    )
    if not ranked:
        return None
    alike = [token for token in ranked if len(value) > 4 and token.text.endswith(value[-4:])]
    head = alike[0] if alike else ranked[-1] if named else ranked[0]
    inside = [
        token
        for token in head.subtree
        if token.dep_ in ("compound", "amod", "det", "nummod", "poss", "flat") and token.head == head
    ]
    return (
        min([*inside, head], key=lambda token: token.i)
        if not named
        else min([*(t for t in inside if t.pos_ == "PROPN"), head], key=lambda t: t.i)
    ), head
