"""Several namespaces over one connection."""

import pytest

from reverie import Memory, ValidationFailed


def test_memories_beside_each_other_see_only_their_own(quick_memory: Memory, namespace: str) -> None:
    other = quick_memory.beside(namespace + "-b")
    quick_memory.agent("a").assert_fact("Ana", "plays", "oboe")
    other.agent("a").assert_fact("Ana", "plays", "cello")

    assert [fact.object for fact in quick_memory.facts()] == ["oboe"]
    assert [fact.object for fact in other.facts()] == ["cello"]
    assert other.connection is quick_memory.connection
    other.forget(namespace=namespace + "-b")


def test_closing_the_one_beside_leaves_the_first_open(quick_memory: Memory, namespace: str) -> None:
    with quick_memory.beside(namespace + "-b") as other:
        assert other.namespace == namespace + "-b"
    quick_memory.agent("a").assert_fact("Ana", "plays", "oboe")
    assert len(quick_memory.facts()) == 1


def test_a_namespace_that_is_none_is_refused(quick_memory: Memory) -> None:
    with pytest.raises(ValidationFailed):
        quick_memory.beside("")
