"""`reverie card` and `reverie graph`: what a user's knowledge graph holds."""

from datetime import datetime
from typing import Annotated

import typer
from rich.text import Text
from rich.tree import Tree

from reverie.cli.output import Json, Namespace, console, print_json
from reverie.cli.reading import reading
from reverie.config.errors import ValidationFailed
from reverie.pipelines.graph.export import Format
from reverie.pipelines.graph.views import EntityView, GraphView

App = Annotated[str, typer.Option("--app", help="The app whose graph it is.")]
User = Annotated[str, typer.Option("--user", "-u", help="The user whose graph it is.")]
At = Annotated[str | None, typer.Option("--at", help="As it was at this time (ISO 8601 with a zone).")]

group = typer.Typer(no_args_is_help=True, help="The knowledge graph of a user: show it, export it.")


def register(app: typer.Typer) -> None:
    app.command("card")(card)
    app.add_typer(group, name="graph")


def card(
    app: App,
    user: User,
    entities: Annotated[int, typer.Option(help="Most entities.")] = 12,
    observations: Annotated[int, typer.Option(help="Most observations of each.")] = 5,
    characters: Annotated[int | None, typer.Option(help="Most characters; lines are whole or left out.")] = None,
    namespace: Namespace = None,
) -> None:
    """Print a user's profile card, ready for a system prompt."""
    with reading(namespace) as memory:
        text = memory.graph(app=app, user=user).profile_card(entities, observations, characters)
    if text:
        typer.echo(text)


@group.command()
def export(
    app: App,
    user: User,
    format: Annotated[Format, typer.Option("--format", "-f", help="json, graphml, dot or mermaid.")] = "json",
    at: At = None,
    namespace: Namespace = None,
) -> None:
    """Print the whole graph as a document."""
    with reading(namespace) as memory:
        typer.echo(memory.graph(app=app, user=user).export(format, valid_as_of=_moment(at)), nl=False)


@group.command()
def show(app: App, user: User, at: At = None, namespace: Namespace = None, json: Json = False) -> None:
    """Print the graph as a tree: entities, what is observed of them, where their relations lead."""
    with reading(namespace) as memory:
        view = memory.graph(app=app, user=user).read_graph(valid_as_of=_moment(at))
    if json:
        print_json(view)
    else:
        console.print(_tree(f"{app} / {user}", view))


def _tree(title: str, view: GraphView) -> Tree:
    tree = Tree(Text(title, style="bold"))
    known = {entity.name for entity in view.entities}
    for entity in view.entities:
        _branch(tree, entity)
    for relation in view.relations:
        if relation.source not in known:
            tree.add(Text(f"{relation.source} ── {relation.relation_type} ──▶ {relation.target}"))
    if not view.entities and not view.relations:
        tree.add(Text("(empty)"))
    return tree


def _branch(tree: Tree, entity: EntityView) -> None:
    branch = tree.add(Text.assemble((entity.name, "bold"), f" ({entity.entity_type})"))
    for one in entity.observations:
        since = one.valid_from.strftime("%Y-%m-%d")
        mark = "" if one.provenance == "curated" else ", inferred"
        branch.add(Text.assemble(one.text, (f"  since {since}{mark}", "dim")))
    for relation in entity.relations:
        if relation.source == entity.name:
            branch.add(Text(f"── {relation.relation_type} ──▶ {relation.target}", style="cyan"))


def _moment(text: str | None) -> datetime | None:
    try:
        return None if text is None else datetime.fromisoformat(text)
    except ValueError:
        raise ValidationFailed("at", f"{text!r} is no ISO 8601 time, such as 2026-05-01T12:00+00:00") from None
