"""Two names for one person: only with evidence in what was said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from reverie.pipelines.ingest.language.base import Claim, EntityMention, Utterance

NAMINGS = ("be called", "have nickname", "be named")
"""Predicates whose object is a name that somebody or something goes by."""
_SHORTEST = 3
_OPENERS = r"(?:hey|hi|hello|thanks|thank you|wow|oh|yeah|yes|yep|congrats|bye|agree|dear|cool|awesome)"


def nicknames(utterance: Utterance, mentions: Iterable[EntityMention], claims: Iterable[Claim]) -> dict[str, str]:
    """Nickname to participant, for each that this turn gives evidence of.

    The evidence is that the one spoken to is called so ("Thanks, Mel!" to Melanie, whose name begins so, and to nobody
    else whose name does), or that somebody says so of themselves ("call me Pip").
    """
    found: dict[str, str] = {}
    for mention in mentions:
        if mention.type == "person" and (owner := _meant(mention.name, utterance)) is not None:
            found[mention.name] = owner
    for claim in claims:
        if claim.predicate in NAMINGS and claim.object and claim.subject == utterance.speaker and not claim.negated:
            found[claim.object] = utterance.speaker
    return {name: owner for name, owner in found.items() if name.casefold() != owner.casefold()}


def _meant(name: str, utterance: Utterance) -> str | None:
    """The one spoken to whom the name is short for; None when it is nobody, or could be several."""
    if len(name) < _SHORTEST or " " in name:
        return None
    everybody = (utterance.speaker, *utterance.addressed_to)
    short = name.casefold()
    if any(short == person.casefold() for person in everybody):
        return None
    meant = [person for person in everybody if person.casefold().startswith(short)]
    if len(meant) != 1 or meant[0] not in utterance.addressed_to or meant[0] == utterance.speaker:
        return None
    called = rf"(?:^|[.,!?;-]\s*|\b{_OPENERS}\s*,?\s+){re.escape(name)}\s*(?:[.,!?;]|$)"
    return meant[0] if re.search(called, utterance.text, re.I | re.M) else None


def full_names(names: Sequence[str], spoken: str) -> str:
    """The one full name just named that a first name is short for, else itself."""
    longer = [name for name in dict.fromkeys(names) if name.split()[0] == spoken and name != spoken]
    return longer[0] if len(longer) == 1 and " " not in spoken else spoken
