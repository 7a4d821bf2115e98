"""The extractive summaries of LoCoMo's sessions against the ones people wrote, beside the first sentences of each.

    python bench/summaries.py --data locomo.json --json [--every 4]

ROUGE-L is the F1 over the longest common subsequence of words (Lin 2004); similarity is that of the two texts'
embeddings. The baseline is as many first sentences of the conversation as fit into the length of our summary.
The data set is not part of this project. `--every N` takes each Nth session alone.
"""

import argparse
import json
import re
import statistics
import tempfile
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from reverie import Memory
from reverie.cli.formats import Turn, read
from reverie.config.settings import load
from reverie.pipelines import ingest
from reverie.pipelines.summaries.sentences import sentences
from reverie.store.records.synopses import SummaryRecord

BATCH = 32


@dataclass(frozen=True)
class Compared:
    """One session: its reference, our summary and the baseline."""

    reference: str
    summary: str
    baseline: str


def rouge_l(candidate: str, reference: str) -> float:
    """F1 of the longest common subsequence of words, in [0, 1]."""
    ours, theirs = (re.findall(r"[a-z0-9]+", text.lower()) for text in (candidate, reference))
    lengths = [0] * (len(theirs) + 1)
    for word in ours:
        above = lengths
        lengths = [0]
        for place, other in enumerate(theirs):
            lengths.append(above[place] + 1 if word == other else max(above[place + 1], lengths[place]))
    return 2 * lengths[-1] / (len(ours) + len(theirs)) if ours or theirs else 0.0


def first_sentences(turns: Sequence[Turn], characters: int) -> str:
    taken = ""
    for turn in turns:
        for sentence in sentences(turn.message.content):
            if len(taken) + len(sentence) + 1 > characters:
                return taken
            taken = f"{taken} {sentence}".strip()
    return taken


def compare(memory: Memory, name: str, turns: Sequence[Turn], reference: str) -> Compared:
    session = memory.agent("bench").session(name)
    receipts = session.observe_many([turn.message for turn in turns])
    ids = [receipt.message_id for receipt in receipts]
    for start in range(0, len(ids), BATCH):
        ingest.ingest(memory.ctx, ids[start : start + BATCH])
    record = memory.ctx.ns.get(SummaryRecord, session.summarize() or "")
    summary = record.text if record else ""
    return Compared(reference, summary, first_sentences(turns, len(summary)))


def references(path: Path) -> dict[str, str]:
    """The reference of each session, under the name that reading the file gives the session."""
    samples = json.loads(path.read_text(encoding="utf-8"))
    return {
        f"{number}/{name.removesuffix('_summary')}": text
        for number, sample in enumerate(samples)
        for name, text in sample["session_summary"].items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    wanted = references(asked.data)
    sessions = [(name, list(group)) for name, group in groupby(read(asked.data, "locomo"), key=lambda t: t.session)]
    compared = []
    with (
        tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder,
        Memory(f"bench-{uuid.uuid4().hex}", settings=load(data_dir=Path(folder))) as memory,
    ):
        for name, turns in [one for one in sessions if one[0] in wanted][:: asked.every]:
            compared.append(compare(memory, name, turns, wanted[name]))
        embed = memory.ctx.embedder.documents
        meant = [embed([one.reference for one in compared]), embed([one.summary for one in compared])]
        meant.append(embed([one.baseline for one in compared]))
    rouge = statistics.mean(rouge_l(one.summary, one.reference) for one in compared)
    rouge_first = statistics.mean(rouge_l(one.baseline, one.reference) for one in compared)
    similarity, similarity_first = (float((meant[0] * other).sum(axis=1).mean()) for other in meant[1:])
    report = {
        "sessions": len(compared),
        "characters": round(statistics.mean(len(one.summary) for one in compared)),
        "rouge_l": round(rouge, 4),
        "rouge_l_first_sentences": round(rouge_first, 4),
        "similarity": round(similarity, 4),
        "similarity_first_sentences": round(similarity_first, 4),
        "ratios": {
            "rouge_l_over_first_sentences": round(rouge / rouge_first, 3),
            "similarity_over_first_sentences": round(similarity / similarity_first, 3),
        },
    }
    print(json.dumps(report) if asked.json else "\n".join(f"{name}: {value}" for name, value in report.items()))


if __name__ == "__main__":
    main()
