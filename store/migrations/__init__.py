"""How stores of older versions are brought up to date.

Step n brings a store from schema n - 1 to schema n. A step works while others read and write, does no harm when it is
done twice or by two processes at once, and takes up what an interrupted run left. A step that was released is never
changed; a new one is added at the end.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from reverie.store.migrations.listed_records import keep_records_in_order
from reverie.store.migrations.waiting_work import note_where_work_waits

if TYPE_CHECKING:
    import redis

Step = Callable[["redis.Redis"], None]

STEPS: Final[tuple[Step, ...]] = (note_where_work_waits, keep_records_in_order)
"""Every step, the oldest first."""
