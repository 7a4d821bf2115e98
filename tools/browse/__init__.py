"""Going through what a namespace holds, page by page: messages, facts, entities, episodes, sessions, participants."""

from reverie.tools.browse.entities import ListEntitiesParams, list_entities
from reverie.tools.browse.episodes import ListEpisodesParams, list_episodes
from reverie.tools.browse.facts import ListFactsParams, list_facts
from reverie.tools.browse.messages import ListMessagesParams, MessageView, list_messages, message_view
from reverie.tools.browse.namespaces import ListNamespacesParams, NamespaceView, counts, list_namespaces
from reverie.tools.browse.paging import Page
from reverie.tools.browse.participants import ListParticipantsParams, ParticipantView, list_participants
from reverie.tools.browse.sessions import ListSessionsParams, SessionView, list_sessions

__all__ = [
    "ListEntitiesParams",
    "ListEpisodesParams",
    "ListFactsParams",
    "ListMessagesParams",
    "ListNamespacesParams",
    "ListParticipantsParams",
    "ListSessionsParams",
    "MessageView",
    "NamespaceView",
    "Page",
    "ParticipantView",
    "SessionView",
    "counts",
    "list_entities",
    "list_episodes",
    "list_facts",
    "list_messages",
    "list_namespaces",
    "list_participants",
    "list_sessions",
    "message_view",
]
