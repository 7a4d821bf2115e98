"""What a speaker takes back.

    "I like coffee, no wait, I like tea"       coffee was never meant
    "put me down as vegetarian. scratch that, pescatarian"
    "no wait, I meant the 21st"                the date told in the turn before was wrong
    "ignore what I said about Eva leaving"
    "I misspoke: I work at Apple, not Google"

The corrected claim is given as such, so that whoever believed it believes that it never held.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en.answers import as_answered
from reverie.pipelines.ingest.language.en.completing import completed
from reverie.pipelines.ingest.language.en.dialogue import denial, read, with_value
from reverie.pipelines.ingest.language.en.lexicon import ROLES
from reverie.pipelines.ingest.language.en.naming import Voice
from reverie.pipelines.ingest.language.en.parser import english
from reverie.pipelines.ingest.language.en.words import verb_base

_MARK = re.compile(
    r"(?:\b(?:no,? wait|wait,? no|scratch that|strike that|actually,? no|no,? actually|no,? sorry|(?:small "
    r"|slight |quick "
    r")?correction"
    r"|or rather|make that|my (?:bad|mistake)|oops|whoops|I (?:misspoke|mistyped|misheard|mixed (?:that|it|them) up)"
    r"|I got (?:that|it) wrong|I was wrong(?: about that)?|sorry|I mean|typo)\b|(?<=\n)\*(?=\w)|^\*(?=\w))"
    r"[\s,:;.!\u2013\u2014-]*(?:(?:sorry|actually|no)[\s,]+)?(?:(?:what )?I (?:actually )?meant?(?: to say| "
    r"is)?\b[\s,:]*)?"
    r"|\b(?:no,?\s+)?I (?:actually )?meant\b(?: to say)?[\s,:]*",
    re.I,
)
_SHORTEST = 2
"""Words before a correction that are no sentence to correct ("sorry", "oh no")."""
_WEAK = re.compile(r"^(?:sorry|I mean)\b", re.I)
"""These correct only when a bare value follows them."""
_TAKEN_BACK = re.compile(
    r"\b(?:ignore|forget|disregard|scratch|scrap|strike|never ?mind)\s+(?:that|what\s+I\s+(?:just\s+)?(?:said"
    r"|wrote|told you)|my "
    r"(?:last )?(?:message|note|comment))"
    r"\s+about\s+(?P<who>[\w'-]+(?:\s+(?-i:[A-Z])[\w-]+)?)(?:\s+(?P<verb>\w+ing))?",
    re.I,
)
_LEAD = (
    r"^\W*(?:(?:no|sorry|actually|typo|correction|oops|wait|ah|oh|hm+|well"
    r"|above|(?:small|one) thing|btw)\b[\s,:.!-]*)*"
)
_NOT = re.compile(
    rf"{_LEAD}(?:(?:it|that|this|s?he|they|the [\w-]+(?: [\w-]+)?|[\w-]+ [\w-]+)(?:'s| is|'re| are| was"
    rf"| should be)\s+)?"
    r"(?:(?:actually|in fact)\s+)?(?:called\s+|an?\s+|the\s+|my\s+|on\s+|in\s+"
    r"|at\s+)?(?P<right>[\w'.:-]+(?:\s[A-Z\d][\w'-]*)?)(?:\s+(?:actually|in fact))?"
    r",?\s+(?:and\s+)?not\s+(?:called\s+|an?\s+|the\s+|my\s+|on\s+|in\s+"
    r"|at\s+)?(?P<wrong>[\w':-]+(?:\s[A-Z\d][\w'-]*)?)(?=\s*[.,;!?)]|\s*$)",
    re.I,
)
"""A value for another, said of nothing else: of what was said before."""
_IT_IS = re.compile(
    rf"{_LEAD}(?:(?:it|that|this)(?:'s| is| was| should be)"
    rf"|should be)\s+(?P<value>[^,.;!?]{{1,40}}?),?\s+(?:actually|in fact|btw|now)\b",
    re.I,
)
_NEAR = 2
"""Sentences before a correction that names nothing."""
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+|\n|$)")
_UNTRUE = re.compile(
    r"^(?:it'?s|that'?s|it was|that was|turned out to be)\s+(?:just |only )?(?:an? |not |un)?(?:rumou?r|joke"
    r"|mistake|true|wrong|false|gossip|old news|nonsense|hearsay)\b[\s,.;:-]*",
    re.I,
)
_CLAUSE = re.compile(
    r"\b(?:I|we|he|she|they|it|that|there)\b(?:'\w+)?\s+\w+|\b(?:is|are|was|were|has|have|lives?|works?|moved)\b", re.I
)


@dataclass(frozen=True)
class Correction:
    """The claims that a corrected text gives, and what is left of it to be read by itself.

    `before` is the text before the correction, whose claims are among `claims` already.
    """

    claims: tuple[Claim, ...]
    rest: str


def corrected(text: str, earlier: Sequence[str], voice: Voice) -> Correction | None:
    """Read a text that corrects itself, or what was said before it; None when it corrects nothing.

    `earlier` are the sentences of the turns before, the latest last, as their speakers said them.
    """
    if (taken := _TAKEN_BACK.search(text)) is not None:
        return _taken_back(text, taken, earlier, voice)
    if (exchanged := _exchanged(text, earlier, voice) or _settled(text, earlier, voice)) is not None:
        return exchanged
    for match in _MARK.finditer(text):
        before, after = text[: match.start()].rstrip(" ,;:-\u2013\u2014("), text[match.end() :]
        first = _SENTENCE.match(after)
        said = "" if first is None else first[0].strip()
        bare = bool(said) and _bare(said) is not None
        if not said or (_WEAK.match(match[0]) and not bare) or re.search(r"n't\s*$|\bnot\s*$", before):
            continue
        rest = after[first.end() :] if first is not None else ""
        found = _replaced(before, said, rest, earlier, voice)
        if found is not None:
            return found
    return None


def _exchanged(text: str, earlier: Sequence[str], voice: Voice) -> Correction | None:
    """ "It's my niece, not my daughter", "the number is 71 not 17": one word of what was said for another."""
    match = _NOT.match(text)
    if match is None:
        return None
    right, wrong = match["right"].strip(), match["wrong"].strip()
    for sentence in reversed(earlier):
        said = as_answered(sentence) if re.search(r"\byour?\b", sentence, re.I) else sentence
        place = re.search(rf"(?<![\w]){re.escape(wrong)}(?![\w])", said, re.I)
        if place is None or re.search(rf"\b{re.escape(right)}\b", said, re.I):
            continue
        corrected = f"{said[: place.start()]}{right}{said[place.end() :]}"
        told, new = read(said, voice), [*_kinship(corrected, right, voice), *read(corrected, voice)]
        return _in_place_of(told, new, text[match.end() :])
    return None


def _kinship(sentence: str, role: str, voice: Voice) -> list[Claim]:
    """Who somebody is, where that is what is corrected: "my niece Mei"."""
    if role.lower() not in ROLES:
        return []
    named = re.search(rf"(?i:\bmy {re.escape(role)}),?\s+([A-Z][\w'-]+)", sentence)
    if named is None:
        return []
    who = voice.utterance.speaker
    return [Claim(named[1], f"be {role.lower()} of", who, f"{named[1]} is {who}'s {role.lower()}.", kind="kin")]


def _settled(text: str, earlier: Sequence[str], voice: Voice) -> Correction | None:
    """ "It's 13 July actually": the value of what was said last."""
    match = _IT_IS.match(text)
    if match is None:
        return None
    for sentence in reversed(earlier[-_NEAR:]):
        said = as_answered(sentence) if re.search(r"\byour?\b", sentence, re.I) else sentence
        told = read(said, voice)
        new = with_value(english()(completed(said)), match["value"].strip()) if told else None
        if new is not None:
            return _in_place_of(told, read(new, voice), text[match.end() :])
    return None


def _in_place_of(told: Sequence[Claim], new: Sequence[Claim], rest: str) -> Correction | None:
    if not new:
        return None
    taken = [_wrong(claim) for claim in told if not any(_same(claim, other) for other in new)]
    return Correction((*taken, *new), rest.lstrip(" ,.;:!-"))


def _replaced(before: str, said: str, rest: str, earlier: Sequence[str], voice: Voice) -> Correction | None:
    own = [each[0].strip() for each in _SENTENCE.finditer(before) if len(each[0].split()) > _SHORTEST]
    kept = " ".join(own[:-1])
    here = bool(own)
    wrong_sentences = own[-1:] if here else list(reversed(earlier))
    value = _bare(said)
    right: list[Claim] = []
    wrong: list[Claim] = []
    kept_claims = read(kept, voice) if kept else []
    if value is not None:
        for sentence in wrong_sentences:
            told = read(sentence, voice)
            new = with_value(english()(completed(sentence)), value) if told or here else None
            if new is not None:
                right, wrong = read(new, voice), told
                break
        if not right:
            return None
        place = said.find(value)
        latest_known = said[place + len(value) :].lstrip(" ,") if place >= 0 else ""
        rest = f"{latest_known} {rest}".strip() if _CLAUSE.search(latest_known) else rest
    else:
        right = read(said, voice)
        told = [claim for sentence in wrong_sentences for claim in read(sentence, voice)]
        wrong = [claim for claim in told if any(_rivals(claim, other) for other in right)]
        if here and not wrong:
            kept_claims += told
    taken = [] if here else [_wrong(claim) for claim in wrong if not any(_same(claim, other) for other in right)]
    return Correction((*kept_claims, *taken, *right), rest)


def _bare(said: str) -> str | None:
    """The value that a correction gives without a clause around it: "pescatarian", "the 21st", "Bergen, not Oslo"."""
    said = re.sub(r"^(?:it'?s|it is|that'?s|they'?re)\s+(?=[^.!?]*,\s*not\b)", "", said, flags=re.I)
    first = re.split(r"[.!?;\u2026]|,\s+(?=(?:I|we|it|he|she|they|so|but|and|because|sorry)\b)", said, maxsplit=1)[
        0
    ].strip(" ,")
    first = re.split(r",\s+(?=(?:at|in|on|with|for|by|from)\b)", first, maxsplit=1)[0]
    return first if first and len(first.split()) <= 6 and not _CLAUSE.search(first) else None


def _rivals(claim: Claim, other: Claim) -> bool:
    """Whether one claim takes the place of another: of the same subject and predicate, or of one kind."""
    if claim.subject != other.subject or _same(claim, other) or claim.mood == "corrected" or other.mood == "corrected":
        return False
    if (claim.state or claim.predicate) == (other.state or other.predicate):
        return True
    single = ("home", "employer", "age", "name", "birthday", "due", "version", "role", "partner", "diet")
    return claim.kind is not None and claim.kind == other.kind and claim.kind in single


def _same(claim: Claim, other: Claim) -> bool:
    return (claim.predicate, claim.object, claim.negated) == (other.predicate, other.object, other.negated)


def _wrong(claim: Claim) -> Claim:
    return replace(claim, mood="corrected", content=denial(claim))


def _taken_back(text: str, taken: re.Match[str], earlier: Sequence[str], voice: Voice) -> Correction:
    about = taken["who"].removesuffix("'s").casefold()
    verb = verb_base(taken["verb"].lower()) if taken["verb"] else None
    told = [claim for sentence in earlier for claim in read(sentence, voice)]
    wrong = [
        claim
        for claim in told
        if about in f"{claim.subject} {claim.object}".casefold() and (verb is None or verb in claim.predicate.split())
    ]
    if not wrong and verb is not None and taken["who"][:1].isupper():
        name = taken["who"].removesuffix("'s")
        wrong = [Claim(name, verb, None, f"{name} does not {verb}.")]
    rest = text[: taken.start()] + " " + _UNTRUE.sub("", text[taken.end() :].lstrip(" .,;:-"))
    return Correction(tuple(_wrong(claim) for claim in wrong), rest.strip())
