"""The entities of a namespace, read by people."""

from datetime import UTC, datetime, timedelta

from reverie import Memory
from reverie.pipelines.entities import entities
from reverie.pipelines.ingest import ingest

AT = datetime(2024, 3, 15, 10, tzinfo=UTC)


def test_entities_come_most_mentioned_first_with_what_they_are_called(quick_memory: Memory) -> None:
    session = quick_memory.agent("assistant").session("s-1")
    said = ["My sister Ruth lives in Lisbon.", "My friend Ruth plays chess.", "Thanks, Mel! I met my friend Ruth."]
    ids = [session.observe(sender="Ann", content=text, addressed_to=["Melanie"], at=AT).message_id for text in said]
    ingest(quick_memory.ctx, ids)

    found = entities(quick_memory.ctx.ns)

    assert (found[0].name, found[0].type, found[0].mentions) == ("Ruth", "person", 3)
    assert {view.name: view.aliases for view in found}["Melanie"] == ("Mel",)
    assert [view.name for view in entities(quick_memory.ctx.ns, type="place")] == ["Lisbon"]
    assert len(entities(quick_memory.ctx.ns, limit=1)) == 1


def test_a_namespace_shows_its_own_entities_alone(quick_memory: Memory) -> None:
    assert entities(quick_memory.ctx.ns) == []


def test_when_an_entity_was_first_seen_is_told_by_the_messages_that_are_there(quick_memory: Memory) -> None:
    session = quick_memory.agent("assistant").session("s-1")
    for place, id in enumerate(("m-1", "m-2", "m-3")):
        session.observe(sender="Ann", content="I live in Lisbon.", message_id=id, at=AT + timedelta(days=place))
    for id in ("m-3", "m-1", "m-2"):  # as several workers may take them
        ingest(quick_memory.ctx, [id])

    assert [view.first_seen for view in entities(quick_memory.ctx.ns, type="place")] == [AT]
    quick_memory.forget(message="m-1")
    assert [view.first_seen for view in entities(quick_memory.ctx.ns, type="place")] == [AT + timedelta(days=1)]
