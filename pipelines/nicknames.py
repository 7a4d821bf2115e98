"""Settling whom each nickname stands for, from everything that was said of it."""

from collections.abc import Iterable

from reverie.store import nicknames as stored
from reverie.store.namespace import Namespace
from reverie.store.nicknames import Given


def nicknames(ns: Namespace) -> dict[str, Given]:
    """By folded nickname the word that says whom it stands for, where that is certain. Raises StoreUnavailable."""
    said = stored.given(ns)
    return certain(said, stored.participants(ns, sorted({one.nickname for one in said})))


def certain(said: Iterable[Given], participants: Iterable[str] = ()) -> dict[str, Given]:
    """Of what was said, the nicknames that mean one person alone, folded, each with a word that says whom.

    A nickname under which somebody takes part means that participant, whoever else claims it; one that is claimed for
    several means none of them. A nickname of a nickname is not followed.
    """
    taken = {one.casefold() for one in participants}
    meant: dict[str, dict[str, Given]] = {}
    for one in sorted(said, key=lambda word: (word.name, word.nickname, word.message, word.giver)):
        if one.nickname.casefold() not in taken:
            meant.setdefault(one.nickname.casefold(), {}).setdefault(one.name.casefold(), one)
    return {nickname: next(iter(owners.values())) for nickname, owners in meant.items() if len(owners) == 1}
