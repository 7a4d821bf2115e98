"""Arrows between the rooms point down only."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Each room, from the roof to the cellar, with what it may use. A room's name is its folder; below `doors` it is
# imported without that: `doors/cli` is `reverie.cli`.
MAY_USE = {
    "doors/cli": {
        "doors/mcp",
        "doors/web",
        "memory",
        "workers",
        "tools",
        "pipelines",
        "knowledge",
        "store",
        "models",
        "config",
    },
    "doors/mcp": {"memory", "tools", "pipelines", "knowledge", "store", "models", "config"},
    "doors/web": {"memory", "workers", "tools", "pipelines", "knowledge", "store", "models", "config"},
    "memory": {"tools", "pipelines", "knowledge", "store", "models", "config"},
    "workers": {"tools", "pipelines", "knowledge", "store", "models", "config"},
    "tools": {"pipelines", "knowledge", "store", "models", "config"},
    "pipelines": {"knowledge", "store", "models", "config"},
    "knowledge": {"store"},
    "store": {"config"},
    "models": {"config"},
    "config": set(),
}


def _imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level < 2, f"{path}: a relative import that leaves its folder hides its room"
            module = "" if node.level else node.module or ""
            names |= {f"{module}.{alias.name}" for alias in node.names} if module == "reverie" else {module}
    return {name for name in names if name == "reverie" or name.startswith("reverie.")}


def _room(name: str) -> str:
    part = name.split(".")[1] if "." in name else ""
    return next((room for room in MAY_USE if room.removeprefix("doors/") == part and room != "memory"), "memory")


@pytest.mark.parametrize("room", [room for room in MAY_USE if (ROOT / room).is_dir()])
def test_a_room_uses_only_what_lies_below_it(room: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for name in sorted(_imported(path))
        if _room(name) not in MAY_USE[room] | {room}
    ]
    assert wrong == []


def test_of_the_store_knowledge_uses_its_record_types_alone() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sorted((ROOT / "knowledge").rglob("*.py"))
        for name in sorted(_imported(path))
        if _room(name) == "store" and not name.startswith("reverie.store.records")
    ]
    assert wrong == []


def test_every_package_says_what_it_is_for() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for room in MAY_USE
        for path in sorted((ROOT / room).rglob("*.py"))
        if ast.get_docstring(ast.parse(path.read_text())) is None
    ]
    assert silent == []


def test_every_package_is_shipped() -> None:
    shipped = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    found = {
        ".".join(["reverie", *path.parent.relative_to(ROOT).parts])
        .replace("reverie.memory", "reverie")
        .replace("reverie.doors", "reverie")
        for room in MAY_USE
        for path in (ROOT / room).rglob("__init__.py")
    }
    assert found == shipped


def test_the_project_names_no_registry_host_and_no_foreign_path() -> None:
    hosts = ("pypi" + ".org", "python" + "hosted", "npm" + "js.org", "deb." + "debian")
    texts = [
        path
        for path in ROOT.rglob("*")
        if path.is_file()
        and path.suffix in {".py", ".md", ".toml", ".yml", ".lua", ""}
        and not {".git", ".venv", "build", ".hypothesis", ".mypy_cache", ".ruff_cache"} & set(path.parts)
    ]
    assert [str(p) for p in texts if any(host in p.read_text(errors="ignore") for host in hosts)] == []


def test_an_agent_does_not_load_what_only_workers_need() -> None:
    heavy = "{'spacy', 'flower', 'redisvl'}"
    code = (
        f"import sys, reverie; reverie.Memory; found = {heavy} & set(sys.modules); sys.exit(str(found) if found else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
