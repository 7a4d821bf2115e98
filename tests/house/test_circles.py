"""No two modules need each other, not even within a function or for their types."""

import ast
import tomllib
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2]


def _files() -> dict[str, Path]:
    """Every module of the package by the name that it is imported by."""
    folders = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-dir"]
    found = {}
    for name, folder in folders.items():
        for path in (ROOT / folder).rglob("*.py"):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            found[".".join([name, *(part for part in parts if part != "__init__")])] = path
    return found


def _needed(path: Path, modules: set[str]) -> set[str]:
    """The modules that a file names anywhere, also within functions and for the types alone."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names} & modules
            found |= inside if len(inside) == len(node.names) else {*inside, node.module}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & modules


def test_no_modules_form_a_circle() -> None:
    files = _files()
    needs = {name: _needed(path, set(files)) - {name} for name, path in files.items()}
    assert "reverie.store.keys" in needs["reverie.store.commit"]
    assert "reverie.tools.catalogue" in needs["reverie.tools.registry"], "an import within a function counts"
    circle: list[str] = []
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        circle = error.args[1]
    assert circle == []
