"""Whether any input brings forth a crash, an error that is not Reverie's, or another tenant's row.

    python bench/fuzz.py --minutes 10 --seed 1 --json

Draws inputs from `hostile` until the time is over, for six parts in turn:

- `ids`: an id is refused, or becomes a key that gives it back;
- `filters`: bounds of a recall are refused, or become a filter of known shape that names the namespace;
- `queries`: a text becomes keywords of letters and digits, and now and then an intent;
- `arguments`: a tool's arguments are refused or understood;
- `bodies`: whatever lies in a queue passes the gate as a task of known shape, and some of it is run as that task;
- `calls`: public calls and tools on the embedded server, beside a tenant whose texts all hold a marker.

`inputs` counts what was tried, by part. `findings` are the first hundred, each with the part and the number of its
input: `--replay PART:NUMBER` tries that one again and lets its error through.
"""

import argparse
import base64
import json
import logging
import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import hostile
from hostile import IDS, MARK

from reverie import Memory, ReverieError
from reverie.config.settings import load
from reverie.config.task_names import CALL_TOOL, OBSERVE_MESSAGE, QUEUES, REFUSE, ROUTES, TOPIC_TASKS
from reverie.pipelines.recall import question
from reverie.store import embedded
from reverie.store.analysis import keywords
from reverie.store.keys import Keys, decode, encode
from reverie.store.namespace import Namespace
from reverie.store.search import Filter, Search
from reverie.testing import WordEmbedder, fake_client
from reverie.tools.fields import Id, Params, validated
from reverie.tools.plainjson import plain_json
from reverie.tools.recall import RecallParams
from reverie.tools.registry import registry

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
MOST_FINDINGS = 100
SLOW_SECONDS = 5.0
"""Seconds of the processor that no single input may take; the slowest right one, a text of 1 MiB, takes under one."""
RENEWED = 1500
"""Inputs after which `calls` goes on in a new namespace, so that it does not measure a memory that only grows."""

ENCODED = re.compile(r"[A-Za-z0-9_]+")
FILTER = re.compile(
    r"\(*@n:\{(?P<tag>[A-Za-z0-9_]+)\} @o:\{_shared\|[A-Za-z0-9_]+\}\)?( @[spak]:\{[A-Za-z0-9_|]+\}\)?)*"
    r"( @at:\[(-inf|-?\d+) (\+inf|\(-?\d+)\]\)?)?( -@[vr]f:\[\(-?\d+ \+inf\] -@[vr]t:\[-inf -?\d+\]\)?){0,2}"
)
SYNTAX = re.compile(r"[\s\0!-/:-@\[-`{-~]")
"""Signs of the query language: all of ASCII but letters and digits."""

Try = Callable[[Random], None]


class Finding(AssertionError):
    """A result that is not right."""


class _OneId(Params):
    id: Id


def check(holds: object, what: str) -> None:
    if not holds:
        raise Finding(what)


def some(random: Random) -> Any:
    """Any value; one in fifty of those that take a second."""
    return hostile.some(random, heavy=0.02)


def sayable(random: Random) -> Any:
    """A value that JSON can say, in a text of bounded size."""
    while True:
        with suppress(TypeError, ValueError):
            return plain_json(some(random))


def try_id(random: Random) -> None:
    with suppress(ReverieError):
        id = validated(_OneId, id=some(random)).id
        key = Keys(id).record("message", id)
        check(ENCODED.fullmatch(encode(id)) and decode(encode(id)) == id, "an id that does not come back")
        check(key.count("{") == 1 and key.count(":") == 3, "an id that shows in its key")


_BOUNDS = ("sessions", "participants", "since", "until", "valid_as_of", "known_as_of", "kinds", "exclude", "limit")
_RIGHT: Mapping[str, Any] = {
    "query": "violet?",
    "sessions": ["s"],
    "participants": ["Nadia"],
    "since": NOON,
    "valid_as_of": NOON,
    "kinds": ["fact", "message"],
}
SPACE = Namespace(fake_client(), "home")


def try_filter(random: Random) -> None:
    given = {**_RIGHT, **{name: some(random) for name in random.sample(_BOUNDS, random.choice((1, 1, 2)))}}
    with suppress(ReverieError):
        bounds = validated(RecallParams, given)
        owner = random.choice(IDS)
        filter = Filter(
            owner,
            bounds.kinds,
            bounds.sessions,
            bounds.participants,
            None,
            bounds.since,
            bounds.until,
            bounds.valid_as_of,
            bounds.known_as_of,
        )
        found = FILTER.fullmatch(str(filter.expression(SPACE)))
        check(found and found["tag"] == SPACE.keys.tag, "a filter of another shape")
        command = Search(filter, bounds.limit or 15, keywords=("violet",)).command(SPACE)
        check(all(isinstance(word, str | int) for word in command), "a command of other words")


