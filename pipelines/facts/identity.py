"""What makes two facts the same: the triple after NFKC, casefold and folded blanks."""

import unicodedata
from functools import lru_cache

from reverie.config.predicates import BASE_FORM
from reverie.pipelines.ids import derived_id


@lru_cache(maxsize=8192)
def folded(text: str) -> str:
    """The form in which wordings are compared."""
    once = unicodedata.normalize("NFKC", text).casefold()
    # Casefolding can undo the normal form, and normalising can bring back what casefold folds.
    return " ".join(unicodedata.normalize("NFKC", once).casefold().split())


def base_form(predicate: str) -> str:
    """The folded predicate, and for the shipped single-valued ones the same form for every wording."""
    plain = folded(predicate)
    return BASE_FORM.get(plain, plain)


def fact_id(subject: str, predicate: str, object: str | None) -> str:
    """Id of the fact of a triple."""
    return derived_id("fact", folded(subject), folded(predicate), None if object is None else folded(object))


def subject_term(subject: str) -> str:
    """Id under which the facts about a subject are found."""
    return derived_id("subject", folded(subject))


def predicate_term(predicate: str) -> str:
    """Id under which the facts with a predicate are found, in any wording it is known by."""
    return derived_id("predicate", base_form(predicate))


def object_term(object: str) -> str:
    """Id under which the facts with an object are found."""
    return derived_id("object", folded(object))


def slot_of(subject: str, predicate: str) -> str:
    """Id of a (subject, predicate) pair: what can hold one value when the predicate is single-valued."""
    return derived_id("slot", folded(subject), base_form(predicate))
