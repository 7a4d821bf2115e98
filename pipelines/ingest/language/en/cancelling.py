"""Plans that are called off: "Halifax is off", "we cancelled our move to Rome", "the wedding isn't happening"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en.dialogue import denial, read
from reverie.pipelines.ingest.language.en.naming import Voice

_OFF = re.compile(
    r"\b(?:the\s+|our\s+|my\s+)?(?P<what>[\w-]+(?:\s+[A-Z]\w+)?)\s+(?:is|are|'s|got|was|has "
    r"been)\s+(?:now\s+)?(?:all\s+)?"
    r"(?:off|cancelled|canceled|called off|not happening|postponed indefinitely)\b(?!\s+(?:to|from|the|work|on|at)\b)"
    r"|\b(?:cancel(?:led|ed|ing)?|call(?:ed|ing) off|scrapp(?:ed|ing)|shelv(?:ed|ing))\s+(?:our|my"
    r"|the)\s+(?P<act>[\w-]+)"
    r"(?:\s+(?:to|in|with|of)\s+(?P<where>[A-Z]\w+))?"
    r"|\bnot\s+(?P<verb>mov|go|leav|marry|buy|sell|quitt)ing\s+(?:\w+\s+){0,3}?after all\b",
)


def called_off(text: str, earlier: Sequence[str], voice: Voice) -> list[Claim]:
    """The ends of the plans told in the sentences before that a text calls off."""
    match = _OFF.search(text)
    if match is None:
        return []
    words = [match[group].casefold() for group in ("what", "where", "act", "verb") if match[group]]
    plans = [
        claim
        for sentence in dict.fromkeys(earlier)
        for claim in read(sentence, voice)
        if claim.mood == "planned" and any(word[:5] in f"{claim.predicate} {claim.object}".casefold() for word in words)
    ]
    return [
        replace(
            claim,
            predicate=f"plan to {claim.predicate.removeprefix('plan to ')}",
            mood="ended",
            began=False,
            since=None,
            until=None,
            when=None,
            when_start=None,
            when_end=None,
            temporal_phrase=None,
            content=denial(claim),
        )
        for claim in plans
    ]
