"""An embedded Redis with search and JSON: one server per data folder, shared by all processes of the machine.

Started by the first process that asks, stopped after the last one ended or gave it back, started again when
it died. Touches its own folder and its own processes, nothing else.
"""

from reverie.config.errors import EmbeddedServerError
from reverie.store.embedded.conf import Fsync
from reverie.store.embedded.control import ServerStatus, status, stop
from reverie.store.embedded.endpoint import Endpoint
from reverie.store.embedded.folder import BEAT_FILE, make_private
from reverie.store.embedded.lease import Lease, acquire

__all__ = [
    "BEAT_FILE",
    "EmbeddedServerError",
    "Endpoint",
    "Fsync",
    "Lease",
    "ServerStatus",
    "acquire",
    "make_private",
    "status",
    "stop",
]
