"""The first and the last line of an export."""

from datetime import datetime
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from reverie.config.errors import ValidationFailed
from reverie.pipelines.transfer.archive import Line
from reverie.store.schema_version import VERSION as SCHEMA

VERSION: Final = 1
"""Of the format."""


class Header(BaseModel):
    """What an export says about itself. `part` says that it is not all: what is newer than something."""

    model_config = ConfigDict(frozen=True, extra="allow")

    reverie: Literal["export"] = "export"
    version: int = VERSION
    schema_version: int = SCHEMA
    export: str
    """Id of the export."""
    namespace: str
    exported_at: datetime
    embedder: str
    dimension: int
    since: datetime | None = None
    after: tuple[str, ...] = ()
    """Ids of the exports after which it holds what changed."""

    def line(self) -> Line:
        """The line of the file."""
        return self.model_dump(mode="json")


def read_header(line: Line | None, path: object) -> Header:
    """The header of an export. Raises ValidationFailed for what is none, or of a newer version."""
    try:
        header = Header.model_validate(line)
    except ValidationError:
        raise ValidationFailed("file", f"{path} is no export of Reverie") from None
    if header.version > VERSION or header.schema_version > SCHEMA:
        raise ValidationFailed("file", f"{path} was written by a newer Reverie; upgrade this one to import it")
    return header
