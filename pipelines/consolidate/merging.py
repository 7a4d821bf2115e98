"""Asking a language model which wordings mean the same. What it does not settle stays as it was without it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from reverie.config.prompts import SAME_VALUES
from reverie.models.llm import Prompt, ask
from reverie.pipelines import spending
from reverie.pipelines.context import Context

PURPOSE = "consolidate"
MOST_PAIRS = 40


@dataclass(frozen=True)
class Pair:
    """A new value of a subject and predicate, and one that is known or was told before it."""

    subject: str
    predicate: str
    value: str
    known: str


@dataclass(frozen=True)
class Judgement:
    """The pairs that mean the same. `refused` when the model's reply could not be used: then there are none."""

    same: frozenset[Pair] = frozenset()
    refused: bool = False


class _Verdict(BaseModel):
    model_config = ConfigDict(extra="forbid")

    same: list[int] = Field(max_length=MOST_PAIRS)


def judge(ctx: Context, pairs: Sequence[Pair]) -> Judgement:
    """The model's verdict on the pairs, the first forty of them; none without a model. Never raises ModelFailed.

    A reply that names a pair it was not asked about is not trusted in anything.
    """
    if ctx.llm is None or not pairs:
        return Judgement()
    asked = list(dict.fromkeys(pairs))[:MOST_PAIRS]
    document = {
        "pairs": [
            {"id": id, "subject": one.subject, "predicate": one.predicate, "values": [one.value, one.known]}
            for id, one in enumerate(asked)
        ]
    }
    prompts = [Prompt("system", SAME_VALUES), Prompt("user", json.dumps(document, ensure_ascii=False))]
    answer = ask(ctx.llm, prompts, _Verdict, timeout=ctx.settings.llm_timeout.total_seconds())
    known = answer.value is not None and all(0 <= id < len(asked) for id in answer.value.same)
    spending.count(ctx.ns, PURPOSE, answer.usage, failed=answer.asked and not known)
    if answer.value is None or not known:
        return Judgement(refused=True)
    return Judgement(frozenset(asked[id] for id in answer.value.same))
