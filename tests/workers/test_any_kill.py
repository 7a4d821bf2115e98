"""The short form of `bench/chaos.py`: kills and failing servers for seconds, and nothing lost, doubled or wrong."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_what_was_acknowledged_is_there_once_and_right_whatever_dies(tmp_path: Path) -> None:
    command = [sys.executable, "bench/chaos.py", "--json", "--minutes=0.25", "--every=1.5", "--seed=4", "--writers=2"]
    done = subprocess.run(
        [*command, f"--keep={tmp_path}"],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("REVERIE_")},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert (report["lost"], report["doubled"], report["wrong"], report["settled"]) == (0, 0, 0, True)
    assert report["kills"] >= 3
    assert report["acknowledged"] > 10
    assert report["observations"] > 5
    assert {"observe", "send observe", "fact", "graph", "secret", "forget"} <= report["written"].keys()
