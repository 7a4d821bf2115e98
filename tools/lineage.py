"""Records that hang below one another: no record may come to hang below itself."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from reverie.config.errors import ValidationFailed
from reverie.store.commit import Transaction
from reverie.store.namespace import Namespace
from reverie.store.records.base import Record

R = TypeVar("R", bound=Record)


def refuse_cycle(
    ns: Namespace,
    transaction: Transaction,
    model: type[R],
    parameter: str,
    id: str,
    targets: Iterable[str],
    above: Callable[[R], Iterable[str]],
) -> None:
    """Refuse when the record `id` would come to hang below itself by hanging below `targets`.

    `above` gives the ids that a record hangs below; they are followed as far as they exist. What was read is guarded,
    so that no concurrent write closes the circle. Raises ValidationFailed naming `parameter`.
    """
    seen: set[str] = set()
    ways: list[tuple[str, ...]] = [(target,) for target in targets]
    while ways:
        way = ways.pop()
        at = way[-1]
        if at == id:
            raise ValidationFailed(
                parameter, f"would make a circle: {' -> '.join([id, *way])}; name another {model.kind}"
            )
        if at in seen:
            continue
        seen.add(at)
        record = ns.get(model, at)
        if record is not None:
            transaction.require_unchanged(record.kind, record.id, record.revision)
            ways += [(*way, one) for one in above(record)]
