"""A fake Redis for tests, in the process itself."""

from typing import Any


def fake_client(server: Any = None) -> Any:
    """A client of a fake Redis: of the fakeredis server that is given, or of a new one.

    It takes scripts whose first line sets flags, which fakeredis itself does not.
    """
    import fakeredis

    class Client(fakeredis.FakeRedis):
        def register_script(self, script: str) -> Any:
            return super().register_script(_without_flags(script))

        def script_load(self, script: str) -> Any:
            return super().script_load(_without_flags(script))

    return Client(server=fakeredis.FakeServer() if server is None else server)


def _without_flags(script: str) -> str:
    return script.partition("\n")[2] if script.startswith("#!") else script
