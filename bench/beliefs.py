"""What is believed after a conversation was heard, for conversations given as JSON lines.

    python bench/beliefs.py --data conversations.jsonl --out beliefs.jsonl

Each input line is an object with `id`, `turns` (speaker, role, at, text) and, where it matters, `asof`. Each output
line is `{"id": ..., "facts": [...]}`: every version of every fact with subject, predicate, object, content, negated,
valid_from, valid_to (as precise as they were told, with the offset of who said so) and current, which is true for what
is believed to hold at `asof`, else at the time of the last turn.

Every conversation has a namespace of its own; its turns are observed through the public interface in one session,
ingested in one batch by the function that the worker calls, and consolidated. With `--oracle` a file of prepared
replies stands in for a language model: one object a line with `id` and `turns`, the claims of each turn in the schema
that a model is asked for (`pipelines/ingest/proposals.py`), with `quote`, `since` and `until` as places [start, end] in
the turn's text.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from reverie import Memory
from reverie.config.settings import Settings, load
from reverie.models import embedders
from reverie.models.embedders import Embedder
from reverie.models.llm import LanguageModel, Prompt, Reply, Usage
from reverie.pipelines import facts as knowledge
from reverie.pipelines import ingest
from reverie.pipelines.context import wake_nobody
from reverie.pipelines.facts import FactView
from reverie.store import embedded

AGENT = "assistant"
Case = Mapping[str, Any]


class Oracle:
    """Replies with the claims that were written down for each turn, as a language model would."""

    name = "oracle"

    def __init__(self, texts: Sequence[str], claims: Sequence[Sequence[Mapping[str, Any]]]) -> None:
        self._claims = {
            text: [_spelled_out(claim, text) for claim in some] for text, some in zip(texts, claims, strict=True)
        }

    def complete(
        self,
        prompts: Sequence[Prompt],
        *,
        schema: dict[str, Any] | None = None,  # noqa: ARG002  # the protocol asks for it
        max_tokens: int | None = None,  # noqa: ARG002
        timeout: float | None = None,  # noqa: ARG002
    ) -> Reply:
        asked = json.loads(prompts[1].content)
        turns = asked.get("turns", ())
        turns = [{"turn": turn["turn"], "claims": self._claims.get(turn["text"], [])} for turn in turns]
        said = {"turns": turns} if "turns" in asked else {"same": []}
        return Reply(json.dumps(said), Usage())


def _spelled_out(claim: Mapping[str, Any], text: str) -> dict[str, Any]:
    """A prepared claim with the words of its turn, which it names by where they stand: [start, end]."""
    return {name: text[value[0] : value[1]] if isinstance(value, list) else value for name, value in claim.items()}


@dataclass(frozen=True)
class Listener:
    """Hears conversations on one server."""

    settings: Settings
    url: str
    embedder: Embedder

    def beliefs(self, case: Case, language: LanguageModel | None = None) -> list[dict[str, Any]]:
        """The versions of the facts that are left of one conversation."""
        said = [datetime.fromisoformat(turn["at"]) for turn in case["turns"]]
        asof = datetime.fromisoformat(case["asof"]) if case.get("asof") else said[-1]
        name = f"beliefs-{case['id']}"
        with Memory(
            name, settings=self.settings, redis_url=self.url, embedder=self.embedder, language_model=language
        ) as memory:
            ctx = replace(memory.ctx, wake=wake_nobody)
            session = memory.agent(AGENT).session("conversation")
            told = [
                {"sender": turn["speaker"], "content": turn["text"], "role": turn["role"], "at": at}
                for turn, at in zip(case["turns"], said, strict=True)
            ]
            receipts = session.observe_many(told)
            ingest.ingest(ctx, [receipt.message_id for receipt in receipts])
            memory.agent(AGENT).consolidate()
            found = [view for record in knowledge.records(ctx.ns) for view in memory.facts.history(record.id)]
            return [_version(view, asof) for view in found]


def _version(view: FactView, asof: datetime) -> dict[str, Any]:
    holds = view.valid_from <= asof and (view.valid_to is None or asof < view.valid_to)
    return {
        "subject": view.subject,
        "predicate": view.predicate,
        "object": view.object,
        "content": view.content,
        "negated": view.predicate.startswith("not "),
        "valid_from": view.since,
        "valid_to": view.until,
        "current": holds and view.retired_at is None,
    }


@contextmanager
def listening() -> Iterator[Listener]:
    """A listener on a server that lives as long as the context."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, embedded.acquire(Path(folder)) as lease:
        settings = load(data_dir=Path(folder), embed_deadline=timedelta(seconds=60))
        embedder = embedders.create(settings)
        yield Listener(settings, lease.endpoint.url(), embedder)


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--oracle", type=Path, help="prepared replies that stand in for a language model")
    parser.add_argument("--json", action="store_true", help="print what it did as JSON")
    asked = parser.parse_args()
    prepared = {one["id"]: one["turns"] for one in lines(asked.oracle)} if asked.oracle else {}
    count, versions = 0, 0
    began = time.perf_counter()
    with listening() as listener, asked.out.open("w", encoding="utf-8") as out:
        for case in lines(asked.data):
            texts = [turn["text"] for turn in case["turns"]]
            language = Oracle(texts, prepared[case["id"]]) if case["id"] in prepared else None
            found = listener.beliefs(case, language)
            out.write(json.dumps({"id": case["id"], "facts": found}, ensure_ascii=False) + "\n")
            count, versions = count + 1, versions + len(found)
    summary = {"conversations": count, "versions": versions, "seconds": round(time.perf_counter() - began, 2)}
    print(json.dumps(summary) if asked.json else "\n".join(f"{name}: {value}" for name, value in summary.items()))


if __name__ == "__main__":
    main()
