"""Erasure: what is forgotten goes everywhere it went, and no task that is still on its way brings it back.

`scopes` says what belongs to a message, a session, a participant, a user, and `extent` counts it; `messages`, `claims`,
`deeds` and `graphs` remove it with what was drawn from it, and `beliefs` works out anew what is believed; `barring`
keeps late deliveries out, `deliveries` takes back what is on its way; `proof` scans for what is left.
`readings` removes what a later reading of a message does not bear out.
"""

from reverie.pipelines.erasure.extent import extent
from reverie.pipelines.erasure.messages import TOPIC, finish
from reverie.pipelines.erasure.readings import finish_replaced
from reverie.pipelines.erasure.report import Elsewhere, ErasureReport, Progress
from reverie.pipelines.erasure.scopes import Scope, forget
from reverie.pipelines.erasure.tombstones import barred, not_barred
from reverie.store.tombstones import Named

__all__ = [
    "TOPIC",
    "Elsewhere",
    "ErasureReport",
    "Named",
    "Progress",
    "Scope",
    "barred",
    "extent",
    "finish",
    "finish_replaced",
    "forget",
    "not_barred",
]
