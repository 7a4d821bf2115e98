"""The reader of a language by its tables: plain statements of the speaker and of people named, clause by clause.

Without a parser little is certain, so little is said: a clause with a question mark, a quotation, a word that hedges
("almost", "if", "says") or an unknown verb gives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reverie.knowledge.claims import Claim, Moment
from reverie.pipelines.ingest.language.base import Extraction, Utterance
from reverie.pipelines.ingest.language.detecting import small_words
from reverie.pipelines.ingest.language.moments import moment
from reverie.pipelines.ingest.language.phrases.tables import TABLES, Frame, Phrases

_CONFIDENCE = 0.9
"""Of what is read without a parser."""
_NAME = r"(?-i:[A-ZÀ-ÖØ-Þ][\w'’-]+)"
_WORD = r"[\w'’-]+"
_QUOTED = re.compile(r"[\"“”„«»`]|^\s*>|^\s*[\w ]{1,20}:\s*$", re.M)
_THIRD = {"live in": "lives in", "be": "is", "be allergic to": "is allergic to", "have": "has"}


class PhraseReader:
    """Reads one of the languages of `TABLES`."""

    def __init__(self, code: str) -> None:
        self._code = code
        self._phrases = TABLES[code]

    def extract(
        self,
        utterances: Sequence[Utterance],
        history: Sequence[Utterance] = (),  # noqa: ARG002  # each turn is read by itself
    ) -> list[Extraction]:
        """One `Extraction` a turn, in order, of claims alone: no entities are found without a parser."""
        return [Extraction((), tuple(self._claims(utterance))) for utterance in utterances]

    def _claims(self, utterance: Utterance) -> Iterator[Claim]:
        if _QUOTED.search(utterance.text):
            return
        for sentence in re.findall(r"[^.!?\n;]+[.!?\n;]?", utterance.text.replace("’", "'")):
            somebody: str | None = None
            if sentence.endswith("?") or re.search(rf"\b(?:{self._phrases.blocks})\b", sentence, re.I):
                continue
            for clause in re.split(rf",|:|\s(?:{self._phrases.joints})\s", sentence, flags=re.I):
                for claim in self._of_clause(clause.strip(" .!"), utterance, somebody):
                    somebody = claim.subject if claim.subject != utterance.speaker else somebody
                    yield claim

    def _of_clause(self, clause: str, utterance: Utterance, somebody: str | None) -> Iterator[Claim]:
        phrases = self._phrases
        if re.search(rf"\b(?:{phrases.hedges})\b", clause, re.I):
            return
        for frame in phrases.frames:
            found = _match(frame, clause, phrases, utterance.speaker, somebody)
            if found is not None and found[1].casefold() not in small_words(self._code):
                yield self._claim(frame, found, clause, utterance)
                return

    def _claim(self, frame: Frame, found: tuple[str, str], clause: str, utterance: Utterance) -> Claim:
        subject, object = found
        phrases = self._phrases
        over = re.search(rf"\b(?:{phrases.no_longer})\b", clause, re.I) is not None
        denied = not over and re.search(rf"\b(?:{phrases.denials})(?=\W|$)", clause, re.I) is not None
        told = re.search(
            rf"\b(?:{phrases.since})\s+((?:\d{{1,2}}\.?\s+)?[^\W\d_]+(?:\s+\d{{4}})?|\d{{4}})", clause, re.I
        )
        when = moment(told[1], self._code, utterance.at, past=True) if told is not None else None
        dated = when is not None and when.start is not None and when.iso is not None and not over
        verb = _THIRD.get(frame.state) or f"{frame.state.split(' ')[0]}s {frame.state.partition(' ')[2]}".strip()
        content = f"{subject} {'does not ' + frame.state if denied or over else verb} {object}."
        return Claim(
            subject=subject,
            predicate=frame.state,
            object=object,
            content=content.replace("does not be", "is not"),
            negated=denied,
            mood="ended" if over else "denied" if denied else "asserted",
            confidence=_CONFIDENCE,
            kind=frame.kind,
            began=frame.began,
            when=when.iso if dated and when is not None else None,
            when_start=when.start if dated and when is not None else None,
            since=Moment(when.start, when.iso) if dated and when is not None and when.start and when.iso else None,
        )


def _match(frame: Frame, clause: str, phrases: Phrases, speaker: str, somebody: str | None) -> tuple[str, str] | None:
    """The subject and the object of a clause that is of the frame's kind."""
    value = rf"(?:{phrases.articles}\s+)*(?P<o>{_NAME if frame.place else _WORD}(?:[ -]{_NAME})?)"
    link = rf"(?:{frame.link})(?:\s+|(?<=[\s']))" if frame.link else ""
    between = r"(?:\s+\S+){0,4}?\s+"
    first = re.search(rf"(?:^|\s)(?:{frame.first}){between}{link}{value}", clause, re.I)
    if first is not None:
        return speaker, first["o"]
    if not frame.third:
        return None
    apart = r"(?:\s+(?-i:[a-zà-ÿ])\S*){0,3}?"
    named = re.search(rf"(?P<s>{_NAME}){apart}\s+(?:{frame.third}){between}{link}{value}", clause, re.I)
    if named is not None:
        return (named["s"], named["o"]) if _is_somebody(clause[: named.start("s")], named["s"], phrases) else None
    carried = None if somebody is None else re.match(rf"(?:{frame.third}){between}{link}{value}", clause, re.I)
    return None if carried is None or somebody is None else (somebody, carried["o"])


def _is_somebody(before: str, name: str, phrases: Phrases) -> bool:
    """Whether a word with a large letter is a name: no small word that opens the clause, no noun after an article."""
    if re.fullmatch(rf"{phrases.articles}|{phrases.denials}|{phrases.joints}|ich|je|yo|eu|io|ik", name, re.I):
        return False
    return not phrases.nouns_are_large or re.search(rf"\b{phrases.articles}\s*$", before, re.I) is None
