"""Extraction by a language model, on top of the rules.

The model sees several turns in one call, as JSON, and is believed nothing that the turn itself does not bear out. What
the rules found stands wherever the model gave nothing better: when it fails, is late, replies with something else,
leaves a turn out, or makes up a claim.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, Field

from reverie.config.prompts import EXTRACTION
from reverie.knowledge.claims import Proposal
from reverie.models.llm import LanguageModel, Prompt, ask
from reverie.pipelines import spending
from reverie.pipelines.context import Context
from reverie.pipelines.ingest.language.base import Claim, EntityMention, Extraction, Utterance
from reverie.store.records.conversation import FellBack

PURPOSE = "extract"
TURNS_A_CALL = 8
_TOKENS_A_CALL = 3000
_TOKENS_A_REPLY = 2048
_TYPES = frozenset({"person", "organization", "place", "product", "work", "event", "group", "language", "animal"})


class _Entity(BaseModel):
    name: str = Field(max_length=100)
    type: str = Field(max_length=30)


class _Turn(BaseModel):
    turn: int
    claims: list[Proposal] = Field(max_length=30)
    entities: list[_Entity] = Field(default_factory=list, max_length=30)


class _Reply(BaseModel):
    turns: list[_Turn]


@dataclass(frozen=True)
class Item:
    """A turn to ask about, the turns before it, and what the rules found in it."""

    utterance: Utterance
    history: tuple[Utterance, ...]
    found: Extraction


@dataclass(frozen=True)
class Heard:
    """What an item holds; `fell_back` says why the model has no part in it."""

    extraction: Extraction
    fell_back: FellBack | None = None


def improve(ctx: Context, model: LanguageModel, items: Sequence[Item]) -> list[Heard]:
    """What each item holds, by the model where it is right and by the rules where it is not.

    The calls together take no longer than `llm_timeout` or half the lease of the work, whichever is shorter; items
    left over by then, and items too long for a call, keep what the rules found.
    """
    deadline = time.monotonic() + min(ctx.settings.llm_timeout, ctx.settings.work_lease / 2).total_seconds()
    results = [Heard(item.found) for item in items]
    for call in _calls(ctx, items):
        left = deadline - time.monotonic()
        if left <= 0:
            _fall_back(results, call, "late")
            continue
        asked = [Prompt("system", EXTRACTION), Prompt("user", _document([items[place] for place in call]))]
        answer = ask(model, asked, _Reply, timeout=left, max_tokens=_TOKENS_A_REPLY)
        spending.count(ctx.ns, PURPOSE, answer.usage, failed=answer.asked and answer.value is None)
        _fall_back(results, call, "unavailable" if answer.unavailable else "unusable")
        for said in answer.value.turns if answer.value is not None else ():
            if 0 <= said.turn < len(call):
                place = call[said.turn]
                results[place] = Heard(_merged(items[place], said))
    return results


def _fall_back(results: list[Heard], places: Sequence[int], why: FellBack) -> None:
    """Note on these results, as long as the model gave nothing for them, why that is."""
    for place in places:
        results[place] = replace(results[place], fell_back=why)


def _calls(ctx: Context, items: Sequence[Item]) -> list[list[int]]:
    """Places of items that go into one call together."""
    calls: list[list[int]] = []
    room = 0
    for place, item in enumerate(items):
        cost = ctx.tokens.count(item.utterance.text)
        if cost > _TOKENS_A_CALL or not item.utterance.text.strip():
            continue
        if not calls or cost > room or len(calls[-1]) == TURNS_A_CALL:
            calls.append([])
            room = _TOKENS_A_CALL
        calls[-1].append(place)
        room -= cost
    return calls


def _document(items: Sequence[Item]) -> str:
    """The turns as the model sees them; the first one's history is the context of all."""
    earlier = [{"speaker": utterance.speaker, "text": utterance.text[:500]} for utterance in items[0].history]
    utterances = [
        {
            "turn": number,
            "speaker": item.utterance.speaker,
            "to": list(item.utterance.addressed_to),
            "at": item.utterance.at.isoformat(timespec="minutes"),
            "text": item.utterance.text,
        }
        for number, item in enumerate(items)
    ]
    return json.dumps({"earlier": earlier, "turns": utterances}, ensure_ascii=False)


def _merged(item: Item, said: _Turn) -> Extraction:
    """The model's claims that the turn bears out; those of the rules where there are none."""

    from reverie.pipelines.ingest.grounding import grounded  # needs the parser of the rules

    claims = grounded(said.claims, item.utterance, item.history)
    return Extraction(_entities(item, said.entities), _unique(claims) if claims else item.found.observations)


def _unique(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    found = {(claim.subject.casefold(), claim.predicate, claim.object, claim.mood): claim for claim in reversed(claims)}
    return tuple(reversed(found.values()))


def _entities(item: Item, said: Sequence[_Entity]) -> tuple[EntityMention, ...]:
    known = {mention.name.casefold() for mention in item.found.entities}
    new = [
        EntityMention(entity.name.strip(), entity.type)
        for entity in said
        if entity.type in _TYPES and entity.name.strip()[:1].isupper() and entity.name.strip() in item.utterance.text
    ]
    return (*item.found.entities, *(mention for mention in new if mention.name.casefold() not in known))
