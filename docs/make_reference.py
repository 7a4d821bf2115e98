"""Writes `docs/reference/` from signatures and docstrings: `python docs/make_reference.py`."""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

import click
import typer
from pydantic import BaseModel, SecretStr
from pydantic_core import PydanticUndefined

import reverie
import reverie.testing
import reverie.tools
from reverie.cli.app import app
from reverie.cli.formats import Format
from reverie.config.settings import Settings
from reverie.tools.registry import registry

FOLDER = Path(__file__).with_name("reference")
_HOME = re.compile(r"reverie\.(?:\w+\.)+(?=[A-Z]\w*)|(?:typing|datetime|collections\.abc|pathlib(?:\._local)?)\.")
_OPTIONAL = re.compile(r"Optional\[([\w.]+)\]")


def pages() -> dict[str, str]:
    """Every page by its file name."""
    public = {name: getattr(reverie, name) for name in reverie.__all__ if not name.startswith("__")}
    errors = {name: one for name, one in public.items() if _is_error(one)}
    others = {name: one for name, one in public.items() if name not in errors}
    testing = {name: getattr(reverie.testing, name) for name in reverie.testing.__all__}
    return {
        "memory.md": _page("reverie", "What `import reverie` gives.", map(_entry, others.values(), others)),
        "errors.md": _page("Errors", "What calls raise.", map(_error, errors.values())),
        "tools.md": _page("reverie.tools", "The calls as tools of a model.", _tools()),
        "testing.md": _page("reverie.testing", _doc(reverie.testing), map(_entry, testing.values(), testing)),
        "formats.md": _page(
            "What `reverie ingest` reads", "How a file is written is guessed, or told.", map(_format, get_args(Format))
        ),
        "settings.md": _page("Settings", _doc(Settings), map(_setting, Settings.model_fields)),
        "command-line.md": _page("The reverie command", str(app.info.help), _commands()),
    }


def undocumented() -> list[str]:
    """The public names that no docstring explains."""
    found = []
    for module in (reverie, reverie.testing, reverie.tools):
        for name in module.__all__:
            one = getattr(module, name)
            if not isinstance(one, str) and not _doc(one if callable(one) else type(one)):
                found.append(f"{module.__name__}.{name}")
            if inspect.isclass(one) and not _is_error(one) and one is not Settings:
                found += [f"{name}.{method}" for method, it in _methods(one) if not _doc(it)]
    return found


def _format(name: str) -> str:
    module = import_module(f"reverie.cli.formats.{name.replace('-', '_')}")
    text, _, example = (module.__doc__ or "").rstrip().partition("\n\n    ")
    return f"## {name}\n\n{text}\n\n```\n{inspect.cleandoc('    ' + example)}\n```"


def _page(title: str, text: str, entries: Iterable[str]) -> str:
    note = "<!-- Written by docs/make_reference.py; change the docstrings instead. -->"
    return "\n\n".join([f"# {title}", note, text, *entries]).rstrip() + "\n"


def _doc(one: Any) -> str:
    """Its own docstring; what pydantic or a base class says is none."""
    own = vars(one).get("__doc__") if inspect.isclass(one) else getattr(one, "__doc__", None)
    return inspect.cleandoc(own or "")


def _is_error(one: Any) -> bool:
    return inspect.isclass(one) and issubclass(one, Exception)


def _methods(owner: type) -> list[tuple[str, Any]]:
    """Public methods and properties that the class or a base of Reverie's defines, in the order of their definition."""
    found: dict[str, Any] = {}
    for base in reversed(owner.__mro__):
        if base.__module__.startswith("reverie"):
            found |= {name: one for name, one in vars(base).items() if not name.startswith("_")}
    kinds = (property, classmethod, staticmethod)
    return [(name, one) for name, one in found.items() if inspect.isfunction(one) or isinstance(one, kinds)]


class _Shown(str):
    """A text that stands in a signature as it is."""

    def __repr__(self) -> str:
        return str(self)


def _type(annotation: Any) -> str:
    shown = annotation.__name__ if inspect.isclass(annotation) else str(annotation)
    return _OPTIONAL.sub(r"\1 | None", _HOME.sub("", shown))


