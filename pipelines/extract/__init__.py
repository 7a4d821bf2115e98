"""What a message says, worked out without an LLM: entities, claims, dates, chunks. No Redis, no clock."""

from __future__ import annotations

from reverie.pipelines.extract.extractor import Extractor
from reverie.pipelines.extract.model import Claim, EntityMention, Extraction, Turn

__all__ = ["Claim", "EntityMention", "Extraction", "Extractor", "Turn"]
