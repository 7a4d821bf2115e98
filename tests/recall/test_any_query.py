"""Whatever is asked, the query language never sees it."""

from datetime import UTC, datetime

from hypothesis import HealthCheck, given
from hypothesis import settings as budget
from hypothesis import strategies as st

from reverie import Memory
from reverie.pipelines.recall import intent

SYNTAX = [
    "@n:{*}",
    "*",
    "-",
    "(|)",
    "=>[KNN 10 @v $v]",
    "%x%",
    '"',
    "\\",
    "$v",
    "~a",
    "{}",
    "a|b",
    "[0 1]",
    "\0",
    "it's",
]
texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=60),
    st.lists(st.one_of(st.sampled_from(SYNTAX), st.text(max_size=5)), max_size=8).map(" ".join),
).filter(lambda text: not any(0xD800 <= ord(c) < 0xE000 for c in text))


@budget(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=texts, stored=texts)
def test_any_text_may_be_asked_and_stored(quick_memory: Memory, query: str, stored: str) -> None:
    agent = quick_memory.agent("assistant")
    agent.session("s").observe(sender="ana", content=f"note {stored}")
    agent.recall(query)


@budget(max_examples=500, deadline=None)
@given(query=texts)
def test_keywords_hold_letters_and_digits_alone(query: str) -> None:
    for keyword in intent.read(query, datetime(2026, 1, 1, tzinfo=UTC)).keywords:
        assert keyword
        assert not set(keyword) & set(" \t\n,.<>{}[]\"':;!@#$%^&*()-+=~|\\/?`\0")
