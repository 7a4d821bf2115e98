"""`reverie metrics`: figures for Prometheus, and whether all is well, over HTTP."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import typer
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, ThreadingWSGIServer
from prometheus_client.registry import Collector

from reverie.cli.output import errors
from reverie.config.settings import Settings, current
from reverie.pipelines.metrics import measure
from reverie.store.monitored import Watched

StartResponse = Callable[[str, list[tuple[str, str]]], Any]


def register(app: typer.Typer) -> None:
    app.command()(metrics)


def metrics(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Where to listen; 0 for a free one.")] = 9464,
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
) -> None:
    """Serve figures for Prometheus at /metrics, and /health/live and /health/ready, until Ctrl-C.

    One process for the whole store is enough. It reads what the store holds, and writes nothing.
    """
    with serving(current(), host, port) as server:
        errors.print(f"metrics on http://{host}:{server.server_port}/metrics", soft_wrap=True)
        server.serve_forever()


class _Quiet(WSGIRequestHandler):
    """Logs no requests: Prometheus asks every few seconds."""

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


class _Figures(Collector):
    """Asks for the figures each time they are read."""

    def __init__(self, watched: Watched, settings: Settings) -> None:
        self._watched = watched
        self._settings = settings

    def collect(self) -> Iterator[Metric]:
        """The figures as Prometheus has them."""
        for one in measure(self._watched, self._settings):
            family = CounterMetricFamily if one.kind == "counter" else GaugeMetricFamily
            made = family(one.name, one.says, labels=one.labels)
            for labels, value in one.values.items():
                made.add_metric(labels, value)
            yield made


@contextmanager
def serving(settings: Settings, host: str, port: int) -> Iterator[WSGIServer]:
    """A server of the figures of the settings' store, not yet at work."""
    watched = Watched(settings)
    registry = CollectorRegistry()
    figures = _Figures(watched, settings)
    # Not asked when it is registered: Redis may be down then.
    figures.describe = list  # type: ignore[attr-defined]  # an optional part of the protocol
    registry.register(figures)

    def answer(environ: dict[str, Any], start: StartResponse) -> Iterable[bytes]:
        match environ["PATH_INFO"]:
            case "/metrics":
                status, kind, body = "200 OK", CONTENT_TYPE_LATEST, generate_latest(registry)
            case "/health/live":
                status, kind, body = "200 OK", "text/plain", b"alive\n"
            case "/health/ready":
                ready = any(one.name == "reverie_ready" and one.values[()] for one in measure(watched, settings))
                status = "200 OK" if ready else "503 Service Unavailable"
                kind, body = "text/plain", b"ready\n" if ready else b"not ready\n"
            case _:
                status, kind, body = "404 Not Found", "text/plain", b"see /metrics, /health/live and /health/ready\n"
        start(status, [("Content-Type", kind), ("Content-Length", str(len(body)))])
        return [body]

    try:
        with make_server(host, port, answer, ThreadingWSGIServer, _Quiet) as server:
            yield server
    finally:
        watched.close()
