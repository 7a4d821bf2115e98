"""Text to keywords, the same for what is stored and for what is asked.

RediSearch's own tokenizer cannot find a word inside unspaced script and knows nothing of identifiers, so the index
holds keywords made here. Every keyword is letters and digits alone, which makes any query text safe.
"""

import re
import unicodedata
from functools import lru_cache

import snowballstemmer

# Scripts whose words a space does not end: Thai, Lao, Myanmar, Khmer, kana, Han with their extensions; Korean, which
# writes its particles on to the word.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
# What stands inside words and is no letter to `re`: vowel signs and points of Indic scripts, Tibetan, Hebrew and
# Arabic, accents that compose with no letter, the joiner.
_SIGNS = "".join(
    chr(code)
    for first, last in (
        (0x300, 0x36F),
        (0x591, 0x5C7),
        (0x610, 0x670),
        (0x900, 0xDFF),
        (0xF71, 0xFBC),
        (0x200D, 0x200D),
    )
    for code in range(first, last + 1)
    if unicodedata.category(chr(code)) in ("Mn", "Mc", "Cf")
)
_LATIN = "\u00c0-\u02af\u1e00-\u1eff"
_CHARACTERS = rf"[^\W_]+(?:[{_SIGNS}]+[^\W_]*)*"
_TOKEN = re.compile(
    rf"(?P<unspaced>[{_UNSPACED}]+)"
    r"|(?P<number>\d{1,3}(?:,\d{3})+(?![\d,]))"
    rf"|(?P<marked>[A-Za-z](?:\+\+|#)(?![^\W_]))"
    rf"|(?P<word>{_CHARACTERS}(?:(?:['’\u200c]|[_./:\\@#+-]+){_CHARACTERS})*)"
)
_PART = re.compile(
    rf"[A-Z]+(?![a-z{_LATIN}])|[A-Z]?[a-z{_LATIN}]+|\d+|(?:[{_SIGNS}]|[^\W\d_A-Za-z{_LATIN}])+",
)
_MARKS = re.compile(rf"(?:[^\w{_SIGNS}]|_)+")
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
_UNSPACED_RUN = re.compile(rf"[{_UNSPACED}]+")
_WRITTEN_PLAIN = str.maketrans(
    {
        "ß": "ss", "ẞ": "SS", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D",
        "ħ": "h", "Ħ": "H", "ı": "i", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "þ": "th", "Þ": "Th",
        "\u200d": "",
    }
)  # fmt: skip
"""Letters that do not decompose, as those write them who do not have them on their keyboard; no joiner."""
_MARKED = {"++": "plusplus", "#": "sharp"}
_LONGEST = 128
"""Characters of a keyword; of a longer one, such as an encoded picture, the beginning stands for the whole."""

_stemmer = snowballstemmer.stemmer("english")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a folded word (Porter's second English stemmer)."""
    stemmed: str = _stemmer.stemWord(word)
    return stemmed


def _plain(text: str) -> str:
    """Compatibility forms and accents taken away, case kept."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    bare = "".join(c for c in decomposed if not unicodedata.combining(c) or _UNSPACED_RUN.match(c))
    return unicodedata.normalize("NFKC", bare).translate(_WRITTEN_PLAIN)


def fold(text: str) -> str:
    """Compatibility forms, case and accents folded away: `Café` and `cafe` are one."""
    return _plain(text).casefold()


def _unspaced(run: str, *, asked: bool) -> list[str]:
    pairs = [run[i : i + 2] for i in range(len(run) - 1)]
    if not pairs:
        return [run]
    return pairs if asked else [*run, *pairs]


def _word(word: str) -> tuple[str, ...]:
    # Long ones come once, and would fill the cache.
    return _common_word(word) if len(word) <= _LONGEST else _analysed(word)


@lru_cache(maxsize=16384)
def _common_word(word: str) -> tuple[str, ...]:
    return _analysed(word)


def _analysed(word: str) -> tuple[str, ...]:
    bare = _plain(_POSSESSIVE.sub("", word))
    whole = _stemmed(_MARKS.sub("", bare))
    parts = [part for piece in _MARKS.split(bare) for part in _PART.findall(piece)]
    if len(parts) < 2:
        return (whole,) if whole else ()
    return (whole, *(_stemmed(part) for part in parts))


def _stemmed(word: str) -> str:
    return stem(word.casefold()[:_LONGEST])


def keywords(text: str, *, asked: bool = False) -> list[str]:
    """The keywords of a text in order, repeats kept. With `asked`, those a query looks for.

    Words are stemmed; identifiers, paths and versions count whole and in parts; runs of unspaced script count as
    overlapping pairs of characters, and when stored as single ones too; "1,200" counts as 1200, "C++" is no "C".
    """
    found: list[str] = []
    for match in _TOKEN.finditer(unicodedata.normalize("NFKC", text)):
        token = match.group()
        if match.lastgroup == "unspaced":
            found += _unspaced(fold(token), asked=asked)
        elif match.lastgroup == "number":
            found.append(token.replace(",", ""))
        elif match.lastgroup == "marked":
            letter = token[0].lower()
            found += [letter + _MARKED[token[1:]], letter]
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
