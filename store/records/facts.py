"""Facts: triples with the versions of their life in two times."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from reverie.store.records.base import Record
from reverie.store.records.knowledge import Origin


class Version(BaseModel):
    """One interval in which a fact held in the world, as the system believed from `recorded_at` until `retired_at`.

    Intervals are half open: from, exclusive of to; None is an open end. A version never changes but to be retired.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    number: int
    valid_from: datetime
    valid_to: datetime | None = None
    told_from: str | None = None
    told_to: str | None = None
    """The bounds as precise as they were told, in the zone of who said so ("2021", "2024-04"); None: to the second."""
    recorded_at: datetime
    retired_at: datetime | None = None
    reason: str | None = None
    """Why it ends where it ends."""
    retirement: str | None = None
    """Why it is believed no more."""
    by: str | None = None
    """Id of the fact because of which it was recorded, as its end; `retired_by` because of which it was retired."""
    retired_by: str | None = None


class FactRecord(Record, index=True):
    """A (subject, predicate, object) triple in the wording first seen. The id is made from the folded triple."""

    kind = "fact"
    given_id: str | None = None
    """The first id that a caller gave it. Older records have none, and need no migration."""
    subject: str
    predicate: str
    object: str | None = None
    content: str
    kind_of_thing: str | None = None
    """What kind of thing the object is to the subject; it decides what a change may touch."""
    slot: str
    """Id of the subject with the predicate, or with a group of kinds: facts of one slot may exclude each other."""
    origin: Origin
    """The strongest that stands behind it: a user over a tool over a model."""
    mistaken_at: datetime | None = None
    """When somebody said by hand that it never held: what was said before counts no more, what a model infers never."""
    support: int
    """How many observations, and assertions without one, stand behind it."""
    marks: list[datetime] = Field(default_factory=list)
    """The latest moments at which it was said to hold."""
    sources: list[str] = Field(default_factory=list)
    """Ids of the newest messages it rests on; all of them are its STATED_IN edges."""
    versions: list[Version]
