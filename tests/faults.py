"""Servers that fail in the way a test asks for: a proxy in front of a real one, and a Redis with options of its own."""

import contextlib
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis
from conftest import eventually

from reverie.store.embedded import programs
from reverie.store.embedded.supervisor import choose_port


class Proxy:
    """A TCP proxy that passes everything on until it is told to fail: to hang, to hang up, or to answer by itself."""

    def __init__(self, host: str, port: int) -> None:
        self._to = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        self._fault: str = ""
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def heal(self) -> None:
        """Pass everything on again; what was open is closed."""
        self._fault = ""
        self._hang_up()

    def hang(self) -> None:
        """Take connections and commands, and answer nothing."""
        self._fault = "hang"

    def reset(self) -> None:
        """Close every connection as soon as anything comes."""
        self._fault = "reset"
        self._hang_up()

    def answer(self, error: str) -> None:
        """Answer every command with this error."""
        self._fault = f"-{error}\r\n"

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._hang_up()
        for thread in self._threads:
            thread.join(10)

    def _hang_up(self) -> None:
        for one in self._open:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(self._to)
            self._open += [client, server]
            for run, pair in ((self._forth, (client, server)), (self._back, (server, client))):
                thread = threading.Thread(target=run, args=pair, daemon=True)
                self._threads.append(thread)
                thread.start()

    def _forth(self, client: socket.socket, server: socket.socket) -> None:
        """From the client to the server, or the fault in its place."""
        with client, server, contextlib.suppress(OSError):
            while sent := client.recv(1 << 20):
                if self._fault == "":
                    server.sendall(sent)
                elif self._fault == "reset":
                    client.shutdown(socket.SHUT_RDWR)
                    server.shutdown(socket.SHUT_RDWR)
                elif self._fault != "hang":
                    client.sendall(self._fault.encode() * _commands(sent))
            server.shutdown(socket.SHUT_RDWR)

    def _back(self, server: socket.socket, client: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while got := server.recv(1 << 20):
                client.sendall(got)
            client.shutdown(socket.SHUT_RDWR)


def _commands(sent: bytes) -> int:
    """How many commands there are: each begins with its number of words."""
    return max(1, sum(line[:1] == b"*" and line[1:].isdigit() for line in sent.split(b"\r\n")))


@contextmanager
def proxied(url: str) -> Iterator[tuple[Proxy, str]]:
    """A proxy in front of the server at `url`, with the URL that leads through it."""
    where = redis.connection.parse_url(url)
    proxy = Proxy(where["host"], where["port"])
    try:
        yield proxy, url.replace(f":{where['port']}/", f":{proxy.port}/")
    finally:
        proxy.close()


@contextmanager
def redis_server(folder: Path, *options: str, modules: bool = True) -> Iterator[str]:
    """A Redis of the test's own, without files on disk unless the options ask for them; its URL."""
    found = programs.make_runnable(programs.find_programs(), folder / "programs")
    port = choose_port(None)
    folder.mkdir(parents=True, exist_ok=True)
    command = [str(found.server), "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", ""]
    command += ["--unixsocket", str(folder / "redis.sock")]
    for module in (found.search, found.json) if modules else ():
        command += ["--loadmodule", str(module)]
    with (folder / "redis.log").open("ab") as log:
        process = subprocess.Popen([*command, *options], stdout=log, stderr=log)
    url = f"redis://127.0.0.1:{port}/0"
    try:
        with contextlib.closing(redis.Redis(port=port, retry=None)) as client:
            eventually(lambda: _answers(client), "the server answers")
        yield url
    finally:
        process.send_signal(signal.SIGCONT)
        process.kill()
        process.wait(30)


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.execute_command("PING"))
    except redis.AuthenticationError:
        return True
    except redis.RedisError:
        return False


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Fail when the block takes longer."""
    began = time.monotonic()
    yield
    took = time.monotonic() - began
    assert took < seconds, f"it took {took:.1f} s, not less than {seconds:g} s"
