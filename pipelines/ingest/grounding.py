"""Whether a claim that a model made up is in the turn it was made from: its words, and no words but its."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, timedelta

from reverie.knowledge.claims import Moment, Proposal
from reverie.knowledge.wording import counted
from reverie.pipelines.ingest.language.base import Claim, Utterance
from reverie.pipelines.ingest.language.detecting import language_of
from reverie.pipelines.ingest.language.en.kinds import kind_of
from reverie.pipelines.ingest.language.en.parser import english, spoken, verbs
from reverie.pipelines.ingest.language.en.times import DAYS, MONTHS, When
from reverie.pipelines.ingest.language.moments import moment

_WORD = re.compile(r"[^\W_]+(?:['’.@/-][^\W_]+)*")
_TO_A_MODEL = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruction|prompt|rule|previous|above|system)"
    r"|\b(?:system|developer) (?:prompt|message)\b|\byou are (?:now|an? (?:ai|assistant|model))\b"
    r"|\b(?:reply|respond|answer|output|return|store|save|record|extract)\b.{0,30}"
    r"\b(?:that|json|claims?|facts?|exactly|only)\b",
    re.I | re.S,
)
_MENDS = re.compile(r"^\W*(?:scratch|strike|make|correct|forget|put|no|sorry|wait|change|call)\b", re.I)
"""What opens a correction, which looks like an order."""
_AHEAD = re.compile(r"\b(?:will|going to|next|tomorrow|tonight|soon|starts?|begins?|last day)\b|^from\b|'ll\b", re.I)
_NOW = re.compile(r"\b(?:is|are)\b(?!.*\b(?:since|ago|last)\b)", re.I)
"""What is told of the present has its times ahead: "is on call from the 8th", "is closed till the 7th"."""
_UP_TO = re.compile(r"\b(?:to|until|till|through|up to|bis|jusqu\S*|hasta|at[ée]|tot|fino a|do)\s+(?:\w+\s+)?$", re.I)
_OF_TIME = frozenset({*DAYS, *MONTHS})
"""Names that a claim may have from a time told in another language."""
_SMALL = frozenset(
    ("a", "an", "the", "of", "in", "on", "at", "to", "for", "with", "by", "from", "and", "or", "is", "be", "it", "its",
     "his", "her", "their", "than", "as", "any", "all")
)  # fmt: skip
_CONFIDENCE = 0.9
_MOST_UNTOLD = 0.4
"""Share of an object's words that may be the model's own ("younger than", "unless asked for"), names and numbers never.
Tried on the conversations of the tests: what models make up shares none, what they say in their own words two thirds.
"""
_BREAKS = re.compile(r"[,;:\n]\s*|[.!?…]+(?:\s|$)|\s[-–—]\s")
_UNREAL = re.compile(
    r"\b(?:if|unless|whether|suppos\w*|imagin\w*|pretend\w*|say|wish\w*|hop(?:e|es|ing)|dream\w*|would|could|might|almost|"
    r"nearly|in case)\b"
)
"""What makes of the words that follow something that is only supposed, wished or said of a case."""
_STATES = frozenset({"like", "love", "own", "work", "live", "need", "have"})
"""Base forms that open a note of oneself without its "I" as often as an order."""


def grounded(proposals: Sequence[Proposal], utterance: Utterance, history: Sequence[Utterance]) -> list[Claim]:
    """The claims among the proposals that the turn bears out, dated against it."""
    if not proposals:
        return []
    told = _folded(utterance.text)
    language = language_of(utterance.text)
    ground = _Ground(
        told,
        language in (None, "en"),
        [_folded(one.text) for one in english()(spoken(utterance.text)).sents if _TO_A_MODEL.search(one.text)],
        _words(
            [
                utterance.text,
                utterance.speaker,
                *utterance.addressed_to,
                *(f"{each.speaker} {each.text}" for each in history),
            ]
        ),
    )
    claims: list[Claim] = []
    before: date | None = None
    for proposal in proposals:
        if proposal.mood in ("wished", "asked") or not ground.bears(proposal):
            continue
        claim = _claim(proposal, utterance, language, before)
        claims.append(claim)
        last = claim.until or claim.since
        before = before if last is None else (last.at.astimezone(utterance.at.tzinfo)).date()
    return claims


class _Ground:
    """What a turn says, as far as claims may rest on it."""

    def __init__(self, told: str, english: bool, orders: Sequence[str], words: frozenset[str]) -> None:
        self.told = told
        self.english = english
        self.orders = orders
        self.words = words

    def bears(self, proposal: Proposal) -> bool:
        """Whether the quote stands in the turn, where it tells something, and the claim's words with it."""
        quote = _folded(spoken(proposal.quote)).strip(" .!,;")
        if not quote or quote not in self.told or any(quote in order for order in self.orders):
            return False
        if self.english and proposal.mood in ("asserted", "ended", "planned"):
            opening = proposal.predicate.casefold().split()[:1] if proposal.mood == "asserted" else []
            if not _is_told(quote, self.told, opening):
                return False
        if any(phrase is not None and _folded(phrase) not in self.told for phrase in (proposal.since, proposal.until)):
            return False
        if not proposal.predicate.strip() and proposal.mood != "corrected":
            return False
        names = [
            proposal.subject,
            proposal.speaker or "",
            *_names_and_numbers(f"{proposal.content} {proposal.object or ''}"),
        ]
        if not all(self._knows(word) for text in names for word in _words([text])):
            return False
        object_words = [word for word in _words([proposal.object or ""]) if word not in _SMALL]
        untold = [word for word in object_words if not self._knows(word)]
        return len(untold) <= _MOST_UNTOLD * len(object_words)

    def _knows(self, word: str) -> bool:
        """Whether the conversation has the word, give or take its ending; short words are no evidence."""
        if (len(word) < 3 and not word.isdigit()) or word in _SMALL:
            return True
        stem = word.removesuffix("'s").removesuffix("’s")
        return stem in self.words or any(len(other) > 3 and other[:5] == stem[:5] for other in self.words)


