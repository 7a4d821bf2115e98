"""A browser-like client of the explorer, logged in, over a memory that costs nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

from starlette.testclient import TestClient

from reverie import Memory
from reverie.web.access import Access
from reverie.web.app import create_app

PASSWORD = "a password of the tests"
HOST = "127.0.0.1"


class Explorer:
    """Asks for pages of one namespace and sends their forms."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.access = Access(PASSWORD, "explorer", frozenset({HOST}))
        self.client = TestClient(create_app(memory, self.access), base_url=f"http://{HOST}", follow_redirects=True)
        self.client.get("/", params={"token": PASSWORD})

    @property
    def csrf_token(self) -> str:
        token = self.access.csrf_token(self.client.cookies["reverie_session"])
        assert token is not None
        return token

    def page(self, path: str, **parameters: str) -> str:
        """The page, which has to be one."""
        response = self.client.get(path, params={"namespace": self.memory.namespace, **parameters})
        assert response.status_code == 200, response.text
        return response.text

    def send(self, path: str, **fields: str) -> str:
        """Send a form, as the page would; the page that comes of it."""
        address = f"{path}?{urlencode({'namespace': self.memory.namespace})}"
        response = self.client.post(address, data={"csrf_token": self.csrf_token, **fields})
        assert response.status_code == 200, response.text
        return response.text


@contextmanager
def browsing(memory: Memory) -> Iterator[Explorer]:
    """The pages of a memory's namespace, for one test."""
    explorer = Explorer(memory)
    with explorer.client:
        yield explorer
