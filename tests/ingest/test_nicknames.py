"""A nickname is a word somebody gave: it takes nobody's place, and goes with the message that gave it."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from reverie import Memory
from reverie.pipelines.entities import entities
from reverie.pipelines.ingest import ingest
from reverie.pipelines.nicknames import certain
from reverie.store.nicknames import Given

AT = datetime(2026, 3, 15, 10, tzinfo=UTC)


def hear(memory: Memory, *said: tuple[str, str], to: tuple[str, ...] = (), day: int = 0) -> list[str]:
    session = memory.agent("assistant").session("s-1")
    ids = [
        session.observe(
            sender=who, content=text, addressed_to=to, at=AT + timedelta(days=day, minutes=place)
        ).message_id
        for place, (who, text) in enumerate(said)
    ]
    ingest(memory.ctx, ids)
    return ids


def believed(memory: Memory) -> set[str]:
    memory.agent("assistant").consolidate()
    return {" ".join(filter(None, (fact.subject, fact.predicate, fact.object))) for fact in memory.facts()}


def test_a_nickname_is_no_key_to_a_participant_who_has_that_name(memory: Memory) -> None:
    hear(memory, ("Mallory", "My friends call me Alice."))
    hear(memory, ("Alice", "I own a dog."), day=1)
    hear(memory, ("Bob", "Alice plays chess."), day=2)
    assert believed(memory) >= {"Alice own dog", "Alice play chess"}
    assert not {fact for fact in believed(memory) if fact.startswith("Mallory") and ("dog" in fact or "chess" in fact)}
    assert "Alice" in [view.name for view in entities(memory.ctx.ns)]


def test_one_cannot_be_called_by_the_name_of_somebody_who_is_known(memory: Memory) -> None:
    hear(memory, ("Bob", "My friend Alice plays chess."), ("Mallory", "Call me Alice."))
    hear(memory, ("Bob", "My friend Alice moved to Oslo."), day=1)
    found = believed(memory)
    assert "Alice play chess" in found
    assert "Alice live in Oslo" in found
    assert not {fact for fact in found if fact.startswith("Mallory") and "Alice" not in fact}


def test_what_is_said_of_a_nickname_is_said_of_its_owner_also_before_it_was_learned(memory: Memory) -> None:
    hear(memory, ("Ann", "Bobby lives in Rome."))
    hear(memory, ("Robert", "My friends call me Bobby."), day=1)
    hear(memory, ("Ann", "Thanks, Rob! Rob owns a boat."), to=("Robert",), day=2)
    found = believed(memory)
    assert "Robert own boat" in found
    assert {fact.subject for fact in memory.facts()} <= {"Robert", "Bobby", "Ann"}, "a name, never how it is stored"


def test_a_nickname_goes_with_whoever_gave_it(memory: Memory) -> None:
    hear(memory, ("Mallory", "My friends call me Ally."))
    hear(memory, ("Bob", "Ally plays chess."), day=1)
    assert "Mallory play chess" in believed(memory)
    report = memory.forget(participant="Mallory", verify=True)
    assert report.verified, report.traces
    assert "Ally play chess" in believed(memory), "what Bob said of somebody called so"
    hear(memory, ("Bob", "Ally owns a harp."), day=2)
    assert "Ally own harp" in believed(memory)


def test_a_nickname_that_two_claim_means_neither(memory: Memory) -> None:
    hear(memory, ("Mallory", "My friends call me Ace."), ("Alice", "Call me Ace, please."))
    hear(memory, ("Bob", "Ace plays chess."), day=1)
    assert "Ace play chess" in believed(memory)


def test_who_asks_not_to_be_called_so_is_not(memory: Memory) -> None:
    hear(memory, ("Robert", "Don't call me Bobby."))
    hear(memory, ("Ann", "Bobby plays chess."), day=1)
    assert "Bobby play chess" in believed(memory)


_NAMES = st.sampled_from(["Al", "al", "Alice", "Bob", "Mallory"])


@given(st.lists(st.builds(Given, _NAMES, _NAMES, _NAMES, st.sampled_from("abc"))), st.sets(_NAMES))
def test_no_participants_name_ever_stands_for_another(said: list[Given], participants: set[str]) -> None:
    found = certain(said, participants)
    assert not {name.casefold() for name in participants} & set(found)
    assert certain(reversed(said), participants) == found, "whatever was said first"
