"""What was exported and imported is what was there, on another server and with another embedder."""

import json
import os
import random
import subprocess
import sys
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard
from conftest import WordEmbedder, own_server
from hypothesis import HealthCheck, given
from hypothesis import settings as trials
from hypothesis import strategies as st
from lives import NOON, live

from reverie import Memory, StoreBusy, ValidationFailed
from reverie.config.settings import Settings
from reverie.models.embedders.base import Vector
from reverie.pipelines import vectors
from reverie.pipelines.transfer import archive, importing
from reverie.store import dumping, keyspace, restoring, schema, stats, work
from reverie.store.schema import belongs


class OtherEmbedder(WordEmbedder):
    """Another embedder, of another dimension."""

    name = "words-96"
    dimension = 96

    def query(self, text: str) -> Vector:
        """Half as many words fall together."""
        return np.asarray(super().query(text)[:96] + np.float32(0.01), dtype=np.float32)


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Another server."""
    with own_server(tmp_path_factory.mktemp("elsewhere")) as settings:
        yield settings


def _dump(memory: Memory) -> dict[str, Any]:
    """Everything that an export holds, by key."""
    ns = memory.ctx.ns
    return {unit.key: unit.documents for unit in dumping.units(ns, dumping.keys(ns))}


def _bare(memory: Memory) -> dict[str, Any]:
    """What the keys hold that an export leaves out and an import makes again: edges from their sources, orders."""
    ns, found = memory.ctx.ns, {}
    for key in keyspace.of_namespace(ns):
        rest = key.removeprefix(ns.keys.base)
        if rest.startswith(("out:", "every:")):
            found[rest] = ns.client.zrange(key, 0, -1, withscores=True)
    return found


def _rows(memory: Memory) -> dict[str, dict[bytes, bytes]]:
    """The search rows, without their vectors and what is counted up in a fact's row at its next change alone."""
    ns, found = memory.ctx.ns, {}
    for key in keyspace.of_namespace(ns):
        if key.startswith("rvr"):
            row = ns.client.hgetall(key)
            for derived in (b"v", b"rv"):  # of the embedder
                row.pop(derived, None)
            found[key.partition("}:")[2]] = {name: one for name, one in row.items() if name not in (b"n", b"im")}
    return found


def _embed_all(memory: Memory) -> None:
    minute = timedelta(minutes=1)
    while claims := work.claim(memory.ctx.ns, vectors.TOPIC, memory.ctx.clock(), minute, 500)[0]:
        vectors.fill(memory.ctx, [one.entry for one in claims])


@pytest.fixture
def lived(settings: Settings) -> Iterator[Memory]:
    with Memory(f"from {uuid.uuid4().hex}", settings=settings, embedder=WordEmbedder()) as memory:
        live(memory, random.Random(7), 40)
        yield memory


@trials(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000), steps=st.integers(0, 25))
def test_whatever_is_stored_comes_back_the_same(
    settings: Settings, elsewhere: Settings, tmp_path: Path, seed: int, steps: int
) -> None:
    name = uuid.uuid4().hex
    with (
        Memory(f"from {name}", settings=settings, embedder=WordEmbedder()) as here,
        Memory(f"to {name}", settings=elsewhere, embedder=OtherEmbedder()) as there,
    ):
        live(here, random.Random(seed), steps)
        exported = here.export_to(tmp_path / f"{name}.zst")
        imported = there.import_from(tmp_path / f"{name}.zst")
        assert imported.records == exported.records
        assert _dump(there) == _dump(here)
        assert _bare(there) == _bare(here)
        assert _rows(there) == _rows(here)
        assert [key for key in keyspace.of_namespace(there.ctx.ns) if not belongs(key)] == []
        here.forget(namespace=here.namespace)
        there.forget(namespace=there.namespace)


