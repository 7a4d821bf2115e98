"""Whose words a message holds: its own, and those it quotes, pastes, forwards or is typed by another.

Here is the log:                        -> own words of the sender
Vera: I moved to Lisbon last week       -> Vera's words, pasted
> I work at the harbour office.         -> nobody's who is named: nothing is learned of them
{"city": "Oulu"}                        -> no words at all
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reverie.knowledge.claims import Told
from reverie.pipelines.ingest.language.en import lexicon
from reverie.pipelines.ingest.language.en.parser import is_common

_NAME = r"[A-Z\u00c0-\u00de][\w'’.-]*(?:\s[A-Z\u00c0-\u00de][\w'’.-]*){0,2}"
_STAMP = (
    r"(?:[\[(]?\d{1,4}[-/.:]\d{1,2}(?:[-/.:]\d{1,4})?(?:,?\s+\d{1,2}:\d\d(?::\d\d)?)?(?:\s*[ap]m)?[\])]?\s*[-–]?\s*)?"
)
_CHAT_LINE = re.compile(rf"^\s*(?:[-*•]\s*)?{_STAMP}(?:<({_NAME})>|({_NAME})(?:\s*\([^)]*\))?:)\s+(\S.*)$")
_WROTE = re.compile(rf"^(?:[Oo]n\b.*?,\s*)?({_NAME})(?:\s*<[^>]*>)?\s+wrote:\s*$")
_HEADER = re.compile(rf"^\s*(?:>\s*)?(?i:from):\s*\"?({_NAME})?")
_OTHER_HEADER = re.compile(r"^\s*(?:sent|date|to|cc|bcc|subject|reply-to|betreff):\s", re.I)
_FORWARDED = re.compile(r"^\s*(?:-{2,}\s*)?(?:begin\s+)?(?:forwarded|original)\s+message\b", re.I)
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_MACHINE = re.compile(
    r"^\s*[\[{]\s*(?:$|[\"'{\[]|[A-Za-z_]\w*\s*:\s*[\"\d])|^\s*\[\s*\d+\.\d+\]|^\s*[\w.]+\(.*\)\s*(?:→|->|=>)|^\s*</?\w|[;{}]\s*$|^\s*[}\])]+[,;]?\s*$|^\s*\"[\w-]+\"\s*:|^\s*\w+\s*->\s*[\[{]"
    r"|^\s*(?:def|class|import|from\s+\w+\s+import|return|const|let|var|public|private|func|fn|SELECT|INSERT|UPDATE"
    r"|export|#include)\b.*[(:;=*]|^\s*(?:\$|>>>|#!|//|/\*|\*\s)\s*\S|^\s*[\w.]+\s*=\s*[\"'\[{(\d]"
    r"|^\s*[\[(]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\b(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE)\b[\s:\]]"
    r"|^Traceback |^\s+at [\w.$]+\(|^\s*- \w+:\s*$|^\s*[a-z_]+:\s*[\"'\d\[{]"
)
"""Code, configuration, data and logs, line by line."""
_SONG = re.compile(r"[♪♫](?:[^♪♫]*[♪♫])?")
_HANDS_OVER = re.compile(
    r"\b(?:past(?:e|ed|ing)|cop(?:y|ied)|forward(?:ed|ing)?|wrote|writes|sent|texted|posted|says?|said|lyrics|lines|poem"
    r"|verse|draft|quote|quoting|review|transcript|dialog(?:ue)?|script|sample|example|template|chapter|scene|story"
    r"|novel|letter|e-?mail|message|note|post|chat|log|profile|bio|translate|proofread|summari[sz]e)\b",
    re.I,
)
"""What a line says that ends in a colon and hands the word over to what follows."""
_TYPED = re.compile(
    rf"^\W*(?:(?i:hi|hey|hello|yo|ok|psst)\b[\s,!.]*)?"
    rf"(?:(?i:this\s+is|it'?s|it\s+is|here\s+is)\s+(?P<kin>(?:(?i:my|his|her|their)|[A-Z]\w+'s)\s+[a-z]\w+(?:-in-law)?)?"
    rf"[\s,]*(?P<name>{_NAME})?[\s,]*(?:\w+\s){{0,2}}?(?:typing|writing|speaking|here|on\s+(?:(?i:his|her|their)|[A-Z]\w+'s)"
    rf"\s+(?:phone|laptop|account|computer|tablet|keyboard))\b(?=\W|$)"
    rf"|(?P<alone>{_NAME})(?:,\s[\w'’ ]{{3,30}},)?\s+(?:here\b(?=\s*[,.!:-])|(?:is\s+)?(?:typing|writing)\b))"
)
_BACK = re.compile(
    r"\b(?:me again|it'?s me|i'?m back|back to me|this is me)\b|\b(\w+) (?:here )?(?:again|is back)\b", re.I
)
_QUOTED = re.compile(r"\"([^\"\n]{2,600})\"|\u201c([^\u201d\n]{2,600})\u201d|\u00ab([^\u00bb\n]{2,600})\u00bb")
_FIRST_PERSON = re.compile(r"\b(?:I|I'm|I've|I'll|I'd|me|my|mine|we|we're|we've|us|our)\b")
_LABELS = lexicon.words(
    "title subject note notes ps pps re update edit question answer q a tldr todo fyi warning error version steps step "
    "expected actual workaround summary background context example result results status priority severity owner "
    "agenda attendees location where when who what why how date time price cost total name address phone email "
    "monday tuesday wednesday thursday friday saturday sunday yes no ok okay well plan goal user assistant system bot "
    "january february march april june july august september october november december today tomorrow yesterday"
)
_Owner = tuple[Told, str | None]

_HOLDER = "Xyquote"
"""Stands in a sentence for the words that it quotes."""


@dataclass(frozen=True)
class Segment:
    """A stretch of a message. `speaker` None: somebody's who is not named, of whom nothing is learned.

    `quotes` are the words that the stretch quotes, each of which stands in its text as `holder(place)`.
    """

    text: str
    speaker: str | None
    told: Told
    quotes: tuple[str, ...] = ()


def holder(place: int) -> str:
    """The word that stands for a quotation in the text around it."""
    return f"{_HOLDER}{'abcdefghijklmnopqrstuvwxyz'[place % 26]}"


def held(word: str) -> int | None:
    """The place of the quotation that a word stands for; None for any other word."""
    return ord(word[-1]) - ord("a") if word.startswith(_HOLDER) and len(word) == len(_HOLDER) + 1 else None


def segments(text: str, speaker: str) -> list[Segment]:
    """The stretches of a message in order, each with whose words it is."""
    return [
        _with_quotes(stretch)
        for told, owner, lines in _blocks(_without_songs(text).split("\n"), speaker)
        for stretch in _typed("\n".join(lines), owner, told, speaker)
        if stretch.text.strip()
    ]


def _without_songs(text: str) -> str:
    """ "♪ I was born in a taxi ♪" tells nothing of the singer."""
    return _SONG.sub(" ", text) if "♪" in text or "♫" in text else text


def _blocks(lines: Sequence[str], speaker: str) -> Iterator[tuple[Told, str | None, list[str]]]:
    """Lines that belong together, with whose they are."""
    ours: _Owner = ("own", speaker)
    block: list[str] = []
    owner = ours
    for now, said in _owned(lines, speaker):
        if now != owner and block:
            yield *owner, block
            block = []
        owner = now
        block.append(said)
    if block:
        yield *owner, block


def _owned(lines: Sequence[str], speaker: str) -> Iterator[tuple[_Owner, str]]:
    """Each line that holds words, with whose it is."""
    chat = _chat_names(lines)
    ours: _Owner = ("own", speaker)
    owner = ours
    wrote: str | None = None
    fenced = given = False
    for place, line in enumerate(lines):
        if _FENCE.match(line):
            fenced = not fenced
            continue
        if fenced or _MACHINE.search(line) or (given and _OTHER_HEADER.match(line)):
            continue
        header = _HEADER.match(line)
        if _FORWARDED.match(line) or (header is not None and (given or _has_headers(lines, place))):
            owner, given = ("pasted", None if header is None else header[1]), True
            continue
        if given:
            yield owner, line
            continue
        if (announced := _WROTE.match(line)) is not None:
            wrote = announced[1]
            continue
        if line.lstrip().startswith(">"):
            yield ("pasted", wrote), line.lstrip().lstrip("> ")
            continue
        chatted = _CHAT_LINE.match(line)
        name = None if chatted is None else (chatted[1] or chatted[2])
        if chatted is not None and name in chat:
            owner, line = (ours if name == speaker else ("pasted", name)), chatted[3]
        elif not line.strip() or not chat:
            owner = ours
        yield owner, line
        if owner == ours and _hands_over(line, lines[place + 1 :]):
            owner, given = ("pasted", _named_in(line, speaker)), True


def _hands_over(line: str, rest: Sequence[str]) -> bool:
    """ "This is what my cousin wrote:", with a text below that is no list and no log."""
    after = next((each for each in rest if each.strip()), None)
    if after is None or not line.rstrip().endswith(":") or not _HANDS_OVER.search(line):
        return False
    return not _CHAT_LINE.match(after) and not after.lstrip().startswith((">", "-", "*", "•", "1"))


def _chat_names(lines: Sequence[str]) -> frozenset[str]:
    """The names before the colons of a pasted log: no labels, and no words of the dictionary unless several speak."""
    names = [match[1] or match[2] for line in lines if (match := _CHAT_LINE.match(line))]
    names = [name for name in names if name.split()[0].casefold().strip(".") not in _LABELS]
    several = len(set(names)) > 1 or len(names) > 1
    return frozenset(name for name in names if several or not is_common(name.split()[-1]))


def _has_headers(lines: Sequence[str], place: int) -> bool:
    return any(_OTHER_HEADER.match(line) for line in lines[place + 1 : place + 5])


def _named_in(line: str, speaker: str) -> str | None:
    """The one person that a line names who hands over: "this is what Eva wrote me:"; None when it is nobody."""
    match = re.search(
        rf"\b(?:from|by)\s+({_NAME})|({_NAME})\s+(?:just\s+)?(?:wrote|writes|sent|texted|says|said)", line
    )
    name = None if match is None else (match[1] or match[2])
    return (
        None if name is None or name.split()[0].casefold() in ("i", "here", "this", "that") or name == speaker else name
    )


def _typed(text: str, owner: str | None, told: Told, speaker: str) -> Iterator[Segment]:
    """ "This is my friend Tove typing: I am allergic to penicillin" is Tove's, until "it's me again"."""
    match = _TYPED.match(text) if told == "own" else None
    name = None
    if match is not None:
        name = match["name"] or match["alone"]
        if name is None and match["kin"]:
            noun = match["kin"].split()[-1]
            holds = match["kin"].split()[0]
            owned = holds if holds.endswith("'s") else f"{speaker}'s"
            name = f"{owned} {noun}" if noun in lexicon.ROLES else None
    if match is None or name is None or name.casefold() == speaker.casefold() or name.split()[0] == "I":
        yield Segment(text, owner, told)
        return
    rest = text[match.end() :].lstrip(" ,.:;!-\u2013\u2014")
    back = _BACK.search(rest)
    if back is not None and (back[1] is None or back[1].casefold() == speaker.casefold()):
        yield Segment(rest[: back.start()], name, "typed")
        yield Segment(rest[back.end() :].lstrip(" ,.:;!-"), owner, told)
    else:
        yield Segment(rest, name, "typed")


