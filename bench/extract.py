"""What the extraction without a language model finds in turns given as JSON lines (speaker, at, text).

    python bench/extract.py --data turns.jsonl --out found.jsonl

Each output line holds a turn's observations: subject, predicate, object, content, when. Subjects are told from the
speaker's side ("my sister", not "Mia's sister"), predicates as lemmas, a denied one begins with "not".
"""

import argparse
import json
import time
from datetime import datetime
from pathlib import Path

from reverie.pipelines.ingest.language.base import Claim, Utterance
from reverie.pipelines.ingest.language.en.english import English
from reverie.pipelines.ingest.language.en.words import base_form


def observation(claim: Claim, speaker: str) -> dict[str, str | None]:
    lemmas = " ".join(base_form(word) for word in claim.predicate.split())
    return {
        "subject": claim.subject.replace(f"{speaker}'s ", "my "),
        "predicate": f"not {lemmas}" if claim.negated else lemmas,
        "object": claim.object,
        "content": claim.content,
        "when": claim.when,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--json", action="store_true", help="print how long it took as JSON")
    asked = parser.parse_args()
    lines = [json.loads(line) for line in asked.data.read_text(encoding="utf-8").splitlines() if line.strip()]
    utterances = [Utterance(line["text"], line["speaker"], (), datetime.fromisoformat(line["at"])) for line in lines]
    reader = English()
    reader.extract(utterances[:1])  # loads the language model
    began = time.perf_counter()
    found = [reader.extract([utterance])[0] for utterance in utterances]  # every line is a conversation of its own
    seconds = time.perf_counter() - began
    with asked.out.open("w", encoding="utf-8") as out:
        for utterance, extraction in zip(utterances, found, strict=True):
            told = [observation(claim, utterance.speaker) for claim in extraction.observations]
            out.write(json.dumps({"observations": told}, ensure_ascii=False) + "\n")
    count = sum(len(extraction.observations) for extraction in found)
    summary = {
        "turns": len(utterances),
        "observations": count,
        "ms_per_turn": round(1000 * seconds / max(len(utterances), 1), 2),
    }
    print(
        json.dumps(summary) if asked.json else f"{count} observations from {len(utterances)} turns in {seconds:.2f} s"
    )


if __name__ == "__main__":
    main()
