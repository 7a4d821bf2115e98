"""The entry point: Ctrl-C ends the command without a traceback from its very first moment on, and until its last."""

import os
import signal
from types import FrameType
from typing import Final

INTERRUPTED: Final = 128 + signal.SIGINT
"""Exit code of a command that Ctrl-C ended, as shells give it."""


def main() -> None:
    """Run the command line."""
    ended = signal.signal(signal.SIGINT, _end)
    # Imported here: it takes a good part of a second, in which nothing has begun that would have to be closed.
    from reverie.cli.app import main as run

    signal.signal(signal.SIGINT, ended)
    try:
        run()
    finally:
        signal.signal(signal.SIGINT, _end)


def _end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  # as signal handlers are called
    os._exit(INTERRUPTED)
