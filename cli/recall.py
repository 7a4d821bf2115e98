"""`reverie recall`: ask the memory."""

from typing import Annotated

import typer
from rich.text import Text

from reverie import Memory
from reverie.cli.output import AgentId, Json, Namespace, console, print_json
from reverie.pipelines.recall import ContextBundle, Item


def register(app: typer.Typer) -> None:
    app.command()(recall)


def recall(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    namespace: Namespace = None,
    agent: AgentId = "assistant",
    limit: Annotated[int | None, typer.Option("--limit", "-l", min=1, help="Most items; default 15.")] = None,
    prompt: Annotated[bool, typer.Option("--prompt", help="Print the block for a model's prompt instead.")] = False,
    json: Json = False,
) -> None:
    """Find what the memory holds on QUERY, best first, with the messages it rests on."""
    with Memory(namespace) as memory:
        bundle = memory.agent(agent).recall(query, limit=limit)
    if json:
        print_json(bundle)
    elif prompt:
        typer.echo(bundle.render())
    else:
        _print(bundle)


def _print(bundle: ContextBundle) -> None:
    if not bundle.items:
        console.print("nothing found")
    for place, item in enumerate(bundle.items, 1):
        for line in described(item, f"{place:>3}. "):
            console.print(line, soft_wrap=True)
    console.print(Text(f"{bundle.total_tokens} tokens, {bundle.phase}, coverage {bundle.coverage:.0%}", style="dim"))


def described(item: Item, mark: str) -> list[Text]:
    """An item for people: what it is and when, and its words, each line at the message it comes from."""
    head = Text(mark) + Text(f"{item.kind}, {item.when:%d %b %Y}", style="dim")
    indent = " " * len(mark)
    lines = item.content.splitlines()
    if item.kind == "message" and len(lines) == len(item.sources):
        said = f"{item.speaker}: " if item.speaker else ""
        cited = zip(item.sources, lines, strict=True)
        return [head, *(Text(f"{indent}{source:>6}  ", style="cyan") + Text(said + line) for source, line in cited)]
    rests = ", ".join(item.sources) or item.id
    return [head, *(Text(indent + line) for line in lines), Text(f"{indent}from {rests}", style="cyan")]
