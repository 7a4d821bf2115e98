"""`reverie list`: what a namespace holds, page by page."""

import json as jsons
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

import typer
from pydantic import BaseModel
from rich.table import Table
from rich.text import Text

from reverie.cli.moments import moment
from reverie.cli.output import Json, Namespace, console, counted, errors, print_json
from reverie.cli.reading import reading
from reverie.tools.browse import Page
from reverie.tools.observe import Role

commands = typer.Typer(no_args_is_help=True, help="What a namespace holds, page by page.")

Since = Annotated[str | None, typer.Option("--since", help="From then on (a day, or a time with zone).")]
Until = Annotated[str | None, typer.Option("--until", help="Before then.")]
NewestFirst = Annotated[bool, typer.Option("--newest-first", help="The newest first.")]
Limit = Annotated[int, typer.Option("--limit", min=1, max=1000, help="At most so many.")]
Cursor = Annotated[str | None, typer.Option("--cursor", help="Go on after the page that gave it.")]
Count = Annotated[bool, typer.Option("--count", help="Say how many there are, even if each has to be read.")]
Agent = Annotated[str | None, typer.Option("--agent", "-a", help="Only of this agent.")]
Session = Annotated[str | None, typer.Option("--session", help="Only of this conversation.")]
_SHOWN = 120
"""Characters of a text that a table shows."""


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="list")


