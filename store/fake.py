"""A fake Redis for tests, in the process itself."""

from typing import Any

from reverie.store.client import Client


def fake_client(server: Any = None) -> Any:
    """A client of a fake Redis: of the fakeredis server that is given, or of a new one.

    What goes wrong raises the errors that the client of a real Redis raises. Scripts may set flags in their first line,
    which fakeredis itself does not take.
    """
    import fakeredis

    class FakeClient(Client, fakeredis.FakeRedis):
        def register_script(self, script: str | bytes) -> Any:
            return super().register_script(_without_flags(script))

        def script_load(self, script: str | bytes) -> Any:
            return super().script_load(_without_flags(script))

    return FakeClient(server=fakeredis.FakeServer() if server is None else server)


def _without_flags(script: str | bytes) -> str:
    text = script.decode() if isinstance(script, bytes) else script
    return text.partition("\n")[2] if text.startswith("#!") else text
