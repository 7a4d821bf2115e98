"""A server that cannot serve is refused with what to do."""

from pathlib import Path

import pytest
from conftest import WordEmbedder

from reverie import ConfigurationError, EmbedderMismatch, Memory, StoreUnavailable, StoreUnfit
from reverie.config.settings import Settings, load
from reverie.models.embedders.base import Vectors
from reverie.store import connection


class Other(WordEmbedder):
    dimension = 1024


def test_a_server_that_does_not_answer_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="REVERIE_REDIS_URL"):
        Memory("n", settings=load(redis_url="redis://127.0.0.1:1/0", data_dir=tmp_path), embedder=WordEmbedder())


def test_a_wrong_password_is_unavailable_and_not_printed(settings: Settings) -> None:
    assert settings.redis_url is not None
    url = settings.redis_url.get_secret_value()
    password = url.split(":")[2].split("@")[0]

    with pytest.raises(StoreUnavailable) as caught:
        Memory("n", settings=load(redis_url=url.replace(password, "wrong-secret")), embedder=WordEmbedder())

    assert "wrong-secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["hunter2", "http://:hunter2@h/0", "redis://h:hunter2/0", "redis://:hunter2@h:1/3"])
def test_a_url_that_cannot_be_right_is_refused_with_its_variable_and_not_printed(url: str) -> None:
    with pytest.raises(ConfigurationError, match="REVERIE_REDIS_URL") as caught:
        Memory("n", settings=load(redis_url=url), embedder=WordEmbedder())

    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("redis://:p@h:1/0", "redis://:p@h:1/5"),
        ("rediss://u:p@h", "rediss://u:p@h/5"),
        ("redis://h:1?db=0&socket_timeout=3", "redis://h:1/5?socket_timeout=3"),
    ],
)
def test_another_database_is_one_of_the_same_server(url: str, found: str) -> None:
    assert connection.database(url, 5) == found


def test_a_server_without_search_is_unfit() -> None:
    class Bare:
        def info(self, section: str) -> dict[str, str]:
            return {"redis_version": "7.2.4"}

        def execute_command(self, *words: str) -> list[object]:
            return [None, None]

    with pytest.raises(StoreUnfit, match="search and JSON"):
        connection.check(Bare())


def test_the_broken_release_is_unfit() -> None:
    class Broken:
        def info(self, section: str) -> dict[str, str]:
            return {"redis_version": "8.0.0"}

        def execute_command(self, *words: str) -> list[object]:
            return [[b"ft.search"], [b"json.set"]]

    with pytest.raises(StoreUnfit, match=r"8\.0\.1"):
        connection.check(Broken())


def test_an_embedder_of_another_dimension_is_refused_with_the_way_out(settings: Settings, memory: Memory) -> None:
    with pytest.raises(EmbedderMismatch, match="reverie reindex"):
        Memory("n", settings=settings, embedder=Other())


def test_a_vector_of_the_wrong_length_never_reaches_the_index(settings: Settings, namespace: str) -> None:
    class Liar(WordEmbedder):
        def documents(self, texts: list[str]) -> Vectors:
            return super().documents(texts)[:, :100]

    with Memory(namespace, settings=settings, embedder=Liar()) as memory:
        session = memory.agent("a").session("s")
        with pytest.raises(EmbedderMismatch, match="shape"):
            session.observe(sender="ana", content="hello")
        assert session.messages() == []


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://:p@h:1/0", "redis://:p@h:1/2"),
        ("redis://h:1", "redis://h:1/2"),
        ("rediss://u:p@h:1/0?ssl_cert_reqs=none", "rediss://u:p@h:1/2?ssl_cert_reqs=none"),
    ],
)
def test_the_same_server_has_other_databases(url: str, expected: str) -> None:
    assert connection.database(url, 2) == expected
