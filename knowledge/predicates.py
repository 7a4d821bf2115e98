"""Predicates that hold one value at a time, and the wordings under which each is known.

Every other predicate may hold many values until a namespace declares otherwise.
"""

from typing import Final

SINGLE_VALUED: Final[dict[str, tuple[str, ...]]] = {
    "live in": ("lives in", "live at", "lives at", "resides in", "reside in", "is living in", "be living in"),
    "be based in": ("is based in", "based in"),
    "work at": ("works at", "work for", "works for", "is employed by", "be employed by", "employed by"),
    "work as": ("works as", "is working as", "be working as"),
    "be named": ("is named", "is called", "be called", "has name", "have name", "name is"),
    "be born on": (
        "was born on",
        "is born on",
        "born on",
        "birthday",
        "birthday is",
        "has birthday",
        "have birthday",
        "birth date",
    ),
    "be born in": ("was born in", "born in", "birthplace"),
    "be married to": ("is married to", "married to", "spouse", "spouse is"),
    "be engaged to": ("is engaged to", "engaged to"),
    "be aged": ("is aged", "age", "age is", "has age", "have age"),
    "prefer over": ("prefers over", "prefers-over", "prefer-over"),
    "report to": ("reports to", "is managed by", "be managed by"),
    "be led by": ("is led by", "led by"),
    "have email": ("has email", "email is", "email address"),
    "have phone number": ("has phone number", "phone number", "phone number is"),
    "have time zone": ("has time zone", "time zone", "time zone is", "timezone"),
    "have native language": ("has native language", "native language", "native language is"),
    "have status": ("has status", "status", "status is"),
    "die on": ("died on", "dies on"),
}
"""Base form to its other wordings, all casefolded."""

BASE_FORM: Final[dict[str, str]] = {
    wording: base for base, wordings in SINGLE_VALUED.items() for wording in (base, *wordings)
}
"""Any known wording to its base form."""
