"""Large imports: stored at once, embedded by the workers."""

from reverie import Memory
from reverie.pipelines import vectors
from reverie.store import work


def test_messages_of_an_import_are_found_by_text_at_once_and_by_meaning_later(quick_memory: Memory) -> None:
    ctx = quick_memory.ctx
    agent = quick_memory.agent("assistant")
    words = ["violet lamp", "scarlet door", "amber stair"]
    receipts = agent.session("s").observe_many([{"sender": "ana", "content": word} for word in words], embed=False)

    assert [(receipt.created, receipt.embedded) for receipt in receipts] == [(True, False)] * 3
    assert "scarlet door" in agent.recall("scarlet").items[0].content
    entries = [vectors.entry("message", receipt.message_id) for receipt in receipts]
    assert all(work.pending(ctx.ns, vectors.TOPIC, entries))

    assert vectors.fill(ctx, entries) == 3
    assert not any(work.pending(ctx.ns, vectors.TOPIC, entries))
    assert agent.session("s").observe_many([{"sender": "ana", "content": "violet lamp"}])[0].embedded
