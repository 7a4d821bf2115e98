"""Records that hang below one another: no record may come to hang below itself."""

from reverie.config.errors import ValidationFailed
from reverie.pipelines.base import KnowledgeBase
from reverie.store.commit import Transaction
from reverie.store.records.base import Record


def refuse_cycle(
    kb: KnowledgeBase, transaction: Transaction, model: type[Record], parameter: str, id: str, target: str
) -> None:
    """Follow `parameter` from `target` on; refuse when that leads to `id`.

    What was read is guarded, so that no concurrent write closes the circle. A target that does not exist yet ends the
    way. Raises ValidationFailed.
    """
    way: list[str] = []
    at: str | None = target
    while at is not None and at not in way:
        way.append(at)
        if at == id:
            raise ValidationFailed(
                parameter, f"would make a circle: {' -> '.join([id, *way])}; name another {model.kind}"
            )
        record = kb.space.get(model, at)
        if record is None:
            return
        transaction.require("revision", record.key(), record.revision)
        at = getattr(record, parameter)
