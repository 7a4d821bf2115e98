"""Whatever is asked, the query language never sees it."""

import os
import random
from datetime import UTC, datetime

from hypothesis import HealthCheck, given
from hypothesis import settings as budget
from hypothesis import strategies as st

from reverie import Memory
from reverie.pipelines.recall import question
from reverie.store.search import Filter, Search, find

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
    for keyword in question.read(query, datetime(2026, 1, 1, tzinfo=UTC)).keywords:
        assert keyword
        assert not set(keyword) & set(" \t\n,.<>{}[]\"':;!@#$%^&*()-+=~|\\/?`\0")


def test_the_server_takes_the_keywords_of_any_text(quick_memory: Memory) -> None:
    """REVERIE_FUZZ sets how many texts are tried."""
    ns, draw = quick_memory.ctx.ns, random.Random(11)
    quick_memory.agent("assistant").session("s").observe(sender="ana", content="note")
    ranges = [
        (0, 0x7F),
        (0x80, 0x24F),
        (0x300, 0x6FF),
        (0x900, 0xEFF),
        (0x2000, 0x2BFF),
        (0x3000, 0x9FFF),
        (0x1F300, 0x1FAFF),
    ]

    def text() -> str:
        parts = [
            draw.choice(SYNTAX) if draw.random() < 0.2 else chr(draw.randint(*draw.choice(ranges))) for _ in range(12)
        ]
        return draw.choice(["", " "]).join(parts)

    for _ in range(int(os.environ.get("REVERIE_FUZZ", "2000")) // 200):
        asked = [question.read(text(), datetime(2026, 1, 1, tzinfo=UTC)).keywords for _ in range(200)]
        searches = [Search(Filter("assistant"), 5, keywords=words) for words in asked if words]
        counts = [Search(Filter(None), 0, keywords=(word,)) for words in asked for word in words[:3]]
        find(ns, [*searches, *counts])
