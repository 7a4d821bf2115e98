"""`reverie status`: is it there, and is it keeping up?"""

from datetime import UTC, datetime
from typing import Annotated, Any

import typer
from celery import Celery
from kombu.exceptions import OperationalError
from rich.text import Text

from reverie.cli.output import Json, console, counted, indented, print_json
from reverie.config.errors import StoreUnavailable
from reverie.config.settings import Settings, current
from reverie.config.task_names import QUEUES, TOPIC_TASKS
from reverie.store import connection, embedded, fallbacks, fitness, schema_version, stats, waiting, work
from reverie.store.celery_urls import celery_url
from reverie.store.client import Client
from reverie.store.namespace import Namespace

_SHOWN = 100
"""Namespaces told of one by one, each in a few round trips: more would be read by nobody and take seconds."""


def register(app: typer.Typer) -> None:
    app.command()(status)


def status(
    json: Json = False,
    every: Annotated[bool, typer.Option("--all", help="Every namespace, however many there are.")] = False,
) -> None:
    """Show the server, the index, the workers, and per namespace what it holds and what still waits.

    Messages "read by rules" are those that the language model was to read and did not: `reverie reextract` has it read
    them anew.

    Of more than a hundred namespaces those are shown in which work has waited longest; --all shows all.

    Starts nothing. Exit code 0 when Redis answers and takes writes, 3 when the embedded server does not run, 4 when
    Redis cannot hold a memory, is full or read-only, or its clock is another.
    """
    settings = current()
    server = _server(settings)
    if not server["running"]:
        print_json({"server": server}) if json else console.print(
            f"Redis is not running; it starts with the first command that needs it. Data: {settings.data_dir}",
            soft_wrap=True,
        )
        raise typer.Exit(3)
    url, lease = connection.locate(settings)
    client = connection.connect(url, settings.redis_timeout)
    try:
        found = fitness.examine(client)
        server |= _about(found)
        report = {"server": server} | ({} if found.unfit else _report(client, settings, url, every=every))
    finally:
        client.close()
        if lease is not None:
            lease.release()
    if json:
        print_json(report)
    else:
        _print(report)
    if server["problems"]:
        raise typer.Exit(4)


def _about(found: fitness.Fitness) -> dict[str, Any]:
    return {
        "version": found.version,
        "uptime_seconds": found.uptime_seconds,
        "memory_bytes": found.used_bytes,
        "max_memory_bytes": found.max_bytes,
        "maxmemory_policy": found.policy,
        "role": "primary" if found.role == "master" else "replica",
        "schema": found.schema,
        "schema_known": schema_version.VERSION,
        "problems": [*(str(error) for error in found.unfit), *found.ailing],
    }


def _server(settings: Settings) -> dict[str, Any]:
    if settings.redis_url is None:
        found = embedded.status(settings.data_dir)
        return {
            "kind": "embedded",
            "running": found.running,
            "version": found.version,
            "port": found.port,
            "pid": found.pid,
            "uptime_seconds": found.uptime_seconds,
            "memory_bytes": found.memory_bytes,
            "data_bytes": found.data_bytes,
            "users": list(found.users),
            "log": str(found.log),
        }
    return {"kind": "given", "running": True}


def _report(client: Client, settings: Settings, url: str, *, every: bool) -> dict[str, Any]:
    now = datetime.now(UTC)
    broker_url = settings.broker_url.get_secret_value() if settings.broker_url else connection.database(url, 1)
    index = stats.index_figures(client)
    anywhere = Namespace(client, "reverie")
    known = anywhere.namespaces()
    there = set(known)
    waits = [name for name in waiting.marked(anywhere, list(TOPIC_TASKS)) if name in there]
    shown = known if every else sorted(list(dict.fromkeys([*waits, *known]))[:_SHOWN])
    namespaces = {}
    for name in shown:
        ns = anywhere.beside(name)
        namespaces[name] = {
            "rows": stats.rows_by_kind(ns) if index else {},
            "work": {
                topic: {
                    "waiting": lag.waiting,
                    "due": lag.due,
                    "lag_seconds": (now - lag.oldest).total_seconds() if lag.oldest else 0.0,
                }
                for topic, lag in stats.lag(ns, list(TOPIC_TASKS), now).items()
            },
            "dead_letters": len(work.dead_letters(ns)),
            "unreadable": [{"kind": kind, "id": id} for kind, id in stats.unreadable_records(ns)],
            "read_by_rules": fallbacks.count(ns),
        }
    return {
        "index": vars(index) if index else None,
        "workers": _workers(broker_url),
        "queues": _queues(broker_url),
        "namespaces": namespaces,
        "namespaces_left_out": len(known) - len(shown),
    }


