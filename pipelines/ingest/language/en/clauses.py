"""A sentence taken apart into clauses: one verb each, with its subject and the words that are its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from spacy.tokens import Span, Token

from reverie.pipelines.ingest.language.en import lexicon
from reverie.pipelines.ingest.language.en.parser import verbs
from reverie.pipelines.ingest.language.en.words import deed, is_verb, lemma

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
    """The head's own subject: the nearest before the verb, else the one after it ("so is Max")."""
    holders = (head, *(token for token in head.children if token.dep_ in ("aux", "auxpass")))
    below = [token for holder in holders for token in holder.children if token.dep_ in SUBJECTS]
    found = [token for token in below if not _is_called(token)]
    if not found and head.tag_ in ("VBZ", "VBD"):  # a name taken for a part of the verb: "Ruth sings"
        found = [token for token in head.children if token.pos_ == "PROPN" and token.i == head.i - 1]
    before = [token for token in found if token.i < head.i]
    return before[-1] if before else next((token for token in found if not head.doc[token.i - 1].is_punct), None)


def _is_called(token: Token) -> bool:
    """A name called out before the sentence proper ("Hey Tom, since we spoke ...")."""
    if token.pos_ != "PROPN" or token.i + 1 >= len(token.doc) or token.nbor(1).text not in (",", "!"):
        return False
    if any(child.dep_ in ("appos", "relcl", "acl", "conj", "poss") for child in token.children):
        return False
    before = token.doc[token.left_edge.i - 1] if token.left_edge.i > token.sent.start else None
    return before is None or before.is_punct or before.lower_ in lexicon.GREETING


def announces(clause: Clause) -> Token | None:
    """What "it" only announces: "it is great to see them", "it was so cool spending time", "it takes courage to"."""
    if clause.subject is None or clause.subject.lower_ != "it":
        return None
    value = clause.child("acomp", "attr", "oprd", "dobj")
    below = () if value is None else tuple(value.children)
    for token in (*clause.head.children, *below):
        if (
            token.i > clause.head.i
            and token.dep_ in ("xcomp", "ccomp", "csubj", "advcl", "acl", "relcl")
            and is_verb(token)
        ):
            if token.dep_ in ("advcl", "acl", "relcl") and token.tag_ not in ("VBG", "VB"):
                continue
            if (token.dep_ == "ccomp" and clause.child("dobj") is not None) or lemma(clause.head) in (
                "make",
                "help",
                "let",
                "want",
                "start",
            ):
                continue
            return token
    return None


def done(clause: Clause) -> Clause:
    """The clause of what was done: "roll prod back" of "had to roll prod back"."""
    head = deed(clause.head)
    return clause if head == clause.head else replace(clause, head=head)


def clauses_of(sentence: Span) -> list[Clause]:
    """The clauses of a sentence in order of their verbs."""
    return from_head(sentence.root, None) if is_verb(sentence.root) else _beside(sentence.root)


def _beside(root: Token) -> list[Clause]:
    """Clauses next to a root that is no verb ("Yes, I moved")."""
    found: list[Clause] = []
    if root.lower_ in verbs() and root.i == root.sent.start:
        return []  # an order ("Pretend Tom owns it") that was taken for a name
    if (verb := _garden_path(root)) is not None:
        return from_head(verb, None, subject=root)
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


def _garden_path(noun: Token) -> Token | None:
    """ "The nightly backup completed at two": a past tense that was taken for a participle of its subject."""
    if noun.pos_ not in ("NOUN", "PROPN") or not any(child.dep_ in ("det", "poss") for child in noun.children):
        return None
    verb = next(
        (
            child
            for child in noun.children
            if child.dep_ == "acl" and child.tag_ == "VBN" and child.lower_.endswith("ed")
        ),
        None,
    )
    if verb is None or any(child.dep_ == "agent" for child in verb.children):
        return None
    return verb


def from_head(head: Token, base: Clause | None, subject: Token | None = None, reported: bool = False) -> list[Clause]:
    """The clause of `head` and those that hang on it."""
    others = list(_dependents(head))
    taken = {token.i for other in others if other.dep_ != "advcl" for token in other.subtree}
    own = tuple(token for token in head.subtree if token.i not in taken)
    mine = subject_of(head)
    borrowed = mine is None and subject is None and base is not None
    clause = Clause(head, subject or mine or (base.subject if base else None), own, base, borrowed, reported)
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
        if token.dep_ == "relcl" and _tells_of(token) and _noun_of(token).head == head:
            yield token


def _is_beside(token: Token, head: Token) -> bool:
    """A sentence spliced on with a comma or semicolon, which the parser takes for a complement."""
    if token.i > head.i or any(each.dep_ == "mark" for each in token.children):
        return False
    first = subject_of(head)
    return first is None or token.i < first.i


def _gives_a_reason(token: Token) -> bool:
    mark = next((each for each in token.children if each.dep_ == "mark"), None)
    if mark is None or subject_of(token) is None:
        return False
    return mark.lower_ in lexicon.CAUSES or (
        mark.lower_ in ("since", "after") and token.tag_ == "VBD" and lemma(token) != "be"
    )


def _noun_of(relative: Token) -> Token:
    """The noun that a relative clause hangs on, "cousin" in "my cousin Ella, who"."""
    noun = relative.head
    return noun.head if noun.dep_ == "appos" else noun


def _tells_of(token: Token) -> bool:
    """A relative clause that adds something about somebody named: "Ella, who is a nurse"."""
    first = subject_of(token)
    named = token.head.pos_ == "PROPN" or any(
        child.dep_ == "appos" and child.pos_ == "PROPN" for child in token.head.children
    )
    return named and first is not None and first.lower_ in ("who", "which")
