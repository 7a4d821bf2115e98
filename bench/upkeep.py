"""What upkeep costs: export and import beside Redis' own DUMP and RESTORE, and the doctor as the store grows.

    python bench/upkeep.py [--messages 1000,10000] --json

Messages are made by rule and stored as any message is; nothing is extracted from them. `ratios.export_over_dump` and
`ratios.import_over_restore` compare the messages a second of the last size; the bare DUMP copies rows and vectors too,
key by key in pipelines of 500, and makes no file that another version could read. `ratios.doctor_growth` is what one
message costs the doctor at the last size over what it costs at the first: 1 is linear.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from reverie import Memory
from reverie.config.settings import load
from reverie.pipelines.doctor import examine
from reverie.store import contents
from reverie.testing import WordEmbedder

START = datetime(2026, 1, 1, tzinfo=UTC)
BATCH = 500


def fill(memory: Memory, messages: int) -> None:
    """Store messages of ten people in sessions of a hundred."""
    for first in range(0, messages, 100):
        memory.agent("assistant").session(f"s-{first}").observe_many(
            [
                {
                    "sender": f"person-{number % 10}",
                    "content": f"Message {number} tells of the harbour, the weather and the {number % 97}th ship.",
                    "message_id": f"m-{number}",
                    "at": START + timedelta(minutes=number),
                }
                for number in range(first, min(first + 100, messages))
            ]
        )


def timed(call: Callable[[], Any]) -> float:
    """Seconds that a call takes."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def dump(memory: Memory) -> list[tuple[bytes, bytes]]:
    """Every key of the namespace as Redis dumps it."""
    client, found = memory.ctx.ns.client, []
    keys = list(contents.keys(memory.ctx.ns))
    for first in range(0, len(keys), BATCH):
        pipe = client.pipeline(transaction=False)
        for key in keys[first : first + BATCH]:
            pipe.dump(key)
        found += list(zip(keys[first : first + BATCH], pipe.execute(), strict=True))
    return found


def restore(memory: Memory, dumped: list[tuple[bytes, bytes]]) -> None:
    """Put dumped keys back under the name of another namespace, which no index knows."""
    for first in range(0, len(dumped), BATCH):
        pipe = memory.ctx.ns.client.pipeline(transaction=False)
        for key, value in dumped[first : first + BATCH]:
            pipe.restore(b"bare:" + key, 0, value)
        pipe.execute()


def measure(messages: int) -> dict[str, float]:
    """Messages a second of each way, and the doctor's milliseconds a message, on a server of its own."""
    with tempfile.TemporaryDirectory() as folder:
        settings = load(data_dir=Path(folder) / "data", redis_timeout=timedelta(minutes=5))
        with Memory("from", settings=settings, embedder=WordEmbedder()) as memory:
            fill(memory, messages)
            file = Path(folder) / "x.zst"
            exporting = timed(lambda: memory.export_to(file))
            importing = timed(lambda: memory.beside("to").import_from(file))
            examining = timed(lambda: list(examine(memory.connection, ["from"])))
            dumped: list[tuple[bytes, bytes]] = []
            dumping = timed(lambda: dumped.extend(dump(memory)))
            restoring = timed(lambda: restore(memory, dumped))
            return {
                "export_messages_per_second": messages / exporting,
                "import_messages_per_second": messages / importing,
                "dump_messages_per_second": messages / dumping,
                "restore_messages_per_second": messages / restoring,
                "export_bytes_per_message": file.stat().st_size / messages,
                "doctor_ms_per_message": 1000 * examining / messages,
            }


def main() -> None:
    """Measure each size and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", default="1000,10000", help="sizes, from small to large")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    sizes = [int(size) for size in asked.messages.split(",")]
    found = {}
    for size in sizes:
        print(f"{size} messages", file=sys.stderr)
        found[size] = measure(size)
    first, last = found[sizes[0]], found[sizes[-1]]
    ratios = {
        "export_over_dump": last["export_messages_per_second"] / last["dump_messages_per_second"],
        "import_over_restore": last["import_messages_per_second"] / last["restore_messages_per_second"],
        "doctor_growth": last["doctor_ms_per_message"] / first["doctor_ms_per_message"],
    }
    if asked.json:
        print(json.dumps({"ratios": ratios, "sizes": found}))
        return
    for size, figures in found.items():
        print(f"{size} messages: " + ", ".join(f"{name} {value:.2f}" for name, value in figures.items()))
    print(", ".join(f"{name} {value:.2f}" for name, value in ratios.items()))


if __name__ == "__main__":
    main()
