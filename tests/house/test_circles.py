"""No two modules of the store need each other, not even for their types."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

STORE = Path(__file__).parents[2] / "store"


def _name(path: Path) -> str:
    parts = path.relative_to(STORE).with_suffix("").parts
    return ".".join(["reverie.store", *(part for part in parts if part != "__init__")])


def _needed(path: Path, modules: set[str]) -> set[str]:
    """The modules of the store that a file names anywhere, also within functions and for the types alone."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names} & modules
            found |= inside or {node.module}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & modules


def test_the_modules_of_the_store_form_no_circle() -> None:
    files = {_name(path): path for path in STORE.rglob("*.py")}
    needs = {name: _needed(path, set(files)) - {name} for name, path in files.items()}
    assert "reverie.store.keys" in needs["reverie.store.commit"]
    circle: list[str] = []
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        circle = error.args[1]
    assert circle == []
