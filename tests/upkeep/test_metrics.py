"""The figures for Prometheus, scraped while work waits, a model is out, Redis is full, and Redis is gone."""

import re
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import yaml
from conftest import WordEmbedder
from faults import redis_server

from reverie import Memory
from reverie.cli.metrics import serving
from reverie.config.settings import Settings, load
from reverie.models.llm import Usage
from reverie.pipelines import spending
from reverie.store import work

ALERTS = Path(__file__).parents[2] / "docs" / "monitoring" / "alerts.yml"
RUNNING = Path(__file__).parents[2] / "docs" / "running.md"


@contextmanager
def _served(settings: Settings) -> Iterator[str]:
    """The address of the figures."""
    with serving(settings, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def _get(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def _scrape(address: str) -> dict[str, float]:
    """Every sample by its name with its labels."""
    code, text = _get(f"{address}/metrics")
    assert code == 200
    lines = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in lines}


def test_the_figures_follow_what_happens_and_tell_of_no_one(tmp_path: Path) -> None:
    prices = {"llm_input_price": 2.0, "llm_output_price": 8.0}
    with redis_server(tmp_path / "own") as url, ExitStack() as stack:
        settings = load(redis_url=url, redis_timeout=timedelta(seconds=2), **prices)
        address = stack.enter_context(_served(settings))
        before = _scrape(address)
        assert (before["reverie_up"], before["reverie_ready"], before["reverie_namespaces"]) == (1, 1, 0)
        assert before['reverie_work_due{topic="ingest"}'] == 0

        memory = stack.enter_context(Memory("secret tenant", settings=settings, embedder=WordEmbedder()))
        memory.agent("a").session("s").observe("secret sender", "a secret text", "m")
        old = datetime.now(UTC) - timedelta(hours=1)
        transaction = memory.ctx.ns.transaction()
        transaction.queue("topics", "waits", old)
        transaction.commit()
        spending.count(
            memory.ctx.ns, "extract", Usage(requests=1, input_tokens=500_000, output_tokens=250_000), failed=True
        )
        work.bury(memory.ctx.ns, "ingest", "gone wrong", "why", 8, datetime.now(UTC))

        code, text = _get(f"{address}/metrics")
        assert code == 200
        assert "secret" not in text
        found = _scrape(address)
        assert found["reverie_namespaces"] == 1
        assert found['reverie_work_waiting{topic="ingest"}'] == 1
        assert 3590 < found['reverie_work_oldest_seconds{topic="topics"}'] < 3700
        assert found["reverie_dead_letters"] == 1
        assert found["reverie_index_rows"] == 1
        assert found['reverie_language_model_failed_total{purpose="extract"}'] == 1
        assert found['reverie_language_model_tokens_total{direction="input",purpose="extract"}'] == 500_000
        assert found['reverie_language_model_cost_total{purpose="extract"}'] == pytest.approx(3.0)
        assert _get(f"{address}/health/ready") == (200, "ready\n")
        assert _get(f"{address}/elsewhere")[0] == 404

        # A full server answers, and takes no writes.
        memory.ctx.ns.client.config_set("maxmemory", 1)
        full = _scrape(address)
        assert (full["reverie_up"], full["reverie_ready"]) == (1, 0)
        assert _get(f"{address}/health/ready")[0] == 503
        memory.ctx.ns.client.config_set("maxmemory", 0)
        assert _scrape(address)["reverie_ready"] == 1


def test_a_redis_that_is_gone_is_told(tmp_path: Path) -> None:
    with ExitStack() as stack:
        with redis_server(tmp_path / "own") as url:
            settings = load(redis_url=url, redis_timeout=timedelta(seconds=1))
            address = stack.enter_context(_served(settings))
            assert _scrape(address)["reverie_up"] == 1
        assert _scrape(address) == {"reverie_up": 0, "reverie_ready": 0}
        assert _get(f"{address}/health/live") == (200, "alive\n")
        assert _get(f"{address}/health/ready") == (503, "not ready\n")


def test_alarms_ask_for_metrics_that_there_are_and_are_explained(tmp_path: Path) -> None:
    with redis_server(tmp_path / "own") as url, _served(load(redis_url=url)) as address:
        _, text = _get(f"{address}/metrics")
    known = {re.sub(r"_total$", "", name) for name in re.findall(r"^# TYPE (\w+)", text, re.MULTILINE)}
    document = RUNNING.read_text(encoding="utf-8")
    for rule in yaml.safe_load(ALERTS.read_text(encoding="utf-8"))["groups"][0]["rules"]:
        asked = {re.sub(r"_total$", "", name) for name in re.findall(r"reverie_\w+", rule["expr"])}
        assert asked
        assert asked <= known, rule["alert"]
        assert rule["alert"] in document
