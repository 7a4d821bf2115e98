"""`reverie recall`: ask the memory."""

from typing import Annotated

import typer

from reverie.cli import bundles
from reverie.cli.moments import moment
from reverie.cli.output import AgentId, Json, Namespace, console, print_json, printable
from reverie.cli.reading import reading, say_if_unknown


def register(app: typer.Typer) -> None:
    app.command()(recall)


def recall(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    namespace: Namespace = None,
    agent: AgentId = "assistant",
    limit: Annotated[int | None, typer.Option("--limit", "-l", min=1, help="Most items; default 15.")] = None,
    session: Annotated[
        list[str] | None, typer.Option("--session", help="Only of this session; may be repeated.")
    ] = None,
    participant: Annotated[
        list[str] | None, typer.Option("--participant", help="Only of this one; repeatable.")
    ] = None,
    kind: Annotated[list[str] | None, typer.Option("--kind", help="Only this kind, such as fact; repeatable.")] = None,
    since: Annotated[str | None, typer.Option("--since", help="Not before (a day, or a time with zone).")] = None,
    until: Annotated[str | None, typer.Option("--until", help="Before.")] = None,
    as_of: Annotated[str | None, typer.Option("--as-of", help="Facts that held then.")] = None,
    known: Annotated[str | None, typer.Option("--known", help="Facts by what was known then.")] = None,
    prompt: Annotated[bool, typer.Option("--prompt", help="Print the block for a model's prompt instead.")] = False,
    trace: Annotated[bool, typer.Option("--trace/--no-trace", help="Say why each item stands where it does.")] = True,
    json: Json = False,
) -> None:
    """Find what the memory holds on QUERY, best first, with the messages it rests on."""
    with reading(namespace) as memory:
        say_if_unknown(memory, agent)
        bundle = memory.agent(agent).recall(
            query,
            limit=limit,
            # Typer gives an empty list for an option that was not given.
            sessions=session or None,
            participants=participant or None,
            kinds=kind or None,
            since=moment(since),
            until=moment(until),
            valid_as_of=moment(as_of),
            known_as_of=moment(known),
        )
    if json:
        print_json(bundle)
    elif prompt:
        typer.echo(printable(bundle.render()))
    else:
        for line in bundles.items(bundle):
            console.print(line, soft_wrap=True)
        if trace:
            console.print()
            console.print(bundles.trace(bundle))
