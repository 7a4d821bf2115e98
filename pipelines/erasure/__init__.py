"""Erasure: what is forgotten goes everywhere it went, and no task that is still on its way brings it back.

`scopes` says what belongs to a message, a session, a participant, a user; `messages`, `claims`, `deeds` and `graphs`
remove it with what was drawn from it; `barring` keeps late deliveries out, `deliveries` takes back what is on its way;
`proof` scans for what is left.
"""

from reverie.pipelines.erasure.barring import Named, barred, not_barred
from reverie.pipelines.erasure.messages import TOPIC, finish
from reverie.pipelines.erasure.report import ErasureReport
from reverie.pipelines.erasure.scopes import Scope, forget

__all__ = ["TOPIC", "ErasureReport", "Named", "Scope", "barred", "finish", "forget", "not_barred"]