def test_the_imported_is_recalled_and_worked_on(lived: Memory, elsewhere: Settings, tmp_path: Path) -> None:
    lived.export_to(tmp_path / "x.zst")
    with Memory(lived.namespace, settings=elsewhere, embedder=OtherEmbedder()) as there:
        imported = there.import_from(tmp_path / "x.zst")
        assert imported.late == imported.rows > 0
        assert there.agent("assistant").recall("tea").items
        _embed_all(there)
        index = stats.index_figures(there.ctx.ns.client)
        assert index is not None
        assert (index.failures, index.embedder) == (0, "words-96")
        assert [fact.content for fact in there.facts()] == [fact.content for fact in lived.facts()]
        there.agent("assistant").session("s 0").observe("ana", "one more", "m-new")
        there.forget(participant="ana", verify=True)
        assert there.forget(namespace=there.namespace, verify=True).verified


def test_vectors_come_along_when_asked_for(lived: Memory, elsewhere: Settings, tmp_path: Path) -> None:
    lived.export_to(tmp_path / "x.zst", vectors=True)
    for embedder, late in ((WordEmbedder(), 0), (OtherEmbedder(), None)):
        folder = tmp_path / embedder.name
        with own_server(folder) as own, Memory("to", settings=own, embedder=embedder) as there:
            imported = there.import_from(tmp_path / "x.zst")
            assert imported.late == (imported.rows if late is None else late)
            if late == 0:
                ns, theirs = lived.ctx.ns, there.ctx.ns
                for key in keyspace.of_namespace(ns):
                    if key.startswith("rvr"):
                        kind, _, rest = key.partition("}:")[2].partition(":")
                        same = theirs.keys.row(kind, "x").removesuffix("x") + rest
                        assert theirs.client.hget(same, "v") == ns.client.hget(key, "v")


