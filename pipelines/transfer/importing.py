"""Putting an export into a namespace: first what it holds, then the search rows.

Both steps go by the lines of the file, and the namespace holds which line each came to. So an import that was killed is
gone on with by the same call, and nothing is done twice. Nobody writes to the namespace before its first step is done.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
from pydantic import BaseModel, ConfigDict

from reverie.config.errors import ValidationFailed
from reverie.config.task_names import DUE_SETS, TOPIC_TASKS
from reverie.pipelines import vectors
from reverie.pipelines.context import Context
from reverie.pipelines.rows import DRAFTERS
from reverie.pipelines.transfer import archive
from reverie.pipelines.transfer.archive import SO_FAR, Line
from reverie.pipelines.transfer.header import Header, read_header
from reverie.store import dumping, restoring, tombstones

ImportProgress = Callable[[str, int], None]
"""Called with the step that the import is at, "records" or "rows", and how many lines of the file that has done."""

_LINES: Final = 200
"""Lines written in one step at most."""
_BYTES: Final = 4 << 20
"""Characters of JSON written in one step at most, unless one line has more."""
_ROWS: Final = 64
"""Records whose rows are written in one round trip."""


class Imported(BaseModel):
    """What an import wrote: records, lines beside them, and search rows, of which `late` get their vectors later."""

    model_config = ConfigDict(frozen=True)

    export: str
    namespace: str
    records: int
    lines: int
    rows: int
    late: int
    barred: int = 0
    """Records that were left out because they were erased here."""


def import_namespace(
    ctx: Context, path: Path, *, merge: bool = False, progress: ImportProgress | None = None
) -> Imported:
    """Import an export into the namespace. Raises ValidationFailed, StoreBusy, StoreUnavailable.

    The namespace has to be empty, unless the export holds what changed after another one or `merge` says to put it over
    what is there. Vectors are made by the workers, unless the export holds those of this very embedder.
    """
    header = read_header(next(archive.lines(path), None), path)
    _check(path, header)
    run = _Import(ctx, path, header, progress or _no_progress)
    begun = restoring.standing(ctx.ns)
    if begun is not None and begun.export != header.export:
        raise ValidationFailed(
            "namespace",
            "holds an import that was interrupted; finish that first, or forget the namespace",
        )
    is_over = merge or bool(header.after)
    if begun is None:
        if not is_over and not restoring.is_empty(ctx.ns):
            raise ValidationFailed(
                "namespace", f"{ctx.namespace!r} holds memories already; import into an empty one, or merge"
            )
        restoring.begin(ctx.ns, header.export, "records")
        begun = restoring.Standing(header.export, "records", 0)
    if begun.step == "records":
        run.put_records(begun.place, over=is_over)
        restoring.register(ctx.ns, list(TOPIC_TASKS), DUE_SETS)
        restoring.begin(ctx.ns, header.export, "rows")
        begun = restoring.Standing(header.export, "rows", 0)
    run.put_rows(begun.place)
    restoring.finish(ctx.ns)
    for topic in TOPIC_TASKS:
        ctx.wake(topic, ctx.namespace)
    return run.result()


def _no_progress(step: str, lines: int) -> None:
    """Report progress to nobody."""


def _check(path: Path, header: Header) -> None:
    """Read the whole file once before anything is written. Raises ValidationFailed where it is wrong."""
    end: Line = {}
    for number, line in enumerate(archive.lines(path), 1):
        end = line
        if number == 1 or SO_FAR in line or "end" in line:
            continue
        try:
            dumping.check(line)
        except ValueError:
            raise ValidationFailed("file", f"{path}, line {number} is no line of an export") from None
    if end.get("end") != header.export:
        raise ValidationFailed("file", f"{path} is not whole: its last line is missing; export again")


class _Import:
    """One run of an import."""

    def __init__(self, ctx: Context, path: Path, header: Header, progress: ImportProgress) -> None:
        self._ctx = ctx
        self._path = path
        self._header = header
        self._progress = progress
        self._records = self._lines = self._rows = self._late = self._barred = 0

    def result(self) -> Imported:
        """What it did."""
        return Imported(
            export=self._header.export,
            namespace=self._ctx.namespace,
            records=self._records,
            lines=self._lines,
            rows=self._rows,
            late=self._late,
            barred=self._barred,
        )

    def put_records(self, place: int, *, over: bool) -> None:
        """Write all that the file holds from a line on; `over` what is there."""
        for begins, ends, lines in _batches(self._path, place):
            # What changed after another export is to stand here as it stands there.
            wanted = self._not_barred(lines) if over and not self._header.after else lines
            if over:
                # By what is stored still: a record that changes may have fewer rows than before.
                restoring.drop_rows(self._ctx.ns, _records_of(wanted))
            restoring.put(self._ctx.ns, wanted, begins, ends)
            self._records += sum("record" in line for line in wanted)
            self._lines += len(wanted)
            self._progress("records", ends)

    def put_rows(self, place: int) -> None:
        """Write the search rows of the records of the file, from a line on."""
        given = (self._header.embedder, self._header.dimension)
        embedder = self._ctx.embedder
        with_vectors = given == (embedder.name, embedder.dimension)
        for begins, ends, lines in _batches(self._path, place):
            by_kind: dict[str, dict[str, Line]] = {}
            for line in lines:
                if line.get("record") in DRAFTERS:
                    by_kind.setdefault(line["record"], {})[line["id"]] = line
            for kind, records in by_kind.items():
                ids = list(records)
                for first in range(0, len(ids), _ROWS):
                    self._write(kind, {id: records[id] for id in ids[first : first + _ROWS]}, with_vectors)
            restoring.put(self._ctx.ns, [], begins, ends)
            self._progress("rows", ends)

    def _write(self, kind: str, records: dict[str, Line], with_vectors: bool) -> None:
        ctx, now = self._ctx, self._ctx.clock()
        transactions = []
        for draft in DRAFTERS[kind](ctx.ns, list(records)):
            kept = records[draft.row.id].get("vectors", {}) if with_vectors else {}
            found = kept.get(str(draft.row.part))
            vector = None if found is None else np.frombuffer(bytes.fromhex(found), np.float16).astype(np.float32)
            transaction = ctx.ns.transaction()
            transaction.require_unchanged(kind, draft.row.id, draft.revision)
            self._late += vectors.write_row(transaction, draft, vector, now, bulk=True)
            transactions.append(transaction)
        self._rows += sum(one.committed for one in ctx.ns.commit(transactions)) if transactions else 0

    def _not_barred(self, lines: list[Line]) -> list[Line]:
        """The lines without what was erased here after it was exported."""
        nodes = [node for line in lines for node in _nodes(line)]
        moments = tombstones.moments(self._ctx.ns, nodes) if nodes else []
        barred = {node for node, at in zip(nodes, moments, strict=True) if at is not None}
        kept = []
        for line in lines:
            if not barred.intersection(_nodes(line)):
                kept.append(line)
            elif "record" in line:
                self._barred += 1
            elif (line["to"][0], line["to"][1]) not in barred:
                sources = [one for one in line["from"] if (line["of"], one[0]) not in barred]
                kept += [{**line, "from": sources}] if sources else []
        return kept


def _nodes(line: Line) -> list[tuple[str, str]]:
    if "record" in line:
        return [(line["record"], line["id"])]
    if "edge" in line:
        return [(line["to"][0], line["to"][1]), *((line["of"], source[0]) for source in line["from"])]
    return []


def _records_of(lines: list[Line]) -> list[tuple[str, str]]:
    """Kind and id of the records that lines write or clear."""
    keys = (dumping.key_of(line) for line in lines if "record" in line or "clear" in line)
    return [named for key in keys if (named := dumping.record_of(key)) is not None]


def _weight(line: Line) -> int:
    """About how many characters a line has, where it may have many."""
    return sum(len(one) for one in line.get("data", {}).values() if isinstance(one, str))


def _batches(path: Path, place: int) -> Iterator[tuple[int, int, list[Line]]]:
    """The documents of the file from a line on, in parts: the first line of each, the line after it, and the documents.

    Lines count from 0; the header is the first.
    """
    begins, ends, size = place, place, 0
    held: list[Line] = []
    for line in islice(archive.lines(path), place, None):
        ends += 1
        if SO_FAR not in line and "reverie" not in line and "end" not in line:
            held.append(line)
            size += _weight(line)
        if len(held) >= _LINES or size >= _BYTES:
            yield begins, ends, held
            begins, held, size = ends, [], 0
    if ends > begins:
        yield begins, ends, held
