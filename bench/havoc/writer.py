"""A process that writes piece after piece, each until it is acknowledged, and notes what it tried and what it got.

    python -m havoc.writer NAMESPACE WRITER LEDGER PACE

Killed and started again, it goes on behind the last piece that its ledger names; that one it writes once more.
"""

import os
import sys
import time
from pathlib import Path

from celery import Celery
from kombu.exceptions import KombuError
from redis.exceptions import RedisError

from havoc.script import Piece
from reverie import Memory, ReverieError
from reverie.store.celery_urls import celery_url
from reverie.wakeups import queue_of


def main(namespace: str, writer: int, ledger: Path, pace: float) -> None:
    with ledger.open("a") as notes:
        done = [line.split() for line in ledger.read_text().splitlines()]
        number = max((int(id.split("-")[1]) for what, id in done if what == "acknowledged"), default=-1) + 1
        while True:
            try:
                with (
                    Memory(namespace) as memory,
                    Celery(broker=celery_url(memory.connection.broker_url), set_as_current=False) as app,
                ):
                    app.conf.broker_transport_options = {"socket_timeout": 3, "socket_connect_timeout": 3}
                    while True:
                        piece = Piece(writer, number)
                        _note(notes.fileno(), "tried", piece)
                        _write(piece, memory, app)
                        _note(notes.fileno(), "acknowledged", piece)
                        number += 1
                        time.sleep(pace)
            except (ReverieError, RedisError, KombuError, OSError) as error:
                print(f"{type(error).__name__}: {error}", file=sys.stderr)
                time.sleep(0.3)


def _write(piece: Piece, memory: Memory, app: Celery) -> None:
    if piece.way.startswith("send "):
        name, document = piece.task(memory.namespace)
        app.send_task(name, [document], queue=queue_of(name), retry=False)
    else:
        piece.write(memory)


def _note(ledger: int, what: str, piece: Piece) -> None:
    # One write, so that a process that is killed leaves whole lines.
    os.write(ledger, f"{what} {piece.id}\n".encode())


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), float(sys.argv[4]))
