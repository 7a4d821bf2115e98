"""Standing instructions to the agent: how it is to behave from now on, and until when.

    "Don't deploy on Fridays."                     -> do not deploy on Fridays
    "from now on always answer me in Dutch"        -> always answer Ana in Dutch
    "Use tabs."                                    -> use tabs
    "until June write to Ingmar in Swedish"        -> write to Ingmar in Swedish, until June

A request for this one time ("write me a poem", "remind me a week before") is no instruction.
"""

from __future__ import annotations

import re
from dataclasses import replace

from spacy.tokens import Token

from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en import lexicon
from reverie.pipelines.ingest.language.en.assertions import is_order, is_question
from reverie.pipelines.ingest.language.en.claiming import Case, claim
from reverie.pipelines.ingest.language.en.clauses import Clause
from reverie.pipelines.ingest.language.en.lexicon import words
from reverie.pipelines.ingest.language.en.rendering import finish, spoken_of
from reverie.pipelines.ingest.language.en.words import lemma

_CONDUCT = words(
    "use reply respond answer write format prefer avoid keep address name commit deploy speak talk translate "
    "cite quote "
    "explain spell sign include skip omit round convert refer stick push merge run test touch delete mention "
    "capitalize "
    "capitalise abbreviate default assume treat put list number indent comment document log schedule book order"
)
"""Verbs of how an agent works."""
_ONCE = words("this that these those it now today tonight tomorrow again first here below following above")
_FOREVER = re.compile(
    r"\b(?:from now on|in (?:the )?future|always|never|ever|every time|each time|whenever|going forward|by "
    r"default|as a rule"
    r"|unless|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|at weekends|on weekends|every \w+day|until|till|any "
    r"?more)\b",
    re.I,
)
_OPENING = re.compile(
    r"^(?:(?:and|so|but|ok|okay|also|then|please|pls|from now on|in (?:the )?future|going forward|as a "
    r"rule)\b[\s,:]*)+",
    re.I,
)
_LANGUAGES = words(
    "english german french spanish italian portuguese dutch swedish danish norwegian finnish polish czech "
    "russian chinese "
    "japanese korean arabic turkish greek hungarian romanian hindi"
)


def instructions(case: Case) -> list[Claim] | None:
    """The standing instruction that an imperative gives; None when the clause is none."""
    clause = case.clause
    if (continued := _continued(case)) is not None:
        return [continued]
    if not is_order(clause) or is_question(clause) or "?" in clause.head.sent.text[-3:]:
        return None
    verb = lemma(clause.head)
    text = clause.head.sent.text
    denied = any(token.dep_ == "neg" or token.lower_ == "never" for token in clause.head.children)
    lasting = _FOREVER.search(text) is not None
    if verb in lexicon.COURTESY - {"keep", "take", "note", "check", "tell", "let"} or verb in ("let", "tell", "note"):
        return None
    told = [token for token in clause.own if token.i >= clause.head.i]
    once = any(
        token.lower_ in _ONCE and token.dep_ in ("dobj", "det", "advmod", "npadvmod", "nsubj", "pobj", "amod")
        for token in told
    )
    if not lasting and (once or _is_for_somebody(clause) or not (denied or verb in _CONDUCT)):
        return None
    if not lasting and verb not in _CONDUCT | {"ask", "send", "call", "do", "add", "make", "say", "suggest"}:
        return None
    if verb == "call" and not denied and any(token.lower_ in ("me", "us") for token in told):
        return None
    wording = _imperative(case, denied)
    who = case.voice.utterance.speaker
    content = finish(f"{who} asks the agent: {wording}")
    made = claim(case, who, "request", wording, content, mood="instructed", state="instruct")
    return [replace(made, kind="language") if _LANGUAGES & set(re.findall(r"\w+", wording.lower())) else made]


def _is_for_somebody(clause: Clause) -> bool:
    """ "Write me a poem", "draft a mail for Eva": something is to be made, once."""
    thing = clause.child("dobj")
    made = thing is not None and any(
        child.lower_ in ("a", "an", "some", "the", "my") for child in thing.children if child.dep_ in ("det", "poss")
    )
    return made and (
        clause.child("dative") is not None
        or (
            thing is not None
            and lemma(clause.head)
            in (
                "write",
                "book",
                "order",
                "run",
                "name",
                "schedule",
                "list",
                "delete",
                "translate",
                "convert",
                "put",
                "test",
                "merge",
                "push",
                "explain",
                "include",
            )
        )
    )


def _imperative(case: Case, denied: bool) -> str:
    """The instruction as an imperative sentence of its own."""
    resolved = case.when is not None and (case.when.start is not None or case.when.until is not None)
    words = [
        token
        for token in _with_conditions(case.clause)
        if not (resolved and token.i in case.cut) and token.lower_ not in ("please", "pls")
    ]
    text = spoken_of(words, case.voice, "").strip(" ,.;:!-")
    text = _OPENING.sub("", text.removeprefix("on "))
    text = re.sub(r"\b(?:do|does)\s+not\b|\bdon't\b", "do not", text, flags=re.I)
    text = re.sub(r"\s+([,;:])", r"\1", " ".join(text.split()))
    if denied and "not" not in text and "never" not in text.lower():
        text = f"do not {text}"
    return f"{text[:1].lower()}{text[1:]}" if text else text


def _with_conditions(clause: Clause) -> list[Token]:
    """The clause's words with its "unless" and "when", without other clauses."""
    apart = {
        token.i
        for child in clause.head.children
        if child.dep_ in ("ccomp", "parataxis") and any(each.dep_ in ("nsubj", "nsubjpass") for each in child.children)
        for token in child.subtree
    }
    own = {token.i for token in clause.own} - apart
    extra = [
        token
        for child in clause.head.children
        if child.dep_ == "advcl"
        and any(each.lower_ in ("unless", "when", "if", "whenever", "before", "after") for each in child.children)
        for token in child.subtree
    ]
    return sorted(
        {token.i: token for token in (*(t for t in clause.own if t.i in own), *extra)}.values(),
        key=lambda token: token.i,
    )


def _continued(case: Case) -> Claim | None:
    """ "From July on it's English with him again": the instruction just given goes on in another way."""
    clause = case.clause
    given = next((made for made in reversed(case.told) if made.mood == "instructed"), None)
    if (
        given is None
        or clause.subject is None
        or clause.subject.lower_ != "it"
        or lemma(clause.head) != "be"
        or case.when is None
    ):
        return None
    value = clause.child("attr", "acomp")
    if value is None or value.lower_ not in _LANGUAGES:
        return None
    rest = [token for token in clause.own if token.i >= value.i and token.i not in case.cut and token.lower_ != "again"]
    wording = f"use {spoken_of(rest, case.voice, '').strip(' ,.')}"
    made = claim(
        case,
        given.subject,
        "request",
        wording,
        finish(f"{given.subject} asks the agent: {wording}"),
        mood="instructed",
        state="instruct",
    )
    return replace(made, kind="language", began=True)
