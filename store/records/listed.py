"""The record types whose records are kept in one order each; `store/schema.py` says which kinds these are."""

from collections.abc import Mapping
from typing import Final

from reverie.store.records.activity import ActionRecord, EpisodeRecord
from reverie.store.records.base import Record
from reverie.store.records.conversation import MessageRecord, ParticipantRecord, SessionRecord
from reverie.store.records.knowledge import EntityRecord

MODELS: Final[Mapping[str, type[Record]]] = {
    model.kind: model
    for model in (ParticipantRecord, SessionRecord, MessageRecord, EntityRecord, ActionRecord, EpisodeRecord)
}
"""By kind."""
