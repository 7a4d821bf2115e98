"""A server that opens its memory and forks its processes afterwards."""

import os
import subprocess
import sys

from conftest import eventually

from reverie import Memory
from reverie.config.task_names import INGEST_DRAIN
from reverie.pipelines.ingest import TOPIC
from reverie.store import waiting

_SCRIPT = """
import os, sys
from reverie import Memory
with Memory(sys.argv[1]) as memory:
    session = memory.agent("a").session("s")
    session.observe(sender="ana", content="said before")
    if os.fork() == 0:
        sys.stdin.readline()
        receipt = session.observe(sender="ana", content="said after")
        sys.stdin.read()
        os._exit(0 if receipt.embedded else 3)
    sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
"""


def test_a_forked_process_embeds_in_time_and_wakes_the_workers(memory: Memory) -> None:
    environment = os.environ | {"REVERIE_REDIS_URL": memory.connection.store.url, "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-c", _SCRIPT, memory.namespace]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE) as process:

        def woken() -> int:
            assert memory.ctx.broker is not None
            sent = [one for one in memory.ctx.broker.sent() if one.document == memory.namespace]
            return sum(one.task == INGEST_DRAIN for one in sent)

        assert process.stdin is not None
        eventually(lambda: woken() == 1, "a wake-up from the process that opened the memory")
        waiting.take(memory.ctx.ns, TOPIC, memory.ctx.clock(), heeded=memory.namespace)
        process.stdin.write(b"go on\n")
        process.stdin.flush()
        eventually(lambda: woken() == 2, "a wake-up from the forked process")
        process.communicate(timeout=30)
    assert process.returncode == 0