def _is_told(quote: str, told: str, opening: Sequence[str]) -> bool:
    """Whether some place where the quote stands tells it: not asked, ordered, supposed or wished.

    `opening` is the verb that makes the quote an order if it begins with it.
    """
    for match in re.finditer(re.escape(quote), told):
        lead = _BREAKS.split(told[: match.start()])[-1].strip()
        after = _BREAKS.search(told, match.end())
        if after is not None and after[0].strip().startswith("?"):
            continue
        if _MENDS.match(lead or quote):
            return True
        if _UNREAL.search(lead) or _UNREAL.match(quote):
            continue
        if lead and lead.split()[0] in verbs():
            continue  # a base form opens an order: "pretend Ana owns it"
        if quote.split()[0] in opening and quote.split()[0] not in _STATES:
            continue  # "Buy a boat."
        return True
    return False


def _names_and_numbers(content: str) -> list[str]:
    named = _WORD.findall(content)[1:]
    return [one for one in named if (one[0].isupper() or one[0].isdigit()) and one.casefold() not in _OF_TIME]


def _claim(proposal: Proposal, utterance: Utterance, language: str | None, before: date | None) -> Claim:
    content = " ".join(proposal.content.split())
    object = (proposal.object or "").strip() or None
    predicate = proposal.predicate.strip().casefold().removeprefix("not ")
    ahead = any(_AHEAD.search(text) for text in (proposal.quote, content)) or _NOW.search(content)
    past = proposal.mood not in ("planned", "instructed") and not ahead
    since = _told(proposal.since, utterance, language, past, before)
    until = _told(proposal.until, utterance, language, past, before)
    number = counted(object) if object else None
    when = since or until
    claim = Claim(
        subject=proposal.subject.strip(),
        predicate=predicate,
        object=object,
        content=content if content.endswith((".", "!", "。")) else f"{content}.",
        temporal_phrase=when.phrase if when else None,
        when=when.iso if when else None,
        when_start=when.start if when else None,
        when_end=until.end if until and since else when.end if when else None,
        negated=proposal.mood == "denied",
        confidence=_CONFIDENCE,
        mood=proposal.mood,
        state=(proposal.state or "").strip().casefold() or None,
        kind=proposal.kind,
        began=proposal.began,
        adds=proposal.adds,
        since=_from(since),
        until=_up_to(until, utterance, proposal.until or "", both=since is not None),
        quantity=number[0] if number else None,
        counted=number[1] if number else None,
        told="own" if proposal.speaker is None else "quoted",
        speaker=proposal.speaker,
    )
    return replace(claim, kind=claim.kind or kind_of(claim, claim.counted)) if language in (None, "en") else claim


def _told(
    phrase: str | None, utterance: Utterance, language: str | None, past: bool, before: date | None
) -> When | None:
    return None if phrase is None else moment(phrase, language, utterance.at, past=past, before=before)


def _from(when: When | None) -> Moment | None:
    return None if when is None or when.start is None or when.iso is None else Moment(when.start, when.iso)


def _up_to(when: When | None, utterance: Utterance, phrase: str, *, both: bool) -> Moment | None:
    """The moment up to which it held: the end of a time after "until", the beginning of one in which it ended."""
    if when is None or when.iso is None:
        return None
    if when.until is not None:
        return when.until
    lead = utterance.text[: max(0, utterance.text.find(phrase))]
    if when.end is not None and (both or _UP_TO.search(lead)):
        return Moment(when.end - timedelta(microseconds=1), when.iso)
    return None if when.start is None else Moment(when.start, when.iso)


def _words(texts: Iterable[str]) -> frozenset[str]:
    words = {word for text in texts for word in _WORD.findall(spoken(text).casefold())}
    return frozenset(words | {re.sub(r"['’]\w{1,2}$", "", word) for word in words})


def _folded(text: str) -> str:
    return " ".join(spoken(text).casefold().split())
