"""`reverie worker`, `reverie beat`, `reverie flower`: the processes that run beside an agent."""

import os
import secrets
import socket
import warnings
from typing import Annotated, NoReturn

import typer
from celery.exceptions import SecurityWarning

from reverie.cli.output import errors
from reverie.config.errors import ConfigurationError
from reverie.config.settings import current
from reverie.config.task_names import QUEUES
from reverie.store import embedded


def register(app: typer.Typer) -> None:
    app.command()(worker)
    app.command()(beat)
    app.command()(flower)


def worker(
    concurrency: Annotated[int, typer.Option("--concurrency", "-c", min=1, help="Worker processes.")] = 2,
    queues: Annotated[str, typer.Option("--queues", "-Q", help="Queues to work on.")] = ",".join(QUEUES),
    name: Annotated[str, typer.Option("--name", help="Name of this worker on this host.")] = "reverie",
) -> None:
    """Work on what agents wrote: extraction, vectors, consolidation, upkeep."""
    # Neither gossip nor mingle is used by anything here, and both cost a reconnecting worker errors or seconds.
    options = ["--without-gossip", "--without-mingle", "--task-events", f"--loglevel={current().log_level}"]
    # About pickled messages, which are not accepted here.
    warnings.filterwarnings("ignore", category=SecurityWarning)
    named = [f"--concurrency={concurrency}", f"--queues={queues}", f"--hostname={name}@%h"]
    _run("--quiet", "worker", *named, *options)


def beat() -> None:
    """Send the scheduled tasks. One beat is enough; two do no harm."""
    folder = current().data_dir
    embedded.make_private(folder)
    os.umask(0o077)  # the schedule's file is a pickle: nobody else may read or write it
    schedule = folder / embedded.BEAT_FILE
    _run("--quiet", "beat", f"--schedule={schedule}", "--pidfile=", f"--loglevel={current().log_level}")


def flower(
    address: Annotated[str, typer.Option("--address", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int | None, typer.Option("--port", help="Port; default REVERIE_FLOWER_PORT.")] = None,
) -> None:
    """Show the workers, queues and tasks in a browser, behind a login."""
    settings = current()
    given = settings.flower_password
    password = given.get_secret_value() if given else secrets.token_urlsafe(12)
    # In the environment, not among the arguments, where every user of the machine could read it.
    os.environ["FLOWER_BASIC_AUTH"] = f"{settings.flower_user}:{password}"
    chosen = settings.flower_port if port is None else port
    _require_free(address, chosen)
    shown = password if given is None else "(REVERIE_FLOWER_PASSWORD)"
    errors.print(f"Flower: http://{address}:{chosen}  user {settings.flower_user}  password {shown}")
    _run("flower", f"--address={address}", f"--port={chosen}", "--logging=ERROR")


def _run(*arguments: str) -> NoReturn:
    """Run one of Celery's commands; exits with 0 when it was told to stop, else not.

    `Celery.start` would drop the exit code.
    """
    from celery.bin.celery import celery

    celery.main(["--app=reverie.workers.app", *arguments], prog_name="reverie")
    raise AssertionError("Celery's command line exits by itself")


def _require_free(address: str, port: int) -> None:
    """Flower itself would end with a traceback. Raises ConfigurationError."""
    try:
        with socket.create_server((address, port), family=socket.AF_INET6 if ":" in address else socket.AF_INET):
            return
    except OSError as error:
        raise ConfigurationError(
            f"Flower cannot listen on {address}:{port}: {error.strerror}; choose another port with REVERIE_FLOWER_PORT"
        ) from None
