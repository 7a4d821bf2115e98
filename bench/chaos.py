"""Whether everything that was acknowledged is there, once and right, after minutes of kills and failing servers.

    python bench/chaos.py --minutes 10 --json

Several processes write through the API and through Celery, each piece until it is acknowledged. Meanwhile workers, pool
children, beat, the broker, the embedded server, its supervisor and the writers are killed at random; servers are
paused, full or read only for seconds; the embedder and the language model fail. At the end everything is left in peace
until nothing waits, and compared with a memory that heard the same undisturbed.

`kills`: how many processes were killed. `acknowledged`: pieces that a caller was told are kept: messages, goals, facts,
what was noted in a graph, episodes, and erasures. `observations`: what the undisturbed memory observed in them. `lost`:
those that are not there. `doubled`: pieces or observations that are there more than once. `wrong`: messages,
observations or facts that differ from the undisturbed, and words of a message whose erasure was acknowledged, wherever
they are left. `ended`: how often a worker or beat ended by itself; it is started again. `written`, `faults`, `models`
and `seen` count what was done and met: pieces by their way, faults and model calls by their kind, errors of writers.

With `--own` it runs on the Redis and the models of the REVERIE_* variables: those are left alone, processes of its own
are killed, and what was written is forgotten at the end.
"""

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from havoc.faults import Faults
from havoc.reckoning import is_settled, read, reckon
from havoc.world import World, build
from ulid import ULID

from reverie import Memory
from reverie.pipelines.ingest import TOPIC
from reverie.store import work


def warm_up(world: World, memory: Memory) -> None:
    """Wait until every writer writes and the workers work: what is never there cannot be disturbed."""
    end = time.monotonic() + 180
    while time.monotonic() < end:
        world.tend()
        acknowledged, _ = read(sorted(world.folder.glob("ledger-*")))
        done = work.pending(memory.ctx.ns, TOPIC, [one.id for one in acknowledged if one.kind == "message"])
        if len({one.writer for one in acknowledged}) == len(world.writers) and not all(done):
            return
        time.sleep(0.2)
    raise SystemExit(f"nothing began within three minutes; see the logs in {world.folder} (--keep)")


def disturb(world: World, faults: Faults, seconds: float, every: float) -> None:
    """Let a fault happen every so many seconds, and say how it goes."""
    end, told = time.monotonic() + seconds, 0.0
    if world.models is not None:
        world.models.failing = 0.2
    while time.monotonic() < end:
        faults.one()
        wait = time.monotonic() + every
        while time.monotonic() < min(wait, end):
            world.tend()
            time.sleep(0.1)
        if time.monotonic() - told > 5:
            told = time.monotonic()
            acknowledged, _ = read(sorted(world.folder.glob("ledger-*")))
            say(f"{end - told:4.0f} s left, {faults.kills} kills, {len(acknowledged)} acknowledged")
    if world.models is not None:
        world.models.failing = 0.0


def settle(world: World, memory: Memory, patience: float) -> bool:
    """Leave everything in peace until nothing waits; whether that came in time."""
    for writer in world.writers:
        writer.stop()
    _, tried = read(sorted(world.folder.glob("ledger-*")))
    end = time.monotonic() + patience
    while time.monotonic() < end:
        for one in [*world.workers, world.beat, *([world.broker] if world.broker else [])]:
            one.tend()
        if is_settled(memory, tried):
            return True
        time.sleep(0.5)
    return False


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--every", type=float, default=4.0, help="seconds between two faults")
    parser.add_argument("--writers", type=int, default=3)
    parser.add_argument("--pace", type=float, default=0.3, help="seconds that a writer rests between two pieces")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--own", action="store_true", help="on the set-up of the REVERIE_* variables")
    parser.add_argument("--keep", type=Path, help="folder for logs and data, kept; default one that is removed")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    seed = int(time.time()) if given.seed is None else given.seed
    own = {name: value for name, value in os.environ.items() if name.startswith("REVERIE_")} if given.own else {}
    if given.own and "REVERIE_REDIS_URL" not in own:
        parser.error("--own needs REVERIE_REDIS_URL")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
        folder = given.keep or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        report = run(folder, given.minutes * 60, given.every, given.writers, given.pace, seed, own)
    print(json.dumps(report) if given.json else "\n".join(f"{name:>14}  {value}" for name, value in report.items()))
    sys.exit(0 if not (report["lost"] or report["doubled"] or report["wrong"]) and report["settled"] else 1)


def seen(folder: Path) -> Counter[str]:
    """The errors that writers met, by their names."""
    found: Counter[str] = Counter()
    for log in folder.glob("writer-*.log"):
        found.update(re.findall(r"^(\w+): ", log.read_text(), re.MULTILINE))
    return found


def run(
    folder: Path, seconds: float, every: float, writers: int, pace: float, seed: int, own: dict[str, str]
) -> dict[str, object]:
    name = f"chaos-{ULID()}".lower()
    world = build(folder, name, writers, pace, seed, own)
    try:
        faults = Faults(world, seed)
        with Memory(name) as memory:
            warm_up(world, memory)
        disturb(world, faults, seconds, every)
        began = time.monotonic()
        with Memory(name) as memory, Memory(f"{name}-calm") as calm:
            settled = settle(world, memory, max(120.0, seconds))
            took = time.monotonic() - began
            say(f"settled: {settled}, after {took:.0f} s; the same is read undisturbed")
            acknowledged, tried = read(sorted(folder.glob("ledger-*")))
            found = reckon(memory, calm, acknowledged, tried)
            if own:
                for one in (memory, calm):
                    one.forget(namespace=one.namespace)
    finally:
        world.close()
    for what in ("lost", "doubled", "wrong"):
        for one in getattr(found, what)[:10]:
            say(f"{what}: {one}")
    return {
        "minutes": seconds / 60,
        "seed": seed,
        "kills": faults.kills,
        "acknowledged": found.acknowledged,
        "observations": found.observations,
        "lost": len(found.lost),
        "doubled": len(found.doubled),
        "wrong": len(found.wrong),
        "dead_letters": found.dead_letters,
        "settled": settled,
        "seconds_to_settle": round(took, 1),
        "ended": sum(one.ends for one in [*world.workers, world.beat]),
        "written": dict(sorted(Counter(one.way for one in acknowledged).items())),
        "faults": dict(sorted(faults.done.items())),
        "models": dict(sorted(world.models.calls.items())) if world.models else {},
        "seen": dict(sorted(seen(folder).items())),
    }


if __name__ == "__main__":
    main()
