"""Who gets in, and what a foreign page can have a browser do: nothing."""

import pytest
from starlette.testclient import TestClient

from reverie import Memory
from reverie.web.access import Access
from reverie.web.app import create_app

PASSWORD = "a password of the tests"


@pytest.fixture
def client(quick_memory: Memory) -> TestClient:
    app = create_app(quick_memory, Access(PASSWORD, "explorer", frozenset({"127.0.0.1"})))
    return TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)


def logged_in(client: TestClient) -> str:
    """Log in by the form; the token that forms carry."""
    answer = client.post("/login?next=/now", data={"password": PASSWORD})
    assert answer.status_code == 303
    assert answer.headers["location"] == "/now"
    token = client.app.state.access.csrf_token(client.cookies["reverie_session"])  # type: ignore[attr-defined]
    assert isinstance(token, str)
    return token


@pytest.mark.parametrize(
    "path", ["/", "/now?namespace=x", "/thing?namespace=x&name=y", "/live?namespace=x", "/nothing"]
)
def test_without_a_login_there_is_only_the_login(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/login?next=")


def test_a_wrong_password_opens_nothing_and_guessing_is_slow(client: TestClient) -> None:
    for _ in range(12):
        answer = client.post("/login", data={"password": "wrong"})
        assert "failed" in answer.headers["location"]
    assert "reverie_session" not in client.cookies
    answer = client.post("/login", data={"password": PASSWORD})
    assert "failed" in answer.headers["location"], "after ten wrong ones in a minute not even the right one is read"


def test_the_token_of_the_printed_address_leaves_the_address_bar(client: TestClient) -> None:
    answer = client.get("/now", params={"token": PASSWORD, "namespace": "x"})
    assert answer.headers["location"] == "/now?namespace=x"
    assert "httponly" in answer.headers["set-cookie"].lower()
    assert "samesite=strict" in answer.headers["set-cookie"].lower()


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "[", "localhost:80"])
def test_another_host_name_is_not_answered(client: TestClient, host: str) -> None:
    logged_in(client)
    assert client.get("/", headers={"host": host}).status_code in {400, 421}


@pytest.mark.parametrize("goal", ["//evil.example", "/\\evil.example", "https://evil.example"])
def test_a_login_leads_nowhere_else(client: TestClient, goal: str) -> None:
    answer = client.post("/login", params={"next": goal}, data={"password": PASSWORD})
    assert answer.headers["location"] == "/"


def test_a_change_needs_the_token_of_the_session_and_the_same_origin(client: TestClient, quick_memory: Memory) -> None:
    token = logged_in(client)
    made = quick_memory.agent("a").assert_fact("Ana", "plays", "oboe")
    retract = f"/fact/retract?namespace={quick_memory.namespace}"
    forged = [
        client.post(retract, data={"id": made.fact_id}),
        client.post(retract, data={"id": made.fact_id, "csrf_token": "x"}),
        client.post(retract, data={"id": made.fact_id, "csrf_token": token}, headers={"origin": "http://evil.example"}),
        client.post(retract, data={"id": made.fact_id, "csrf_token": token}, headers={"sec-fetch-site": "cross-site"}),
    ]
    assert [one.status_code for one in forged] == [403] * 4
    assert len(quick_memory.facts("Ana")) == 1
    assert client.post(retract, data={"id": made.fact_id, "csrf_token": token}).status_code == 303
    assert quick_memory.facts("Ana") == []


def test_a_form_that_is_too_long_or_of_unknown_length_is_not_read(client: TestClient) -> None:
    token = logged_in(client)
    assert (
        client.post("/fact/assert?namespace=x", data={"csrf_token": token, "subject": "a" * 1_100_000}).status_code
        == 413
    )
    streamed = client.post("/fact/assert?namespace=x", content=iter([b"csrf_token=", b"x"]))
    assert streamed.status_code == 413


def test_every_answer_forbids_foreign_scripts_frames_and_caches(client: TestClient) -> None:
    logged_in(client)
    for path in ("/", "/login", "/nothing", "/static/app.js"):
        headers = client.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    assert client.get("/").headers["cache-control"] == "no-store"


def test_who_logged_out_is_out(client: TestClient) -> None:
    token = logged_in(client)
    assert client.post("/logout", data={"csrf_token": token}).status_code == 303
    assert client.get("/").headers["location"].startswith("/login")
