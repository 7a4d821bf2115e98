"""What a message says, worked out without an LLM: entities, claims, dates, chunks. No Redis, no clock."""

from typing import TYPE_CHECKING, Any

from reverie.pipelines.extract.model import WINDOW, Claim, EntityMention, Extraction, Turn

if TYPE_CHECKING:
    from reverie.pipelines.extract.extractor import Extractor

__all__ = ["WINDOW", "Claim", "EntityMention", "Extraction", "Extractor", "Turn"]


def __getattr__(name: str) -> Any:
    # Loaded at first use: it brings spaCy along, which a process that only writes and recalls never needs.
    if name == "Extractor":
        from reverie.pipelines.extract.extractor import Extractor

        return Extractor
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
