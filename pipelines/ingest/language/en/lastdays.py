"""Ends and beginnings that are told of the day on which they fall: "next Friday is my last day at the pharmacy"."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from spacy.tokens import Token

from reverie.knowledge.claims import Moment
from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en.claiming import Case, claim
from reverie.pipelines.ingest.language.en.naming import phrase, proper_name
from reverie.pipelines.ingest.language.en.rendering import sentence
from reverie.pipelines.ingest.language.en.words import lemma


def last_days(case: Case) -> list[Claim] | None:
    """The end, or the start, of working somewhere; None when the clause tells of no such day."""
    clause = case.clause
    if lemma(clause.head) not in ("be", "have"):
        return None
    day = next((token for token in clause.own if token.lemma_ in ("day", "shift", "week") and _order(token)), None)
    if day is None:
        return None
    link = next(
        (token for token in day.children if token.dep_ == "prep" and token.lower_ in ("at", "with", "in")), None
    )
    link = link or next(
        (token for token in clause.head.children if token.dep_ == "prep" and token.lower_ == "at"), None
    )
    where = None if link is None else next((token for token in link.children if token.dep_ == "pobj"), None)
    if where is None:
        return None
    who = case.voice.possessor(day) or case.voice.utterance.speaker
    name = proper_name(where) or phrase(where)
    last = _order(day) == "last"
    content = sentence(clause, case.voice)
    made = claim(
        case,
        who,
        f"have {_order(day)} day at",
        name,
        content,
        state="work at",
        kind="employer",
        mood="ended" if last else "asserted",
        began=not last,
    )
    when = case.when
    if not last or when is None or when.end is None or when.iso is None:
        return [made]
    over = Moment(when.end - timedelta(microseconds=1), when.iso)
    return [replace(made, since=None, until=over)]


def _order(day: Token) -> str | None:
    return next((child.lower_ for child in day.children if child.lower_ in ("last", "final", "first")), None)
