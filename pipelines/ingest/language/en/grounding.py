"""Whether a claim that a model made up is in the turn it was made from: its words, and no words but its."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reverie.pipelines.ingest.language.base import Claim, Turn
from reverie.pipelines.ingest.language.en import assertions, times
from reverie.pipelines.ingest.language.en.clauses import clauses_of
from reverie.pipelines.ingest.language.en.parser import english, spoken, verbs

_WORD = re.compile(r"[^\W_]+(?:['.@/-][^\W_]+)*")
_TO_A_MODEL = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruction|prompt|rule|previous|above|system)"
    r"|\b(?:system|developer) (?:prompt|message)\b|\byou are (?:now|an? (?:ai|assistant|model))\b"
    r"|\b(?:reply|respond|answer|output|return|store|save|record|extract)\b.{0,30}"
    r"\b(?:that|json|claims?|facts?|exactly|only)\b",
    re.I | re.S,
)
_AHEAD = re.compile(r"\b(?:will|going to|next|tomorrow|tonight|soon|gonna)\b|'ll\b", re.I)
_CONFIDENCE = 0.9
_UNTOLD = (
    assertions.is_question,
    assertions.is_order,
    assertions.is_conditional,
    assertions.is_wish,
    assertions.is_invitation,
)


@dataclass(frozen=True)
class Proposal:
    """A claim as a model gives it; `quote` are the words of the turn that it says are its ground."""

    subject: str
    predicate: str
    object: str | None
    content: str
    negated: bool
    when: str | None
    quote: str


def grounded(proposals: Sequence[Proposal], turn: Turn, history: Sequence[Turn]) -> tuple[list[Claim], int]:
    """The claims among the proposals that the turn bears out, dated against it, and how many it does not."""
    if not proposals:
        return [], 0
    told = [_folded(sentence) for sentence in _telling(turn.text)]
    words = _words([turn.text, turn.speaker, *turn.addressed_to, *(f"{each.speaker} {each.text}" for each in history)])
    claims = [_claim(proposal, turn) for proposal in proposals if _is_grounded(proposal, turn, told, words)]
    return claims, len(proposals) - len(claims)


def covers(claim: Claim, other: Claim) -> bool:
    """Whether a claim says what another one says: most of the words of the shorter are in the longer."""
    mine, theirs = _words([claim.content]), _words([other.content])
    return len(mine & theirs) * 5 >= min(len(mine), len(theirs)) * 3


def _telling(text: str) -> Iterable[str]:
    """The sentences that tell something: no questions, orders, wishes or conditions, and nothing meant for a model."""
    for sentence in english()(spoken(text)).sents:
        if _TO_A_MODEL.search(sentence.text) or "?" in sentence.text[-3:] or sentence[0].lower_ in verbs():
            continue  # a base form opens an order, however it was parsed
        clauses = clauses_of(sentence)
        if not clauses or any(not any(rule(clause) for rule in _UNTOLD) for clause in clauses):
            yield sentence.text


def _is_grounded(proposal: Proposal, turn: Turn, told: Sequence[str], words: frozenset[str]) -> bool:
    quote = _folded(spoken(proposal.quote)).strip(" .!,;")
    if len(quote) < 3 or not any(quote in sentence or sentence.strip(" .!,;") in quote for sentence in told):
        return False
    if not all((proposal.subject.strip(), proposal.predicate.strip(), proposal.content.strip())):
        return False
    if proposal.when is not None and _folded(proposal.when) not in _folded(turn.text):
        return False
    named = [proposal.subject, proposal.object or "", *_names_and_numbers(proposal.content)]
    return all(_known(word, words) for text in named for word in _WORD.findall(text.casefold()))


def _known(word: str, words: frozenset[str]) -> bool:
    """Whether the conversation has the word, give or take its ending; short words are no evidence."""
    if len(word) < 3 and not word.isdigit():
        return True
    return word in words or any(len(other) > 3 and other[:5] == word[:5] for other in words)


def _names_and_numbers(content: str) -> list[str]:
    return [word for word in _WORD.findall(content)[1:] if word[0].isupper() or word[0].isdigit()]


def _claim(proposal: Proposal, turn: Turn) -> Claim:
    content = " ".join(proposal.content.split())
    when = times.find(proposal.when, turn.at, past=not _AHEAD.search(proposal.quote)) if proposal.when else None
    return Claim(
        subject=proposal.subject.strip(),
        predicate=proposal.predicate.strip().casefold().removeprefix("not "),
        object=(proposal.object or "").strip() or None,
        content=content if content.endswith((".", "!")) else f"{content}.",
        temporal_phrase=when.phrase if when else None,
        when=when.iso if when else None,
        when_start=when.start if when else None,
        when_end=when.end if when else None,
        negated=proposal.negated or proposal.predicate.strip().casefold().startswith("not "),
        confidence=_CONFIDENCE,
    )


def _words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in _WORD.findall(spoken(text).casefold()))


def _folded(text: str) -> str:
    return " ".join(spoken(text).casefold().split())
