"""Learn what each feature of a candidate weighs, from questions whose evidence is known.

    python bench/learn_ranking.py --data FILE [--data-dir DIR]

Asks every question of conversations that `bench/locomo.py` observed before (same `--data-dir`), takes the whole
ranked pool, and maximises the mean log-likelihood of the evidence among the pool under a softmax of a linear score
(ridge 0.001), by Newton's method. Prints what each conversation scores with weights learned from the others, then the
weights learned from all: the table of `pipelines/recall/ranking.py`.
"""

import argparse
import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from locomo import SAID_EVERY, sessions

from reverie import Memory
from reverie.config.settings import load
from reverie.pipelines.recall.question import Query
from reverie.pipelines.recall.ranking import FEATURES, WEIGHTS
from reverie.pipelines.recall.recall import look
from reverie.store import embedded

RIDGE = 1e-3
Pool = tuple[np.ndarray, np.ndarray]
"""Features, shape (candidates, features), and whether each candidate is evidence."""


def pools(memory: Memory, sample: dict[str, Any]) -> list[Pool]:
    known = {turn["dia_id"] for _, _, turns in sessions(sample["conversation"]) for turn in turns}
    last: datetime = max(start + len(turns) * SAID_EVERY for _, start, turns in sessions(sample["conversation"]))
    found = []
    for question in sample["qa"]:
        told = {place for text in question.get("evidence", []) for place in re.findall(r"D\d+:\d+", text)} & known
        if not told:
            continue
        search = look(
            memory.ctx,
            Query(
                question["question"], "assistant", at=last, valid_as_of=last, known_as_of=memory.ctx.clock(), limit=20
            ),
        )
        kept = [place for place, row in enumerate(search.candidates.rows) if row.kind == "message"]
        evidence = np.array([search.candidates.rows[place].id in told for place in kept], dtype=bool)
        # Evidence that no channel found counts as never ranked: a row that no weight can lift.
        missing = np.full((len(told) - int(evidence.sum()), len(FEATURES)), np.nan)
        features = np.vstack([search.ranking.features[kept], missing])
        found.append((features, np.concatenate([evidence, np.ones(len(missing), dtype=bool)])))
    return found


def learn(questions: list[Pool], ridge: float = RIDGE) -> np.ndarray:
    weights = np.zeros(len(FEATURES))
    trained = []
    for features, evidence in questions:
        ranked = ~np.isnan(features[:, 0])
        if evidence[ranked].any():
            trained.append((features[ranked].astype(float), evidence[ranked]))
    loss, slope, bend = _likelihood(trained, weights, ridge)
    for _ in range(50):
        step = np.linalg.solve(bend, slope)
        size = 1.0
        while size > 1e-4:
            new_loss, new_slope, new_bend = _likelihood(trained, weights - size * step, ridge)
            if new_loss < loss:
                break
            size /= 2
        else:
            break
        weights = weights - size * step
        small = loss - new_loss < 1e-7
        loss, slope, bend = new_loss, new_slope, new_bend
        if small:
            break
    return weights


def _likelihood(trained: list[Pool], weights: np.ndarray, ridge: float) -> tuple[float, np.ndarray, np.ndarray]:
    """Negative mean log-likelihood of the evidence with its slope and curvature."""
    loss, slope, bend = ridge * weights @ weights, 2 * ridge * weights, 2 * ridge * np.eye(len(weights))
    for features, evidence in trained:
        places = np.flatnonzero(evidence)
        score = features @ weights
        for place in places:
            # One piece of evidence at a time: the others are no rivals of it.
            rivals = np.where(evidence, -np.inf, score)
            rivals[place] = score[place]
            share = np.exp(rivals - rivals.max())
            total = share.sum()
            share /= total
            mean = share @ features
            part = 1 / (len(places) * len(trained))
            loss += part * (rivals.max() + np.log(total) - score[place])
            slope = slope + part * (mean - features[place])
            bend += part * ((features * share[:, None]).T @ features - np.outer(mean, mean))
    return float(loss), slope, bend


def score(questions: list[Pool], weights: np.ndarray) -> dict[str, float]:
    hit, found, reciprocal = [], [], []
    for features, evidence in questions:
        fused = np.where(np.isnan(features[:, 0]), -np.inf, np.nan_to_num(features) @ weights)
        order = np.argsort(-fused, kind="stable")
        ranks = [int(np.flatnonzero(order == place)[0]) + 1 for place in np.flatnonzero(evidence)]
        ranks = [rank if np.isfinite(fused[order[rank - 1]]) else 10**6 for rank in ranks]
        hit.append(min(ranks) <= 20)
        found.append(np.mean([rank <= 20 for rank in ranks]))
        reciprocal.append(1 / min(ranks))
    return {"hit@20": np.mean(hit), "recall@20": np.mean(found), "mrr": np.mean(reciprocal)}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--data-dir", type=Path, default=Path(".bench-locomo"))
    parser.add_argument("--conversations")
    parser.add_argument("--leave-out", default="", help="features left at 0, such as near,session_words")
    given = parser.parse_args()
    samples = json.loads(given.data.read_text(encoding="utf-8"))
    if given.conversations:
        samples = [samples[int(place)] for place in given.conversations.split(",")]
    told: dict[str, list[Pool]] = {}
    with embedded.acquire(given.data_dir) as lease:
        settings = load(redis_url=lease.endpoint.url(), data_dir=given.data_dir)
        for sample in samples:
            with Memory(f"locomo-{sample['sample_id']}", settings=settings) as memory:
                told[sample["sample_id"]] = pools(memory, sample)
    shipped = np.array([WEIGHTS[name] for name in FEATURES])
    dropped = [FEATURES.index(name) for name in given.leave_out.split(",") if name]
    for questions in told.values():
        for features, _ in questions:
            features[:, dropped] *= 0
    held_out: list[tuple[int, dict[str, float]]] = []
    for name, questions in told.items():
        others = [pool for other, group in told.items() if other != name for pool in group]
        result = score(questions, learn(others)) if others else score(questions, shipped)
        held_out.append((len(questions), result))
        print(name, "cross-validated", _shown(result), "| shipped", _shown(score(questions, shipped)))
    count = sum(n for n, _ in held_out)
    print("all", _shown({key: sum(n * r[key] for n, r in held_out) / count for key in held_out[0][1]}))
    learned = learn([pool for group in told.values() for pool in group])
    print(json.dumps({name: round(float(value), 2) for name, value in zip(FEATURES, learned, strict=True)}, indent=4))


def _shown(result: dict[str, float]) -> str:
    return " ".join(f"{key}={value:.4f}" for key, value in result.items())


if __name__ == "__main__":
    main()
