"""Whether the ranking learned on conversations hurts on a memory of another kind: what an agent did and holds true.

    python bench/agent_memory.py [--data-dir DIR] --json

Actions, episodes and facts of a handful of services are made by rule, with questions whose one right record is known.
Ranks each question's pool with the weights that ship and with a plain sum of words and meaning, and compares the mean
reciprocal ranks: `ratios.learned_over_plain` at or above 1 means that it does not hurt.
"""

import argparse
import json
import statistics
import tempfile
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from reverie import Memory
from reverie.config.settings import load
from reverie.pipelines.recall.features import FEATURES
from reverie.pipelines.recall.query import Query
from reverie.pipelines.recall.recall import look
from reverie.pipelines.recall.weights import WEIGHTS
from reverie.store import embedded

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
SERVICES = ("billing", "search", "checkout", "gateway", "mailer", "inventory", "ledger", "accounts")
DEEDS = (
    ("deploy", "rolled out build {n} of the {service} service", "Which build of {service} was rolled out?"),
    ("restart", "restarted the {service} service after a memory leak", "Why was {service} restarted?"),
    (
        "migrate",
        "moved the {service} database to Postgres {n}",
        "Which Postgres version does {service} run on since its move?",
    ),
    ("scale", "raised the {service} service to {n} replicas", "How many replicas did {service} get?"),
)
TRAITS = (
    ("is owned by", "the {team} team", "Which team owns {service}?"),
    ("is written in", "{language}", "What language is {service} written in?"),
)
TEAMS = ("Falcon", "Heron", "Otter", "Lynx")
LANGUAGES = ("Rust", "Go", "Kotlin", "Elixir")


def fill(memory: Memory) -> list[tuple[str, str, str]]:
    """Questions with the kind and id of the record that answers each."""
    agent, asked = memory.agent("operator"), []
    for place, service in enumerate(SERVICES):
        for number, (deed, told, question) in enumerate(DEEDS):
            at = START + timedelta(hours=5 * place + number)
            text = told.format(service=service, n=11 + 3 * place + number)
            kind = "action" if (place + number) % 2 else "episode"
            if kind == "action":
                id = agent.record_action(action_type=deed, input={"note": text}, started_at=at).action_id
            else:
                id = agent.record_episode(
                    action_type=deed, state={"description": text}, outcome="success", at=at
                ).episode_id
            asked.append((question.format(service=service), kind, id))
        for number, (predicate, object, question) in enumerate(TRAITS):
            said = object.format(team=TEAMS[place % 4], language=LANGUAGES[(place + number) % 4])
            fact = agent.assert_fact(subject=service, predicate=predicate, object=said, valid_from=START)
            asked.append((question.format(service=service), "fact", fact.fact_id))
    return asked


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    learned = np.array([WEIGHTS[name] for name in FEATURES])
    plain = np.array([float(name in ("words", "meaning")) for name in FEATURES])
    ranks: dict[str, list[float]] = {"learned": [], "plain": []}
    folder = given.data_dir or Path(tempfile.mkdtemp())
    with embedded.acquire(folder) as lease:
        settings = load(redis_url=lease.endpoint.url(), data_dir=folder)
        with Memory(f"agent-{uuid.uuid4().hex}", settings=settings) as memory:
            now = START + timedelta(days=30)
            for question, kind, id in fill(memory):
                query = Query(question, "operator", at=now, valid_as_of=now, known_as_of=memory.kb.clock())
                search = look(memory.kb, query)
                rows = search.pool.candidates
                wanted = [place for place, row in enumerate(rows) if (row.kind, row.id) == (kind, id)]
                for name, weights in (("learned", learned), ("plain", plain)):
                    order = np.argsort(-(search.ranking.features @ weights), kind="stable").tolist()
                    ranks[name].append(1 / (order.index(wanted[0]) + 1) if wanted else 0.0)
    learned_mrr, plain_mrr = (statistics.mean(ranks[name]) for name in ("learned", "plain"))
    result = {
        "ratios": {"learned_over_plain": round(learned_mrr / plain_mrr, 3)},
        "questions": len(ranks["plain"]),
        "mrr_learned": round(learned_mrr, 4),
        "mrr_plain": round(plain_mrr, 4),
    }
    print(json.dumps(result) if given.json else json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