def _with_quotes(stretch: Segment) -> Segment:
    """The stretch with the speech that it quotes taken out; titles and single words in quotation marks stay."""
    quotes: list[str] = []

    def taken(match: re.Match[str]) -> str:
        words = next(group for group in match.groups() if group is not None)
        if len(quotes) > 25 or not _is_speech(words, stretch.text[: match.start()], stretch.text[match.end() :]):
            return match[0]
        quotes.append(words)
        end = words.rstrip()[-1:] if words.rstrip()[-1:] in ".,!?" else ""
        follows = stretch.text[match.end() : match.end() + 2].strip()
        return holder(len(quotes) - 1) + (end if end == "," or (end and (not follows or follows[:1].isupper())) else "")

    text = _QUOTED.sub(taken, stretch.text)
    return Segment(text, stretch.speaker, stretch.told, tuple(quotes))


_SAID = re.compile(
    r"\b(?:sa(?:id|ys?)|told|tells|writes?|wrote|texted|asks?|asked|repl(?:y|ies|ied)|answer(?:s|ed)|shout(?:s|ed)|goes"
    r"|went|like|yell(?:s|ed)|announce[sd]|claims?|claimed|mutter(?:s|ed)|think|thought|adds?|added|wrote|posted)\b[^.!?]{0,30}$",
    re.I,
)


def _is_speech(words: str, before: str, after: str) -> bool:
    """Whether words in quotation marks are what somebody says, and no title or term."""
    if len(words.split()) < 2:
        return False
    if _FIRST_PERSON.search(words):
        return True
    introduced = before.rstrip()[-1:] in (":", ",") or _SAID.search(before[-60:]) is not None
    follows = re.match(r"\s*,?\s*(?:he|she|they|[A-Z]\w+)?\s*(?:said|says|asked|replied|wrote)\b", after)
    return (introduced or follows is not None) and len(words.split()) > 2 and not words.istitle()
