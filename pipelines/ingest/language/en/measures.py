"""Ages, sizes and due dates: values that are said with "be".

"I am 34 years old", "my son is 5"      be 34 years old; be 5 years old (kind age)
"she turned 90"                         be 90 years old, began
"Junia is two years younger"            be two years younger
"the report is due on 12 June"          be due, 12 June (kind due)
"they pushed the report to the 26th"    be due, the 26th, began
"""

from __future__ import annotations

import re
from dataclasses import replace

from spacy.tokens import Token

from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en import intervals
from reverie.pipelines.ingest.language.en.claiming import INFERRED, Case, claim
from reverie.pipelines.ingest.language.en.clauses import done
from reverie.pipelines.ingest.language.en.coordination import subjects
from reverie.pipelines.ingest.language.en.intervals import Setting
from reverie.pipelines.ingest.language.en.lexicon import words
from reverie.pipelines.ingest.language.en.negation import is_negated
from reverie.pipelines.ingest.language.en.rendering import sentence
from reverie.pipelines.ingest.language.en.words import is_past, lemma

_MOVING_DATES = words("push move postpone delay defer reschedule shift bring extend reset set")
_SETTING = words(
    "raise increase put lower cut drop bump upgrade update downgrade set change roll bring reduce go rise fall"
)
_RISING = words("go rise fall drop")
_DATED = words(
    "deadline release launch meeting report review audit exam wedding appointment delivery event party demo "
    "call interview surgery operation flight trip concert project milestone election hearing trial gala sprint"
)
_HELD = words(
    "retro standup session class lesson course race match game dinner lunch breakfast funeral ceremony conference "
    "workshop visit check checkup application payment renewal inspection reunion"
)
_LEAD = re.compile(r"^(?:to|on|by|until|till|for|at|is|was)\s+", re.I)


def measures(case: Case) -> list[Claim] | None:
    """The claims of a clause that gives a measure; None when it gives none."""
    clause = case.clause
    if clause.subject is None:
        return None
    verb = lemma(clause.head)
    if (counted := _now_counted(case)) is not None:
        return counted
    if verb == "be":
        return (
            _due(case)
            if (state := clause.child("acomp")) is not None and state.lower_ == "due"
            else _age(case) or _compared(case) or _dated(case)
        )
    if verb == "turn" and (years := _number(clause.child("dobj", "attr", "acomp", "npadvmod", "oprd"))) is not None:
        return _said(case, "turn", f"{years} years old", state="be", began=True)
    return None


def _now_counted(case: Case) -> list[Claim] | None:
    """ "That's three guitars now", "that makes four": how many the speaker has."""
    clause = case.clause
    value = clause.child("attr", "dobj")
    pointing = clause.subject is not None and clause.subject.lower_ in ("that", "it", "this")
    if not pointing or value is None or lemma(clause.head) not in ("be", "make") or value.tag_ != "NNS":
        return None
    now = lemma(clause.head) == "make" or any(token.lower_ == "now" for token in clause.own)
    number = next((child for child in value.children if child.dep_ == "nummod"), None)
    if number is None or not now:
        return None
    who = case.voice.utterance.speaker
    thing = f"{number.text} {value.text}"
    return [claim(case, who, "have", thing, f"{who} has {thing} now.", began=True)]


def moved_dates(case: Case) -> list[Claim] | None:
    """ "They pushed the audit report to the 26th": when it is due now."""
    clause = done(case.clause)
    if (value := _moved_value(case)) is not None:
        return value
    if lemma(clause.head) not in _MOVING_DATES or case.when is None or case.when.start is None or is_negated(clause):
        return None
    thing = clause.child("dobj") or clause.child("nsubjpass") or clause.child("nsubj")
    if thing is None or thing.pos_ == "PRON" or case.voice.is_speaker(thing):
        return None
    to = any(
        token.lower_ in ("to", "until", "till", "forward", "back") and token.head == clause.head for token in clause.own
    )
    referent = case.voice.refer(thing)
    if referent is None or referent.person or not (to or thing.lemma_.lower() in _DATED):
        return None
    found = intervals.find(case.when.phrase, Setting(case.voice.utterance.at, past=False))
    when = case.when if found is None else found.when  # it is to come, though it was pushed before
    case = replace(case, when=when)
    date = _LEAD.sub("", when.phrase).strip(" ,.")
    return [claim(case, referent.name, "be due", date, sentence(clause, case.voice), kind="due", began=True)]


