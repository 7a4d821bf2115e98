"""Dead letters that hold what is being forgotten: they keep the documents that could not be worked on, text and all."""

import json

from reverie.pipelines.erasure.documents import is_telling, names, says
from reverie.pipelines.erasure.report import Tally
from reverie.store import work
from reverie.store.keys import encode


def drop_letters(tally: Tally, scope: str, id: str) -> None:
    """Drop the dead letters that name the erased or hold its words."""
    ns = tally.ctx.ns
    for letter in work.dead_letters(ns):
        if _concerns(tally, letter.entry, scope, id) and work.drop(ns, letter.id):
            tally.dead_letters += 1


def _concerns(tally: Tally, entry: str, scope: str, id: str) -> bool:
    if any(entry in (one, f"{kind}:{encode(one)}") for kind, one in tally.ids):
        return True
    if scope == "session" and entry.startswith(f"{encode(id)}@"):
        return True
    try:
        document = json.loads(entry)
    except ValueError:
        return any(text == entry or (is_telling(text) and text in entry) for text in tally.texts)
    messages = [one for kind, one in tally.ids if kind == "message"]
    return (
        names(document, scope, id)
        or any(names(document, "message", one) for one in messages)
        or says(document, tally.texts)
    )
