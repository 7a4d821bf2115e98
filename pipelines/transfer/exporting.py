"""Writing everything of a namespace into a file.

A key is written whole or not at all. What is written to the namespace meanwhile may be in the file or not; an export of
what changed `after` this one has the rest.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import BaseModel, ConfigDict
from ulid import ULID

from reverie.config.errors import ValidationFailed
from reverie.pipelines.context import Context
from reverie.pipelines.transfer import archive
from reverie.pipelines.transfer.archive import SO_FAR, Line, Writer
from reverie.pipelines.transfer.header import Header, read_header
from reverie.store import dumping, schema
from reverie.store.dumping import Unit
from reverie.store.namespace import Namespace
from reverie.store.times import to_micros

ExportProgress = Callable[[int, int], None]
"""Called with how many keys are done, and of how many."""


class Exported(BaseModel):
    """What an export wrote: records, lines beside them, and the keys that it says are gone."""

    model_config = ConfigDict(frozen=True)

    export: str
    namespace: str
    records: int
    lines: int
    gone: int = 0


@dataclass
class _Tally:
    records: int = 0
    lines: int = 0
    gone: int = 0

    def count(self, lines: Sequence[Line]) -> None:
        """Count the lines of a key."""
        self.lines += len(lines)
        self.records += sum("record" in line for line in lines)


@dataclass(frozen=True)
class _Wanted:
    """Which keys an export holds: all, what is newer than a moment, or what is not in other exports as it is now."""

    since: datetime | None = None
    known: dict[str, bytes] = field(default_factory=dict)
    """Digests of what earlier exports hold, by key."""

    def of(self, unit: Unit) -> list[Line]:
        """The lines of a key that are wanted."""
        if self.since is not None:
            return _newer(unit, self.since)
        if self.known:
            if self.known.get(unit.key) == digest(unit.documents):
                return []
            # Records are replaced whole; what has several lines has to go first.
            cleared: list[Line] = [] if "record" in unit.documents[0] else [{"clear": unit.key}]
            return [*cleared, *unit.documents] if unit.key in self.known else unit.documents
        return unit.documents


def export_namespace(
    ctx: Context,
    path: Path | BinaryIO,
    *,
    since: datetime | None = None,
    after: Sequence[Path] = (),
    vectors: bool = False,
    progress: ExportProgress | None = None,
) -> Exported:
    """Export the namespace into a file, or into what is open for writing.

    A file is written beside its place, under its name with `.part`, and put there when it is whole; what an export that
    was killed left there is gone on with. `since` leaves out what is older, `after` what stands as it is in these
    exports. Raises ValidationFailed, StoreUnavailable.
    """
    header = Header(
        export=str(ULID.from_datetime(ctx.clock())),
        namespace=ctx.namespace,
        exported_at=ctx.clock(),
        embedder=ctx.embedder.name,
        dimension=ctx.embedder.dimension,
        since=since,
        after=tuple(read_header(next(archive.lines(one), None), one).export for one in after),
    )
    wanted = _Wanted(since, _known(after))
    if not isinstance(path, Path):
        return _write(ctx.ns, Writer(path), header, wanted, None, vectors=vectors, progress=progress)
    part = path.with_name(path.name + ".part")
    left = archive.kept(part)
    if left is not None and _goes_on(left.header, header):
        os.truncate(part, left.length)
        header, last = read_header(left.header, part), left.key
    else:
        part.unlink(missing_ok=True)
        last = None
    try:
        with part.open("ab") as file:
            exported = _write(ctx.ns, Writer(file), header, wanted, last, vectors=vectors, progress=progress)
    except OSError as error:
        raise ValidationFailed("file", f"{part} cannot be written: {error.strerror}") from None
    part.replace(path)
    return exported


def _goes_on(found: Line, header: Header) -> bool:
    """Whether what is left is of the same export."""
    same = ("namespace", "since", "after", "version", "schema_version", "embedder")
    mine = header.line()
    return all(found.get(name) == mine[name] for name in same)


def _write(
    ns: Namespace,
    writer: Writer,
    header: Header,
    wanted: _Wanted,
    last: str | None,
    *,
    vectors: bool,
    progress: ExportProgress | None,
) -> Exported:
    every = dumping.keys(ns)
    done = 0 if last is None else sum(schema.order(key) <= schema.order(last) for key in every)  # type: ignore[operator]
    if last is None:
        writer.write([header.line()])
    tally = _Tally()
    for unit in dumping.units(ns, every[done:], vectors=vectors):
        lines = wanted.of(unit)
        tally.count(lines)
        writer.write(lines, unit.key)
        done += 1
        if progress is not None:
            progress(done, len(every))
    gone = sorted(wanted.known.keys() - set(every)) if wanted.known else []
    tally.gone = len(gone)
    writer.write([{"clear": key} for key in gone])
    writer.write([{"end": header.export}])
    writer.flush()
    return Exported(
        export=header.export,
        namespace=ns.namespace,
        records=tally.records,
        lines=tally.lines,
        gone=tally.gone,
    )


def digest(documents: Sequence[Line]) -> bytes:
    """What tells a key's documents from others; the vectors of records do not count."""
    plain = [{name: value for name, value in one.items() if name != "vectors"} for one in documents]
    return blake2b(json.dumps(plain, sort_keys=True).encode(), digest_size=12).digest()


def _known(files: Sequence[Path]) -> dict[str, bytes]:
    """What the exports hold together, each applied after the one before. Raises ValidationFailed."""
    known: dict[str, bytes] = {}
    for path in files:
        for key, documents in _by_key(path):
            if documents:
                known[key] = digest(documents)
            else:
                known.pop(key, None)
    return known


def _by_key(path: Path) -> Iterator[tuple[str, list[Line]]]:
    """The documents of an export by their keys; none for a key that it clears."""
    key, held = "", list[Line]()
    lines = archive.lines(path)
    next(lines, None)
    for line in lines:
        if SO_FAR in line or "end" in line:
            continue
        own = dumping.key_of(line)
        if own != key and held:
            yield key, held
            held = []
        key = own
        if "clear" in line:
            yield key, []
        else:
            held.append(line)
    if held:
        yield key, held


def _newer(unit: Unit, since: datetime) -> list[Line]:
    """What of a key is newer than a moment: records that bear a later time, edges and members of orders since then."""
    found: list[Line] = []
    for line in unit.documents:
        if "record" in line:
            found += [line] if _bears_later(line["data"], since) else []
        elif "edge" in line:
            later = [source for source in line["from"] if max(source[1:]) >= to_micros(since)]
            found += [{**line, "from": later}] if later else []
        else:
            found.append(line)
    return found


def _bears_later(value: Any, since: datetime) -> bool:
    if isinstance(value, dict):
        return any(_bears_later(one, since) for one in value.values())
    if isinstance(value, list):
        return any(_bears_later(one, since) for one in value)
    if isinstance(value, str) and 20 <= len(value) <= 35 and value[4:5] == "-":
        try:
            at = datetime.fromisoformat(value)
        except ValueError:
            return False
        return at.utcoffset() is not None and at >= since
    return False