def _workers(broker_url: str) -> list[str] | None:
    """The workers that answer; None when their broker does not, or takes no messages."""
    with Celery("reverie-status", broker=celery_url(broker_url), set_as_current=False) as probe:
        transport = probe.connection().transport
        try:
            return sorted(name for reply in probe.control.ping(timeout=1.0) for name in reply)
        except (OperationalError, *transport.connection_errors, *transport.channel_errors):
            return None


def _queues(broker_url: str) -> dict[str, int] | None:
    """How many tasks wait; None where the broker is no Redis, or does not answer."""
    if not connection.is_redis(broker_url):
        return None
    broker = connection.connect(broker_url)
    try:
        return stats.queue_lengths(broker, QUEUES)
    except StoreUnavailable:
        return None
    finally:
        broker.close()


def _print(report: dict[str, Any]) -> None:
    server = report["server"]
    where = f"port {server['port']}" if server["kind"] == "embedded" else "as given"
    most = server["max_memory_bytes"]
    size = f"{server['memory_bytes'] / 1e6:.0f} MB{f' of {most / 1e6:.0f} MB' if most else ''} in memory"
    console.print(
        f"Redis    {server['version']} ({server['kind']}, {where}), up {_span(server['uptime_seconds'])}, {size}"
    )
    policy = server["maxmemory_policy"] or "unknown"
    console.print(f"         {server['role']}, maxmemory-policy {policy}, schema {server['schema']}")
    for problem in server["problems"]:
        console.print(Text(f"         {problem}", style="red"), soft_wrap=True)
    if "index" not in report:
        return
    index = report["index"]
    if index is None:
        console.print("Index    none yet")
    else:
        console.print(f"Index    {index['rows']} rows, {index['embedder']} ({index['dimension']}), "
                      f"{index['failures']} refused")  # fmt: skip
    workers = report["workers"]
    if workers is None:
        console.print("Workers  unknown: the broker cannot be reached or is full; see REVERIE_BROKER_URL")
    else:
        console.print("Workers  " + (", ".join(workers) or "none is running: start one with `reverie worker`"))
    if report["queues"] is not None:
        console.print("Queues   " + ", ".join(f"{name} {count}" for name, count in report["queues"].items()))
    if not report["namespaces"]:
        return
    console.print()
    for name, about in report["namespaces"].items():
        console.print(Text(name, style="bold"), soft_wrap=True)
        held = ", ".join(counted(count, kind) for kind, count in about["rows"].items())
        console.print(indented(f"holds {held or 'nothing'}"))
        waits = {topic: lag["waiting"] for topic, lag in about["work"].items() if lag["waiting"]}
        longest = max((lag["lag_seconds"] for lag in about["work"].values()), default=0.0)
        if waits:
            behind = f"; the longest is due for {_span(longest)}" if longest else ""
            listed = ", ".join(f"{count} {topic}" for topic, count in waits.items())
            console.print(indented(f"waiting: {listed}{behind}"))
        if about["dead_letters"]:
            console.print(indented(counted(about["dead_letters"], "dead letter"), "red"))
        if about["read_by_rules"]:
            read = counted(about["read_by_rules"], "message")
            console.print(indented(f"{read} read by rules while the language model was out: see `reverie reextract`"))
    if report["namespaces_left_out"]:
        console.print(f"and {report['namespaces_left_out']} more namespaces: --all shows them")
    for name, about in report["namespaces"].items():
        for one in about["unreadable"]:
            console.print(f"cannot be read and is left out: {one['kind']} {one['id']!r} in {name!r}", soft_wrap=True)


def _span(seconds: float) -> str:
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"
