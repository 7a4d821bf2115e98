"""`reverie export` and `reverie import`: a namespace into a file, and out of it."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from reverie import Memory, ValidationFailed
from reverie.cli.moments import moment
from reverie.cli.output import Json, console, errors, print_json
from reverie.cli.reading import reading
from reverie.pipelines.transfer import export_namespace

_STDIO = Path("-")


def register(app: typer.Typer) -> None:
    app.command("export")(export)
    app.command("import")(import_)


def export(
    namespace: Annotated[str | None, typer.Argument(help="Default REVERIE_NAMESPACE, else 'default'.")] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file; - is standard output.")] = _STDIO,
    since: Annotated[
        str | None, typer.Option("--since", help="Leave out what is older (a day, or a time with zone).")
    ] = None,
    after: Annotated[
        list[Path] | None, typer.Option("--after", help="Only what changed after this export; repeatable, full first.")
    ] = None,
    vectors: Annotated[bool, typer.Option("--vectors", help="The vectors too, for the same embedder.")] = False,
    json: Json = False,
) -> None:
    """Write everything of a namespace into a file: JSON Lines in Zstandard.

    With -o, an export that was killed is gone on with by the same command; the file is there when it is whole.
    """
    from_then = moment(since)
    if output == _STDIO and sys.stdout.isatty():
        raise ValidationFailed("output", "is a terminal; name a file with -o, or send it on with > or |")
    with reading(namespace) as memory, _bar("exported", quiet=json) as (bars, task):

        def tell(done: int, total: int) -> None:
            bars.update(task, completed=done, total=total)

        if output == _STDIO:
            done = export_namespace(
                memory.ctx, sys.stdout.buffer, since=from_then, after=after or (), vectors=vectors, progress=tell
            )
        else:
            done = memory.export_to(output, since=from_then, after=after or (), vectors=vectors, progress=tell)
    if json and output != _STDIO:
        print_json(done)
        return
    where = "standard output" if output == _STDIO else str(output)
    gone = f", {done.gone} gone" if done.gone else ""
    errors.print(f"{done.records} records of {done.namespace} into {where}{gone}", soft_wrap=True)


def import_(
    file: Annotated[Path, typer.Argument(help="An export; - is standard input.")],
    namespace: Annotated[
        str | None, typer.Option("--namespace", "-n", help="Namespace; default REVERIE_NAMESPACE, else 'default'.")
    ] = None,
    merge: Annotated[bool, typer.Option("--merge", help="Put it over what is there.")] = False,
    json: Json = False,
) -> None:
    """Put an export into a namespace, which has to be empty; the workers give everything its vectors.

    An import that was killed is gone on with by the same command.
    """
    with _as_file(file) as path, Memory(namespace) as memory, _bar("records", quiet=json) as (bars, task):

        def tell(step: str, lines: int) -> None:
            bars.update(task, description=step, completed=lines)

        done = memory.import_from(path, merge=merge, progress=tell)
    if json:
        print_json(done)
        return
    late = f", of which {done.late} wait for their vectors" if done.late else ""
    barred = f"; {done.barred} that were erased here stay away" if done.barred else ""
    console.print(
        f"{done.records} records into {done.namespace}, {done.rows} search rows{late}{barred}", soft_wrap=True
    )


@contextmanager
def _as_file(path: Path) -> Iterator[Path]:
    """The file, or a copy of standard input: an import reads it more than once."""
    if path != _STDIO:
        yield path
        return
    with tempfile.NamedTemporaryFile(suffix=".jsonl.zst") as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy)
        copy.flush()
        yield Path(copy.name)


@contextmanager
def _bar(name: str, *, quiet: bool) -> Iterator[tuple[Progress, TaskID]]:
    columns = (TextColumn("{task.description:>8}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=errors, disable=quiet or not errors.is_terminal) as bars:
        yield bars, bars.add_task(name, total=None)
