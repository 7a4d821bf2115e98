"""The sequences of actions that end with an episode."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from reverie.knowledge.outcomes import worked
from reverie.store.records.activity import EpisodeRecord


@dataclass(frozen=True)
class Attempt:
    """One go at a sequence: its episodes in order; all but the last worked, `worked` says whether the last one did."""

    episodes: tuple[EpisodeRecord, ...]
    worked: bool

    @property
    def steps(self) -> tuple[str, ...]:
        """The kinds of action, compared without case and blanks around them."""
        return tuple(" ".join(episode.action_type.split()).casefold() for episode in self.episodes)


def attempts_ending(
    before: Sequence[EpisodeRecord], last: EpisodeRecord, *, steps: int, continuity: timedelta
) -> list[Attempt]:
    """The attempts of 2 to `steps` steps that end with `last`, shortest first; `before` holds what came before it.

    A longer one has no step twice: a loop is told by its pair already.
    """
    ended = worked(last.outcome)
    if ended is None:
        return []
    found: list[Attempt] = []
    chain = [last]
    for earlier in reversed(before[-(steps - 1) :]):
        if not worked(earlier.outcome) or chain[0].at - earlier.at > continuity:
            break
        chain.insert(0, earlier)
        attempt = Attempt(tuple(chain), ended)
        if len(chain) > 2 and len(set(attempt.steps)) < len(chain):
            break
        found.append(attempt)
    return found
