"""Reading back the vectors of search rows, where a text was embedded already."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from reverie.store.namespace import Namespace


def stored(ns: Namespace, kind: str, ids: Sequence[str]) -> list[npt.NDArray[np.float32] | None]:
    """The vectors of the rows of one kind, None for a row that is gone or waits for its vector; one round trip."""
    if not ids:
        return []
    pipe = ns.client.pipeline(transaction=False)
    for id in ids:
        pipe.hget(ns.keys.row(kind, id), "v")
    found = pipe.execute()
    return [None if raw is None else np.frombuffer(raw, dtype=np.float16).astype(np.float32) for raw in found]
