"""Who reads how one message is ingested opens few files."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
INGEST = ROOT / "pipelines" / "ingest"
RULES = (INGEST / "language" / "en", INGEST / "language" / "phrases")
"""What reads single languages: whoever follows one ingest need not open it."""
TASK = ROOT / "workers" / "ingest.py"
PREFIX = "reverie.pipelines.ingest"


def _beside(path: Path) -> set[Path]:
    """The modules of the folder that a module imports, also within functions."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PREFIX):
            names |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    files = {INGEST / f"{name.removeprefix(PREFIX).strip('.').replace('.', '/')}.py" for name in names}
    return {file for file in files if file.is_file() and not _is_rule(file)}


def _is_rule(path: Path) -> bool:
    return any(folder in path.parents for folder in RULES)


def _walk() -> set[Path]:
    seen: set[Path] = set()
    waiting = {INGEST / "running.py"}
    while waiting:
        path = waiting.pop()
        seen.add(path)
        waiting |= _beside(path) - seen
    return seen


def test_one_ingest_is_read_in_twelve_modules() -> None:
    assert len({TASK, *_walk()}) <= 12


def test_nothing_in_the_folder_lies_beside_the_walk() -> None:
    files = {path for path in INGEST.rglob("*.py") if path.name != "__init__.py" and not _is_rule(path)}
    assert files == _walk()
