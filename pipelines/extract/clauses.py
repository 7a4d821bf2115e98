"""A sentence taken apart into clauses: one verb each, with its subject and the words that are its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from spacy.tokens import Span, Token

from reverie.pipelines.extract import lexicon
from reverie.pipelines.extract.words import is_verb, lemma

SUBJECTS = ("nsubj", "nsubjpass", "csubj", "expl")


@dataclass(frozen=True)
class Clause:
    """`subject` may be borrowed from `base`, the clause this one is coordinated with; None when it is left out."""

    head: Token
    subject: Token | None
    own: tuple[Token, ...]
    base: Clause | None = None
    borrowed: bool = False
    reported: bool = False

    @property
    def auxiliaries(self) -> list[Token]:
        """The clause's auxiliaries; those of the base when it shares them ("have been fired and replaced")."""
        own = [token for token in self.head.children if token.dep_ in ("aux", "auxpass") and token.i < self.head.i]
        if not own and self.borrowed and self.base is not None and self.head.tag_ in ("VBG", "VBN", "VB"):
            return self.base.auxiliaries
        return own

    def child(self, *deps: str) -> Token | None:
        """The first dependent of the head with one of these labels."""
        return next((token for token in self.head.children if token.dep_ in deps), None)

    def children(self, *deps: str) -> list[Token]:
        """All dependents of the head with one of these labels."""
        return [token for token in self.head.children if token.dep_ in deps]


def subject_of(head: Token) -> Token | None:
    """The head's own subject."""
    return next((token for token in head.children if token.dep_ in SUBJECTS), None)


def clauses_of(sentence: Span) -> list[Clause]:
    """The clauses of a sentence in order of their verbs."""
    return from_head(sentence.root, None) if is_verb(sentence.root) else _beside(sentence.root)


def _beside(root: Token) -> list[Clause]:
    """Clauses next to a root that is no verb ("Yes, I moved")."""
    found: list[Clause] = []
    for token in root.children:
        if (
            is_verb(token)
            and token.dep_ in ("parataxis", "ccomp", "conj", "relcl", "acl", "advcl")
            and subject_of(token) is not None
        ):
            if token.dep_ in ("relcl", "acl", "advcl"):
                continue
            found += from_head(token, None)
    return found


def from_head(head: Token, base: Clause | None, subject: Token | None = None, reported: bool = False) -> list[Clause]:
    """The clause of `head` and those that hang on it."""
    others = list(_dependents(head))
    taken = {token.i for other in others if other.dep_ != "advcl" for token in other.subtree}
    own = tuple(token for token in head.subtree if token.i not in taken)
    mine = subject_of(head)
    borrowed = mine is None and subject is None and base is not None
    clause = Clause(head, mine or subject or (base.subject if base else None), own, base, borrowed, reported)
    found = [clause]
    for other in others:
        if other.dep_ == "relcl":
            found += from_head(other, None, subject=other.head, reported=reported)
        elif other.dep_ == "advcl" or (other.dep_ == "ccomp"):
            found += from_head(other, None, reported=reported)
        else:
            found += from_head(other, clause, reported=reported)
    return sorted(found, key=lambda each: each.head.i)


def _dependents(head: Token) -> Iterator[Token]:
    for token in head.children:
        if not is_verb(token):
            continue
        if (
            token.dep_ in ("conj", "parataxis")
            or (token.dep_ == "ccomp" and _is_beside(token, head))
            or (token.dep_ == "advcl" and _gives_a_reason(token))
        ):
            yield token
    for token in head.subtree:
        if token.dep_ == "relcl" and token.head.pos_ == "PROPN" and _tells_of(token) and token.head.head == head:
            yield token


def _is_beside(token: Token, head: Token) -> bool:
    """A sentence spliced on with a comma or semicolon, which the parser takes for a complement."""
    if token.i > head.i or any(each.dep_ == "mark" for each in token.children):
        return False
    first = subject_of(head)
    return first is None or token.i < first.i


def _gives_a_reason(token: Token) -> bool:
    mark = next((each for each in token.children if each.dep_ == "mark"), None)
    return mark is not None and mark.lower_ in lexicon.CAUSES and subject_of(token) is not None


def _tells_of(token: Token) -> bool:
    """A relative clause that adds something: who, or which after a comma."""
    first = subject_of(token)
    return first is not None and first.lower_ in ("who", "which") and lemma(token) != ""
