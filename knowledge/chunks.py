"""Long texts cut into chunks by their structure: code blocks, paragraphs, sentences, and only then anywhere.

A chunk is a slice of the text. Chunks overlap by whole sentences or lines, so that what is said across a border is
found in one piece.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

CountTokens = Callable[[str], int]

_CODE = re.compile(r"^(?:```|~~~)[^\n]*\n.*?(?:^(?:```|~~~)[ \t]*$|\Z)", re.S | re.M)
_PARAGRAPH = re.compile(r"\n[ \t]*\n+")
_SENTENCE = re.compile(r"(?<=[.!?…])[\"')\]]*\s+|(?<=[。！？｡])|\n+")
_LINE = re.compile(r"\n")
_WORD = re.compile(r"\s+")


@dataclass(frozen=True)
class Chunk:
    """`text` is the text's characters from `start` to `end` (exclusive)."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class _Piece:
    start: int
    end: int
    tokens: int
    opens: bool
    """Whether a paragraph or block begins here: a good place to begin a chunk, too."""


def chunks(text: str, max_tokens: int, overlap: int, count_tokens: CountTokens) -> list[Chunk]:
    """The text in chunks of at most `max_tokens` tokens each, about `overlap` of them shared with the chunk before.

    Blank text gives none. The time is linear in the text: each piece is counted once.
    Raises ValueError unless 0 <= overlap < max_tokens.
    """
    if not 0 <= overlap < max_tokens:
        raise ValueError("the overlap must be at least 0 and less than the chunk")
    pieces = list(_pieces(text, max_tokens, count_tokens))
    found: list[Chunk] = []
    first = 0
    while first < len(pieces):
        last, total = first, 0
        while last < len(pieces) and total + pieces[last].tokens <= max_tokens:
            total += pieces[last].tokens
            last += 1
        last = _good_end(pieces, first, last, total)
        start, end = pieces[first].start, pieces[last - 1].end
        if text[start:end].strip():
            found.append(Chunk(start, end, text[start:end]))
        if last == len(pieces):
            break
        first = _with_overlap(pieces, first, last, overlap)
    return found


def _good_end(pieces: list[_Piece], first: int, last: int, total: int) -> int:
    """End before a paragraph or block that begins in the second half of the chunk rather than inside it."""
    last = max(last, first + 1)
    if last == len(pieces) or pieces[last].opens:
        return last
    kept = total
    for place in range(last - 1, first, -1):
        kept -= pieces[place].tokens
        if kept * 2 < total:
            return last
        if pieces[place].opens:
            return place
    return last


def _with_overlap(pieces: list[_Piece], first: int, last: int, overlap: int) -> int:
    """Where the next chunk begins: as far back from `last` as the overlap reaches, but beyond `first`."""
    begin, shared = last, 0
    while begin - 1 > first and shared + pieces[begin - 1].tokens <= overlap:
        begin -= 1
        shared += pieces[begin].tokens
    return begin


def _pieces(text: str, most: int, count: CountTokens) -> Iterator[_Piece]:
    place = 0
    for block in _CODE.finditer(text):
        yield from _prose(text, place, block.start(), most, count)
        yield from _split(text, block.start(), block.end(), (_LINE, _WORD), most, count)
        place = block.end()
    yield from _prose(text, place, len(text), most, count)


def _prose(text: str, start: int, end: int, most: int, count: CountTokens) -> Iterator[_Piece]:
    for first, last in _between(text, start, end, _PARAGRAPH):
        opens = True
        for begin, stop in _between(text, first, last, _SENTENCE):
            for piece in _split(text, begin, stop, (_WORD,), most, count):
                yield _Piece(piece.start, piece.end, piece.tokens, opens)
                opens = False


def _split(
    text: str, start: int, end: int, borders: tuple[re.Pattern[str], ...], most: int, count: CountTokens
) -> Iterator[_Piece]:
    """The stretch as one piece if it fits, else cut at the first kind of border that it has, else in the middle."""
    tokens = count(text[start:end])
    if tokens <= most or end - start <= 1:
        yield _Piece(start, end, tokens, True)
        return
    middle = _middle(text, start, end, borders)
    yield from _split(text, start, middle, borders, most, count)
    yield from _split(text, middle, end, borders, most, count)


def _middle(text: str, start: int, end: int, borders: tuple[re.Pattern[str], ...]) -> int:
    """The border nearest to the middle, within the middle half; the very middle when there is none."""
    half, quarter = (start + end) // 2, (end - start) // 4
    for border in borders:
        cuts = [
            match.end() for match in border.finditer(text, half - quarter, half + quarter) if start < match.end() < end
        ]
        if cuts:
            return min(cuts, key=lambda cut: abs(cut - half))
    return half


def _between(text: str, start: int, end: int, border: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """The stretches between borders; a border belongs to the stretch before it."""
    place = start
    for match in border.finditer(text, start, end):
        if match.end() > place:
            yield place, match.end()
            place = match.end()
    if place < end:
        yield place, end
