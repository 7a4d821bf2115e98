"""A server that cannot serve is refused with what to do."""

import time
from contextlib import closing
from pathlib import Path

import pytest
from conftest import WordEmbedder
from faults import redis_server

from reverie import ConfigurationError, EmbedderMismatch, Memory, StoreDenied, StoreUnavailable, StoreUnfit
from reverie.config.settings import Settings, load
from reverie.models.embedders.base import Vectors
from reverie.store import connection, fitness


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


@pytest.mark.parametrize(
    "url",
    [
        "hunter2",
        "http://:hunter2@h/0",
        "redis://h:hunter2/0",
        "redis://:hunter2@h:1/3",
        "redis://:hunter2@h:1?db=3",
        "redis://:hunter2/x@h:1/0",
        "redis://:hunter2#x@h:1/0",
        "redis://:1234/hunter2@h:1/0",
        "redis://:1?hunter2@h:1/0",
        "redis+sentinel://:hunter2@h:1/0",
        "redis+socket:///run/hunter2.sock",
        "unix://",
        "redis://:hunter2@h:1/0?protocol=3",
        "redis://:hunter2@h:1/0?decode_responses=true",
        "redis://:hunter2@h:1/0?no_such_option=hunter2",
        "redis://:hunter2@h:1/0?socket_timeout=hunter2",
        "redis://:hunter2@h:1/hunter2",
    ],
)
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
        ("redis://h:1/0?password=a%26b", "redis://h:1/5?password=a%26b"),
        ("unix:///run/r.sock", "unix:///run/r.sock?db=5"),
        ("unix://u:p%2F@/run/r.sock?db=0", "unix://u:p%2F@/run/r.sock?db=5"),
    ],
)
def test_another_database_is_one_of_the_same_server(url: str, found: str) -> None:
    assert connection.database(url, 5) == found


def test_a_server_without_its_modules_is_unfit_and_the_error_names_what_to_run(tmp_path: Path) -> None:
    with redis_server(tmp_path / "bare", modules=False) as url, pytest.raises(StoreUnfit) as caught:
        Memory("n", settings=load(redis_url=url), embedder=WordEmbedder())

    assert "lacks search and JSON; use Redis Stack 7.4, Redis 8" in str(caught.value)


@pytest.mark.parametrize(("shift", "told"), [(3600, "3600 s ahead of"), (-90, "90 s behind"), (5, "")])
def test_a_clock_that_differs_from_the_servers_is_told(
    redis_url: str, monkeypatch: pytest.MonkeyPatch, shift: int, told: str
) -> None:
    now = time.time() + shift
    monkeypatch.setattr("time.time", lambda: now)
    with closing(connection.connect(redis_url)) as client:
        said = [one for one in fitness.examine(client).ailing if "the clock of this machine" in one]
    assert [told in one for one in said] == ([True] if told else [])


def test_the_broken_release_is_unfit() -> None:
    class Broken:
        def info(self) -> dict[str, str]:
            return {"redis_version": "8.0.0", "maxmemory_policy": "noeviction"}

        def execute_command(self, *words: str) -> None:
            """Knows every command."""

        def get(self, key: str) -> None:
            """Holds nothing."""

        def eval(self, script: str, *words: object) -> list[bytes]:
            return []

    with pytest.raises(StoreUnfit, match=r"8\.0\.1"):
        fitness.check(Broken())


@pytest.mark.parametrize("policy", ["allkeys-lru", "allkeys-random", "volatile-ttl"])
def test_a_server_that_evicts_is_refused_with_how_to_change_it(tmp_path: Path, policy: str) -> None:
    with redis_server(tmp_path / "own", "--maxmemory-policy", policy) as url:
        with pytest.raises(StoreUnfit, match="CONFIG SET maxmemory-policy noeviction"):
            Memory("n", settings=load(redis_url=url), embedder=WordEmbedder())
        with closing(connection.connect(url)) as client:
            assert client.keys() == []
            client.config_set("maxmemory-policy", "noeviction")
        Memory("n", settings=load(redis_url=url), embedder=WordEmbedder()).close()


@pytest.mark.parametrize("allowed", ["+@all -json.set", "+@all -hset", "+@all -@admin"])
def test_a_user_who_may_not_write_everything_is_refused_before_anything_is_half_written(
    tmp_path: Path, allowed: str
) -> None:
    with redis_server(tmp_path / "own") as url, closing(connection.connect(url)) as admin:
        admin.execute_command("ACL", "SETUSER", "app", "on", ">p@ss/word", "~*", "&*", *allowed.split())
        own = load(redis_url=url.replace("127", "app:p%40ss%2Fword@127"))
        if "admin" in allowed:
            Memory("n", settings=own, embedder=WordEmbedder()).close()
            return
        with pytest.raises(StoreDenied, match=allowed.split("-")[1].upper()):
            Memory("n", settings=own, embedder=WordEmbedder())
        assert admin.keys() == []


@pytest.mark.parametrize("query", ["", "?db=0"])
def test_a_socket_is_a_server_like_another(tmp_path: Path, query: str) -> None:
    with redis_server(tmp_path / "own"):
        url = f"unix://{tmp_path}/own/redis.sock{query}"
        with Memory("n", settings=load(redis_url=url), embedder=WordEmbedder()) as memory:
            memory.agent("a").goals.create(title="Ship")
            assert len(memory.agent("a").goals.all()) == 1
            memory.forget(namespace="n")


def test_a_password_in_the_query_works(tmp_path: Path) -> None:
    with redis_server(tmp_path / "own", "--requirepass", "p ss&1") as url:
        Memory("n", settings=load(redis_url=f"{url}?password=p%20ss%261"), embedder=WordEmbedder()).close()
        with pytest.raises(StoreDenied, match="REVERIE_REDIS_URL"):
            Memory("n", settings=load(redis_url=url), embedder=WordEmbedder())


def test_an_open_memory_shows_no_password(settings: Settings, memory: Memory) -> None:
    assert settings.redis_url is not None
    password = settings.redis_url.get_secret_value().split(":")[2].split("@")[0]
    assert password not in repr(memory.connection) + repr(memory.settings) + repr(memory.ctx)


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
