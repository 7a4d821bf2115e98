"""`reverie web`: the memory explorer in a browser."""

import secrets
import socket
from ipaddress import ip_address
from typing import Annotated

import typer

from reverie import Memory
from reverie.cli.output import errors
from reverie.config.errors import ConfigurationError
from reverie.config.settings import current


def register(app: typer.Typer) -> None:
    app.command()(web)


def web(
    address: Annotated[str, typer.Option("--address", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int | None, typer.Option("--port", help="Port; default REVERIE_WEB_PORT.")] = None,
    name: Annotated[
        list[str] | None, typer.Option("--name", help="Host name under which it is reached, beside the address.")
    ] = None,
    https: Annotated[bool, typer.Option("--https", help="It is reached by HTTPS, through a proxy.")] = False,
) -> None:
    """See, search, correct and erase what is remembered, in a browser behind a login."""
    try:
        import uvicorn

        from reverie.web.access import Access
        from reverie.web.app import create_app
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f"the explorer needs {error.name}: install it with `pip install 'reverie[server]'`"
        ) from None
    settings = current()
    given = settings.web_password
    password = given.get_secret_value() if given else secrets.token_urlsafe(18)
    chosen = settings.web_port if port is None else port
    hosts = frozenset({address, *(name or ()), *(("localhost", "127.0.0.1", "::1") if _is_loopback(address) else ())})
    shown = f"[{address}]" if ":" in address else address
    with Memory(settings=settings) as memory, _listening(address, chosen) as listener:
        app = create_app(memory, Access(password, "explorer", hosts, is_secure=https))
        config = uvicorn.Config(app, log_level="warning", access_log=False)
        port = listener.getsockname()[1]
        entrance = f"http://{shown}:{port}/" + ("" if given else f"?token={password}")
        errors.print(f"Explorer: {entrance}", soft_wrap=True, markup=False, highlight=False)
        if given:
            errors.print("Password: as set by REVERIE_WEB_PASSWORD")
        uvicorn.Server(config).run(sockets=[listener])


def _listening(address: str, port: int) -> socket.socket:
    """A socket that listens; port 0 is any free one. Raises ConfigurationError."""
    try:
        return socket.create_server((address, port), family=socket.AF_INET6 if ":" in address else socket.AF_INET)
    except OSError as error:
        raise ConfigurationError(
            f"the explorer cannot listen on {address}:{port}: {error.strerror}; choose another port with "
            "REVERIE_WEB_PORT or --port"
        ) from None


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"
