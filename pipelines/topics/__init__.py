"""Topics: communities of the entities that are spoken of together, under ids that stay as members change.

Each ingested message counts its pairs of entities once and marks them as changed; a sweep groups anew what changed
and what lies around it, never the whole graph.
"""

from reverie.pipelines.topics.counting import CHANGED, TOPIC, Counted, count, drop_entity
from reverie.pipelines.topics.reading import TopicView, topics
from reverie.pipelines.topics.regrouping import regroup_changed

__all__ = ["CHANGED", "TOPIC", "Counted", "TopicView", "count", "drop_entity", "regroup_changed", "topics"]