def test_an_import_that_is_killed_ten_times_ends_the_same(
    lived: Memory, elsewhere: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived.export_to(tmp_path / "x.zst")
    monkeypatch.setattr(importing, "_LINES", 5)
    real, killed, calls = restoring.put, 0, 0

    def dies(*given: Any) -> None:
        nonlocal calls, killed
        calls += 1
        if killed < 10 and calls % 4 == 0:
            killed += 1
            if killed % 2:  # before the write, and after it
                raise KeyboardInterrupt
            real(*given)
            raise KeyboardInterrupt
        real(*given)

    monkeypatch.setattr(restoring, "put", dies)
    with Memory(f"to {lived.namespace}", settings=elsewhere, embedder=OtherEmbedder()) as there:
        for _ in range(11):
            try:
                there.import_from(tmp_path / "x.zst")
            except KeyboardInterrupt:
                continue
            break
        assert killed == 10
        assert restoring.standing(there.ctx.ns) is None
        assert _dump(there) == _dump(lived)
        assert _rows(there) == _rows(lived)


def test_an_export_that_is_killed_goes_on_where_it_was(
    lived: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived.export_to(tmp_path / "whole.zst")
    monkeypatch.setattr(archive, "_FRAME", 500)
    begun: list[int] = []

    for _ in range(100):
        left = iter(range(30))

        def dies(done: int, total: int, left: Iterator[int] = left) -> None:
            begun.append(done)
            if next(left, None) is None:
                raise KeyboardInterrupt

        try:
            lived.export_to(tmp_path / "x.zst", progress=dies)
        except KeyboardInterrupt:
            with (tmp_path / "x.zst.part").open("ab") as part:
                part.write(b"\x28\xb5\x2f\xfdhalf a frame")
            assert not (tmp_path / "x.zst").exists()
            continue
        break
    assert begun.count(1) == 1
    assert _by_key(tmp_path / "x.zst") == _by_key(tmp_path / "whole.zst")
    assert not (tmp_path / "x.zst.part").exists()


def _by_key(path: Path) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for line in list(archive.lines(path))[1:-1]:
        if archive.SO_FAR not in line:
            found.setdefault(dumping.key_of(line), []).append(line)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_what_changed_after_an_export_is_put_over_it(
    settings: Settings, elsewhere: Settings, tmp_path: Path, seed: int
) -> None:
    name, rng = uuid.uuid4().hex, random.Random(seed)
    with (
        Memory(f"from {name}", settings=settings, embedder=WordEmbedder()) as here,
        Memory(f"to {name}", settings=elsewhere, embedder=OtherEmbedder()) as there,
    ):
        files: list[Path] = []
        for number in range(3):
            live(here, rng, 12, 12 * number)
            files.append(tmp_path / f"{number}.zst")
            exported = here.export_to(files[-1], after=files[:-1])
            there.import_from(files[-1])
            _embed_all(there)
            assert _dump(there) == _dump(here)
            assert _bare(there) == _bare(here)
            assert _rows(there).keys() == _rows(here).keys()
        assert exported.records < len(_dump(here))
        unchanged = here.export_to(tmp_path / "none.zst", after=files)
        assert (unchanged.records, unchanged.lines, unchanged.gone) == (0, 0, 0)


def test_since_leaves_out_what_is_older(settings: Settings, tmp_path: Path, namespace: str) -> None:
    with Memory(namespace, settings=settings, embedder=WordEmbedder()) as memory:
        session = memory.agent("a").session("s")
        session.observe("ana", "old", "m-old", at=NOON)
        middle = datetime.now(UTC)
        session.observe("ana", "new", "m-new")
        memory.export_to(tmp_path / "x.zst", since=middle)
        ids = {line["id"] for line in archive.lines(tmp_path / "x.zst") if line.get("record") == "message"}
        assert ids == {"m-new"}


def test_a_namespace_that_holds_something_is_imported_into_only_when_asked(
    lived: Memory, elsewhere: Settings, tmp_path: Path
) -> None:
    lived.export_to(tmp_path / "x.zst")
    with Memory(f"to {lived.namespace}", settings=elsewhere, embedder=OtherEmbedder()) as there:
        there.agent("assistant").session("mine").observe("zoe", "my own words", "mine")
        with pytest.raises(ValidationFailed, match="holds memories already"):
            there.import_from(tmp_path / "x.zst")
        gone = next(one.message_id for one in lived.browse.messages().items)
        there.agent("assistant").session("s 0").observe("ana", "soon gone", gone)
        there.forget(message=gone)
        imported = there.import_from(tmp_path / "x.zst", merge=True)
        assert imported.barred == 1
        assert {one.message_id for one in there.browse.messages(limit=1000).items} == {
            "mine",
            *(one.message_id for one in lived.browse.messages(limit=1000).items if one.message_id != gone),
        }
        assert all(one.id != gone for one in there.agent("assistant").recall("tea").items)


def test_another_import_is_let_end_first(lived: Memory, elsewhere: Settings, tmp_path: Path) -> None:
    for name in ("x.zst", "y.zst"):
        lived.export_to(tmp_path / name)
    with Memory(f"to {lived.namespace}", settings=elsewhere, embedder=OtherEmbedder()) as there:

        def beside(step: str, lines: int) -> None:
            with pytest.raises(ValidationFailed, match="interrupted"):
                there.import_from(tmp_path / "y.zst")
            restoring.begin(there.ctx.ns, restoring.standing(there.ctx.ns).export, "records")  # type: ignore[union-attr]

        with pytest.raises(StoreBusy, match="another process imports"):
            there.import_from(tmp_path / "x.zst", progress=beside)


@pytest.mark.parametrize("cut", ["header", "end", "middle", "bytes"])
def test_a_file_that_is_not_whole_is_refused_and_nothing_is_written(
    lived: Memory, elsewhere: Settings, tmp_path: Path, cut: str
) -> None:
    path, plain = tmp_path / "x.zst", tmp_path / "plain.jsonl"
    lived.export_to(path)
    raw = path.read_bytes()
    with path.open("rb") as file:
        text = b"".join(frame for _, frame in archive._frames(file))
    lines = text.splitlines(keepends=True)
    match cut:
        case "header":
            plain.write_bytes(b"".join(lines[1:]))
        case "end":
            plain.write_bytes(b"".join(lines[:-1]))
        case "middle":
            plain.write_bytes(b"".join([*lines[:3], b"no JSON\n", *lines[3:]]))
        case _:
            plain.write_bytes(raw[: len(raw) // 2])
    with Memory(f"to {uuid.uuid4().hex}", settings=elsewhere, embedder=OtherEmbedder()) as there:
        with pytest.raises(ValidationFailed, match="file"):
            there.import_from(plain)
        assert keyspace.of_namespace(there.ctx.ns) == []
        plain.write_bytes(text)
        there.import_from(plain)
        assert _dump(there) == _dump(lived)


@pytest.mark.parametrize(
    "line",
    [
        {"record": "unheard-of", "id": "x", "data": {}},
        {"key": "lock:x", "string": "mine"},
        {"key": "rv:schema", "string": "9"},
        {"edge": "SENT_BY", "of": "goal", "to": ["task", "x"], "from": []},
        {"anything": 1},
    ],
)
def test_a_file_cannot_write_what_is_not_exported(settings: Settings, tmp_path: Path, line: Any) -> None:
    with Memory(f"to {uuid.uuid4().hex}", settings=settings, embedder=WordEmbedder()) as memory:
        memory.export_to(tmp_path / "x.zst")
        first, *_, last = archive.lines(tmp_path / "x.zst")
        bad = "".join(json.dumps(one) + "\n" for one in (first, line, last)).encode()
        (tmp_path / "bad.zst").write_bytes(zstandard.compress(bad))
        with pytest.raises(ValidationFailed, match="line 2"):
            memory.import_from(tmp_path / "bad.zst")
        assert keyspace.of_namespace(memory.ctx.ns) == []


def test_newer_exports_are_refused(settings: Settings, tmp_path: Path) -> None:
    with Memory(f"to {uuid.uuid4().hex}", settings=settings, embedder=WordEmbedder()) as memory:
        memory.export_to(tmp_path / "x.zst")
        lines = list(archive.lines(tmp_path / "x.zst"))
        for field in ("version", "schema_version"):
            newer = [{**lines[0], field: 99}, *lines[1:]]
            (tmp_path / "new").write_text("".join(json.dumps(one) + "\n" for one in newer))
            with pytest.raises(ValidationFailed, match="newer Reverie"):
                memory.import_from(tmp_path / "new")


def test_every_kind_and_edge_has_its_place_in_an_export() -> None:
    for kind in schema.KINDS:
        assert schema.order(f"{kind.name}:x") is not None
    for edge in schema.EDGES:
        assert schema.order(f"in:{edge.name}:{edge.sources[0]}:{edge.targets[0]}:x") is not None
    assert schema.order("lock:x") is schema.order("ns") is schema.order("unheard-of") is None


def test_the_commands_pipe_into_one_another(lived: Memory, elsewhere: Settings, tmp_path: Path) -> None:
    def run(settings: Settings, *words: str, data: bytes = b"") -> bytes:
        assert settings.redis_url is not None
        environment = os.environ | {
            "REVERIE_REDIS_URL": settings.redis_url.get_secret_value(),
            "REVERIE_DATA_DIR": str(settings.data_dir),
        }
        command = [sys.executable, "-m", "reverie.cli", *words]
        done = subprocess.run(command, input=data, env=environment, capture_output=True, check=True)
        return done.stdout

    exported = run(lived.settings, "export", lived.namespace)
    said = json.loads(
        run(lived.settings, "import", "-", "--namespace", f"copy {lived.namespace}", "--json", data=exported)
    )
    assert said["records"] == sum(key.partition(":")[0] in dumping._ROWS for key in _dump(lived))
    with Memory(f"copy {lived.namespace}", settings=lived.settings, embedder=WordEmbedder()) as copied:
        assert _dump(copied) == _dump(lived)