@commands.command()
def messages(
    session: Session = None,
    participant: Annotated[str | None, typer.Option("--participant", help="Only what this one said.")] = None,
    agent: Agent = None,
    role: Annotated[Role | None, typer.Option("--role", help="Only of this role.")] = None,
    content_type: Annotated[str | None, typer.Option("--content-type", help="Only of this content.")] = None,
    metadata: Annotated[
        list[str] | None, typer.Option("--metadata", help="Only with this in the metadata, as key=value; repeatable.")
    ] = None,
    since: Since = None,
    until: Until = None,
    newest_first: NewestFirst = False,
    limit: Limit = 50,
    cursor: Cursor = None,
    count: Count = False,
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """Messages by when they were said."""
    with reading(namespace) as memory:
        page = memory.browse.messages(
            session=session,
            participant=participant,
            agent=agent,
            role=role,
            content_type=content_type,
            metadata=dict(map(_pair, metadata or [])),
            since=moment(since),
            until=moment(until),
            newest_first=newest_first,
            limit=limit,
            cursor=cursor,
            count=count,
        )
    _show(
        page,
        [
            ("said", lambda one: f"{one.at:%Y-%m-%d %H:%M}"),
            ("sender", lambda one: one.sender),
            ("content", lambda one: one.content),
            ("session", lambda one: one.session_id),
            ("id", lambda one: one.message_id),
        ],
        json=json,
    )


def _pair(text: str) -> tuple[str, Any]:
    """A key and its value: JSON, or else the text itself."""
    key, equals, value = text.partition("=")
    if not equals:
        raise typer.BadParameter("expected key=value", param_hint="--metadata")
    try:
        return key, jsons.loads(value)
    except ValueError:
        return key, value


@commands.command()
def facts(
    subject: Annotated[str | None, typer.Option("--subject", "-s", help="Only what is held true of this.")] = None,
    predicate: Annotated[str | None, typer.Option("--predicate", "-p", help="Only this predicate.")] = None,
    object: Annotated[str | None, typer.Option("--object", help="Only with this object.")] = None,
    participant: Annotated[str | None, typer.Option("--participant", help="Only what this one said.")] = None,
    message: Annotated[str | None, typer.Option("--message", help="Only what rests on this message.")] = None,
    source: Annotated[
        Literal["user", "tool", "model"] | None, typer.Option("--source", help="Only what this stands behind.")
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="Those too that hold no more.")] = False,
    since: Since = None,
    until: Until = None,
    newest_first: NewestFirst = False,
    limit: Limit = 50,
    cursor: Cursor = None,
    count: Count = False,
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """Facts by when they were first recorded."""
    with reading(namespace) as memory:
        page = memory.browse.facts(
            subject=subject,
            predicate=predicate,
            object=object,
            participant=participant,
            message=message,
            source=source,
            current=not all,
            since=moment(since),
            until=moment(until),
            newest_first=newest_first,
            limit=limit,
            cursor=cursor,
            count=count,
        )
    _show(
        page,
        [
            ("fact", lambda one: one.content),
            ("since", lambda one: one.since[:10]),
            ("until", lambda one: (one.until or "")[:10]),
            ("sure", lambda one: f"{one.confidence:.2f}"),
            ("source", lambda one: one.source),
            ("id", lambda one: one.fact_id),
        ],
        json=json,
    )


@commands.command()
def entities(
    type: Annotated[str | None, typer.Option("--type", "-t", help="Only of this type, such as person.")] = None,
    name: Annotated[str | None, typer.Option("--name", help="Only of this name.")] = None,
    since: Since = None,
    until: Until = None,
    newest_first: NewestFirst = False,
    limit: Limit = 50,
    cursor: Cursor = None,
    count: Count = False,
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """The people, places and things that messages mention, by when they were first met."""
    with reading(namespace) as memory:
        page = memory.browse.entities(
            type=type,
            name=name,
            since=moment(since),
            until=moment(until),
            newest_first=newest_first,
            limit=limit,
            cursor=cursor,
            count=count,
        )
    _show(
        page,
        [
            ("name", lambda one: one.name),
            ("type", lambda one: one.type),
            ("also called", lambda one: ", ".join(one.aliases)),
            ("mentions", lambda one: str(one.mentions)),
            ("first seen", lambda one: f"{one.first_seen:%Y-%m-%d}"),
            ("id", lambda one: one.id),
        ],
        json=json,
    )


@commands.command()
def episodes(
    agent: Agent = None,
    session: Session = None,
    goal_id: Annotated[str | None, typer.Option("--goal", help="Only what served this goal.")] = None,
    action_type: Annotated[str | None, typer.Option("--action-type", help="Only of this kind of action.")] = None,
    outcome: Annotated[str | None, typer.Option("--outcome", help="Only what ended so.")] = None,
    since: Since = None,
    until: Until = None,
    newest_first: NewestFirst = False,
    limit: Limit = 50,
    cursor: Cursor = None,
    count: Count = False,
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """Episodes by when they were."""
    with reading(namespace) as memory:
        page = memory.browse.episodes(
            agent=agent,
            session=session,
            goal_id=goal_id,
            action_type=action_type,
            outcome=outcome,
            since=moment(since),
            until=moment(until),
            newest_first=newest_first,
            limit=limit,
            cursor=cursor,
            count=count,
        )
    _show(
        page,
        [
            ("when", lambda one: f"{one.at:%Y-%m-%d %H:%M}"),
            ("agent", lambda one: one.agent),
            ("action", lambda one: one.action_type),
            ("outcome", lambda one: one.outcome or ""),
            ("text", lambda one: one.text),
            ("id", lambda one: one.episode_id),
        ],
        json=json,
    )


@commands.command()
def sessions(
    agent: Agent = None,
    open: Annotated[bool | None, typer.Option("--open/--closed", help="Only open ones, or only closed ones.")] = None,
    since: Since = None,
    until: Until = None,
    newest_first: NewestFirst = False,
    limit: Limit = 50,
    cursor: Cursor = None,
    count: Count = False,
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """Conversations by when their first message was stored."""
    with reading(namespace) as memory:
        page = memory.browse.sessions(
            agent=agent,
            open=open,
            since=moment(since),
            until=moment(until),
            newest_first=newest_first,
            limit=limit,
            cursor=cursor,
            count=count,
        )
    _show(
        page,
        [
            ("session", lambda one: one.session_id),
            ("agent", lambda one: one.agent),
            ("messages", lambda one: str(one.messages)),
            ("first", lambda one: _minute(one.first_at)),
            ("last", lambda one: _minute(one.last_at)),
            ("closed", lambda one: _minute(one.closed_at) or "open"),
        ],
        json=json,
    )


@commands.command()
def participants(
    since: Since = None,
    until: Until = None,
    newest_first: NewestFirst = False,
    limit: Limit = 50,
    cursor: Cursor = None,
    count: Count = False,
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """Humans, agents and services by when they were first met."""
    with reading(namespace) as memory:
        page = memory.browse.participants(
            since=moment(since),
            until=moment(until),
            newest_first=newest_first,
            limit=limit,
            cursor=cursor,
            count=count,
        )
    _show(
        page,
        [
            ("participant", lambda one: one.participant_id),
            ("messages", lambda one: str(one.messages)),
            ("first", lambda one: _minute(one.first_at)),
            ("last", lambda one: _minute(one.last_at)),
        ],
        json=json,
    )


@commands.command()
def namespaces(
    prefix: Annotated[str, typer.Option("--prefix", help="Only names that begin so.")] = "",
    limit: Limit = 50,
    cursor: Cursor = None,
    count: Count = False,
    json: Json = False,
) -> None:
    """The namespaces of the store by name, with how many records of each kind they hold."""
    with reading(None, note=False) as memory:
        page = memory.browse.namespaces(prefix=prefix, limit=limit, cursor=cursor, count=count)
    _show(
        page,
        [
            ("namespace", lambda one: one.namespace),
            ("holds", lambda one: ", ".join(counted(count, kind) for kind, count in one.counts.items())),
        ],
        json=json,
    )


def _minute(at: Any) -> str:
    return "" if at is None else f"{at:%Y-%m-%d %H:%M}"


def _show(page: Page[Any], columns: Sequence[tuple[str, Callable[[Any], str]]], *, json: bool) -> None:
    """The page as a table, with how to get the next one."""
    if json:
        print_json(BaseModel.model_dump(page))
        return
    if not page.items:
        console.print("nothing on this page" if page.cursor else "nothing")
    else:
        table = Table(box=None, header_style="dim", pad_edge=False)
        for heading, _ in columns:
            table.add_column(heading, overflow="fold", no_wrap=heading in ("said", "when", "first", "last", "closed"))
        for one in page.items:
            cells = [show(one).replace("\n", " ") for _, show in columns]
            table.add_row(*(Text(cell if len(cell) <= _SHOWN else f"{cell[: _SHOWN - 1]}…") for cell in cells))
        console.print(table)
    of = "" if page.total is None else f" of {page.total}"
    errors.print(f"{len(page.items)}{of}" + (f"; more: --cursor {page.cursor}" if page.cursor else ""), soft_wrap=True)
