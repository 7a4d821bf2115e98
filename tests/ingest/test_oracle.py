"""The prepared replies of bench/oracle are what a language model could reply."""

import json
from pathlib import Path

from reverie.knowledge.claims import Proposal

REPLIES = Path(__file__).parents[2] / "bench" / "oracle" / "beliefs.jsonl"


def test_the_prepared_replies_have_the_shape_that_is_asked_for() -> None:
    lines = [json.loads(line) for line in REPLIES.read_text(encoding="utf-8").splitlines()]
    assert len({line["id"] for line in lines}) == len(lines)
    for claim in (claim for line in lines for turn in line["turns"] for claim in turn):
        assert set(claim) <= set(Proposal.model_fields)
        for name in ("quote", "since", "until"):
            start, end = claim.get(name, (0, 1))
            assert 0 <= start < end
        Proposal(**{name: "words" if isinstance(value, list) else value for name, value in claim.items()})
