"""The reader of English: turns in, entities and claims out, by rules over a parsed sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from spacy.tokens import Doc

from reverie.pipelines.ingest.language.base import WINDOW, Claim, EntityMention, Extraction, Utterance
from reverie.pipelines.ingest.language.en import salience
from reverie.pipelines.ingest.language.en.cancelling import called_off
from reverie.pipelines.ingest.language.en.carrying import carried
from reverie.pipelines.ingest.language.en.completing import completed
from reverie.pipelines.ingest.language.en.corrections import corrected
from reverie.pipelines.ingest.language.en.counting import recounted
from reverie.pipelines.ingest.language.en.dialogue import answered, read
from reverie.pipelines.ingest.language.en.discourse import Discourse
from reverie.pipelines.ingest.language.en.entities import entities_of
from reverie.pipelines.ingest.language.en.introducing import introduced
from reverie.pipelines.ingest.language.en.naming import Voice
from reverie.pipelines.ingest.language.en.parser import english
from reverie.pipelines.ingest.language.en.passing import weighed
from reverie.pipelines.ingest.language.en.quotes import quoted_by
from reverie.pipelines.ingest.language.en.segments import Segment, held, segments
from reverie.pipelines.ingest.language.en.sentences import claims_of_text

_BATCH = 64
_CORRECTIONS = 3
"""In one text, that are read as corrections."""


@dataclass(frozen=True)
class _Stretch:
    """A segment of a turn, parsed, and the quotations in it."""

    segment: Segment
    doc: Doc
    quotes: tuple[Doc, ...]


_Heard = tuple[Utterance, tuple[_Stretch, ...]]


class English:
    """Reads English. The parser's model is loaded at the first use."""

    def extract(self, utterances: Sequence[Utterance], history: Sequence[Utterance] = ()) -> list[Extraction]:
        """One `Extraction` a turn, in order. `history` was said before in the session: pronouns may point to it.

        A turn gives the same in any batch, as long as the `WINDOW` turns before it are in the batch or the history.
        """
        heard = list(_parsed([*history, *utterances]))
        return [_extraction(heard[max(0, place - WINDOW) : place + 1]) for place in range(len(history), len(heard))]


def _parsed(utterances: Sequence[Utterance]) -> Iterator[_Heard]:
    parts = [segments(utterance.text, utterance.speaker) for utterance in utterances]
    texts = [completed(text) for segs in parts for seg in segs for text in (seg.text, *seg.quotes)]
    docs = iter(list(english().pipe(texts, batch_size=_BATCH)))
    for utterance, segs in zip(utterances, parts, strict=True):
        yield utterance, tuple(_Stretch(seg, next(docs), tuple(next(docs) for _ in seg.quotes)) for seg in segs)


def _extraction(heard: Sequence[_Heard]) -> Extraction:
    """What the last of these turns holds, heard after the others."""
    names = tuple(
        dict.fromkeys(name for utterance, _ in heard for name in (utterance.speaker, *utterance.addressed_to))
    )
    discourse = Discourse(participants=names)
    for utterance, stretches in heard[:-1]:
        discourse.utterance += 1
        for stretch in stretches:
            salience.listen(stretch.doc, _voice(utterance, stretch, discourse))
    utterance, stretches = heard[-1]
    discourse.utterance += 1
    claims: list[Claim] = []
    mentions: list[EntityMention] = []
    for stretch in stretches:
        found = _claims(utterance, stretch, discourse, heard[:-1])
        claims += found
        for doc in (stretch.doc, *stretch.quotes):
            mentions += entities_of(doc, names, found)
    return Extraction(_unique(mentions), tuple(weighed(_distinct(claims), utterance.speaker)))


def _voice(utterance: Utterance, stretch: _Stretch, discourse: Discourse) -> Voice:
    owner = stretch.segment.speaker
    if owner is None or owner == utterance.speaker:
        return Voice(utterance, discourse)
    return Voice(replace(utterance, speaker=owner, addressed_to=()), discourse)


def _own_claims(stretch: _Stretch, voice: Voice, earlier: Sequence[_Heard]) -> list[Claim]:
    """The claims of a stretch as an answer to, or a correction of, what was said before it, or else by itself."""
    text = stretch.segment.text
    claims: list[Claim] = []
    if earlier and earlier[-1][0].speaker != voice.utterance.speaker:
        question = " ".join(each.segment.text for each in earlier[-1][1] if each.segment.told == "own")
        claims, text = answered(question, text, voice)
    told = [
        sent.text
        for _, stretches in earlier
        for each in stretches
        if each.segment.told == "own"
        for sent in each.doc.sents
    ]
    claims += called_off(text, told, voice)
    own = [
        sent.text
        for utterance, stretches in earlier
        for each in stretches
        if each.segment.told == "own" and utterance.speaker == voice.utterance.speaker
        for sent in each.doc.sents
    ]
    claims += recounted([sent.text for sent in stretch.doc.sents], own, partial(read, voice=voice))
    for _ in range(_CORRECTIONS):
        found = corrected(text, told, voice)
        if found is None:
            break
        claims, text = [*claims, *found.claims], found.rest
    if text is stretch.segment.text:
        claims += claims_of_text(stretch.doc, voice)
    elif text.strip():
        claims += read(text, voice)
    here = [sent.text for sent in stretch.doc.sents]
    return carried(claims, [*own, *here], partial(read, voice=voice)) + introduced(stretch.doc, voice)


def _claims(utterance: Utterance, stretch: _Stretch, discourse: Discourse, earlier: Sequence[_Heard]) -> list[Claim]:
    """The claims of a stretch, and those of the quotations in it, each of whoever says it."""
    voice = _voice(utterance, stretch, discourse)
    if stretch.segment.speaker is None:
        salience.listen(stretch.doc, voice)
        return []
    told = stretch.segment.told
    claims = [
        claim if told == "own" else replace(claim, told=told, speaker=stretch.segment.speaker)
        for claim in _own_claims(stretch, voice, earlier)
    ]
    for token in stretch.doc:
        place = held(token.text)
        if place is None or place >= len(stretch.quotes):
            continue
        teller = quoted_by(token, voice)
        if teller is not None and teller != utterance.speaker:
            theirs = Voice(replace(utterance, speaker=teller, addressed_to=()), discourse)
            said = claims_of_text(stretch.quotes[place], theirs)
            claims += [replace(claim, told="quoted", speaker=teller) for claim in said]
    return claims


def _distinct(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Each claim once, and none that speaks of a quotation as of a thing."""
    unique = {
        (claim.subject, claim.predicate, claim.object, claim.negated, claim.mood): claim
        for claim in reversed(claims)
        if not any(held(word.strip(".,:;!?'\"")) is not None for word in f"{claim.subject} {claim.content}".split())
    }
    return tuple(reversed(unique.values()))


def _unique(mentions: Sequence[EntityMention]) -> tuple[EntityMention, ...]:
    found: dict[str, EntityMention] = {}
    for mention in mentions:
        if held(mention.name) is None:
            found.setdefault(mention.name.casefold(), mention)
    return tuple(found.values())
