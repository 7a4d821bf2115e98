"""What cannot hold beside what: by kinds of things, not by a verb."""

from dataclasses import dataclass
from typing import Literal

from reverie.knowledge.kinds import SINGLE, WORDED_ALIKE, is_added
from reverie.knowledge.wording import gist, number, same_words, shares_words

Stance = Literal["holds", "denied", "formerly", "planned", "wrong", "cancelled"]
"""What a claim says of its state: that it holds, does not, held once, is planned, was said by mistake, is planned no
more."""

_LIKING = frozenset({"like", "love", "enjoy", "prefer", "adore", "be fond of", "be fan of"})
_DISLIKING = frozenset({"dislike", "hate", "detest", "loathe", "can not stand", "not stand", "avoid"})


@dataclass(frozen=True)
class Position:
    """A claim among those of its subject that it may bear on.

    `predicate` is that of the state, in its base form, whatever the stance. `single` is what the namespace declared of
    the predicate, or the shipped list says of one without a kind; None where the kind decides. `number` and `counted`
    are set where the object is a number of things, `beside` are the objects of the employers told in the same breath.
    """

    predicate: str
    object: str | None
    stance: Stance = "holds"
    kind: str | None = None
    single: bool | None = None
    number: float | None = None
    counted: str | None = None
    beside: frozenset[str] = frozenset()


def same_state(one: Position, other: Position) -> bool:
    """Whether two claims speak of the same state, their objects aside."""
    if one.predicate == other.predicate:
        return True
    return bool({one.kind, other.kind} <= WORDED_ALIKE and _family(one) == _family(other))


def _family(one: Position) -> str | None:
    return "having" if one.kind in ("possession", "pet", "device", "count") else one.kind


def excludes(one: Position, other: Position) -> bool:
    """Whether `other` cannot hold any more once `one` does."""
    if "wrong" in (one.stance, other.stance) or one.stance == "planned":
        return False
    if other.stance == "planned":
        return one.stance in ("holds", "cancelled") and _is_meant(one, other)
    if one.stance == other.stance:
        return one.stance == "holds" and _rivals(one, other)
    if "holds" not in (one.stance, other.stance) or "cancelled" in (one.stance, other.stance):
        return False
    negative, positive = (other, one) if one.stance == "holds" else (one, other)
    return _denies(positive, negative) if negative.stance == "denied" else _is_meant(negative, positive)


def retracts(wrong: Position, other: Position) -> bool:
    """Whether `wrong` says that `other` was said by mistake."""
    if other.stance in ("wrong", "cancelled"):
        return False
    of_kind = wrong.kind is not None and wrong.kind == other.kind
    return (of_kind or same_state(wrong, other)) and shares_words(wrong.object, other.object)


def _rivals(one: Position, other: Position) -> bool:
    """Whether two claims that hold are two values of what has one."""
    if same_words(one.object, other.object):
        if one.kind == other.kind == "partner":
            return one.predicate != other.predicate
        return _opposed(one, other)
    if one.single is False or other.single is False:
        return False
    if one.predicate == other.predicate and (one.single or other.single):
        return True
    if one.counted is not None and one.counted == other.counted and same_state(one, other):
        return True
    if one.kind == "employer" and other.kind == "role":
        return _is_elsewhere(other.object, one.object)
    if one.kind is None or one.kind != other.kind:
        return False
    if one.kind == "contact":
        return one.predicate == other.predicate
    if one.kind == "version":
        mine, theirs = _named(one), _named(other)
        return not mine or not theirs or mine == theirs
    return one.kind in SINGLE or is_added(one.kind)


def _is_elsewhere(role: str | None, employer: str | None) -> bool:
    """Whether a role is told of with another employer: "accountant at Vistula Freight" and "Korab"."""
    _, at, where = (role or "").partition(" at ")
    return bool(at) and employer is not None and not shares_words(where, employer)


def _opposed(one: Position, other: Position) -> bool:
    """ "likes coriander" and "hates coriander"."""
    words = (one.predicate, other.predicate)
    return any(a in _LIKING and b in _DISLIKING for a, b in (words, words[::-1]))


def _named(one: Position) -> frozenset[str]:
    return frozenset(word for word in gist(one.object or "") if number(word) is None and word.isalpha())


def _denies(positive: Position, negative: Position) -> bool:
    return same_state(positive, negative) and same_words(positive.object, negative.object)


def _is_meant(negative: Position, positive: Position) -> bool:
    """Whether what is said to be over, or no plan any more, is this; without an object all of its kind is."""
    alike = same_state(negative, positive)
    of_kind = negative.kind is not None and negative.kind == positive.kind and negative.kind != "preference"
    with_employer = negative.kind == "employer" and positive.kind == "role"
    if negative.object is None:
        return alike or of_kind or with_employer
    if with_employer:
        mine = set(gist(negative.object))
        return mine <= set(gist(positive.object or "")) or any(mine == set(gist(one)) for one in positive.beside)
    return (alike or of_kind) and shares_words(negative.object, positive.object)
