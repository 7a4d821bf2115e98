"""Rerankers: the endpoint's against a real HTTP server, the deadline, and what a recall makes of either."""

import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from reverie import ConfigurationError, Memory, ModelFailed
from reverie.config.settings import Settings, load
from reverie.models import rerankers
from reverie.models.rerankers import DeadlineReranker
from reverie.models.rerankers.endpoint import EndpointReranker
from reverie.testing import WordEmbedder


@dataclass
class Endpoint:
    """A local rerank endpoint: what it was asked, and what it answers next instead of scores."""

    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    status: int = 200
    body: bytes | None = None


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    state = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.asked.append(asked)
            state.keys.append(self.headers["Authorization"])
            # The longer a text the better, told best first as Cohere does.
            scored = sorted(enumerate(asked["documents"]), key=lambda one: -len(one[1]))
            results = [{"index": index, "relevance_score": len(text) / 1000} for index, text in scored]
            body = json.dumps({"id": "1", "results": results}).encode() if state.body is None else state.body
            self.send_response(state.status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}/v2/rerank"
    yield state
    server.shutdown()
    thread.join()
    server.server_close()


def _reranker(endpoint: Endpoint) -> EndpointReranker:
    return EndpointReranker("rerank-m", url=endpoint.url, api_key="sk-hunter2")


def test_scores_come_back_in_the_order_of_the_texts(endpoint: Endpoint) -> None:
    assert _reranker(endpoint).scores("why?", ["bb", "a\0aa", "c"]) == [0.002, 0.004, 0.001]
    assert endpoint.asked == [{"model": "rerank-m", "query": "why?", "documents": ["bb", "a aa", "c"], "top_n": 3}]
    assert endpoint.keys == ["Bearer sk-hunter2"]


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, b""),
        (200, b"no json"),
        (200, b'{"results": [{"index": 0, "relevance_score": 1}]}'),
        (200, b'{"results": [{"index": 0, "relevance_score": NaN}, {"index": 1, "relevance_score": 1}]}'),
    ],
)
def test_what_is_no_answer_is_a_failure_told_without_the_key(endpoint: Endpoint, status: int, body: bytes) -> None:
    endpoint.status, endpoint.body = status, body
    with pytest.raises(ModelFailed, match="rerank-m") as caught:
        _reranker(endpoint).scores("why?", ["a", "b"])
    assert "hunter2" not in str(caught.value)


def test_an_endpoint_that_nobody_answers_at_is_a_failure() -> None:
    with pytest.raises(ModelFailed, match="ConnectError"):
        EndpointReranker("m", url="http://127.0.0.1:1/rerank").scores("why?", ["a"])


def test_the_settings_name_the_reranker_and_what_it_lacks(endpoint: Endpoint) -> None:
    assert rerankers.create(load()) is None
    with pytest.raises(ConfigurationError, match="REVERIE_RERANKER_MODEL"):
        rerankers.create(load(reranker="endpoint"))
    with pytest.raises(ConfigurationError, match="REVERIE_RERANKER_URL"):
        rerankers.create(load(reranker="endpoint", reranker_model="m"))
    made = rerankers.create(load(reranker="endpoint", reranker_model="m", reranker_url=endpoint.url))
    assert made is not None
    assert made.scores("why?", ["a"]) == [0.001]
    assert endpoint.keys == [None]


class Hanging:
    """Answers when it is let go."""

    name = "hanging"

    def __init__(self) -> None:
        self.go = threading.Event()

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        self.go.wait(30)
        return [1.0] * len(texts)


def test_a_reranker_that_hangs_is_given_up_on_and_asked_no_more_until_it_answers() -> None:
    hanging = Hanging()
    timed = DeadlineReranker(hanging, timedelta(milliseconds=5))
    try:
        for _ in range(4):
            with pytest.raises(ModelFailed, match="within"):
                timed.scores("why?", ["a"])
        with pytest.raises(ModelFailed, match="does not answer"):
            timed.scores("why?", ["a"])
    finally:
        hanging.go.set()


class Preferring:
    """Scores by one word, or gives what no reranker may."""

    name = "preferring"

    def __init__(self, word: str, scores: list[float] | None = None) -> None:
        self.word, self.given = word, scores

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        return [float(self.word in text) for text in texts] if self.given is None else self.given


def _recalled(settings: Settings, namespace: str, reranker: Preferring) -> tuple[list[str], str]:
    with Memory(namespace, settings=settings, embedder=WordEmbedder(), reranker=reranker) as memory:
        agent = memory.agent("assistant")
        for number, word in enumerate(("copper", "silver", "violet")):
            session = agent.session(f"s-{number}")
            session.observe(sender="ana", content=f"the {word} lamp stands in the hall", message_id=word)
        bundle = agent.recall("where does the copper lamp stand in the hall")
        return [item.id for item in bundle.items], " ".join(bundle.trace.notes)


def test_the_best_of_a_recall_stand_in_the_rerankers_order(settings: Settings, namespace: str) -> None:
    found, notes = _recalled(settings, namespace, Preferring("violet"))
    assert (found[0], len(found)) == ("violet", 3)
    assert "reranked by preferring" in notes


@pytest.mark.parametrize("scores", [[1.0], [float("nan")] * 3])
def test_a_recall_goes_without_a_reranker_that_fails_and_says_so(
    settings: Settings, namespace: str, scores: list[float]
) -> None:
    found, notes = _recalled(settings, namespace, Preferring("violet", scores))
    assert (found[0], len(found)) == ("copper", 3)
    assert "not reranked" in notes
