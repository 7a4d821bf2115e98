"""Whether the ranking learned on conversations hurts on a memory of another kind: what an agent did and holds true.

    python bench/agent_memory.py [--data-dir DIR] --json

Half a year of an operator's actions, episodes and facts is made by rule, amid talk of the same services, so that each
record has many that differ from it in one detail. Each question has one right record, and names it by details in other
words, by the month, or by both. Ranks each question's pool with the weights that ship and with a plain sum of words and
meaning, and compares the mean reciprocal ranks: `ratios.learned_over_plain` at or above 1 means that it does not hurt.
"""

import argparse
import json
import random
import statistics
import tempfile
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from reverie import Agent, Memory
from reverie.config.settings import load
from reverie.pipelines.recall.question import Query
from reverie.pipelines.recall.ranking import FEATURES, WEIGHTS
from reverie.pipelines.recall.recall import look
from reverie.store import embedded

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
MONTHS = ("January", "February", "March", "April", "May", "June")
SERVICES = ("billing", "search", "checkout", "gateway", "mailer", "inventory", "ledger", "accounts")
TROUBLES = (
    ("ran out of memory", "was starved of RAM"),
    ("filled its disk", "had no storage left"),
    ("lost its database connections", "could not reach its database"),
    ("served stale prices", "showed outdated prices"),
    ("dropped one request in ten", "lost part of its traffic"),
    ("let its certificate expire", "had a TLS certificate that was no longer valid"),
)
REMEDIES = ("restarted two replicas", "rolled back", "doubled the limits", "emptied the cache", "rotated the logs")
DEEDS = (
    ("deploy", "rolled out build {n} of the {service} service", "Which build of {service} was released in {month}?"),
    (
        "scale",
        "raised the {service} service to {n} replicas",
        "How many copies of {service} run since {month}?",
    ),
    ("migrate", "moved the {service} tables to Postgres {n}", "Which database version did {service} get in {month}?"),
)
TRAITS = (
    (
        "is owned by",
        ("team Falcon", "team Heron", "team Otter", "team Lynx"),
        "Who looks after {service}?",
    ),
    ("is written in", ("Rust", "Go", "Kotlin", "Elixir"), "What programming language does {service} use?"),
    ("listens on port", ("7001", "7002", "7003", "7004"), "Where can I connect to {service}?"),
    ("is deployed to", ("Frankfurt", "Dublin", "Oslo", "Madrid"), "In which city does {service} run?"),
)
TALK = (
    ("dana", "Has anybody looked at the {service} service this week?"),
    ("omar", "I will be away tomorrow, please keep an eye on {service}."),
    ("dana", "The {service} dashboard was green all day, and nobody complained about its {word}."),
    ("omar", "Do we want more {word} for {service} before the summer?"),
)
WORDS = ("memory", "disk", "replicas", "database", "build", "certificate", "traffic", "team")


@dataclass(frozen=True)
class Asked:
    """A question with the one record that answers it."""

    question: str
    kind: str
    id: str


def facts(agent: Agent) -> Iterator[Asked]:
    for place, service in enumerate(SERVICES):
        for number, (predicate, objects, question) in enumerate(TRAITS):
            fact = agent.assert_fact(
                subject=service, predicate=predicate, object=objects[(place + number) % len(objects)], valid_from=START
            )
            yield Asked(question.format(service=service), "fact", fact.fact_id)


def episodes(agent: Agent, chance: random.Random) -> Iterator[Asked]:
    """Incidents: each service has every trouble once, in some month, ended by some remedy."""
    for service in SERVICES:
        for happened, otherwise in TROUBLES:
            at = START + timedelta(days=chance.randrange(160), hours=chance.randrange(9))
            episode = agent.record_episode(
                action_type="incident",
                state={"description": f"The {service} service {happened}; {chance.choice(REMEDIES)} and watched it"},
                outcome=chance.choice(("success", "success", "failure")),
                at=at,
            )
            yield Asked(f"What helped when {service} {otherwise}?", "episode", episode.episode_id)


def actions(agent: Agent, chance: random.Random) -> Iterator[Asked]:
    """Deeds that come again each month or two; the month tells one from the next."""
    for service in SERVICES:
        for deed, told, question in DEEDS:
            for month in sorted(chance.sample(range(len(MONTHS)), 3)):
                at = START.replace(month=month + 1, day=chance.randrange(2, 27))
                note = told.format(service=service, n=chance.randrange(12, 90))
                action = agent.record_action(action_type=deed, input={"note": note}, status="success", started_at=at)
                yield Asked(question.format(service=service, month=MONTHS[month]), "action", action.action_id)


def talk(agent: Agent, chance: random.Random) -> None:
    for day in range(0, 160, 4):
        session = agent.session(f"talk-{day}")
        for turn in range(4):
            sender, said = chance.choice(TALK)
            session.observe(
                sender=sender,
                content=said.format(service=chance.choice(SERVICES), word=chance.choice(WORDS)),
                at=START + timedelta(days=day, minutes=turn),
            )


def reciprocal(scores: np.ndarray, wanted: list[int]) -> float:
    if not wanted:
        return 0.0
    return 1 / (np.argsort(-scores, kind="stable").tolist().index(wanted[0]) + 1)


def measure(memory: Memory) -> dict[str, object]:
    agent, chance = memory.agent("operator"), random.Random(7)
    talk(agent, chance)
    asked = [*facts(agent), *episodes(agent, chance), *actions(agent, chance)]
    weights = {
        "learned": np.array([WEIGHTS[name] for name in FEATURES]),
        "plain": np.array([float(name in ("words", "meaning")) for name in FEATURES]),
    }
    now = START + timedelta(days=170)
    ranks: dict[str, dict[str, list[float]]] = {name: {} for name in weights}
    for one in asked:
        query = Query(one.question, "operator", at=now, valid_as_of=now, known_as_of=memory.ctx.clock())
        found = look(memory.ctx, query)
        wanted = [n for n, row in enumerate(found.candidates.rows) if (row.kind, row.id) == (one.kind, one.id)]
        for name, vector in weights.items():
            ranks[name].setdefault(one.kind, []).append(reciprocal(found.ranking.features @ vector, wanted))
    means = {name: statistics.mean(rank for group in kinds.values() for rank in group) for name, kinds in ranks.items()}
    return {
        "ratios": {"learned_over_plain": round(means["learned"] / means["plain"], 3)},
        "questions": len(asked),
        **{f"mrr_{name}": round(mean, 4) for name, mean in means.items()},
        "by_kind": {
            kind: {name: round(statistics.mean(ranks[name][kind]), 4) for name in weights} for kind in ranks["plain"]
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        folder = given.data_dir or Path(temporary)
        with embedded.acquire(folder) as lease:
            settings = load(redis_url=lease.endpoint.url(), data_dir=folder)
            with Memory(f"agent-{uuid.uuid4().hex}", settings=settings) as memory:
                result = measure(memory)
    print(json.dumps(result) if given.json else json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
