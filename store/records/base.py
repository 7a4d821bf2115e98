"""The base of every record."""

import abc
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, Self, get_args

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from redis_om import JsonModel

from reverie.store.keys import encode
from reverie.store.unreadable import read_one


class Home(Protocol):
    """Whatever says which namespace a record is of, such as the handle of one."""

    @property
    def namespace(self) -> str: ...


NO_REVISION: Final = -1
"""The revision of a record that was salvaged from a document without one: no write to it can be guarded by it."""
UNKNOWN_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""Stands in a salvaged record for a time that cannot be read."""
_STAND_INS: Final[tuple[Any, ...]] = ("?", 0, [], {}, UNKNOWN_TIME.isoformat())


class Record(JsonModel, abc.ABC):
    """One JSON document of one namespace, under `Keys.record(kind, id)`.

    redis-om asks the server for JSON each time an instance is made and keeps its client on the class; both are left
    out here: the connection checked the server, and records are written and read by the store that owns them.
    """

    # What a newer version wrote beside these fields is kept when the record is written again.
    model_config = ConfigDict(extra="allow")

    kind: ClassVar[str] = ""

    id: str
    digest: str = ""
    """Fingerprint of the content a repeated call must match."""
    revision: int = 0
    """Grows with each change; a write made from an older reading is refused and made again."""
    recorded_at: datetime

    class Meta:
        global_key_prefix = "rv"
        database: ClassVar[Any] = None

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)

    if not TYPE_CHECKING:
        # Pydantic's own: a model with any other reads JSON by a detour that takes three times as long.
        __init__ = BaseModel.__init__

    @classmethod
    def make_key(cls, part: str) -> str:
        return f"rv:{part}"

    @classmethod
    def new(cls, home: Home, id: str, **fields: Any) -> Self:
        """A record of the namespace of `home`."""
        return cls(pk=f"{{{encode(home.namespace)}}}:{cls.kind}:{encode(id)}", id=id, **fields)

    def revised(self, changes: Mapping[str, object]) -> Self:
        """The record as it is after a change of these fields: of the next revision."""
        after: Self = self.model_copy(update={**changes, "revision": self.revision + 1})
        return after

    @property
    def moment(self) -> datetime:
        """When what it tells of was: its place among the records of its kind, which never changes."""
        return self.recorded_at

    def document(self) -> str:
        """The JSON that is stored."""
        document: str = self.model_dump_json(exclude_none=True)
        return document

    @classmethod
    def read(cls, document: bytes | str) -> Self:
        """The record of a stored document, with or without the array that a `$` path puts around it.

        Raises RecordUnreadable.
        """
        plain = unwrapped(document.encode() if isinstance(document, str) else document)
        record: Self = read_one(cls.kind, plain, cls.model_validate_json)
        return record

    @classmethod
    def salvaged(cls, home: Home, id: str, document: bytes) -> Self:
        """What can be read of a document that is no record of this kind; in place of each field that cannot, nothing
        or a stand-in of its type stands.
        """
        try:
            found = json.loads(document)
        except ValueError:
            found = None
        known = found if isinstance(found, dict) else {}
        revision = known.get("revision")
        own = {
            "pk": f"{{{encode(home.namespace)}}}:{cls.kind}:{encode(id)}",
            "id": id,
            "revision": revision if isinstance(revision, int) else NO_REVISION,
        }
        fields = {**known, **own}
        while True:
            try:
                made: Self = cls.model_validate_json(json.dumps(fields))
                return made
            except ValidationError as error:
                for name in {str(one["loc"][0]) for one in error.errors()}:
                    fields.pop(name, None)
                    if cls.model_fields[name].is_required():
                        fields[name] = _stand_in(cls.model_fields[name])


def _stand_in(field: FieldInfo) -> Any:
    """A value of the field's type that tells nothing, as it stands in JSON."""
    adapter = TypeAdapter[Any](field.annotation or Any)
    for value in (*_STAND_INS, *get_args(field.annotation)):
        try:
            adapter.validate_json(json.dumps(value))
        except (ValidationError, TypeError):
            continue
        return value
    raise TypeError(f"no stand-in fits {field.annotation}")


def unwrapped(document: bytes) -> bytes:
    """A stored document without the array that a `$` path puts around it; the fake server leaves it out at times."""
    return document[1:-1] if document[:1] == b"[" else document
