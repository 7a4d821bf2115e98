"""Texts with the words that chats leave out or put in between, so that the parser sees whole sentences.

    "sold the Vespa at last"           -> "I sold the Vespa at last"
    "can't stand coriander"            -> "I can't stand coriander"
    "use tabs"                         -> "please use tabs"
    "my husband's a beekeeper"         -> "my husband is a beekeeper"
    "first day at Korab Insurance!"    -> "I have my first day at Korab Insurance!"
    "no doubt about it: Eva sings"     -> "Eva sings"

Only what is read for claims is completed; what is compared with a message's own words is not.
"""

from __future__ import annotations

import re

from reverie.pipelines.ingest.language.en.parser import spoken
from reverie.pipelines.ingest.language.en.things import is_occupation

_OPENS = r"(?:^|(?<=[.!?:\n] )|(?<=\n))"
"""Where a sentence begins, after a lead too ("update: sold the Vespa")."""

_COMPLETED = (
    # What only strengthens a statement, or greets.
    (
        re.compile(
            r"(?:\bthere(?:'s| is) )?\bno (?:doubt|question)\b(?: about (?:it|that))?(?: anymore)?(?: "
            r"that)?[,:]?\s*",
            re.I,
        ),
        "",
    ),
    (re.compile(r"\bheads[- ]up\b[^.,:;!?\n]{0,30}[:,!]\s*", re.I), ""),
    (re.compile(r"\b(?:btw|tbh|ngl|imo|imho|fyi|lol|lmao|rofl|psa)\b[,:]?\s*", re.I), ""),
    # "Put me down as vegetarian" says what somebody is.
    (re.compile(r"\b(?:put|mark|count|list) me (?:down )?as (?:an? )?(?=\w+(?:ian|an|ous|er|ist)\b)", re.I), "I am "),
    # Orders whose verb the tagger takes for a noun.
    (
        re.compile(
            r"(?:^|(?<=[.!;:\n] )|(?<=\n))(use|answer|reply|write|keep|avoid|prefer|format|skip|commit|speak|sign|wrap"
            r"|include|stick|indent|round)(?= [a-z])",
            re.I,
        ),
        r"please \1",
    ),
    # A verb without its "I".
    (
        re.compile(
            rf"{_OPENS}(?=(?:sold|bought|got|quit|lost|met|paid|found|gave|began|broke|ate|saw|spent|won|wrote|caught"
            r"|upgraded|moved|switched|started|finished|adopted|joined|stopped|replaced|ditched|dropped|swapped|signed"
            r"|ordered|booked|cancelled|canceled|visited|turned|retired|married|changed|cut|took|had to"
            r"|handed)\s(?!by\b|in\b\s\d))",
            re.I,
        ),
        "I ",
    ),
    (re.compile(rf"{_OPENS}(?=(?:can't|cannot|couldn't|haven't|didn't) [a-z])", re.I), "I "),
    (
        re.compile(
            rf"{_OPENS}(?=(?:living|working|staying|looking|learning|studying) (?:[a-z]+ )?(?!is\b|was\b))", re.I
        ),
        "I am ",
    ),
    (
        re.compile(
            r"(?:^|(?<=[.!?:\n] ))(?:(?:today is|it's) )?(?:my )?(first|last) day "
            r"at\b",
            re.I,
        ),
        r"I have my \1 day at",
    ),
    (re.compile(r"^(?:i'?m |i am )?(\d{1,2}) today\b", re.I), r"I turned \1 today"),
    # Back where somebody lived before, for good.
    (re.compile(rf"{_OPENS}(?:i'?m |i am |we'?re )?(?:back )?home again in (?=[A-Z])"), "I moved back to "),
    (re.compile(rf"{_OPENS}(?:(?i:i'?m|i am|we'?re) )?(?i:back) in ([A-Z]\w+)(?=,? for good)"), r"I moved back to \1"),
    # A new number or address, as a heading.
    (
        re.compile(
            rf"{_OPENS}(?:(?:my|here's my|i have a|i've got a|got a) )?new (?P<what>(?:phone |mobile |cell "
            rf"|work )?number|e-?mail"
            r"(?: address)?|address|handle|username)\b[^.:\n]{0,30}?(?::| is)\s*",
            re.I,
        ),
        r"my \g<what> is ",
    ),
    # A bare noun before its verb, which the tagger takes for an order or for a compound.
    (
        re.compile(
            rf"{_OPENS}(?!(?:he|she|it|this|that|who|what|which|there|here|everyone|everybody|nobody|someone"
            rf"|somebody|also|now"
            r"|then|still|please|one|which|nothing|something|everything)\b)([a-z][a-z-]{2,}) (?=(?:moves|talks"
            r"|points|sits|lives|runs"
            r"|goes|belongs|connects|writes|listens|uses|needs|owns|handles|expires|starts|ends|closes|opens"
            r"|costs|weighs"
            r"|depends|ships|deploys|reads) (?:to|on|in|at|with|from|for|by|over|a|an|the|all|\d|[A-Z]))"
        ),
        r"the \1 ",
    ),
    # Work begun at a date, spliced on.
    (re.compile(r",\s+(starting (?:at|with|as)\b)", re.I), r". I am \1"),
    # "'s" that the parser takes for a possessive.
    (
        re.compile(
            r"(?<=[a-z])'s (?=(?:closed|open|broken|dead|gone|out|off|down|away|ill|sick|pregnant|ready|done|finished"
            r"|late|vegan|vegetarian|retired|married|single|fine|solid|moving|leaving|called|based|from|in|on|at)\b"
            r"(?! \w+ (?:is|was|are)\b))"
        ),
        " is ",
    ),
    (re.compile(r"(?<=[a-z])'s (?=(?:an?|the|my|our|his|her|their) )"), " is "),
    # "Any more" at the end of a clause, and a joined verb that reads as a noun.
    (re.compile(r"\bany more(?=\s*(?:[.,!?;)]|$|but\b|and\b|since\b|because\b))", re.I), "anymore"),
    (
        re.compile(
            r"(?<=[a-z]) and (?=(?:lives|works|plays|sings|runs|speaks|teaches|studies|drives|writes"
            r"|rides|owns)\b)"
        ),
        ", and ",
    ),
)


_SINCE_THEN = re.compile(
    rf"{_OPENS}((?:[a-z-]+ ){{0,2}}[a-z-]+) (since (?:[A-Z]\w+ )?(?:19|20)\d\d|since (?:january|february|march"
    rf"|april|may|june"
    r"|july|august|september|october|november|december)\b)",
    re.I,
)


def _job(match: re.Match[str]) -> str:
    """ "Freelance guide since January 2023": what the speaker works as."""
    words = match[1].lower().split()
    if match[1] != match[1].lower() or words[0] in ("i", "we", "he", "she", "it") or not is_occupation(words[-1]):
        return match[0]
    return f"I have worked as a {match[1]} {match[2]}"


def completed(text: str) -> str:
    """The text as `spoken` gives it, with the words that it leaves out."""
    text = spoken(text)
    for pattern, written in _COMPLETED:
        text = pattern.sub(written, text)
    text = _SINCE_THEN.sub(_job, text)
    return " ".join(text.split(" ")).strip()
