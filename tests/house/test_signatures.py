"""What a caller may pass is written out, and is what the validated models take."""

import inspect
import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reverie
from reverie import Agent, Browse, Facts, Goals, Graph, Memory, Session
from reverie.config.unset import UNSET
from reverie.tools import browse, curating
from reverie.tools import graph as graphs
from reverie.tools.actions import RecordActionParams
from reverie.tools.episodes import RecordEpisodeParams
from reverie.tools.facts import (
    AssertFactParams,
    CorrectFactParams,
    FactsParams,
    InvalidateFactParams,
    RetractFactParams,
)
from reverie.tools.fields import Params
from reverie.tools.goals import CreateGoalParams, UpdateGoalParams
from reverie.tools.instructions import InstructionsParams
from reverie.tools.observations import AddObservationParams
from reverie.tools.observe import ObserveParams
from reverie.tools.procedures import RecordProcedureUseParams
from reverie.tools.recall import RecallParams
from reverie.tools.tasks import CreateTaskParams, UpdateTaskParams

ROOT = Path(__file__).parents[2]

MODELS: list[tuple[Callable[..., Any], type[Params], dict[str, str]]] = [
    (Session.observe, ObserveParams, {}),
    (Goals.create, CreateGoalParams, {}),
    (Goals.update, UpdateGoalParams, {}),
    (Goals.create_task, CreateTaskParams, {}),
    (Goals.update_task, UpdateTaskParams, {}),
    (Agent.record_action, RecordActionParams, {}),
    (Agent.record_episode, RecordEpisodeParams, {}),
    (Agent.record_procedure_use, RecordProcedureUseParams, {}),
    (Agent.add_observation, AddObservationParams, {}),
    (Agent.assert_fact, AssertFactParams, {}),
    (Agent.invalidate_fact, InvalidateFactParams, {}),
    (Agent.recall, RecallParams, {}),
    (Agent.answer, RecallParams, {"question": "query"}),
    (Agent.answer_query, RecallParams, {"question": "query"}),
    (Facts.__call__, FactsParams, {}),
    (Facts.correct, CorrectFactParams, {}),
    (Facts.retract, RetractFactParams, {}),
    (Agent.instructions, InstructionsParams, {}),
    (Browse.messages, browse.ListMessagesParams, {}),
    (Browse.facts, browse.ListFactsParams, {}),
    (Browse.entities, browse.ListEntitiesParams, {}),
    (Browse.episodes, browse.ListEpisodesParams, {}),
    (Browse.sessions, browse.ListSessionsParams, {}),
    (Browse.participants, browse.ListParticipantsParams, {}),
    (Browse.namespaces, browse.ListNamespacesParams, {}),
    (Graph.add_observations, graphs.ObservationsParams, {}),
    (Graph.invalidate_observation, graphs.EndParams, {}),
    (Graph.invalidate_relation, graphs.EndParams, {}),
    (Graph.search_nodes, graphs.NodeSearchParams, {}),
    (Graph.open_nodes, graphs.NamesParams, {}),
    (Graph.neighbours, graphs.NeighboursParams, {}),
    (Graph.profile_card, graphs.CardParams, {}),
    (Graph.search, graphs.SearchParams, {}),
    (Graph.remember, curating.RememberParams, {}),
    (Graph.relate, curating.RelateParams, {}),
    (Graph.forget, curating.ForgetParams, {}),
    (Graph.load_memory, curating.LoadMemoryParams, {}),
]
"""A public call, the model that validates what it is given, and the parameters that the two name differently."""
_BESIDE = {"goal_id", "task_id", "generate", "record"}
"""Parameters of changes and of answers that are not part of the model: what is changed, and by what it is answered."""
_NOTHING: tuple[object, ...] = (None, (), UNSET)


