"""The graph as a document, and on the command line."""

import json
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator

import pytest

from reverie import Memory, ValidationFailed
from reverie.cli.app import main
from reverie.config.settings import Settings, current
from reverie.graph import Graph

NASTY = 'say "hi"\\ <b>&\n|x| \x00 [end]'


@pytest.fixture
def graph(quick_memory: Memory) -> Graph:
    graph = quick_memory.graph(app="coach", user="alice")
    graph.create_entities(
        [
            {"name": "Alice", "entity_type": "person", "observations": ["prefers morning sessions"]},
            {"name": NASTY, "observations": [NASTY]},
        ]
    )
    graph.create_relations(
        [
            {"source": "Alice", "relation_type": "training_for", "target": "10k race"},
            {"source": NASTY, "relation_type": NASTY, "target": "Alice"},
        ]
    )
    return graph


def test_json_holds_everything_once(graph: Graph) -> None:
    document = json.loads(graph.export())

    assert (document["app"], document["user"]) == ("coach", "alice")
    assert {entity["name"]: entity["entity_type"] for entity in document["entities"]} == {
        "Alice": "person",
        NASTY: "thing",
    }
    assert [(one["source"], one["target"]) for one in document["relations"]] == [
        ("Alice", "10k race"),
        (NASTY, "Alice"),
    ]
    assert document["entities"][0]["observations"][0]["id"]


def test_graphml_can_be_read_again(graph: Graph) -> None:
    import networkx

    read = networkx.parse_graphml(graph.export("graphml"))

    assert read.nodes["Alice"]["type"] == "person"
    assert read.nodes["Alice"]["observations"] == "prefers morning sessions"
    assert read.number_of_nodes() == 3
    assert [data["type"] for _, _, data in read.edges("Alice", data=True)] == ["training_for"]
    assert ET.fromstring(graph.export("graphml")).tag.endswith("graphml")


def test_dot_and_mermaid_escape_what_means_something_there(graph: Graph) -> None:
    dot, mermaid = graph.export("dot"), graph.export("mermaid")

    assert '  "Alice" -> "10k race" [label="training_for"];' in dot
    assert '"say \\"hi\\"\\\\ <b>&\\n|x| \ufffd [end]"' in dot
    assert '  n0["' in mermaid
    assert '-->|"training_for"|' in mermaid
    label = next(line for line in mermaid.splitlines() if "say" in line)
    assert label.count('"') == 2
    assert "<" not in label
    assert mermaid.startswith("flowchart LR\n")


def test_an_empty_graph_is_a_document_too(quick_memory: Memory) -> None:
    nobody = quick_memory.graph(app="coach", user="nobody")

    assert json.loads(nobody.export())["entities"] == []
    assert nobody.export("dot") == 'digraph "coach: nobody" {\n}\n'
    assert nobody.export("mermaid") == "flowchart LR\n"
    with pytest.raises(ValidationFailed, match="mermaid"):
        nobody.export("svg")  # type: ignore[arg-type]  # wrong on purpose


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Runs `reverie ARGUMENTS` in this process: exit code, stdout, stderr."""
    assert settings.redis_url is not None
    monkeypatch.setenv("REVERIE_REDIS_URL", settings.redis_url.get_secret_value())
    monkeypatch.setenv("REVERIE_DATA_DIR", str(settings.data_dir))

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["reverie", *arguments])
        current.cache_clear()
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0), *capsys.readouterr()

    yield call
    current.cache_clear()


def test_the_command_line_shows_card_tree_and_documents(graph: Graph, run: Run, namespace: str) -> None:
    owner = ("--app", "coach", "--user", "alice", "-n", namespace)

    assert run("card", *owner)[1] == graph.profile_card() + "\n"
    assert run("card", *owner, "--characters", "3")[1] == ""
    code, tree, _ = run("graph", "show", *owner)
    assert code == 0
    assert "Alice (person)" in tree
    assert "── training_for ──▶ 10k race" in tree
    assert run("graph", "export", *owner, "-f", "dot")[1] == graph.export("dot")
    assert json.loads(run("graph", "export", *owner)[1]) == json.loads(graph.export())
    assert json.loads(run("graph", "show", *owner, "--json")[1])["entities"][0]["name"]
    assert json.loads(run("graph", "export", *owner, "--at", "2020-01-01T00:00:00Z")[1])["relations"] == []
    code, _, problem = run("graph", "show", *owner, "--at", "yesterday")
    assert (code, "ISO 8601" in problem) == (1, True)
