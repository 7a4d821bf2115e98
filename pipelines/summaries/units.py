"""From a session's material to what its summary chooses from."""

import math
from collections import defaultdict

from reverie.knowledge.quotation import own_words
from reverie.models.embedders import Vector
from reverie.pipelines.context import Context
from reverie.pipelines.summaries.extractive import Unit
from reverie.pipelines.summaries.material import Exchange, Material, exchanges
from reverie.pipelines.summaries.newest import newest
from reverie.pipelines.summaries.sentences import sentences
from reverie.store import hits
from reverie.store.records.conversation import MessageRecord
from reverie.store.records.knowledge import ObservationRecord

_OWN_WORDS = 0.8
"""Weight of a message's own words beside that of a claim drawn from one, which stands by itself."""
_NEWEST = 3
"""So many of the newest claims are always told."""
_SENTENCES = 12
"""Sentences of one message that are looked at."""
EMBEDDED = 128
"""Texts without a vector that are embedded for one summary, some three to five seconds of two cores: of a session that
was imported a moment ago none has one yet, and the workers take minutes for a thousand."""
_SIDE = 300
"""Characters of a call and of its result that are told; both in whole sentences, or the two are left out."""


def units_of(ctx: Context, material: Material) -> tuple[list[Unit], bool]:
    """Claims where claims were drawn, the message's own sentences elsewhere, calls with their results; and whether all
    of them are here.

    The vectors are those of the search rows; of what has none yet so much is embedded here as takes seconds, and the
    rest is left out. Raises ModelFailed.
    """
    drawn: dict[str, list[ObservationRecord]] = defaultdict(list)
    observations = newest(ctx.ns, material.observations)
    for observation in observations:
        drawn[observation.message].append(observation)
    always = {observation.id for observation in observations[-_NEWEST:]}
    speaking = {observation.message for observation in material.observations}
    told = [exchange for exchange in exchanges(material.messages) if exchange.messages[0].role != "system"]
    spoken = _vectors(ctx, "message", {exchange.messages[0].id: exchange.messages[0].content for exchange in told})
    claimed = _vectors(ctx, "observation", {one.id: one.content for one in observations})
    units: list[Unit] = []
    for place, exchange in enumerate(told):
        first = exchange.messages[0]
        if first.id not in spoken:
            continue
        if exchange.is_call:
            units += _call(exchange, place, spoken[first.id])
        elif first.id in speaking:
            claims = [one for one in drawn[first.id] if one.id in claimed]
            for order, claim in enumerate(sorted(claims, key=lambda one: _mention(one, first))):
                units.append(
                    Unit(claim.content, (place, order), claimed[claim.id], (first.id,), kept=claim.id in always)
                )
        else:
            said = [sentence for sentence in sentences(own_words(first.content)) if not sentence.endswith(("?", "？"))]
            for order, sentence in enumerate(said[:_SENTENCES]):
                text = f"{first.sender}: {sentence}"
                units.append(Unit(text, (place, order), spoken[first.id], (first.id,), _OWN_WORDS))
    return units, len(spoken) == len(told) and len(claimed) == len(observations)


def _call(exchange: Exchange, place: int, vector: Vector) -> list[Unit]:
    sides = [(message.sender, _beginning(own_words(message.content))) for message in exchange.messages]
    if not all(text for _, text in sides):
        return []
    text = " ".join(f"{sender}: {text}" for sender, text in sides)
    return [Unit(text, (place, 0), vector, tuple(message.id for message in exchange.messages), _OWN_WORDS)]


def _beginning(text: str) -> str:
    """As many whole sentences as fit; "" when not even the first does."""
    taken = ""
    for sentence in sentences(text):
        longer = f"{taken} {sentence}".strip()
        if len(longer) > _SIDE:
            break
        taken = longer
    return taken


def _mention(claim: ObservationRecord, message: MessageRecord) -> tuple[int, str]:
    """Where a message comes to speak of a claim, so that its claims are told in the order it made them."""
    place = message.content.find(claim.object) if claim.object else -1
    return (place if place >= 0 else len(message.content), claim.content)


def _vectors(ctx: Context, kind: str, texts: dict[str, str]) -> dict[str, Vector]:
    """The vectors of these texts by id: of those that have none yet `EMBEDDED`, from the newest one evenly back."""
    found = dict(zip(texts, hits.vectors(ctx.ns, kind, list(texts)), strict=True))
    missing = [id for id, vector in found.items() if vector is None][::-1]
    chosen = missing[:: math.ceil(len(missing) / EMBEDDED) or 1]
    made = dict(zip(chosen, ctx.embedder.documents([texts[id] for id in chosen]), strict=True))
    return {id: vector for id, vector in found.items() if vector is not None} | made
