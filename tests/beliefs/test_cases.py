"""What is believed after conversations of every kind, without a language model."""

import importlib.util
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from conftest import WordEmbedder

from reverie.config.settings import Settings

ROOT = Path(__file__).parents[2]
CASES = [json.loads(line) for line in (ROOT / "tests/beliefs/cases.jsonl").read_text(encoding="utf-8").splitlines()]
FLOOR = 0.78
"""Share of the cases that come out right. Measured when it was set; what lowers it takes something away."""
MOST_FALSE = 0.02
"""Share of what is false that may be believed."""

Fact = Mapping[str, Any]


def matches(pattern: Fact, fact: Fact) -> bool:
    """Whether a fact says what a pattern asks for (see cases.jsonl: subject, has, negated, from, until)."""
    subjects = pattern["subject"] if isinstance(pattern["subject"], list) else [pattern["subject"]]
    if not any(one.casefold() in fact["subject"].casefold() for one in subjects):
        return False
    said = " ".join(str(fact[key] or "") for key in ("predicate", "object", "content"))
    if not all(re.search(one, said, re.IGNORECASE) for one in pattern.get("has", ())):
        return False
    if bool(pattern.get("negated", False)) != fact["negated"]:
        return False
    bounds = (("from", "valid_from"), ("until", "valid_to"))
    return all(str(fact[field] or "").startswith(pattern.get(key) or "") for key, field in bounds)


def judged(case: Fact, facts: Sequence[Fact]) -> tuple[bool, int]:
    """Whether a case comes out right, and how much that is false is believed."""
    current = [one for one in facts if one["current"]]
    met = [any(matches(one, fact) for fact in (facts if one.get("until") else current)) for one in case["holds"]]
    false = sum(any(matches(one, fact) for fact in current) for one in case["not"])
    return all(met) and not false, false


def test_what_is_so_is_believed_and_what_is_not_is_not(settings: Settings, redis_url: str) -> None:
    spec = importlib.util.spec_from_file_location("beliefs", ROOT / "bench/beliefs.py")
    assert spec is not None
    assert spec.loader is not None
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    listener = bench.Listener(settings, redis_url, WordEmbedder())
    results = {case["id"]: judged(case, listener.beliefs(case)) for case in CASES}
    wrong = [id for id, (right, _) in results.items() if not right]
    false = sum(count for _, count in results.values()) / sum(len(case["not"]) for case in CASES)
    assert len(wrong) <= (1 - FLOOR) * len(CASES), wrong
    assert false <= MOST_FALSE
