"""A function of the pipelines takes the context only when it uses more of it than the namespace.

The public calls of `tools/` all take the context, so that who calls them need not know which of them needs what.
"""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONTEXT = "Context"


def _uses(function: ast.FunctionDef, name: str) -> set[str]:
    """The attributes of a parameter that a function names; "" where it hands the parameter on whole."""
    inside = list(ast.walk(function))
    attributes = [one for one in inside if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name)]
    named = [(one.attr, one.value) for one in attributes if isinstance(one.value, ast.Name) and one.value.id == name]
    known = {id(value) for _, value in named}
    whole = [one for one in inside if isinstance(one, ast.Name) and one.id == name and id(one) not in known]
    return {attribute for attribute, _ in named} | ({""} if whole else set())


def _too_much(source: str) -> list[str]:
    found = []
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        for given in [*function.args.args, *function.args.kwonlyargs]:
            if isinstance(given.annotation, ast.Name) and given.annotation.id == CONTEXT:
                uses = _uses(function, given.arg)
                found += [function.name] if uses <= {"ns", "namespace"} else []
    return found


def test_functions_of_the_pipelines_take_no_more_than_they_use() -> None:
    files = sorted((ROOT / "pipelines").rglob("*.py"))
    found = {str(path.relative_to(ROOT)): _too_much(path.read_text(encoding="utf-8")) for path in files}
    assert {name: functions for name, functions in found.items() if functions} == {}


def test_what_it_looks_for_is_found() -> None:
    assert _too_much("def f(ctx: Context) -> int:\n    return ctx.ns.count()") == ["f"]
    assert _too_much("def f(ctx: Context) -> int:\n    return ctx.ns.count() + ctx.clock()") == []
    assert _too_much("def f(ctx: Context) -> int:\n    return other(ctx) + ctx.ns.count()") == []
