"""The profile card: what the user asked for and who they are, as a few lines for a system prompt."""

from datetime import datetime

from reverie.pipelines.graph.base import AsOf, KnowledgeGraph
from reverie.pipelines.graph.reading import entities as read_entities
from reverie.pipelines.graph.views import EntityView, ObservationView
from reverie.pipelines.instructions import instructions
from reverie.store.graphs import reading as stored

_SPARE = 3
"""Of what is open a few may only begin later: so many more are read at once."""


def profile_card(
    graph: KnowledgeGraph,
    *,
    entities: int = 12,
    observations: int = 5,
    characters: int | None = None,
    valid_as_of: datetime | None = None,
    known_as_of: datetime | None = None,
) -> str:
    """A line for each standing instruction of the user to the agent, then one for each of the most recently updated
    `entities`, with its newest `observations`; "" where there is neither.

    `characters` bounds the whole text: a line that does not fit any more is left out, none is cut.
    """
    as_of = graph.moments(valid_as_of, known_as_of)
    ids = stored.entity_ids(graph.at, newest=entities if as_of.only_open or not entities else None)
    newest = observations + _SPARE if as_of.only_open else None
    found = read_entities(graph, ids, as_of, newest=newest, relations=False)
    if newest is not None:
        found |= read_entities(graph, _crowded(graph, found, observations, newest), as_of, relations=False)
    lines = _asked_for(graph, as_of)
    lines += [entity_line(found[id], observations) for id in ids if id in found][:entities]
    return "\n".join(lines if characters is None else _fitting(lines, characters))


def _asked_for(graph: KnowledgeGraph, as_of: AsOf) -> list[str]:
    """What the user asked of the agent that the graph belongs to, and of every agent where all share one graph."""
    agent = None if graph.ctx.settings.graph_app == graph.app else graph.app
    given = instructions(graph.ctx, agent=agent, giver=graph.user, valid_as_of=as_of.valid, known_as_of=as_of.known)
    # Ids of users are exact, names of subjects are not: `alice` is not `Alice`.
    return [one.line() for one in given if one.giver == graph.user]


def _crowded(graph: KnowledgeGraph, found: dict[str, EntityView], observations: int, newest: int) -> list[str]:
    """The entities of which too little was read, because what only begins later stood before what holds now."""
    short = [id for id, entity in found.items() if len(entity.observations) < observations]
    counts = stored.statement_counts(graph.at, short, open_only=True)
    return [id for id, (count, _) in zip(short, counts, strict=True) if count > newest]


def entity_line(entity: EntityView, observations: int) -> str:
    """An entity with its newest observations. What somebody wrote into the graph comes before what was inferred, a
    later write before an earlier one, and what was written together in the order given."""
    chosen = sorted(entity.observations, key=_is_inferred)[:observations]
    chosen.reverse()
    ordered = sorted(chosen, key=lambda one: (_is_inferred(one), -one.recorded_at.timestamp()))
    said = [_one_line(one.text) + (" (inferred)" if _is_inferred(one) else "") for one in ordered]
    name = f"{_one_line(entity.name)} ({_one_line(entity.entity_type)})"
    return f"{name}: {'; '.join(said)}" if said else name


def _is_inferred(observation: ObservationView) -> bool:
    return observation.provenance == "inferred"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _fitting(lines: list[str], characters: int) -> list[str]:
    kept: list[str] = []
    left = characters + 1
    for line in lines:
        if len(line) + 1 <= left:
            kept.append(line)
            left -= len(line) + 1
    return kept
