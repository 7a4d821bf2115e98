"""A clause said again in the third person, as a full sentence that stands alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from spacy.tokens import Token

from reverie.pipelines.ingest.language.en import lexicon
from reverie.pipelines.ingest.language.en.clauses import Clause, announces, subject_of
from reverie.pipelines.ingest.language.en.naming import Voice
from reverie.pipelines.ingest.language.en.words import is_perfect, third_person

_WHOLE_FORMS = {"'ll": " will", "'ve": " have", "'re": " are", "'m": " is"}
_EDGE = frozenset({"cc", "punct", "intj", "mark", "preconj", "discourse"})


def sentence(clause: Clause, voice: Voice, leave_out: frozenset[int] = frozenset()) -> str:
    """The clause's content. Words at `leave_out`, greetings, names called out and dangling commas are dropped."""
    kept = trimmed(clause, voice, leave_out)
    if not kept:
        return ""
    lead = _lead(clause, voice, kept)
    said = spoken_of(kept, voice, lead, _behind(clause, voice))
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
        if token.text == "," and _closes_a_gap(token, clause):
            drop.add(token.i)
        if clause.head.dep_ == "relcl" and token.lower_ in ("who", "which") and token.head == clause.head:
            drop.add(token.i)
        if token.dep_ in ("intj", "discourse") or _is_called(token, voice):
            drop.update(each.i for each in token.subtree if each.dep_ != "nsubj")
        if (
            token.dep_ in ("cc", "mark", "preconj")
            and token.head in (clause.head, clause.subject)
            and token.i < (token.head.i if token.head == clause.head else token.i + 1)
            and not (token.head == clause.subject and token.dep_ == "cc")
        ):
            drop.add(token.i)
        if token.lower_ in ("all", "both") and token.i > 0 and token.nbor(-1).lower_ in ("we", "us"):
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
        (kept[0].dep_ in _EDGE and (kept[0].dep_ != "mark" or kept[0].head == clause.head))
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


def _closes_a_gap(comma: Token, clause: Clause) -> bool:
    """A comma beside a relative clause that became a claim of its own."""
    own = {token.i for token in clause.own}
    beside = [place for place in (comma.i - 1, comma.i + 1) if comma.sent.start <= place < comma.sent.end]
    gone = [comma.doc[place] for place in beside if place not in own]
    return any(token.dep_ == "relcl" for each in gone for token in (each, *each.ancestors))


def _is_called(token: Token, voice: Voice) -> bool:
    """A name called out between commas, at the edge of the sentence."""
    inside = token.left_edge.i > token.sent.start + 2 and token.i < token.sent.end - 3
    if inside and not any(name.lower().startswith(token.lower_) for name in voice.discourse.participants):
        return False
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
        subject = voice.utterance.speaker
    else:
        referent = voice.refer(clause.subject)
        if referent is None:
            subject = "".join(token.text_with_ws for token in clause.subject.subtree).strip()
        elif clause.subject.pos_ == "PRON" or clause.subject.dep_ not in ("nsubj", "nsubjpass"):
            subject = referent.shown
        else:
            own = {token.i for token in clause.own}
            subject = spoken_of([token for token in clause.subject.subtree if token.i not in own], voice, "").strip(
                " ,"
            )
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
    return _WHOLE_FORMS.get(token.lower_, token.text).strip()


def _behind(clause: Clause, voice: Voice) -> Mapping[int, str]:
    """The clause's pronoun subject, named."""
    subject = clause.subject
    if subject is None or subject.pos_ != "PRON" or voice.is_speaker(subject) or announces(clause) is not None:
        return {}
    found = voice.refer(subject)
    return {} if found is None else {subject.i: found.shown}


def spoken_of(tokens: Iterable[Token], voice: Voice, lead: str, shown: Mapping[int, str] = MappingProxyType({})) -> str:
    """Words with first and second persons named and the verbs that go with them put in the third person."""
    words = list(tokens)
    turned = _turned(words, voice)
    if lead and words and words[0].pos_ != "PROPN" and words[0].lower_ != "i":
        turned.setdefault(words[0].i, words[0].text[:1].lower() + words[0].text[1:])
    text = lead
    named = bool(lead) and lead.startswith(voice.utterance.speaker)
    out: list[str] = []
    for index, token in enumerate(words):
        word = turned.get(token.i, token.text)
        lower = token.lower_
        if token.i in shown:
            word = shown[token.i]
        elif (
            lower in lexicon.SPEAKER | lexicon.SPEAKERS_OWN
            and token.i + 1 < len(token.doc)
            and token.nbor(1).text == "-"
        ):
            pass
        elif lower in ("i", "me", "we", "us"):
            word, named = voice.utterance.speaker, True
        elif lower in ("my", "our"):
            word = "their" if named else f"{voice.utterance.speaker}'s"
            named = True
        elif lower in ("mine", "ours"):
            word = f"{voice.utterance.speaker}'s"
        elif lower in ("myself", "ourselves"):
            word = "themselves"
        elif lower in lexicon.LISTENER and voice.listener is not None:
            word = {"your": f"{voice.listener}'s", "yours": f"{voice.listener}'s", "yourself": "themselves"}.get(
                lower, voice.listener
            )
        elif lower == "n't":
            word = " not"
        elif lower == "ca":
            word = "can"
        elif lower == "wo":
            word = "will"
        elif lower in _WHOLE_FORMS and token.pos_ in ("AUX", "VERB"):
            word = f" {turned[token.i]}" if token.i in turned else _WHOLE_FORMS[lower]
        elif lower == "'d":
            word = " had" if token.tag_ == "VBD" else " would"
        elif lower == "'s" and token.tag_ in ("VBZ", "POS") and token.pos_ in ("AUX", "VERB"):
            word = " has" if is_perfect(token) else " is"
        elif token.i in turned and lower.startswith("'"):
            word = f" {word}"
        out.append(
            word + token.whitespace_ if index + 1 < len(words) and words[index + 1].i == token.i + 1 else word + " "
        )
    text = "".join(out)
    return re.sub(r"\s{2,}", " ", text).strip()


def _turned(words: list[Token], voice: Voice) -> dict[int, str]:
    """Verbs of a first or second person, in the third."""
    turned: dict[int, str] = {}
    for verb in words:
        if (verb.pos_ not in ("VERB", "AUX") and not verb.tag_.startswith("VB")) or verb.lower_ == "last":
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
