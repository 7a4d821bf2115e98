"""How many values a predicate holds at a time."""

from reverie.knowledge.identity import base_form
from reverie.knowledge.predicates import SINGLE_VALUED


def shipped(predicate: str) -> bool:
    """Whether a predicate, in any wording, holds one value at a time where nothing was declared of it."""
    return base_form(predicate) in SINGLE_VALUED