@pytest.mark.parametrize(("call", "model", "renamed"), MODELS, ids=lambda given: getattr(given, "__qualname__", ""))
def test_a_call_takes_what_its_model_takes(
    call: Callable[..., Any], model: type[Params], renamed: dict[str, str]
) -> None:
    parameters = {
        renamed.get(name, name): parameter
        for name, parameter in inspect.signature(call).parameters.items()
        if name != "self"
    }
    fields = model.model_fields

    assert fields.keys() <= parameters.keys()
    assert parameters.keys() - fields.keys() <= _BESIDE
    for name, field in fields.items():
        given = parameters[name].default
        if field.is_required():
            assert given is inspect.Parameter.empty, name
        elif given not in _NOTHING:
            assert given == field.default, name
        else:
            # Not given is None here, whatever nothing is in the model.
            assert name == "channels" or field.get_default(call_default_factory=True) in (*_NOTHING, {}), name


def _public_classes() -> list[type]:
    return [Memory, Browse, Agent, Session, Goals, Facts, Graph, reverie.Predicates, reverie.Cycles]


@pytest.mark.parametrize("owner", _public_classes(), ids=lambda owner: owner.__name__)
def test_public_calls_are_written_out(owner: type) -> None:
    for name, call in inspect.getmembers(owner, inspect.isfunction):
        if name.startswith("_") and name not in ("__init__", "__call__"):
            continue
        assert name == "__init__" or inspect.getdoc(call), f"{owner.__name__}.{name} has no docstring"
        for parameter in list(inspect.signature(call).parameters.values())[1:]:
            where = f"{owner.__name__}.{name}({parameter.name})"
            assert parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL), where
            assert parameter.annotation is not parameter.empty, where
        assert inspect.signature(call).return_annotation is not inspect.Signature.empty, f"{owner.__name__}.{name}"


USER = Path(__file__).parent / "user"
"""A user's project: `uses.py` is right, `mistakes.py` is wrong on each line that says so."""


def _marked() -> set[int]:
    lines = (USER / "mistakes.py").read_text().splitlines()
    return {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}


def test_what_a_user_writes_is_checked_by_its_types(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """mypy in strict mode knows the calls of the face: a wrong keyword and a wrong type are errors, the rest is not."""
    from mypy import api

    monkeypatch.setenv("MYPYPATH", str(_installed(tmp_path / "installed")))
    wanted = [str(USER / name) for name in ("uses.py", "mistakes.py")]
    said, problems, status = api.run(
        ["--strict", "--follow-imports=silent", "--cache-dir", str(tmp_path / "cache"), *wanted]
    )
    wrong = [line for line in said.splitlines() if ": error:" in line]
    assert (problems, status) == ("", 1)
    assert [line for line in wrong if "mistakes.py" not in line] == []
    assert {int(line.partition(": error:")[0].rpartition(":")[2]) for line in wrong} == _marked()


PYRIGHT = shutil.which("pyright") or shutil.which("basedpyright")


@pytest.mark.skipif(PYRIGHT is None, reason="pyright, which brings a node of its own, is not installed")
def test_pyright_finds_the_same(tmp_path: Path) -> None:
    where = {"venvPath": str(Path(sys.prefix).parent), "venv": Path(sys.prefix).name}
    config = {"include": [str(USER)], "extraPaths": [str(_installed(tmp_path / "installed"))], **where}
    project = tmp_path / "pyrightconfig.json"
    project.write_text(json.dumps({**config, "typeCheckingMode": "strict", "reportUnusedExpression": False}))
    done = subprocess.run(
        [str(PYRIGHT), "--project", str(project), "--outputjson"], capture_output=True, text=True, check=False
    )
    found = json.loads(done.stdout)["generalDiagnostics"]
    assert [one for one in found if not one["file"].endswith("mistakes.py")] == []
    assert {one["range"]["start"]["line"] + 1 for one in found} == _marked()


def _installed(folder: Path) -> Path:
    """The packages as a regular installation lays them out: an editable one hides its types from checkers."""
    folders = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-dir"]
    (folder / "reverie").mkdir(parents=True)
    for path in (ROOT / folders.pop("reverie")).iterdir():
        (folder / "reverie" / path.name).symlink_to(path)
    for name, path in folders.items():
        (folder / name.replace(".", "/")).symlink_to(ROOT / path)
    return folder
