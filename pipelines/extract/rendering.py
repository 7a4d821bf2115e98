"""A clause said again in the third person, as a full sentence that stands alone."""

from __future__ import annotations

import re
from collections.abc import Iterable

from spacy.tokens import Token

from reverie.pipelines.extract import lexicon
from reverie.pipelines.extract.clauses import Clause, subject_of
from reverie.pipelines.extract.naming import Voice
from reverie.pipelines.extract.words import third_person

_EDGE = frozenset({"cc", "punct", "intj", "mark", "preconj", "discourse"})


def sentence(clause: Clause, voice: Voice, leave_out: frozenset[int] = frozenset()) -> str:
    """The clause's content. Words at `leave_out`, greetings, names called out and dangling commas are dropped."""
    kept = trimmed(clause, voice, leave_out)
    if not kept:
        return ""
    lead = _lead(clause, voice, kept)
    said = spoken_of(kept, voice, lead)
    return finish(f"{lead} {said}" if lead else said)


def finish(text: str) -> str:
    """One sentence: first letter large, one full stop, no stray marks."""
    text = re.sub(r"\s+([,.;:!?)])", r"\1", re.sub(r"\s{2,}", " ", text)).strip(' ,;:-.!?"')
    text = re.sub(r",(?:\s*,)+", ",", text).strip()
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def trimmed(clause: Clause, voice: Voice, leave_out: frozenset[int]) -> list[Token]:
    """The clause's own words without what only opens or addresses."""
    drop = set(leave_out)
    for token in clause.own:
        if token.dep_ in ("intj", "discourse") or _is_called(token, voice):
            drop.update(each.i for each in token.subtree if each.dep_ != "nsubj")
        if token.dep_ in ("cc", "mark", "preconj") and token.head == clause.head:
            drop.add(token.i)
        if (
            token.dep_ == "advmod"
            and token.head == clause.head
            and token.i < clause.head.i
            and token.lower_ in ("so", "then", "anyway", "well", "plus", "also", "actually", "just")
            and token.i == clause.own[0].i
        ):
            drop.add(token.i)
    kept = [token for token in clause.own if token.i not in drop]
    while kept and (
        kept[0].dep_ in _EDGE
        or kept[0].pos_ in ("PUNCT", "SPACE", "CCONJ", "SYM")
        or (
            kept[0].lower_ in lexicon.GREETING
            and kept[0].dep_ in ("advmod", "intj", "npadvmod", "dep", "ROOT")
            and kept[0] != clause.head
        )
    ):
        kept = kept[1:]
    while kept and (
        kept[-1].pos_ in ("PUNCT", "SPACE", "CCONJ", "SYM", "INTJ") and kept[-1].text not in ("%", ")", '"')
    ):
        kept = kept[:-1]
    return kept


def _is_called(token: Token, voice: Voice) -> bool:
    """A participant's name called out between commas."""
    if (
        token.dep_ in ("npadvmod", "vocative")
        and token.pos_ == "PROPN"
        and token.ent_type_ not in ("DATE", "TIME", "GPE")
    ):
        before = token.i == 0 or token.nbor(-1).is_punct or token.is_sent_start
        after = token.i + 1 == len(token.doc) or token.nbor(1).is_punct
        return bool(before and after)
    return False


def _lead(clause: Clause, voice: Voice, kept: list[Token]) -> str:
    """The subject, and the verb "to be", that the words leave out."""
    if clause.subject is not None and any(token.i == clause.subject.i for token in kept):
        return ""
    head = clause.head
    if clause.subject is None:
        subject = voice.turn.speaker
    else:
        referent = voice.refer(clause.subject)
        if referent is None:
            subject = "".join(token.text_with_ws for token in clause.subject.subtree).strip()
        elif clause.subject.pos_ == "PRON" or clause.subject.dep_ not in ("nsubj", "nsubjpass"):
            subject = referent.shown
        else:
            subject = spoken_of(list(clause.subject.subtree), voice, "")
    auxiliaries = [token for token in clause.head.children if token.dep_ in ("aux", "auxpass")]
    if clause.borrowed and not auxiliaries and clause.auxiliaries:
        shared = " ".join(_finite(token, clause.subject, voice) for token in clause.auxiliaries)
        return f"{subject} {shared}"
    if head.tag_ == "VBG" and not auxiliaries:
        return f"{subject} is"
    if (head.tag_ == "VBN" and auxiliaries and auxiliaries[0].lower_ == "been") or (
        head.tag_ == "VBG" and auxiliaries and auxiliaries[0].lower_ == "been"
    ):
        return f"{subject} has"
    return subject


