"""What a search row is drafted as, before it has its vector."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from reverie.models.embedders import Vector
from reverie.store.namespace import Namespace
from reverie.store.rows import Row


@dataclass(frozen=True)
class Draft:
    """A row without its vector, the text the vector is made of, and the record revision they were made from."""

    row: Row
    embedded: str
    revision: int = 0

    def with_vector(self, vector: Vector | None) -> Row:
        return replace(self.row, vector=vector)


Drafter = Callable[[Namespace, Sequence[str]], list[Draft]]
"""Drafts the rows of the records of the given ids; an id whose record is gone gives none."""
