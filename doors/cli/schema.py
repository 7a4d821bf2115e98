"""`reverie schema`: the contracts of the tasks that other runtimes call, as JSON Schema."""

from typing import Annotated

import typer

from reverie.cli.output import print_json
from reverie.config.errors import NotFound
from reverie.tools.documents import DOCUMENTS
from reverie.wakeups import queue_of


def register(app: typer.Typer) -> None:
    app.command()(schema)


def schema(
    name: Annotated[str, typer.Argument(help="The task, with or without 'reverie.', such as messages.observe.")],
) -> None:
    """Print the JSON Schema of a task's one argument, with the task's name and queue."""
    full = name if name.startswith("reverie.") else f"reverie.{name}"
    if full not in DOCUMENTS:
        raise NotFound("published schema", name)
    document = DOCUMENTS[full].model_json_schema()
    print_json({"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"urn:{full}", **document,
                "x-celery-task": full, "x-celery-queue": queue_of(full)})  # fmt: skip
