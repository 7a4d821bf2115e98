"""Embedders: the local one as it is, the openai one against a real HTTP server."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from reverie import ConfigurationError, ModelFailed
from reverie.config.settings import load
from reverie.models import embedders
from reverie.models.embedders.local import LocalEmbedder
from reverie.models.embedders.openai import OpenAIEmbedder
from reverie.models.tokens import counter_for


@pytest.fixture(scope="module")
def local() -> LocalEmbedder:
    return LocalEmbedder()


def test_the_local_embedder_gives_unit_vectors_and_tells_its_two_sides_apart(local: LocalEmbedder) -> None:
    documents = local.documents(["Ana lives in Lyon", "the build failed"])
    query = local.query("Ana lives in Lyon")

    assert documents.shape == (2, local.dimension)
    assert np.allclose(np.linalg.norm(documents, axis=1), 1, atol=1e-3)
    assert not np.allclose(documents[0], query, atol=1e-3)
    assert documents[0] @ local.query("where does Ana live?") > documents[1] @ local.query("where does Ana live?")


def test_a_text_is_embedded_alike_alone_and_in_a_batch(local: LocalEmbedder) -> None:
    alone = local.documents(["Ana lives in Lyon"])[0]
    batch = local.documents(["a", "Ana lives in Lyon", "a much longer text about nothing in particular, at length"])
    assert float(alone @ batch[1]) > 0.999


def test_a_nul_does_not_cut_the_text(local: LocalEmbedder) -> None:
    cut, whole = local.documents(["the", "the\0build failed"])
    assert float(cut @ whole) < 0.99
    assert float(whole @ local.documents(["the build failed"])[0]) > 0.99


def test_nothing_and_blanks_are_embedded_too(local: LocalEmbedder) -> None:
    assert local.documents([]).shape == (0, 384)
    assert np.isfinite(local.documents(["", " "])).all()


def test_tokens_are_counted_with_the_models_own_tokenizer(local: LocalEmbedder) -> None:
    counter = counter_for(local)
    assert counter is local
    assert counter.count("") == 0
    assert 2 <= counter.count("hello world") <= 4
    assert counter.count("hello world " * 5000) > 5000


def test_an_embedder_without_a_tokenizer_is_counted_with_the_local_one() -> None:
    other = OpenAIEmbedder("m", dimension=3, api_key="k", base_url="http://127.0.0.1:1/v1")
    assert counter_for(other).count("hello world") == LocalEmbedder().count("hello world")


@dataclass
class Endpoint:
    """A local OpenAI-compatible embeddings endpoint and what it was asked."""

    url: str = ""
    batches: list[list[str]] = field(default_factory=list)
    failures: int = 0
    dimension: int = 3


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    state = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if state.failures:
                state.failures -= 1
                self.send_response(500)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            state.batches.append(asked["input"])
            rows = [
                {"object": "embedding", "index": i, "embedding": [float(len(text)), 1.0, 0.0, 0.0][: state.dimension]}
                for i, text in enumerate(asked["input"])
            ]
            reply = {"object": "list", "model": asked["model"], "data": rows[::-1], "usage": _USAGE}
            body = json.dumps(reply).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    yield state
    server.shutdown()
    thread.join()
    server.server_close()


_USAGE = {"prompt_tokens": 1, "total_tokens": 1}


def _openai(endpoint: Endpoint, dimension: int = 3) -> OpenAIEmbedder:
    return OpenAIEmbedder("m", dimension=dimension, base_url=endpoint.url, api_key="sk-hunter2", max_retries=2)


def test_the_endpoint_is_asked_in_batches_and_its_order_is_restored(endpoint: Endpoint) -> None:
    vectors = _openai(endpoint).documents(["x" * n for n in range(1, 301)])

    assert [len(batch) for batch in endpoint.batches] == [128, 128, 44]
    assert vectors.shape == (300, 3)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert list(np.argsort(vectors[:, 0], kind="stable")) == list(range(300))


def test_what_may_pass_is_tried_again_and_what_does_not_is_told_without_the_key(endpoint: Endpoint) -> None:
    endpoint.failures = 2
    assert _openai(endpoint).query("hello").shape == (3,)

    endpoint.failures = 9
    with pytest.raises(ModelFailed, match="m failed") as caught:
        _openai(endpoint).query("hello")
    assert "hunter2" not in str(caught.value)


def test_vectors_of_another_length_are_refused_with_the_setting(endpoint: Endpoint) -> None:
    with pytest.raises(ConfigurationError, match="REVERIE_EMBEDDER_DIMENSION"):
        _openai(endpoint, dimension=4).query("hello")


def test_the_settings_name_the_embedder_and_what_it_lacks(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ConfigurationError, match="REVERIE_EMBEDDER_MODEL"):
        embedders.create(load(embedder="openai"))
    with pytest.raises(ConfigurationError, match="REVERIE_EMBEDDER_DIMENSION"):
        embedders.create(load(embedder="openai", embedder_model="m"))
    with pytest.raises(ConfigurationError, match="REVERIE_EMBEDDER_API_KEY"):
        embedders.create(load(embedder="openai", embedder_model="m", embedder_dimension=3))
    made = embedders.create(
        load(
            embedder="openai",
            embedder_model="m",
            embedder_dimension=3,
            embedder_base_url=endpoint.url,
            embedder_api_key="k",
        )
    )
    assert made.query("hello").shape == (3,)
