"""Text to keywords, the same for what is stored and for what is asked.

RediSearch's own tokenizer cannot find a word inside unspaced script and knows nothing of identifiers, so the index
holds keywords made here. Every keyword is letters and digits alone, which makes any query text safe.
"""

import re
import unicodedata
from functools import lru_cache

import snowballstemmer

# Scripts written without spaces: Thai, Lao, Myanmar, Khmer, kana, Han with their extensions.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_TOKEN = re.compile(
    rf"(?P<unspaced>[{_UNSPACED}]+)"
    r"|(?P<number>\d{1,3}(?:,\d{3})+(?![\d,]))"
    r"|(?P<word>[^\W_]+(?:(?:['’]|[_./:\\@#+-]+)[^\W_]+)*)"
)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_MARKS = re.compile(r"[\W_]+")
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
_UNSPACED_RUN = re.compile(rf"[{_UNSPACED}]+")

_stemmer = snowballstemmer.stemmer("english")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a folded word (Porter's second English stemmer)."""
    stemmed: str = _stemmer.stemWord(word)
    return stemmed


def fold(text: str) -> str:
    """Compatibility forms, case and accents folded away: `Café` and `cafe` are one."""
    decomposed = unicodedata.normalize("NFKD", text)
    bare = "".join(c for c in decomposed if not unicodedata.combining(c) or _UNSPACED_RUN.match(c))
    return unicodedata.normalize("NFKC", bare).casefold()


def _unspaced(run: str, *, asked: bool) -> list[str]:
    pairs = [run[i : i + 2] for i in range(len(run) - 1)]
    if not pairs:
        return [run]
    return pairs if asked else [*run, *pairs]


@lru_cache(maxsize=16384)
def _word(word: str) -> tuple[str, ...]:
    bare = _POSSESSIVE.sub("", word)
    whole = stem(_MARKS.sub("", fold(bare)))
    parts = [part for piece in _MARKS.split(bare) for part in _PART.findall(piece)]
    if len(parts) < 2:
        return (whole,) if whole else ()
    return (whole, *(stem(fold(part)) for part in parts))


def keywords(text: str, *, asked: bool = False) -> list[str]:
    """The keywords of a text in order, repeats kept. With `asked`, those a query looks for.

    Words are stemmed; identifiers, paths and versions count whole and in parts; runs of unspaced script count as
    overlapping pairs of characters, and when stored as single ones too; "1,200" counts as 1200.
    """
    found: list[str] = []
    for match in _TOKEN.finditer(unicodedata.normalize("NFKC", text)):
        token = match.group()
        if match.lastgroup == "unspaced":
            found += _unspaced(fold(token), asked=asked)
        elif match.lastgroup == "number":
            found.append(token.replace(",", ""))
        else:
            for piece in _split_scripts(token):
                found += _unspaced(fold(piece), asked=asked) if _UNSPACED_RUN.match(piece) else _word(piece)
    return [keyword for keyword in found if keyword]


def _split_scripts(token: str) -> list[str]:
    """`iPhone手机` is a word and a run of unspaced script."""
    if not _UNSPACED_RUN.search(token):
        return [token]
    pieces, last = [], 0
    for run in _UNSPACED_RUN.finditer(token):
        pieces += [token[last : run.start()], run.group()]
        last = run.end()
    pieces.append(token[last:])
    return [piece for piece in pieces if piece]