def _finite(token: Token, subject: Token | None, voice: Voice) -> str:
    first_person = subject is None or voice.is_speaker(subject)
    if first_person and token.tag_ in ("VBP", "VBD", "VB") and token.lower_ not in ("was", "had", "did", "be"):
        return (
            third_person(token.lower_)
            if token.lower_ in ("am", "are", "'m", "'re", "have", "'ve", "do", "were")
            else token.text
        )
    return token.text


def spoken_of(tokens: Iterable[Token], voice: Voice, lead: str) -> str:
    """Words with first and second persons named and the verbs that go with them put in the third person."""
    words = list(tokens)
    turned = _turned(words, voice)
    text = lead
    named = bool(lead) and lead.startswith(voice.turn.speaker)
    out: list[str] = []
    for index, token in enumerate(words):
        word = turned.get(token.i, token.text)
        lower = token.lower_
        if lower in ("i", "me", "we", "us"):
            word, named = voice.turn.speaker, True
        elif lower in ("my", "our"):
            word = "their" if named else f"{voice.turn.speaker}'s"
            named = True
        elif lower in ("mine", "ours"):
            word = f"{voice.turn.speaker}'s"
        elif lower in ("myself", "ourselves"):
            word = "themselves"
        elif lower in lexicon.LISTENER and voice.listener is not None:
            word = {
                "your": f"{voice.listener}'s",
                "yours": f"{voice.listener}'s",
                "yourself": "themselves",
            }.get(lower, voice.listener)
        elif token.tag_ in ("PRP", "PRP$") and token.dep_ in ("nsubj", "nsubjpass", "poss", "dobj", "pobj"):
            word = _third(token, voice, words[:index]) or word
        elif lower == "n't":
            word = " not"
        elif lower == "ca":
            word = "can"
        elif lower == "wo":
            word = "will"
        elif lower == "'ll":
            word = " will"
        elif lower == "'d":
            word = " had" if token.tag_ == "VBD" else " would"
        elif lower == "'s" and token.tag_ in ("VBZ", "POS") and token.pos_ in ("AUX", "VERB"):
            word = " has" if token.dep_ == "aux" and token.head.tag_ == "VBN" else " is"
        elif token.i in turned and lower.startswith("'"):
            word = f" {word}"
        out.append(
            word + token.whitespace_ if index + 1 < len(words) and words[index + 1].i == token.i + 1 else word + " "
        )
    text = "".join(out)
    return re.sub(r"\s{2,}", " ", text).strip()


def _third(token: Token, voice: Voice, before: list[Token]) -> str | None:
    """The name behind he, she, it or they, when it was mentioned before this sentence and not yet in it."""
    if token.dep_ not in ("nsubj", "nsubjpass") or token.lower_ in ("it",):
        return None
    if any(each.pos_ in ("NOUN", "PROPN") for each in before):
        return None
    found = voice.discourse.resolve(token.lower_, voice.turn.speaker)
    return None if found is None else found.shown


def _turned(words: list[Token], voice: Voice) -> dict[int, str]:
    """Verbs of a first or second person, in the third."""
    turned: dict[int, str] = {}
    for verb in words:
        if verb.pos_ not in ("VERB", "AUX") and not verb.tag_.startswith("VB"):
            continue
        if verb.dep_ in ("aux", "auxpass"):
            continue
        subject = _ruling(verb)
        ours = (subject is None and verb.dep_ == "ROOT") or (
            subject is not None
            and (subject.lower_ in lexicon.SPEAKER or (subject.lower_ == "you" and voice.listener is not None))
        )
        if not ours:
            continue
        if subject is not None and any(child.dep_ == "conj" for child in subject.children):
            continue
        auxiliaries = [child for child in verb.children if child.dep_ in ("aux", "auxpass") and child.i < verb.i]
        finite = auxiliaries[0] if auxiliaries else verb
        if (
            finite.tag_ == "VBP"
            or finite.lower_ in ("were", "'re", "'m", "'ve", "do")
            or (finite.tag_ == "VB" and not auxiliaries and verb.dep_ == "ROOT" and subject is not None)
        ):
            if (
                finite.tag_ in ("VBP", "VB")
                and finite.lower_ in ("quit", "put", "cut", "hit", "set", "let")
                and subject is not None
            ):
                continue
            turned[finite.i] = third_person(finite.text)
    return turned


def _ruling(verb: Token) -> Token | None:
    """The verb's subject, its own or that of the verb it is coordinated with."""
    own = subject_of(verb)
    if own is not None:
        return own
    if verb.dep_ == "conj" and verb.head.pos_ in ("VERB", "AUX") and verb.tag_ in ("VBP", "VBD", "VBZ"):
        return _ruling(verb.head)
    return None
