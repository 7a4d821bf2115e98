"""The candidates found so far, each once, and which channel found it at which place."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from reverie.pipelines.recall.admission import Admission
from reverie.pipelines.recall.query import Phase
from reverie.store.candidates import Candidate, read, row_keys
from reverie.store.namespace import Namespace


@dataclass
class Pool:
    """Grows phase by phase."""

    admission: Admission
    asked: Sequence[str] = ()
    """The question's keywords."""
    candidates: list[Candidate] = field(default_factory=list)
    phases: dict[bytes, Phase] = field(default_factory=dict)
    near: dict[bytes, float] = field(default_factory=dict)
    """Share of graph activation by row key."""
    channels: dict[bytes, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))

    def add(
        self,
        ns: Namespace,
        phase: Phase,
        found: Iterable[tuple[str, Sequence[bytes]]],
        admit: Callable[[Candidate], bool] | None = None,
    ) -> int:
        """Read the rows that are new, in one round trip; how many came in. `found` pairs a channel with its keys."""
        new: dict[bytes, None] = {}
        for channel, keys in found:
            for place, key in enumerate(keys, 1):
                ranks = self.channels[key]
                ranks[channel] = min(place, ranks.get(channel, place))
                if key not in self.phases:
                    new[key] = None
        rows = [row for row in read(ns, list(new), self.asked) if admit is None or admit(row)]
        rows = self.admission.admitted(rows)
        self.candidates += rows
        self.phases.update((row.key, phase) for row in rows)
        return len(rows)

    def foremost(self, most: int) -> list[Candidate]:
        """The candidates that stand highest in their channels, by reciprocal rank (1 / (60 + rank), summed)."""
        return sorted(self.candidates, key=lambda c: -sum(1 / (60 + rank) for rank in self.channels[c.key].values()))[
            :most
        ]

    def said(self, ns: Namespace) -> list[bytes]:
        """Keys of the messages that the observations found were drawn from."""
        ids = [source for c in self.candidates if c.kind == "observation" for source in c.sources]
        return row_keys(ns, "message", dict.fromkeys(ids))
