"""What makes two facts the same: the triple after NFKC, casefold and folded blanks."""

from reverie.knowledge.ids import derived_id
from reverie.knowledge.predicates import BASE_FORM, SINGLE_VALUED
from reverie.knowledge.wording import folded


def base_form(predicate: str) -> str:
    """The folded predicate, and for the shipped single-valued ones the same form for every wording."""
    plain = folded(predicate)
    return BASE_FORM.get(plain, plain)


def shipped(predicate: str) -> bool:
    """Whether a predicate, in any wording, holds one value at a time where nothing was declared of it."""
    return base_form(predicate) in SINGLE_VALUED


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


def slot_of(subject: str, predicate: str, group: str | None = None) -> str:
    """Id of what may exclude each other: the claims of a subject with a predicate, or of a group of kinds."""
    respect = ["predicate", base_form(predicate)] if group is None else ["group", group]
    return derived_id("slot", folded(subject), *respect)
