"""What a long text tells in passing, and what it tells that is worth a fact."""

from saying import claims

from reverie.knowledge.claims import IN_PASSING, Claim
from reverie.pipelines.ingest.language.en.passing import weighed

DIARY = (
    "I woke up late. I watered the beans. I read the logs. I have not worn a hat. I moved to Oslo in May. "
    "My brother Tom took the ticket. I live with a carpenter. I bought a boat."
)


def _firm(text: str) -> list[str]:
    return [f"{one.subject} {one.predicate} {one.object}" for one in claims(text) if one.confidence > IN_PASSING]


def test_a_long_text_keeps_its_news_and_no_chatter() -> None:
    assert _firm(DIARY) == ["Ana move to Oslo", "Tom take ticket", "Ana live with carpenter", "Ana buy boat"]


def test_a_short_text_is_taken_at_its_word() -> None:
    assert _firm("I watered the beans. I read the logs.") == ["Ana water beans", "Ana read logs"]


def test_a_state_of_a_known_kind_is_never_told_in_passing() -> None:
    told = [Claim("Ana", "work at", "a bank", "Ana works at a bank.", kind="employer")] * 8
    assert weighed(told, "Ana") == told