def _moved_value(case: Case) -> list[Claim] | None:
    """ "They put the rent up to 710", "rolled prod back to 7.2.4", "the class is up to fourteen"."""
    clause = done(case.clause)
    verb = lemma(clause.head)
    up = verb == "be" and any(token.lower_ in ("up", "down") for token in clause.own if token.i > clause.head.i)
    if (verb not in _SETTING and not up) or is_negated(clause):
        return None
    thing = clause.child("dobj") or clause.child("nsubjpass") or (clause.subject if up or verb in _RISING else None)
    if thing is not None and thing.pos_ == "PRON" and thing.lower_ != "it":
        return None
    to = next(
        (
            token
            for token in clause.own
            if token.lower_ == "to" and token.dep_ in ("prep", "quantmod") and token.i > clause.head.i
        ),
        None,
    )
    value = None if to is None else next((token for token in to.children if token.dep_ == "pobj"), None)
    if to is not None and to.dep_ == "quantmod":
        value = to.head.head if to.head.dep_ == "nummod" else to.head  # "up to 35 euros"
    if thing is None or value is None or not any(token.like_num or token.text[:1].isdigit() for token in value.subtree):
        return None
    referent = case.voice.refer(thing)
    if referent is None or referent.person or value.i in case.cut:
        return None
    first = value.left_edge.i if to is None or to.i < value.left_edge.i else to.i + 1
    text = value.doc[first : value.right_edge.i + 1].text.split(",")[0]
    return [claim(case, referent.name, "be", text, sentence(case.clause, case.voice), kind="version", began=True)]


def _due(case: Case) -> list[Claim] | None:
    if case.when is None or case.when.start is None:
        return None
    return _said(case, "be due", _LEAD.sub("", case.when.phrase).strip(" ,."), kind=True)


def _dated(case: Case) -> list[Claim] | None:
    """ "The demo is on Thursday", "it's 13 July": when something takes place."""
    clause = case.clause
    assert clause.subject is not None
    when = case.when
    if when is None or when.start is None or clause.subject.lower_ in ("today", "tomorrow", "yesterday", "that"):
        return None
    value = clause.child("attr", "acomp", "npadvmod", "prep")
    dated = value is not None and (value.i in case.cut or any(child.i in case.cut for child in value.children))
    referent = case.voice.refer(clause.subject)
    if not dated or referent is None or referent.person or is_past(clause.head):
        return None
    noun = referent.name.lower().split()[-1]
    if noun not in _DATED | _HELD:
        return None
    date = _LEAD.sub("", when.phrase).strip(" ,.")
    made = _said(case, "be on", date) or []
    return [replace(one, kind="due") for one in made]


def _age(case: Case) -> list[Claim] | None:
    clause = case.clause
    value = clause.child("attr", "acomp", "npadvmod")
    if value is None or clause.subject is None:
        return None
    if value.lower_ == "old":
        years = next((_number(child) for child in value.children if child.dep_ == "npadvmod"), None)
        return None if years is None else _said(case, "be", f"{years} years old", age=True)
    referent = case.voice.refer(clause.subject)
    person = referent is not None and (referent.person or clause.subject.pos_ == "PROPN")
    alone = not any(child.dep_ in ("compound", "nmod", "prep", "amod") for child in value.children)
    if value.tag_ == "CD" and person and alone and value.text.isdigit() and 0 < int(value.text) < 120:
        return _said(case, "be", f"{value.text} years old", age=True)
    return None


def _compared(case: Case) -> list[Claim] | None:
    """ "Two years younger", "90 metres tall": the measure belongs to the value."""
    value = case.clause.child("acomp")
    if value is None:
        return None
    measure = next(
        (
            child
            for child in value.children
            if child.dep_ in ("npadvmod", "nummod", "advmod") and _number(child) is not None
        ),
        None,
    )
    if measure is None or measure.i > value.i:
        return None
    text = value.doc[measure.left_edge.i : value.right_edge.i + 1].text.split(",")[0]
    return _said(case, "be", text)


def _number(token: Token | None) -> str | None:
    """The number that a token is or has ("90", "two years" → "two")."""
    if token is None:
        return None
    if token.like_num and token.tag_ == "CD":
        return token.text
    return next((child.text for child in token.children if child.dep_ == "nummod"), None)


def _said(
    case: Case,
    predicate: str,
    value: str,
    *,
    age: bool = False,
    kind: bool = False,
    state: str | None = None,
    began: bool = False,
) -> list[Claim]:
    clause, voice = case.clause, case.voice
    assert clause.subject is not None
    found = []
    for token in subjects(clause.subject):
        referent = voice.refer(token)
        if referent is not None:
            guessed = token.pos_ == "PRON" and not voice.is_speaker(token)
            found.append(
                claim(
                    case,
                    referent.name,
                    predicate,
                    value,
                    sentence(clause, voice),
                    negated=is_negated(clause),
                    confidence=INFERRED if guessed else 1.0,
                    kind="age" if age or state else "due" if kind else None,
                    state=state,
                    began=began,
                )
            )
    return found
