"""An answer read with its question.

    "Do you still live in Lyon?" - "No, Nice since May."   live in Lyon, ended; live in Nice, since May
    "Do you own a car?" - "no"                             own a car, denied
    "You don't have children, right?" - "I do!"            have children
    "How old are you?" - "34"                              be 34 years old

The question is turned into statements of whoever answers, in the first person; the reader then reads these.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from reverie.pipelines.ingest.language.en.words import third_person

Verdict = Literal["so", "not so", "over"]

_YES = re.compile(
    r"^\W*(?:(?:oh|well|ah|haha)\W+)?(?:yes|yep|yeah|yup|ya|sure|correct|right|exactly|indeed|absolutely"
    r"|definitely|of course"
    r"|that'?s (?:right|correct|true)|true|(?:you'?re )?spot on|all (?:correct|right|true|of (?:that|it))"
    r"|perfect|aye)\b(?!\s+now\b)",
    re.I,
)
_NO = re.compile(
    r"^\W*(?:(?:oh|well|ah|haha)\W+)?(?:no(?:pe|t any ?more|t at all|t yet)?\b(?! (?:idea|clue|problem|worries"
    r"|thanks|doubt))|nah|never"
    r"|no longer|negative|wrong)(?=\W|$)",
    re.I,
)
_DOES = re.compile(
    r"^\W*(?:(?:no|yes|actually|but|well|oh)\W+)*I (?:do|am|have|did|can|will|was)(?: too)?(?=\s*[,.!;:-]|\s*$)", re.I
)
_DOES_NOT = re.compile(
    r"^\W*(?:(?:no|yes|right|actually|but|well|oh)\W+)*(?:I (?:do|have|did|can|will|was)(?:n'?t| not)|I(?:'m| "
    r"am) not|not any ?more)"
    r"(?=\s*[,.!;:-]|\s*$|\s+any)",
    re.I,
)
_CONFIRM = re.compile(
    r"^\W*(?:(?:is|does|did|do|am|have) (?:that|this|all (?:that|this|of (?:that|this))|I|it)\b.*"
    r"(?:right|correct|true|accurate|match|sound right|up to date)|(?:all )?(?:right|correct)|still (?:true"
    r"|right|correct))\s*\?",
    re.I,
)
_TAG = re.compile(
    r"[,;-]\s*(?:right|correct|yes|no|is that (?:right|correct)|(?:is|are|do|have|did|was|were|does|will"
    r"|can)(?:n't)? \w+)\s*\?\s*$",
    re.I,
)
_POLAR = re.compile(
    r"\b(?P<aux>do|does|did|are|is|was|were|have|has|can|will)(?P<not>n'?t)?\s+"
    r"(?P<who>you|(?:he|she|they|it)\b|your\s+(?:(?:[\w-]+'s|older|younger|little|big|new|old|best|current|main"
    r"|home|work|phone)\s+)?[\w-]+|[A-Z]\w+)\s+(?P<rest>[^?]+)\?",
    re.I,
)
_EXCEPT = re.compile(
    r"\b(?:except|apart from|besides|but not|only)\s+(?:for\s+)?(?:the|my|that)?\s*(?P<what>[\w-]+)"
    r"(?:[^,;:.]{0,20}[,;:.-]\s*(?:that'?s|it'?s|that is|which is|now)\s+(?P<right>[^.,;!?]+))?",
    re.I,
)
_WH = (
    (re.compile(r"\bwhere (?:do|are) you (?:currently |now )?(?:live|living|based)\b", re.I), "I live in {}", "in"),
    (re.compile(r"\bwhere (?:do you come|are you) from\b", re.I), "I am from {}", "from"),
    (re.compile(r"\bwhere do you (?:currently |now )?work\b", re.I), "I work at {}", "at|for"),
    (re.compile(r"\bwhat do you do(?: for (?:a living|work))?(?: now| these days)?\s*\?|\bwhat(?:'s| is) your "
        r"(?:job|profession)\b", re.I),
     "I work as a {}", "as|a|an"),
    (re.compile(r"\bhow old are you\b", re.I), "I am {} years old", ""),
    (re.compile(r"\bhow old is (?P<a>your [\w -]+|[A-Z]\w+)", re.I), "{a} is {} years old", ""),
    (re.compile(r"\bhow many (?P<a>[\w -]+?) (?:do you have|have you got|do you own)\b", re.I), "I have {} {a}", ""),
    (re.compile(r"\b(?:what|who)(?:'s| is| are) (?P<a>your [\w' -]+?)(?: called| again| "
        r"now)?\s*\?", re.I), "{a} is {}", ""),
    (re.compile(r"\bwhich (?:[\w -]+?) (?:do|are) you (?P<a>use|using|speak|play|study|studying|prefer"
        r"|like)\b", re.I), "I {a} {}", ""),
    (re.compile(r"\bwhat (?:[\w -]+? )?do you (?P<a>use|speak|play|study|prefer|drive|eat"
        r"|teach)\b", re.I), "I {a} {}", ""),
)  # fmt: skip
_EITHER = re.compile(
    r"\b(?:do you (?:usually |normally )?(?P<verb>\w+)\s+)?(?:the |an? )?(?P<a>[\w-]+(?: [\w-]+)?) or (?:the "
    r"|an? )?(?P<b>[\w-]+)[^?.]{0,20}\?",
    re.I,
)
_ANY = re.compile(
    r"\b(?P<aux>do|are|have) you (?:currently |still |ever )?(?P<rest>(?:\w+ ){0,3}?(?:\w+))?\s*\bany(?:thing"
    r"|body|one|where)?\b(?P<what>[^?.]{0,40})\?",
    re.I,
)
_FRAGMENT = 9  # words; a longer answer says what it says by itself
_VERBS = re.compile(
    r"\b(?:I|we|it|he|she|they|that|there)(?:'\w+)?\s+\w+|\b(?:is|are|am|was|were|have|has|had|do|does|did"
    r"|moved|live|work|sold|left)\b",
    re.I,
)


@dataclass(frozen=True)
class Statement:
    """A sentence in the first person of whoever answers, and what the answer makes of it.

    `instead`: the value that the answer gives in its place ("Nice since May").
    """

    text: str
    verdict: Verdict
    instead: str | None = None


@dataclass(frozen=True)
class Answer:
    """What an answer says by its question, and what it says by itself."""

    statements: tuple[Statement, ...]
    rest: str


def answer(question: str, text: str) -> Answer | None:
    """The statements that an answer makes of a question; None when the text is no answer to it."""
    if "?" not in question:
        return None
    text = re.sub(
        r"^(\W*(?:no|nope|nah)\b[\s,.!-]*)?(?:it'?s|it is|that'?s|they'?re)\s+(?=\S+(?:\s\S+){0,2}\W*$)",
        r"\1",
        text,
        flags=re.I,
    )
    if (chosen := _choice(question, text)) is not None:
        return chosen
    asked = _asked(question)
    any_asked = _open(question)
    if asked is None:
        return _filled(any_asked, text) or _open_answer(question, text)
    statements, negative, still = asked
    does, does_not = _DOES.match(text), _DOES_NOT.match(text)
    yes, no = _YES.match(text), _NO.match(text)
    lead = does or does_not or yes or no
    if lead is None:
        return _filled(any_asked, text)
    rest = text[lead.end() :].lstrip(" ,.!;:-\u2013\u2014")
    if yes and (filled := _filled(any_asked, rest)) is not None:
        return filled
    if negative:
        # "Right", "yes" and "no" all agree with "you don't have any children, right?"; only "I do" contradicts it.
        said: Verdict = "so" if does else "not so"
    else:
        ended = still or re.search(r"any ?more|no longer", lead[0], re.I) is not None
        said = "so" if does or (yes and not does_not) else "over" if ended else "not so"
    if said == "so" and (left_out := _EXCEPT.search(text)) is not None:
        return Answer(tuple(_without(statements, left_out)), "")
    instead = _fragment(rest)
    if instead is not None and said != "so" and len(statements) == 1:
        after = rest[len(instead) :].lstrip(" ,.!;:-")
        return Answer((Statement(statements[0], said, instead),), after)
    if (
        said == "so"
        and len(statements) == 1
        and re.match(r"(?:since|for|from|until)\b", rest, re.I)
        and instead is not None
    ):
        return Answer((Statement(f"{statements[0].rstrip('.')} {rest}", said),), "")
    return Answer(tuple(Statement(each, said) for each in statements), rest)


def _choice(question: str, text: str) -> Answer | None:
    """ "Window or aisle?" - "aisle, always": one of two that were offered is preferred."""
    match = _EITHER.search(question)
    value = _fragment(text.strip())
    if match is None or value is None or _YES.match(text) or _NO.match(text):
        return None
    said = re.findall(r"\w+", value.casefold())
    offered = [match["a"].split()[-1], match["b"]]
    chosen = [each for each in offered if each.casefold() in said]
    if len(chosen) != 1:
        return None
    rest = text.strip()[len(value) :].lstrip(" ,.!;:-")
    rest = (
        "" if re.fullmatch(r"(?:always|please|for me|thanks|definitely|any day|every time)?\W*", rest, re.I) else rest
    )
    verb = (match.groupdict().get("verb") or "prefer").lower()
    return Answer(
        (Statement(f"I {verb if verb in ('drink', 'eat', 'use', 'speak') else 'prefer'} {chosen[0]}.", "so"),), rest
    )


def _open(question: str) -> str | None:
    """The statement, with a gap, that a question with "any" asks to fill: "Do you have any pets?"."""
    match = _ANY.search(question)
    if match is None:
        return None
    if re.search(r"\ballerg", match["what"], re.I):
        return "I am allergic to {}."
    aux, rest = match["aux"].lower(), (match["rest"] or "").strip()
    verb = {"are": "am ", "have": "have "}.get(aux, "")
    return f"I {verb}{rest} {{}}."


def _filled(template: str | None, text: str) -> Answer | None:
    """The statement that an answer makes of a question with "any": "two rabbits" gives "I have two rabbits"."""
    value = None if template is None else _fragment(text.strip())
    if template is None or value is None or _NO.match(text):
        return None
    value = re.sub(r"^(?:just|only|to)\s+", "", value, flags=re.I)
    return Answer((Statement(template.format(value), "so"),), text.strip()[len(value) :].lstrip(" ,.!;:-"))


def _asked(question: str) -> tuple[list[str], bool, bool] | None:
    """The statements that a question asks about, in the first person, without their "not" and "still"."""
    sentences = [each for each in re.split(r"(?<=[.?!])\s+|\n+", question.strip()) if each]
    last = next((place for place in range(len(sentences) - 1, -1, -1) if "?" in sentences[place]), None)
    if last is None:
        return None
    asked = sentences[last]
    if _CONFIRM.match(asked):
        told = [
            part
            for each in sentences[max(0, last - 3) : last]
            for part in re.split(r",\s+(?:and\s+)?|\s+and\s+(?=you\b)", each)
        ]
        return _plain([part for part in told if re.search(r"\byou(?:r)?\b", part, re.I)])
    if _TAG.search(asked):
        return _plain([_TAG.sub("", asked)])
    match = next(iter([*_POLAR.finditer(asked)][-1:]), None)
    if match is not None and not re.search(
        r"\b(?:where|what|who|when|why|how|which)\b[^,:;]*$", asked[: match.start()], re.I
    ):
        return _plain([_declared(match)])
    declared = re.search(r"\b(?:so\s+)?(you(?:'re|'ve)?\b[^?]+)\?", asked, re.I)
    if declared is not None and not re.search(
        r"\b(?:do|did|are|have|can|could|would|will|should|where|what|who|when|why|how|which)\b[^,:;]*$",
        asked[: declared.start(1)],
        re.I,
    ):
        return _plain([declared[1]])
    return None


def _declared(match: re.Match[str]) -> str:
    aux, who, rest = match["aux"].lower(), match["who"], match["rest"].strip()
    denied = " not" if match["not"] else ""
    if aux in ("do", "does") and not denied:
        first, _, more = rest.partition(" ")
        still = ""
        if first.lower() in ("still", "also", "currently", "ever", "now"):
            still = "still " if first.lower() == "still" else ""
            first, _, more = more.partition(" ")
        return f"{who} {still}{third_person(first) if aux == 'does' else first} {more}"
    return f"{who} {aux}{denied} {rest}"


def _plain(statements: list[str]) -> tuple[list[str], bool, bool] | None:
    """Statements said to somebody as that person would say them."""
    told = []
    negative = still = False
    for each in statements:
        text = re.sub(r"^.*?:\s+(?=you|your)", "", each.strip(" .?!"), flags=re.I)
        text = re.sub(r"^(?:and|so|but|then|ok(?:ay)?|also)\W+", "", text, flags=re.I)
        if re.search(r"\b(?:I|me|my|would|could|should|like|want|need|help|mind)\b", text) and not re.match(
            r"you\b", text, re.I
        ):
            continue
        if re.search(r"\b(?:would|could|should|want me|like me|need me)\b", text):
            continue
        negative = negative or re.search(r"n't\b|\bnot\b|\bno\b", text) is not None
        still = still or re.search(r"\b(?:still|any ?more|any longer|yet)\b", text) is not None
        told.append(as_answered(text))
    return (told, negative, still) if told else None


def as_answered(text: str) -> str:
    """ "you are still based in Basel" → "I am based in Basel"."""
    for pattern, word in (
        (r"\b(?:still|any ?more|currently|ever|yet)\b\s*", ""),
        (r"\b(?:do|does|did)(?:n't| not) ", ""),
        (r"n't\b|\bnot\b ?", ""),
        (r"\bany\s+", ""),
        (r"\byou are\b|\byou're\b", "I am"),
        (r"\byou were\b", "I was"),
        (r"\byou've\b", "I have"),
        (r"\byou\b", "I"),
        (r"\byours\b", "mine"),
        (r"\byour\b", "my"),
        (r"\byourself\b", "myself"),
    ):
        text = re.sub(pattern, word, text, flags=re.I)
    return f"{' '.join(text.split())}."


def _without(statements: list[str], left_out: re.Match[str]) -> list[Statement]:
    """ "All correct except the running, that's twice a week"."""
    stem = re.sub(r"(?:ning|ing|s|ed)$", "", left_out["what"].lower())
    found = []
    hit = False
    for each in statements:
        at = re.search(rf"\b{re.escape(stem)}\w*", each, re.I)
        hit = hit or at is not None
        if at is None:
            found.append(Statement(each, "so"))
        elif left_out["right"]:
            found.append(Statement(f"{each[: at.end()]} {left_out['right'].strip()}.", "so"))
    return found if hit else []  # which one is wrong cannot be told


def _fragment(text: str) -> str | None:
    """The value that an answer begins with, when it is no clause of its own."""
    first = re.split(r"[.!?;\n]|,\s+(?=(?:and|but|since I|I|we|the|it)\b)|\s+-\s+", text, maxsplit=1)[0].strip(" ,")
    if (
        not first
        or len(first.split()) > _FRAGMENT
        or _VERBS.search(first)
        or re.match(r"(?:nothing|none|nobody)\b", first, re.I)
    ):
        return None
    return first


def _open_answer(question: str, text: str) -> Answer | None:
    """The answer to "where", "what", "how old", "how many"."""
    value = _fragment(text.strip())
    if value is None or _YES.match(text) or _NO.match(text):
        return None
    for pattern, template, links in _WH:
        match = pattern.search(question)
        if match is None:
            continue
        plain = re.sub(rf"^(?:{links})\s+", "", value, flags=re.I) if links else value
        plain = re.sub(r"\s+years? old$", "", plain)
        about = as_answered(match.groupdict().get("a") or "").rstrip(".")
        rest = text.strip()[len(value) :].lstrip(" ,.!;:-")
        return Answer((Statement(f"{template.format(plain, a=about)}.", "so"),), rest)
    return None
