"""Where a sentence begins, as people write in chats: on a new line, after a lead, after a comma that should be a stop.

    "Do you? Yes"                                  two sentences
    "update: we moved to Annecy"                   the lead "update:" and a sentence
    "I own a Vespa, do I need cover for it?"       a statement and a question
    "the CLI needs Node 20, support for 18 is gone"

The parser takes such pieces for parts of one sentence and then misreads both.
"""

from __future__ import annotations

import re

from spacy.language import Language
from spacy.tokens import Doc, Token

_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_NOMINAL = frozenset({"NN", "NNS", "NNP", "NNPS", "JJ", "DT", "PRP$", "CD", "POS", "JJR", "JJS"})
_PRONOUNS = frozenset({"i", "we", "he", "she", "it", "they", "you", "there", "that", "this"})
_INVERTING = frozenset(
    {"can", "could", "do", "does", "did", "is", "are", "will", "would", "should", "shall", "has", "have"}
)
_SUBORDINATE = frozenset(
    [
        "if",
        "when",
        "because",
        "since",
        "although",
        "though",
        "while",
        "after",
        "before",
        "unless",
        "once",
        "until",
        "whereas",
        "whenever",
        "as",
        "in",
        "that",
        "who",
        "which",
        "what",
        "where",
        "how",
        "why",
        "whether",
        "let",
        "suppose",
        "imagine",
        "say",
        "should",
        "had",
        "were",
    ]
)
_TIMED = re.compile(
    r"(?:until|till|from|since|after|before|on|by|as of|starting)\s+(?:the\s+)?(?:end|start|beginning|next"
    r"|tomorrow|now|today|\d"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october"
    r"|november|december)\b",
    re.I,
)
_DICTATING = frozenset(
    {"reply", "respond", "answer", "say", "output", "return", "repeat", "write", "store", "save", "record", "print"}
    | {"tell", "quote", "add", "extract"}
)
"""Orders after which a colon gives the words that are to be said, and nobody's own."""
_LONGEST_LEAD = 7  # words before a colon
_LONGEST_SUBJECT = 6  # words of a subject that follows a comma


@Language.component("reverie_sentence_starts")
def sentence_starts(doc: Doc) -> Doc:
    """Mark the first words of sentences that the parser would not take for such."""
    start = 0
    for token in doc[:-1]:
        following = token.nbor(1)
        ended = token.text in ("?", "!") and following.text[:1].isupper()
        begins = (token.is_space and "\n" in token.text) or ended
        if token.text == ":" and _is_lead(doc, start, token.i) and _opens(doc, token.i + 1):
            begins = True
        if (
            token.text in (",", ";", "-", ":")
            and _is_told(doc, start, token.i)
            and _opens(doc, token.i + 1, spliced=True)
        ):
            begins = True
        if begins:
            following.is_sent_start = True
        if begins or token.text in (".", "?", "!"):
            start = token.i + 1
    return doc


def _is_lead(doc: Doc, start: int, end: int) -> bool:
    """A few words without a verb."""
    lead = doc[start:end]
    if any(token.lower_ in _DICTATING for token in lead[:2]):
        return False
    return 0 < len(lead) <= _LONGEST_LEAD and not any(token.tag_ in _FINITE or token.tag_ == "VB" for token in lead)


def _is_told(doc: Doc, start: int, end: int) -> bool:
    """A clause that stands alone: with a finite verb, and opened by no word that makes it hang on another."""
    words = [token for token in doc[start:end] if not token.is_punct and not token.is_space]
    timed = _TIMED.match(doc[start:end].text.strip()) is not None
    if timed and any(token.tag_ in _FINITE | {"VB"} for token in words):
        return True  # "until the end of June write to Ingmar, ..."
    if len(words) < 3 or words[0].lower_ in _SUBORDINATE - {"as", "in", "that"}:
        return False
    if words[0].lower_ in ("as", "in", "that") and words[1].tag_ in ("PRP", "DT") and words[0].lower_ != "that":
        return words[0].lower_ == "in"
    if words[0].tag_ == "VB" and words[0].lower_ in ("say", "tell", "ask", "remember", "note", "pretend"):
        return False
    return any(token.tag_ in _FINITE for token in words)


def _opens(doc: Doc, start: int, *, spliced: bool = False) -> bool:
    """Whether a clause of its own begins here: a subject and soon its verb, or a question."""
    end = next((token.i for token in doc[start:] if token.is_punct and token.text not in ("'", '"')), len(doc))
    words = [token for token in doc[start:end] if not token.is_space]
    if len(words) < 3:
        return False
    first = words[0]
    if first.lower_ in _INVERTING and words[1].tag_ in ("PRP", "NN", "DT") and words[1].lower_ not in ("n't", "not"):
        return words[1].lower_ in _PRONOUNS | {"someone", "anyone", "anybody", "somebody", "the", "my"}
    if first.lower_ in _PRONOUNS:
        return _verb_soon(words[1:4]) is not None and (
            not spliced or first.lower_ not in ("that", "this") or words[1].tag_ in _FINITE
        )
    if first.tag_ in ("DT", "PRP$", "NNP", "NN", "NNS", "NNPS") and first.lower_ not in ("some", "all", "both", "each"):
        return _subject_then_verb(words, spliced)
    if not spliced and (first.tag_ in ("VBD", "VB", "VBP", "VBN") or first.lower_ == "please"):
        return True
    if not spliced and first.tag_ in ("RB", "IN", "UH", "JJ"):
        return any(token.tag_ in _FINITE for token in words)
    return False


def _verb_soon(words: list[Token]) -> Token | None:
    for token in words:
        if token.tag_ in _FINITE:
            return token
        if token.tag_ not in ("RB", "CC", "DT", "NN"):
            return None
    return None


def _subject_then_verb(words: list[Token], spliced: bool) -> bool:
    """ "support for 18 is gone", "my boss left", but no "Priya is", which leaves its verb to the clause before."""
    for place, token in enumerate(words[1 : _LONGEST_SUBJECT + 1], 1):
        if token.tag_ in _FINITE:
            rest = words[place + 1 :]
            return bool(rest) and not (
                spliced
                and token.lower_ in ("is", "are", "was", "does", "did", "has", "can")
                and all(each.lower_ in ("too", "n't", "not", "either", "so") for each in rest)
            )
        if token.tag_ not in _NOMINAL | {"IN", "RB"} or token.lower_ in _SUBORDINATE - {"in"}:
            return False
    return False
