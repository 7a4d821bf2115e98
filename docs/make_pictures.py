"""Takes the pictures of the explorer that the documentation shows, of a memory made up for them.

    python docs/make_pictures.py

Needs Chromium and the `test` extra. Starts an embedded server in a folder of its own.
"""

import shutil
import tempfile
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlencode

import uvicorn
from playwright.sync_api import sync_playwright

from reverie import Memory
from reverie.config.settings import load
from reverie.pipelines import ingest
from reverie.web.access import Access
from reverie.web.app import create_app

PICTURES = Path(__file__).parent / "pictures"
NAMESPACE = "harbour"
SAID = (
    ("I live in Porto, in a flat above a bakery.", datetime(2024, 5, 3, 9, tzinfo=UTC)),
    ("I work at Atlantica as a marine biologist now.", datetime(2024, 9, 12, 18, tzinfo=UTC)),
    ("I moved to Lisbon last Saturday, the boxes are still everywhere.", datetime(2026, 3, 2, 9, tzinfo=UTC)),
    ("By the way, I am allergic to peanuts.", datetime(2026, 3, 2, 9, 1, tzinfo=UTC)),
    ("My sister Clara plays the cello.", datetime(2026, 3, 9, 20, tzinfo=UTC)),
    ("From now on, please answer in Portuguese.", datetime(2026, 3, 9, 20, 2, tzinfo=UTC)),
)
VIEWS = {
    "person": ("/thing", {"name": "Nadia"}),
    "conversation": ("/conversation", {"session": "spring"}),
    "recall": ("/recall", {"query": "What is Nadia allergic to?"}),
    "graph": ("/graph", {"name": "Nadia"}),
}


def main() -> None:
    """Write one PNG a view."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Memory(NAMESPACE, settings=load(data_dir=Path(folder))) as memory:
        _tell(memory)
        server = uvicorn.Server(
            uvicorn.Config(
                create_app(memory, Access("pictures", "explorer", frozenset({"127.0.0.1"}))),
                port=8799,
                log_level="warning",
            )
        )
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            _take("http://127.0.0.1:8799")
        finally:
            server.should_exit = True
            thread.join()


def _tell(memory: Memory) -> None:
    agent = memory.agent("assistant")
    for number, (text, at) in enumerate(SAID, 1):
        session = agent.session("spring" if at.year == 2026 else "before")
        session.observe("Nadia", text, at=at + timedelta(0), message_id=f"m-{number}")
        ingest.ingest(memory.ctx, [f"m-{number}"])
        agent.consolidate()


def _take(address: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1100, "height": 720})
        page.goto(f"{address}/?token=pictures")
        for name, (path, parameters) in VIEWS.items():
            page.goto(f"{address}{path}?{urlencode({'namespace': NAMESPACE, **parameters})}")
            page.screenshot(path=PICTURES / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
