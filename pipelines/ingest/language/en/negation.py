"""What is denied: "not", "never", "no longer", "not ... any more", "no siblings"."""

from __future__ import annotations

from spacy.tokens import Token

from reverie.pipelines.ingest.language.en import lexicon
from reverie.pipelines.ingest.language.en.clauses import Clause


def is_negated(clause: Clause, heads: tuple[Token, ...] = ()) -> bool:
    """Whether the clause denies its predicate of its object (whose head words are `heads`)."""
    for token in clause.head.children:
        if token.dep_ == "neg" and token.lower_ in lexicon.DENIALS:
            return True
        if token.dep_ in ("advmod", "npadvmod") and (
            token.lower_ in ("never", "neither") or any(each.lower_ in ("no", "not") for each in token.children)
        ):
            return True
    if clause.subject is not None and any(
        each.lower_ in ("neither", "nobody", "none", "no") for each in (clause.subject, *clause.subject.children)
    ):
        return True
    if clause.borrowed and clause.base is not None and _joined_by_or(clause):
        return is_negated(clause.base, ())
    return any(each.dep_ in ("det", "neg") and each.lower_ == "no" for head in heads for each in head.children)


def _joined_by_or(clause: Clause) -> bool:
    return clause.base is not None and any(
        token.dep_ == "cc" and token.lower_ in ("or", "nor") for token in clause.base.head.children
    )
