"""Agents: their goals and tasks, actions with artifacts, episodes as they fade, procedures and instructions."""

import json
from datetime import UTC, datetime, timedelta

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie import EpisodeView, Memory
from reverie.config.errors import NotFound, ValidationFailed
from reverie.knowledge import decay
from reverie.store.records.activity import EpisodeRecord
from reverie.web.asked import field
from reverie.web.pages import back_to, memory_of, page

_LISTED = 30
"""Actions and episodes that are shown, the newest."""
_CURVES = 5
"""Episodes whose fading is drawn: more lines could not be told apart."""
_POINTS = 60


def _agents(request: Request) -> Response:
    memory = memory_of(request)
    found = memory.browse.participants(newest_first=True, cursor=request.query_params.get("after") or None, limit=100)
    return page(request, "agents.html", found=found)


def _agent(request: Request) -> Response:
    memory = memory_of(request)
    agent = memory.agent(request.query_params.get("id", ""))
    episodes = agent.episodes(newest=_LISTED)[::-1]
    return page(
        request,
        "agent.html",
        agent=agent.id,
        goals=agent.goals.all(),
        tasks=agent.goals.tasks(),
        actions=agent.actions(newest=_LISTED)[::-1],
        episodes=episodes,
        curve=_curves(memory, episodes[:_CURVES]),
        names=json.dumps([one.text[:40] for one in episodes[:_CURVES]]),
        procedures=agent.procedures(standing=None),
        instructions=agent.instructions(),
        topics=agent.topics(),
    )


def _curves(memory: Memory, episodes: list[EpisodeView]) -> str:
    """Strengths of episodes, from the first of them until the last has faded, as the drawing library takes them."""
    told = [(one, memory.agent(one.agent).explain_decay(one.episode_id)) for one in episodes]
    known = [(one, why) for one, why in told if why is not None]
    if not known:
        return ""
    start = min(one.at for one, _ in known)
    end = max([datetime.now(UTC) + timedelta(days=1), *(why.archives_at for _, why in known if why.archives_at)])
    moments = [start + (end - start) * step / _POINTS for step in range(_POINTS + 1)]
    curves = [
        [
            None
            if at < one.at
            else one.importance
            if why.pinned
            else decay.strength(memory.settings, one.importance, max(one.at, why.last_used or one.at), at)
            for at in moments
        ]
        for one, why in known
    ]
    return json.dumps([[int(at.timestamp()) for at in moments], *curves])


def _goal(request: Request) -> Response:
    memory = memory_of(request)
    agent, id = request.query_params.get("agent", ""), request.query_params.get("id", "")
    return page(request, "goal.html", agent=agent, context=memory.agent(agent).goals.context(id))


def _action(request: Request) -> Response:
    memory = memory_of(request)
    agent = memory.agent(request.query_params.get("agent", ""))
    id = request.query_params.get("id", "")
    action = agent.action(id)
    if action is None:
        raise NotFound("action", id)
    artifact = None if action.artifact_id is None else agent.artifact(action.artifact_id)
    return page(request, "action.html", action=action, artifact=artifact)


def _episode(request: Request) -> Response:
    memory = memory_of(request)
    id = request.query_params.get("id", "")
    record = memory.ctx.ns.get(EpisodeRecord, id)
    episode = None if record is None else memory.agent(record.agent).episode(id)
    if episode is None:
        raise NotFound("episode", id)
    why = memory.agent(episode.agent).explain_decay(id)
    names = json.dumps([episode.text[:40]])
    return page(request, "episode.html", episode=episode, why=why, curve=_curves(memory, [episode]), names=names)


def _keep(request: Request) -> Response:
    """Pin an episode, unpin it, or bring an archived one back."""
    memory = memory_of(request)
    agent, id, verb = (field(request, name) for name in ("agent", "id", "verb"))
    one = memory.agent(agent)
    verbs = {"pin": one.pin, "unpin": one.unpin, "restore": one.restore}
    if verb not in verbs:
        raise ValidationFailed("verb", f"is none of {', '.join(verbs)}")
    if not verbs[verb](id):
        raise NotFound("episode", id)
    return back_to(request, "/episode", id=id)


routes = [
    Route("/agents", _agents),
    Route("/agent", _agent),
    Route("/goal", _goal),
    Route("/action", _action),
    Route("/episode", _episode),
    Route("/episode/keep", _keep, methods=["POST"]),
]
