"""Attribution: whom "I", "my sister Clara" and "the kids" stand for in a given turn, and how to say so."""

from __future__ import annotations

from dataclasses import dataclass, field

from spacy.tokens import Token

from reverie.pipelines.ingest.language.base import Utterance
from reverie.pipelines.ingest.language.en import lexicon
from reverie.pipelines.ingest.language.en.discourse import Discourse, Referent
from reverie.pipelines.ingest.language.en.things import is_occupation


@dataclass
class Voice:
    """The point of view of one turn."""

    utterance: Utterance
    discourse: Discourse
    settled: dict[int, Referent | None] = field(default_factory=dict)

    @property
    def listener(self) -> str | None:
        """The one who is spoken to, when that is a single participant."""
        if len(self.utterance.addressed_to) == 1:
            return self.utterance.addressed_to[0]
        others = [name for name in self.discourse.participants if name != self.utterance.speaker]
        return others[0] if not self.utterance.addressed_to and len(others) == 1 else None

    def is_speaker(self, token: Token | None) -> bool:
        """Whether the token is I, me, we, us."""
        return token is not None and token.lower_ in lexicon.SPEAKER

    def possessor(self, token: Token) -> str | None:
        """Whose the noun is ("my", "Tom's", "her"), None when nobody is named."""
        owner = next((child for child in token.children if child.dep_ == "poss"), None)
        if owner is None:
            return None
        if owner.lower_ in lexicon.SPEAKERS_OWN:
            return self.utterance.speaker
        if owner.lower_ in lexicon.LISTENER:
            return self.listener
        if owner.tag_ == "PRP$":
            if owner.i not in self.settled:
                self.settled[owner.i] = self.discourse.resolve(owner.lower_, self.utterance.speaker)
            found = self.settled[owner.i]
            return None if found is None else found.name
        found = self.refer(owner)
        return None if found is None else found.name

    def refer_here(self, token: Token) -> Referent | None:
        """Like `refer`, for an object: a pronoun that points to things stays open unless this turn names them."""
        if token.lower_ in lexicon.GROUP | lexicon.THING and not self.discourse.named_here(token.lower_):
            return None
        return self.refer(token)

    def refer(self, token: Token) -> Referent | None:
        """What a pronoun or the noun phrase around `token` stands for; None when it cannot be told."""
        word = token.lower_
        if word in lexicon.SPEAKER:
            return Referent(self.utterance.speaker, self.utterance.speaker, person=True)
        if word in lexicon.LISTENER:
            return None if self.listener is None else Referent(self.listener, self.listener, person=True)
        if word in lexicon.POINTING:
            return None
        if word in ("former", "latter"):
            return self._one_of_two(word)
        if token.pos_ == "PRON":
            if token.i not in self.settled:
                self.settled[token.i] = self.discourse.resolve(word, self.utterance.speaker)
            return self.settled[token.i]
        return self._noun(token)

    def _noun(self, token: Token) -> Referent | None:
        given = proper_name(token)
        noun = token.lemma_.lower()
        role = next(
            (each.lemma_.lower() for each in (token, *token.children) if each.lemma_.lower() in lexicon.ROLES), None
        )
        gender = "female" if role in lexicon.FEMALE_KIN else "male" if role in lexicon.MALE_KIN else None
        plural = token.tag_ in ("NNS", "NNPS") or any(child.dep_ == "conj" for child in token.children)
        if given is not None:
            named = token.ent_type_ or next((child.ent_type_ for child in token.children if child.text in given), "")
            person = role is not None or named not in (
                "GPE",
                "LOC",
                "PRODUCT",
                "WORK_OF_ART",
                "EVENT",
                "FAC",
                "LANGUAGE",
                "NORP",
            )
            return Referent(given, given, person=person, gender=gender)
        if token.pos_ == "NUM" or token.tag_ == "CD":
            return None
        core = core_of(token)
        human = noun in lexicon.ROLES or token.lower_ in lexicon.PEOPLE or is_occupation(noun)
        if not core or noun in lexicon.VAGUE or token.lower_ in lexicon.VAGUE:
            return None
        joined = [child for child in token.children if child.dep_ == "conj" and child.pos_ == "NOUN"]
        if joined:
            core = f"{core} and {core_of(joined[-1])}" if len(joined) == 1 else core
        owner = self.possessor(token)
        if owner is not None:
            return Referent(f"{owner}'s {core}", f"{owner}'s {core}", human, plural, gender)
        if (known := self._owned(token, core)) is not None:
            return known
        definite = plural and not any(child.dep_ in ("det", "poss") for child in token.children)
        return Referent(core, core if definite else f"the {core}", human, plural, gender)

    def _one_of_two(self, word: str) -> Referent | None:
        """ "The former", "the latter": of the two that were named together last."""
        pair = next((each for _, each in reversed(self.discourse.seen) if each.name.count(" and ") == 1), None)
        if pair is None:
            return None
        first, _, second = pair.name.partition(" and ")
        name = first if word == "former" else second
        return Referent(name, name, person=pair.person)

    def _owned(self, token: Token, core: str) -> Referent | None:
        """ "The rent" after "my rent": whose it is was said before, and of one owner alone."""
        if any(child.dep_ == "poss" or child.lower_ in ("a", "an", "another") for child in token.children):
            return None
        named = [each for _, each in self.discourse.seen if each.name.lower().endswith(f"'s {core.lower()}")]
        return named[0] if len({each.name for each in named}) == 1 else None