def try_query(random: Random) -> None:
    value = some(random)
    with suppress(ReverieError):
        text = validated(RecallParams, query=value).query
        words: list[str] = keywords(text, asked=True)
        if random.random() < 0.02:
            words += question.read(text, NOON).keywords
        check(not any(map(SYNTAX.search, words)), "a keyword with a sign of the query language")


def arguments_of(random: Random, draw: Callable[[Random], Any] = some) -> tuple[str, Any]:
    """A tool, and arguments of which one to three are not right."""
    from calls import tool_arguments

    tool = random.choice(list(registry()))
    given = tool_arguments(tool)
    for name in random.sample(sorted(given), min(len(given), random.choice((1, 1, 2, 3)))):
        given[name] = draw(random)
    if random.random() < 0.1:
        given.pop(random.choice(sorted(given)), None)
    return tool, given


def try_arguments(random: Random) -> None:
    tool, given = arguments_of(random)
    with suppress(ReverieError):
        params = validated(registry()[tool].params, given)
        check(isinstance(params, Params), "arguments that became something else")


class Bodies:
    """Messages of a queue: each through the gate, and one in twenty on through the task that it became."""

    def __init__(self) -> None:
        # Imported here: they read the settings of the process, which name the server.
        from reverie.workers.app import app
        from reverie.workers.gate import Gate

        app.loader.import_default_modules()
        self._app, self._gate = app, Gate(lambda name: app.tasks.get(name))
        self._tasks = [OBSERVE_MESSAGE, OBSERVE_MESSAGE, CALL_TOOL, CALL_TOOL, REFUSE, *TOPIC_TASKS.values(), *ROUTES]

    def __call__(self, random: Random) -> None:
        raw = self._message(random)
        payload, _ = self._gate.admit(raw, random.choice(QUEUES), "tag")
        arguments, named, _ = json.loads(payload["body"])
        task = self._app.tasks[payload["headers"]["task"]]
        if random.random() < 0.05:
            result = task.apply(arguments, named, task_id=payload["headers"]["id"]).get(propagate=True)
            error = result.get("error") if isinstance(result, dict) else None
            # An error of a library is known by its type alone; those of Reverie say what is wrong.
            check(not isinstance(error, str) or not re.fullmatch(r"\w+", error), f"a task that failed: {error}")
            check(MARK not in str(result), "another tenant's text in the result of a task")

    def _message(self, random: Random) -> bytes:
        if random.random() < 0.05:
            return bytes(random.randrange(256) for _ in range(random.randrange(40)))
        task = random.choice(self._tasks)
        body = json.dumps(self._arguments(random, task)).encode()
        message: dict[str, Any] = {
            "body": base64.b64encode(body).decode(),
            "content-type": "application/json",
            "content-encoding": "utf-8",
            "headers": {"task": task, "id": random.choice(IDS)},
            "properties": {"delivery_tag": "1", "body_encoding": "base64", "priority": 0},
        }
        if random.random() < 0.3:
            place = random.choice([message, message["headers"], message["properties"]])
            place[random.choice([*place, "eta", "retries", "compression"])] = sayable(random)
        raw = json.dumps(message).encode()
        if random.random() < 0.1:
            at = random.randrange(len(raw))
            raw = raw[:at] + random.randbytes(random.randrange(4)) + raw[at + random.randrange(4) :]
        return raw

    def _arguments(self, random: Random, task: str) -> Any:
        if task not in (OBSERVE_MESSAGE, CALL_TOOL):
            return [[sayable(random) for _ in range(random.choice((0, 1, 1, 2)))], {}, {}]
        document: Any = {"namespace": "bodies", "agent": "a", "session": "s", "sender": "Ana", "content": "violet"}
        if task == CALL_TOOL:
            tool, given = arguments_of(random, sayable)
            document = {"namespace": "bodies", "agent": "a", "tool": tool, "arguments": given}
        names = [*document, "message_id", "at", "metadata", "addressed_to", "role", "call_id", "sent_at", "graph_user"]
        document[random.choice(names)] = sayable(random)
        arguments: Any = [[document], {}, {}]
        if random.random() < 0.1:
            arguments[random.randrange(3)] = sayable(random)
        return arguments


