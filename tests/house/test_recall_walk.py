"""Who reads how one recall works opens few files, none of them long."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
RECALL = ROOT / "pipelines" / "recall"
DOOR = (ROOT / "memory" / "agent.py", ROOT / "tools" / "recall.py")
SEARCH = ROOT / "store" / "search.py"
TIMES = {RECALL / "windows.py", RECALL / "occasions.py", RECALL / "foreign_dates.py"}
"""How times are named in English and other languages: apart from the walk, as ingest's languages are from its own."""


def _beside(path: Path) -> set[Path]:
    """The modules of the folder that a module imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "reverie.pipelines.recall":
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("reverie.pipelines.recall."):
            names.add((node.module or "").rpartition(".")[2])
    return {file for name in names if (file := RECALL / f"{name}.py").is_file()}


def _walk() -> set[Path]:
    seen: set[Path] = set()
    waiting = {RECALL / "recall.py"}
    while waiting:
        path = waiting.pop()
        seen.add(path)
        waiting |= _beside(path) - seen
    return seen


def test_one_recall_is_read_in_ten_modules() -> None:
    assert len(_walk() - TIMES) + len(DOOR) + 1 <= 10


def test_nothing_in_the_folder_lies_beside_the_walk() -> None:
    assert {path for path in RECALL.glob("*.py") if path.name != "__init__.py"} == _walk()


def test_no_module_of_the_walk_is_long() -> None:
    long = [path.name for path in [*(_walk() - TIMES), SEARCH] if len(path.read_text().splitlines()) > 320]
    assert long == []