def proper_name(token: Token) -> str | None:
    """The proper name a noun phrase carries: "my sister Clara" → Clara, "Mrs. Okafor" → Okafor."""
    for child in token.children:
        near = child.i == token.i + 1 or (child.left_edge.i == token.i + 2 and token.nbor(1).text == ",")
        if child.dep_ in ("appos", "npadvmod") and child.pos_ == "PROPN" and (near or child.left_edge.i == token.i + 1):
            return _capitalised(child)
    if token.pos_ == "PROPN" and token.text[:1].isupper():
        return _capitalised(token)
    return None


def _capitalised(token: Token) -> str:
    """The run of capitalised words around a proper noun; a role before it and a title are left out."""
    span = next(
        (ent for ent in token.doc.ents if ent.start <= token.i < ent.end and ent.label_ not in ("DATE", "CARDINAL")),
        None,
    )
    if span is not None:
        words = list(span)
    else:
        words = [
            each
            for each in token.subtree
            if each.i <= token.i and each.dep_ in ("compound", "nmod") and each.head == token
        ]
        words.append(token)
    while len(words) > 1 and (
        words[0].lemma_.lower() in lexicon.ROLES
        or words[0].lower_ in lexicon.TITLES
        or words[0].pos_ in ("DET", "PRON")
        or words[0].lower_ in lexicon.GREETING
    ):
        words = words[1:]
    while len(words) > 1 and words[-1].text in ("'s", "'", "."):
        words = words[:-1]
    return "".join(each.text_with_ws for each in words).strip()


def core_of(token: Token) -> str:
    """A common noun with what makes it a term: "staging database", not "the new"."""
    words = [each for each in token.children if each.dep_ in ("compound", "nmod") and each.i < token.i]
    first = min((each.left_edge.i for each in words), default=token.i)
    return token.doc[first : token.i + 1].text.strip(" '\"")


_AMOUNTS = lexicon.words("way too so much many some")
"""Words before a noun that say how much of it, without a number: "way too much chess" is chess."""


def phrase(token: Token, cut: frozenset[int] = frozenset()) -> str:
    """The noun phrase of `token` as an object: no article, no possessive, no relative clause, no trailing time."""
    kept = [each for each in token.subtree if each.i not in cut and not _outside(each, token)]
    while kept and (
        kept[0].dep_ in ("det", "predet", "punct")
        or kept[0].tag_ == "PRP$"
        or kept[0].lower_ in ("a", "an", "the", "any", "no")
        or (kept[0].lower_ in _AMOUNTS and kept[0] != token)
    ):
        kept = kept[1:]
    while kept and kept[-1].pos_ in ("PUNCT", "CCONJ", "SPACE", "ADP"):
        kept = kept[:-1]
    return "".join(each.text_with_ws for each in kept).strip(" -,;:'\"")


def single_phrase(token: Token, cut: frozenset[int] = frozenset()) -> str:
    """The noun phrase of one of several joined nouns, without the others."""
    others = {
        each.i
        for child in token.children
        if child.dep_ in ("conj", "cc", "preconj") or (child.is_punct and child.i > token.i)
        for each in child.subtree
    }
    return phrase(token, cut | others)


def _outside(each: Token, top: Token) -> bool:
    """Whether `each` hangs below `top` by a clause that is not part of the phrase."""
    while each != top:
        if each.dep_ in ("relcl", "advcl", "appos", "parataxis", "ccomp") or (
            each.dep_ == "conj" and each.pos_ in ("VERB", "AUX")
        ):
            return not (each.dep_ == "appos" and each.i == top.i + 1)
        each = each.head
    return False
