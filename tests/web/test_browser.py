"""Every view in a real browser: nothing fails, nothing is asked of anybody else, nothing hostile runs."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlencode

import axe_core_python
import pytest
from conftest import eventually
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from reverie import Memory
from reverie.config.settings import Settings
from reverie.pipelines import ingest
from reverie.testing import WordEmbedder

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed here; .ci/run installs it")

PASSWORD = "a password of the tests"
AT = datetime(2026, 3, 2, 9, 14, tzinfo=UTC)
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\u202e'\""

VIEWS = (
    ("/now", {}),
    ("/things", {}),
    ("/thing", {"name": "Nadia"}),
    ("/conversations", {}),
    ("/conversation", {"session": HOSTILE}),
    ("/message", {"id": "m-1"}),
    ("/agents", {}),
    ("/agent", {"id": "assistant"}),
    ("/episode", {"id": "e-1"}),
    ("/graph", {"name": "Nadia", "steps": "2"}),
    ("/recall", {"query": "Where does Nadia live?", "b_query": HOSTILE}),
    ("/cycles", {}),
    ("/erase", {"kind": "message", "id": "m-1"}),
)


@pytest.fixture(scope="module")
def told(settings: Settings) -> Iterator[Memory]:
    with Memory("seen in a browser", settings=settings, embedder=WordEmbedder()) as memory:
        agent = memory.agent("assistant")
        session = agent.session(HOSTILE)
        said = ("I live in Lisbon.", "I am allergic to peanuts.", HOSTILE, "L" * 1_000_000)
        for number, text in enumerate(said, 1):
            session.observe("Nadia", text, at=AT + timedelta(minutes=number), message_id=f"m-{number}")
        ingest.ingest(memory.ctx, ["m-1", "m-2"])
        agent.consolidate()
        agent.assert_fact("Nadia", "knows", HOSTILE)
        agent.goals.create(HOSTILE)
        agent.record_episode("query", episode_id="e-1", state={"question": HOSTILE}, importance=0.9)
        yield memory
        memory.forget(namespace=memory.namespace)


@pytest.fixture(scope="module")
def address(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`reverie web` in a process of its own."""
    assert settings.redis_url is not None
    folder = tmp_path_factory.mktemp("web")
    environment = os.environ | {
        "REVERIE_REDIS_URL": settings.redis_url.get_secret_value(),
        "REVERIE_DATA_DIR": str(folder),
        "REVERIE_WEB_PASSWORD": PASSWORD,
    }
    starter = (
        "from reverie.models import embedders; from reverie.testing import WordEmbedder; "
        "embedders.create = lambda settings: WordEmbedder(); "
        "import sys; sys.argv = ['reverie', 'web', '--port=0']; from reverie.cli.app import main; main()"
    )
    log = folder / "log"
    with (
        log.open("wb") as out,
        subprocess.Popen([sys.executable, "-c", starter], env=environment, stderr=out) as process,
    ):
        try:
            eventually(lambda: "Explorer: http" in log.read_text(), "the explorer listens", within=60)
            yield log.read_text().split("Explorer: ")[1].split()[0].rstrip("/")
        finally:
            process.kill()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
        )
        yield opened
        opened.close()


class Watched:
    """A page whose complaints, dialogs and requests to others are noted."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.address = address
        self.noted: list[str] = []
        self.page: Page = context.new_page()
        self.page.on("console", lambda one: one.type in {"error", "warning"} and self.noted.append(one.text))
        self.page.on("pageerror", lambda error: self.noted.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.noted.append("a script ran"), dialog.dismiss()))
        self.page.on("request", lambda one: one.url.startswith((address, "data:")) or self.noted.append(one.url))
        self.page.goto(f"{address}/?token={PASSWORD}")

    def open(self, path: str, **parameters: str) -> None:
        answer = self.page.goto(f"{self.address}{path}?{urlencode(parameters)}")
        assert answer is not None
        assert answer.status == 200, path
        self.page.wait_for_load_state("load")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_every_view_is_quiet_and_fits(browser: Browser, address: str, told: Memory, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    watched = Watched(context, address)
    for path, parameters in VIEWS:
        watched.open(path, namespace=told.namespace, **parameters)
        assert watched.noted == [], path
        wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert watched.page.evaluate(wider) <= 0, f"{path} is wider than {width}"
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_view_bars_anybody(browser: Browser, address: str, told: Memory, scheme: str) -> None:
    """By the rules of axe-core, which is let in past the page's own policy."""
    rules = (Path(axe_core_python.__file__).parent / "axe.min.js").read_text()
    context = browser.new_context(bypass_csp=True, color_scheme=scheme)  # type: ignore[arg-type]
    watched = Watched(context, address)
    for path, parameters in VIEWS:
        watched.open(path, namespace=told.namespace, **parameters)
        watched.page.evaluate(rules)
        found = watched.page.evaluate("axe.run().then(r => r.violations.map(v => [v.id, v.impact, v.nodes[0].html]))")
        assert [one for one in found if one[1] in {"serious", "critical"}] == [], path
    context.close()


def test_keys_lead_everywhere(browser: Browser, address: str, told: Memory) -> None:
    watched = Watched(browser.new_context(), address)
    watched.open("/now", namespace=told.namespace)
    watched.page.keyboard.press("g")
    watched.page.keyboard.press("p")
    watched.page.wait_for_url("**/things?**")
    watched.page.keyboard.press("j")
    assert watched.page.evaluate("document.activeElement.closest('[data-entry]') !== null")
    watched.page.keyboard.press("/")
    assert watched.page.evaluate("document.activeElement.id") == "ask"
    watched.page.keyboard.type("peanuts")
    watched.page.keyboard.press("Enter")
    watched.page.wait_for_url("**/recall?**")
    assert watched.noted == []


def test_a_slider_asks_for_what_held_then(browser: Browser, address: str, told: Memory) -> None:
    watched = Watched(browser.new_context(), address)
    watched.open("/thing", namespace=told.namespace, name="Nadia")
    slider = watched.page.locator("input[data-into=valid]")
    slider.focus()
    watched.page.keyboard.press("Home")
    assert watched.page.locator("#valid-shown").inner_text() != "now"
    watched.page.get_by_role("button", name="Show what held").click()
    watched.page.wait_for_url("**valid=20**")
    assert watched.noted == []


def test_a_page_left_open_shows_nothing_of_what_is_erased(
    browser: Browser, address: str, settings: Settings, namespace: str
) -> None:
    with Memory(namespace, settings=settings, embedder=WordEmbedder()) as memory:
        memory.agent("assistant").session("s").observe("Nadia", "a secret of Nadia", message_id="m-1")
        watched = Watched(browser.new_context(), address)
        watched.open("/conversation", namespace=namespace, session="s")
        assert "a secret of Nadia" in watched.page.content()
        memory.forget(namespace=namespace)
        watched.page.get_by_text("This namespace was erased").wait_for()
        assert "secret" not in watched.page.content()