def _signature(name: str, one: Callable[..., Any]) -> str:
    """How it is called; parameters that only tell whether they were given show no default."""
    signature = inspect.signature(one)
    kept = []
    for parameter in signature.parameters.values():
        if parameter.name == "self":
            continue
        default = parameter.default
        if inspect.isfunction(default):
            default = _Shown(default.__name__)
        elif isinstance(default, Enum):
            default = _Shown(default.name)
        known = parameter.annotation is not inspect.Parameter.empty
        annotation = _Shown(_type(parameter.annotation)) if known else parameter.annotation
        kept.append(parameter.replace(annotation=annotation, default=default))
    told = signature.return_annotation is not inspect.Signature.empty
    returned = _Shown(_type(signature.return_annotation)) if told else signature.return_annotation
    return name + str(signature.replace(parameters=kept, return_annotation=returned))


def _entry(one: Any, name: str) -> str:
    if not callable(one):
        return f"## {name}\n\n{_doc(type(one))}"
    if not inspect.isclass(one):
        return f"## {name}\n\n```text\n{_signature(name, one)}\n```\n\n{_doc(one)}"
    parts = [f"## {name}", _doc(one)]
    if issubclass(one, Enum):
        parts.append(", ".join(f"`{member.value}`" for member in one))
    elif issubclass(one, BaseModel) and one is not Settings:
        types = get_type_hints(one)
        parts.append("\n".join(f"- `{field}`: `{_type(types[field])}`" for field in one.model_fields))
    for method, it in _methods(one) if one is not Settings else ():
        if isinstance(it, property):
            parts.append(f"### {name}.{method}\n\n{_doc(it.fget)}")
        else:
            function = it.__func__ if isinstance(it, classmethod | staticmethod) else it
            parts.append(f"### {name}.{method}\n\n```text\n{_signature(method, function)}\n```\n\n{_doc(function)}")
    return "\n\n".join(part for part in parts if part)


def _error(one: type) -> str:
    base = ", ".join(f"`{parent.__name__}`" for parent in one.__bases__)
    return f"## {one.__name__}\n\nA kind of {base}.\n\n{_doc(one)}"


def _tools() -> list[str]:
    parts = [_entry(getattr(reverie.tools, name), name) for name in ("dispatch", "schemas")]
    for tool in registry().values():
        lines = [f"## The tool `{tool.name}`\n\n{tool.description}\n"]
        for name, field in tool.params.model_fields.items():
            needed = " (required)" if field.is_required() else ""
            lines.append(f"- `{name}`{needed}" + (f": {field.description}" if field.description else ""))
        parts.append("\n".join(lines))
    return parts


def _setting(name: str) -> str:
    field = Settings.model_fields[name]
    default = "the home folder's `.local/share/reverie`" if field.default_factory else f"`{_plain(field.default)}`"
    meaning = field.description or ""
    return f"## REVERIE_{name.upper()}\n\n{meaning[:1].upper()}{meaning[1:]}. Default: {default}."


def _plain(value: Any) -> Any:
    if value is None or value is PydanticUndefined or isinstance(value, SecretStr):
        return "none"
    if isinstance(value, timedelta):
        return f"{value.total_seconds():g} s"
    return ", ".join(sorted(map(str, value))) if isinstance(value, frozenset | set | tuple | list) else value


def _commands() -> list[str]:
    return _command(typer.main.get_command(app), "reverie")[1:]


def _command(command: Any, path: str) -> list[str]:
    entries = []
    for parameter in command.params:
        names = ", ".join(f"`{name}`" for name in [*parameter.opts, *parameter.secondary_opts])
        shown = parameter.name.upper() if isinstance(parameter, click.Argument) else names
        help = getattr(parameter, "help", None)
        if "--help" not in parameter.opts:
            entries.append(f"- {shown}" + (f": {help}" if help else ""))
    text = "\n\n".join(
        part for part in (f"## {path}", inspect.cleandoc(command.help or ""), "\n".join(entries)) if part
    )
    inner: Mapping[str, Any] = getattr(command, "commands", {})
    return [text, *(one for name, it in inner.items() for one in _command(it, f"{path} {name}"))]


def main() -> None:
    """Write every page."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
