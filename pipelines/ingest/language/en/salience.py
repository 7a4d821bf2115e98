"""What a clause leaves in mind, so that later pronouns find it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spacy.tokens import Doc, Token

from reverie.pipelines.ingest.language.en import lexicon
from reverie.pipelines.ingest.language.en.clauses import Clause, clauses_of
from reverie.pipelines.ingest.language.en.discourse import Referent
from reverie.pipelines.ingest.language.en.naming import Voice

_PLACES = ("nsubj", "nsubjpass", "dobj", "pobj", "attr", "appos", "conj", "npadvmod", "ROOT")
_MEASURES = ("DATE", "TIME", "CARDINAL", "ORDINAL", "MONEY", "QUANTITY", "PERCENT")


def focus(clause: Clause, voice: Voice) -> None:
    """What the clause was about is what "it" means next: its object, else the noun it is said of."""
    for token in _central(clause):
        if token.pos_ not in ("NOUN", "PROPN") or token.ent_type_ in _MEASURES:
            continue
        referent = voice.refer(token)
        if referent is not None and not referent.person and not referent.plural:
            voice.discourse.focus(referent)
            return


def listen(doc: Doc, voice: Voice) -> None:
    """Take in what a text mentions, so that later pronouns find it."""
    for sent in doc.sents:
        clauses = clauses_of(sent)
        for clause in clauses:
            if clause.subject is not None:
                voice.refer(clause.subject)
            focus(clause, voice)
            remember(clause.own, voice)
        if not clauses:
            remember(sent, voice)


def _central(clause: Clause) -> Iterator[Token]:
    yield from clause.children("dobj")
    for verb in clause.children("xcomp"):
        yield from (token for token in verb.children if token.dep_ == "dobj")
    for link in clause.children("prep"):
        yield from (token for token in link.children if token.dep_ == "pobj")
    yield from clause.children("nsubj", "nsubjpass")


def remember(words: Iterable[Token], voice: Voice) -> None:
    """Note what the words mention, subjects last: a pronoun looks for them first."""
    mentions: list[tuple[bool, Referent]] = []
    for token in words:
        if not _is_mention(token):
            continue
        referent = voice.refer(token)
        if referent is None or referent.name.lower() == voice.utterance.speaker.lower():
            continue
        others = [child.text for child in token.children if child.dep_ == "conj" and child.pos_ == "PROPN"]
        if others and token.pos_ == "PROPN" and not referent.plural:
            pair = " and ".join([referent.name, *others])
            mentions.append((False, Referent(pair, pair, person=True, plural=True)))
        mentions.append((token.dep_ in ("nsubj", "nsubjpass"), referent))
    for _, referent in sorted(mentions, key=lambda each: each[0]):
        voice.discourse.mention(referent)


def _is_mention(token: Token) -> bool:
    if token.dep_ not in _PLACES or token.pos_ not in ("NOUN", "PROPN") or token.ent_type_ in _MEASURES:
        return False
    if token.dep_ == "npadvmod" and token.pos_ == "NOUN":
        return False
    return not (token.dep_ == "appos" and token.head.lemma_.lower() in lexicon.ROLES)