class Calls:
    """Public calls and tools of one tenant, on a server where another tenant's texts all hold the marker."""

    def __init__(self, settings: Any) -> None:
        from calls import CALLS, World, tool_call, world

        self._settings, self._calls, self._tool_call, self._make_world = settings, CALLS, tool_call, world
        self._other: World = world(self._open("other"), MARK)
        self._world: World | None = None
        self._done = 0

    def _open(self, namespace: str) -> Memory:
        return Memory(namespace, settings=self._settings, embedder=WordEmbedder())

    def _renew(self) -> None:
        if self._world is not None:
            self._world.memory.close()
        found = self._other.memory.agent("a").recall("curtains").items
        check(any(MARK in item.content for item in found), "the other tenant's memory is gone")
        self._world = self._make_world(self._open(f"home-{self._done}"))

    def __call__(self, random: Random) -> None:
        if self._done % RENEWED == 0:
            self._renew()
        self._done += 1
        assert self._world is not None
        if random.random() < 0.4:
            as_text = random.random() < 0.5
            tool, given = arguments_of(random, sayable if as_text else some)
            result: Any = self._tool_call(self._world, tool, json.dumps(given) if as_text else given)
            json.loads(result)
        else:
            call = random.choice(self._calls)
            given = dict(call.given)
            for name in random.sample(sorted(given), min(len(given), random.choice((1, 1, 2)))):
                given[name] = some(random)
            if "timeout" in given:
                given["timeout"] = 0  # a wait that is allowed to be long is right, and long
            result = None
            with suppress(ReverieError):
                result = call.make(self._world, given)
        check(MARK not in repr(result), "another tenant's row")


def found(part: str, number: int, error: BaseException) -> dict[str, Any]:
    """What is told of a finding: where it came from, and what raised it."""
    trace, where = error.__traceback__, ""
    while trace is not None:
        code = trace.tb_frame.f_code
        where, trace = f"{Path(code.co_filename).name}:{trace.tb_lineno} {code.co_name}", trace.tb_next
    text = str(error)[:200].encode("ascii", "backslashreplace").decode()
    return {"input": f"{part}:{number}", "error": type(error).__name__, "says": text, "where": where}


def run(parts: Mapping[str, tuple[Try, float]], seed: int, seconds: float) -> dict[str, Any]:
    """Try inputs until the time is over; each part has its share of every second."""
    counts: Counter[str] = Counter()
    findings: list[dict[str, Any]] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end and len(findings) < MOST_FINDINGS:
        for part, (attempt, share) in parts.items():
            until = time.monotonic() + share
            while time.monotonic() < min(until, end):
                number = counts[part]
                counts[part] += 1
                began = time.process_time()
                try:
                    attempt(Random(f"{seed}:{part}:{number}"))
                    check(time.process_time() - began < SLOW_SECONDS, f"took more than {SLOW_SECONDS:g} s")
                except Exception as error:  # noqa: BLE001  # that is what is looked for
                    findings.append(found(part, number, error))
    return {"inputs": sum(counts.values()), "by_part": dict(counts), "findings": findings, "seed": seed}


SHARES = {"ids": 0.1, "filters": 0.2, "queries": 0.2, "arguments": 0.2, "bodies": 0.15, "calls": 0.15}
"""Of every second; the cheap parts reach most inputs all the same."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--replay", metavar="PART:NUMBER", help="try one input again")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    logging.disable()  # what is refused is logged, tens of thousands of times
    with tempfile.TemporaryDirectory(prefix="reverie-fuzz-") as folder, embedded.acquire(Path(folder)) as lease:
        url = lease.endpoint.url()
        os.environ |= {"REVERIE_REDIS_URL": url, "REVERIE_DATA_DIR": folder, "REVERIE_WORK_BACKOFF": "PT0S"}
        settings = load(redis_url=url, data_dir=Path(folder))
        made: dict[str, Try] = {
            "ids": try_id,
            "filters": try_filter,
            "queries": try_query,
            "arguments": try_arguments,
            "bodies": Bodies(),
            "calls": Calls(settings),
        }
        if options.replay:
            part, _, number = options.replay.partition(":")
            made[part](Random(f"{options.seed}:{part}:{number}"))
            return
        result = run({name: (made[name], share) for name, share in SHARES.items()}, options.seed, options.minutes * 60)
    if options.json:
        print(json.dumps(result, indent=1))
        return
    print(f"{result['inputs']:,} inputs", result["by_part"], f"{len(result['findings'])} findings")
    for one in result["findings"]:
        print(one["input"], one["error"], one["says"], one["where"])


if __name__ == "__main__":
    main()
