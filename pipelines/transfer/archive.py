"""The file of an export: JSON Lines in Zstandard frames, each frame a whole number of keys.

After a frame comes nothing that it needs: what a writer that was killed left behind is cut to its last whole frame, and
the export goes on from there. A file of plain JSON Lines is read as well.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import zstandard

from reverie.config.errors import ValidationFailed

Line = dict[str, Any]

_FRAME: Final = 1 << 20
"""Bytes of JSON in one frame at least; frames of 1 MiB are within a few percent of one frame's size."""
_CHUNK: Final = 1 << 18
_MAGIC: Final = b"\x28\xb5\x2f\xfd"
SO_FAR: Final = "so_far"
"""Names the line that ends a frame: the last key that it holds."""


class Writer:
    """Writes lines to a file, key by key."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._lines: list[str] = []
        self._size = 0

    def write(self, lines: list[Line], key: str | None = None) -> None:
        """Add the lines of one key, or those that stand before and after all keys."""
        for line in lines:
            text = json.dumps(line, separators=(",", ":"))
            self._lines.append(text)
            self._size += len(text)
        if self._size >= _FRAME:
            self.flush(key)

    def flush(self, key: str | None = None) -> None:
        """End the frame, after the lines of this key."""
        if key is not None:
            self._lines.append(json.dumps({SO_FAR: key}))
        if self._lines:
            text = "".join(f"{line}\n" for line in self._lines)
            self._file.write(zstandard.ZstdCompressor(write_content_size=True).compress(text.encode()))
            self._file.flush()
        self._lines, self._size = [], 0


@dataclass(frozen=True)
class Kept:
    """What is whole of a file that was not finished: its header, its length in bytes and the last key that it holds."""

    header: Line
    length: int
    key: str


def kept(path: Path) -> Kept | None:
    """What an unfinished export left; None when nothing of it can be kept."""
    header: Line | None = None
    found: Kept | None = None
    if not path.exists():
        return None
    with path.open("rb") as file:
        for end, text in _frames(file):
            lines = text.splitlines()
            header = header or json.loads(lines[0])
            last = json.loads(lines[-1])
            if SO_FAR in last:
                found = Kept(header, end, last[SO_FAR])
    return found


def _frames(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Every whole frame: where it ends in the file, and what it holds."""
    end, held = 0, b""
    while True:
        frame = zstandard.ZstdDecompressor().decompressobj()
        parts: list[bytes] = []
        taken = 0
        while not frame.eof:
            chunk = held or file.read(_CHUNK)
            held = b""
            if not chunk:
                return
            taken += len(chunk)
            try:
                parts.append(frame.decompress(chunk))
            except zstandard.ZstdError:
                return
        held = frame.unused_data
        end += taken - len(held)
        yield end, b"".join(parts)


def lines(path: Path) -> Iterator[Line]:
    """The lines of a whole export. Raises ValidationFailed where the file is none, or ends too early."""
    try:
        with path.open("rb") as file:
            is_compressed = file.read(4) == _MAGIC
            size = file.seek(0, os.SEEK_END)
            file.seek(0)
            number = end = 0
            for ended, text in _frames(file) if is_compressed else [(size, file.read())]:
                end = ended
                for one in text.splitlines():
                    number += 1
                    yield _parsed(one, path, number)
            if end < size:
                raise ValidationFailed("file", f"{path} is damaged after line {number}")
    except OSError as error:
        raise ValidationFailed("file", f"{path} cannot be read: {error.strerror}") from None


def _parsed(text: bytes, path: Path, number: int) -> Line:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ValidationFailed("file", f"{path}, line {number} is no line of an export")
    return found
