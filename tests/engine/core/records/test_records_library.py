"""The list of runs: found, sorted, named, deleted and brought back, whatever happens to its index."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.core.errors import StorageError, UnknownNameError
from engine.core.events import Append, Message, StatusChanged, Value
from engine.core.places import cache_folder
from engine.core.records import index as indexing
from engine.core.records.header import RunHeader, new_id
from engine.core.records.library import Library
from engine.core.records.writer import RunWriter

ROOT = Path(__file__).parents[4]
Make = Callable[..., str]


@pytest.fixture
def library(place: Path) -> Iterator[Library]:
    library = Library(place / "runs")
    yield library
    library.close()


@pytest.fixture
def make(library: Library) -> Make:
    """Writes a finished run; returns its id."""

    def make(method: str = "walk", results: dict[str, Any] | None = None, **header: Any) -> str:
        writer = library.create(RunHeader(method=method, versions={}, **header))
        for name, value in (results or {}).items():
            writer.write(Value(name, value))
        writer.close("finished", None, 1.0, 10.0)
        return writer.header.id

    return make


def ids(library: Library, query: str = "", **options: Any) -> list[str]:
    library.sync()
    return [run.id for run in library.runs(query, **options)]


def test_a_run_is_listed_with_what_its_record_says(library: Library, make: Make) -> None:
    id = make(
        "linkage",
        {"loss": 0.25, "worst": float("inf"), "best": "ward"},
        title="Linkage clustering",
        parameters={"k": 3, "ids": [1, 2]},
        data={"name": "Städte 数"},
        name="Erster",
        tags=("a", "ß"),
        note="long\nnote",
        preset="quick",
        seed=7,
        parent="p",
    )
    library.sync()
    (run,) = library.runs()
    assert (run.id, run.method, run.title, run.status) == (id, "linkage", "Linkage clustering", "finished")
    assert (run.name, run.tags, run.note, run.data) == ("Erster", ("a", "ß"), "long\nnote", "Städte 数")
    assert (run.seconds, run.peak_mb, run.seed, run.preset, run.parent) == (1.0, 10.0, 7, "quick", "p")
    assert run.results == {"loss": 0.25, "worst": float("inf"), "best": "ward"}
    assert run.parameters == {"k": 3, "ids": [1, 2]}
    assert run.damaged is None
    assert library.open(run.id).header.parameters == {"k": 3, "ids": [1, 2]}
    assert library.notice == ""


@pytest.mark.parametrize(
    "query",
    [
        "STÄDTE",
        "erster",
        "fußball",
        "nachts",
        "linkage",
        "k=3",
        "loss=0.25",
        "ward",
        "best=ward",
        "erster k=3",
        "seed=7",
    ],
)
def test_search_looks_at_everything(library: Library, make: Make, query: str) -> None:
    wanted = make(
        "linkage",
        {"loss": 0.25, "best": "ward"},
        parameters={"k": 3},
        data={"name": "Städte"},
        name="Erster",
        tags=("Fußball",),
        note="lief nachts",
        seed=7,
    )
    make("walk", {"loss": 0.5}, parameters={"k": 4}, name="Zweiter")
    assert ids(library, query) == [wanted]


def test_search_takes_signs_as_they_are(library: Library, make: Make) -> None:
    make(name="100% sure")
    underlined = make(name="a_b 'quoted'")
    assert ids(library, "a_b") == [underlined]
    assert ids(library, "'quoted'") == [underlined]
    assert ids(library, "%") != []
    assert ids(library, "a%b") == []


def test_sorting(library: Library, make: Make) -> None:
    values: list[Any] = [3.0, 20, "word", float("nan"), 1.5]
    made = [make(results={"loss": value}, name=f"{9 - n}") for n, value in enumerate(values)]
    without = make(method="other")
    loss = ids(library, sort="results.loss", descending=False)
    assert loss[:4] == [made[4], made[0], made[1], made[2]]
    assert set(loss[4:]) == {made[3], without}
    assert ids(library, sort="results.loss")[:4] == loss[3::-1]
    assert ids(library, sort="name", descending=False) == [*reversed(made), without]
    assert ids(library, sort="name", descending=False, limit=2) == [made[4], made[3]]
    assert ids(library, method="other") == [without]
    assert ids(library, method="none") == []


def test_naming_and_tagging_while_the_run_goes_on(library: Library) -> None:
    writer = library.create(RunHeader(method="walk", name="first name", tags=("old",), versions={}))
    id = writer.header.id
    writer.write(StatusChanged("running"))
    writer.flush()
    library.rename(id, "Zweiter Name 数")
    library.tag(id, ["new", " new", "", "ß"])
    library.note(id, "seen")
    writer.close("finished", None, 1.0, None)
    library.sync()
    (run,) = library.runs("zweiter")
    assert (run.name, run.tags, run.note, run.status) == ("Zweiter Name 数", ("new", "ß"), "seen", "finished")
    assert library.open(id).header.tags == ("new", "ß")
    assert ids(library, "old") == []
    library.rename(id, "")
    assert library.open(id).header.name == ""


def test_unknown_runs_are_told(library: Library, make: Make) -> None:
    id = make()
    for unknown in ("", "..", ".", "a/b", f"../runs/{id}", "nothing", str(library.root / id)):
        with pytest.raises(UnknownNameError):
            library.open(unknown)
        with pytest.raises(UnknownNameError):
            library.delete([unknown])
    assert ids(library) == [id]


def test_a_damaged_record_hides_no_other(library: Library, make: Make) -> None:
    good, bad, empty, newer = make(), make(), make(), make()
    (library.root / bad / "run.json").write_text('{"format": 1, "id": "x"')
    (library.root / empty / "run.json").unlink()
    path = library.root / newer / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 99}))
    library.sync()
    found = {run.id: run for run in library.runs()}
    assert set(found) == {good, bad, empty, newer}
    assert found[good].damaged is None
    assert "damaged" in str(found[bad].damaged)
    assert "Still there: the events" in str(found[bad].damaged)
    assert "missing" in str(found[empty].damaged)
    assert found[newer].damaged is None
    with pytest.raises(StorageError, match="newer version"):
        library.rename(newer, "no")
    assert {run.id for run in library.runs("damaged")} == {bad, empty}
    assert library.delete([bad]) == [bad]


def test_deleting_can_be_undone(library: Library, make: Make) -> None:
    first, second, third = make(name="first"), make(name="second"), make(name="third")
    deleted = library.delete([first, third])
    assert ids(library) == [second]
    assert {run.name for run in library.bin()} == {"first", "third"}
    with pytest.raises(UnknownNameError):
        library.open(first)
    assert library.restore(deleted) == [first, third]
    assert set(ids(library)) == {first, second, third}
    assert library.open(first).header.name == "first"
    # Deleted, imported anew and deleted again: neither displaces the other.
    shutil.copytree(library.root / first, library.root.parent / "copy")
    (one,) = library.delete([first])
    shutil.copytree(library.root.parent / "copy", library.root / first)
    (other,) = library.delete([first])
    assert one != other
    assert library.restore([other, one]) == [f"{first}~2", first]
    library.delete([second])
    library.empty_bin()
    assert library.bin() == []
    with pytest.raises(UnknownNameError):
        library.restore([second])
    library.empty_bin()


def test_a_run_on_its_way_is_not_deleted(library: Library, make: Make) -> None:
    done = make()
    writer = library.create(RunHeader(method="walk", versions={}))
    with pytest.raises(StorageError, match="still on its way"):
        library.delete([done, writer.header.id])
    assert set(ids(library)) == {done, writer.header.id}
    writer.close("stopped", None, 1.0, None)
    library.delete([done, writer.header.id])
    assert ids(library) == []


def test_status_of_runs_on_their_way_is_looked_up(library: Library) -> None:
    writer = library.create(RunHeader(method="walk", versions={}))
    assert [run.status for run in library.runs()] == ["queued"]
    writer.write(StatusChanged("running"))
    writer.flush()
    assert [run.status for run in library.runs()] == ["running"]
    path = writer.folder / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "pid": 2**22 + 1}))
    assert [run.status for run in library.runs()] == ["interrupted"]


def test_sync_tells_what_others_did(library: Library, make: Make) -> None:
    first, second = make(), make()
    assert library.sync() == {first, second}
    assert library.sync() == set()
    other = Library(library.root)
    made = other.create(RunHeader(method="walk", name="from elsewhere", versions={}))
    made.close("finished", None, 1.0, None)
    other.rename(first, "renamed elsewhere")
    other.close()
    shutil.rmtree(library.root / second)
    (library.root / "by hand").mkdir()
    shutil.copy(library.root / first / "run.json", library.root / "by hand" / "run.json")
    assert library.sync() >= {second, made.header.id, "by hand"}
    assert {run.name for run in library.runs()} == {"from elsewhere", "renamed elsewhere", ""}
    assert {run.id for run in library.runs()} == {first, made.header.id, "by hand"}


def delete_index(library: Library) -> None:
    for path in library.root.glob("index.sqlite*"):
        path.unlink()


def fill_with_noise(library: Library) -> None:
    delete_index(library)
    (library.root / "index.sqlite").write_bytes(os.urandom(50_000))


def fill_with_noise_after_the_head(library: Library) -> None:
    path = library.root / "index.sqlite"
    path.write_bytes(path.read_bytes()[:100] + os.urandom(20_000))


def give_it_another_schema(library: Library) -> None:
    delete_index(library)
    with sqlite3.connect(library.root / "index.sqlite") as connection:
        connection.execute("CREATE TABLE runs (something TEXT)")
        connection.execute("PRAGMA user_version = 77")
    connection.close()


def empty_it(library: Library) -> None:
    delete_index(library)
    (library.root / "index.sqlite").write_bytes(b"")


@pytest.mark.parametrize("open_meanwhile", [False, True])
@pytest.mark.parametrize(
    "damage",
    [delete_index, fill_with_noise, fill_with_noise_after_the_head, give_it_another_schema, empty_it],
)
def test_the_index_comes_back_from_the_folders(
    library: Library, make: Make, damage: Callable[[Library], None], open_meanwhile: bool
) -> None:
    made = {make(name=f"run {number}") for number in range(3)}
    assert set(ids(library)) == made
    if not open_meanwhile:
        library.close()
    damage(library)
    if open_meanwhile:
        library.rebuild()
        assert {run.id for run in library.runs()} == made
    fresh = Library(library.root)
    assert {run.id for run in fresh.runs()} == made
    assert fresh.runs("run", sort="name", descending=False)[0].name == "run 0"
    fresh.close()


def test_a_locked_index_moves_to_the_cache(
    library: Library, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = make()
    library.sync()
    library.close()
    monkeypatch.setattr(indexing, "PATIENCE", 0.05)
    lock = sqlite3.connect(library.root / "index.sqlite", isolation_level=None)
    lock.execute("PRAGMA journal_mode=DELETE")
    lock.execute("BEGIN EXCLUSIVE")
    other = Library(library.root)
    assert [run.id for run in other.runs()] == [id]
    assert "lies in" in other.notice
    assert str(cache_folder()) in other.notice
    other.rename(id, "named while locked")
    assert [run.name for run in other.runs("locked")] == ["named while locked"]
    other.close()
    lock.execute("ROLLBACK")
    lock.close()
    # The folder holds the name, so that the index beside the runs learns it.
    library.sync()
    assert [run.name for run in library.runs()] == ["named while locked"]


def test_where_no_index_can_be_it_lies_in_the_cache_or_in_memory(library: Library, make: Make) -> None:
    id = make()
    library.close()
    delete_index(library)
    (library.root / "index.sqlite").mkdir()
    other = Library(library.root)
    assert [run.id for run in other.runs()] == [id]
    assert str(cache_folder()) in other.notice
    other.close()
    shutil.rmtree(cache_folder())
    cache_folder().write_text("no folder")
    last = Library(library.root)
    assert [run.id for run in last.runs()] == [id]
    assert "in memory only" in last.notice
    last.close()


def test_a_network_drive_gets_a_rollback_journal(
    library: Library, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = make()
    library.close()
    delete_index(library)
    monkeypatch.setattr(indexing, "is_on_network", lambda path: True)
    other = Library(library.root)
    assert [run.id for run in other.runs()] == [id]
    assert "rollback journal" in other.notice
    with sqlite3.connect(library.root / "index.sqlite") as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    connection.close()
    other.close()


def test_a_folder_alone_gets_no_index(place: Path) -> None:
    library = Library(place / "out", folder_only=True)
    assert not place.exists()
    writer = library.create(RunHeader(method="walk", versions={}))
    writer.close("finished", None, 1.0, None)
    library.sync()
    assert [run.status for run in library.runs()] == ["finished"]
    assert [path.name for path in library.root.iterdir()] == [writer.header.id]


WRITER = """
import sys
from pathlib import Path
from engine.core.events import Append, Message, Value
from engine.core.records.header import RunHeader
from engine.core.records.library import Library

library = Library(Path(sys.argv[1]))
name = sys.argv[2]
print("ready", flush=True)
sys.stdin.readline()
for number in range(12):
    writer = library.create(RunHeader(method="walk", name=f"{name} {number}", versions={}))
    for step in range(60):
        writer.write(Append("path", name, step, number))
        writer.write(Message(f"{name} {number} {step}"))
        if step % 10 == 0:
            writer.flush()
    writer.write(Value("number", number))
    writer.close("finished", None, 1.0, None)
    library.tag(writer.header.id, [name])
    library.sync()
    assert len(library.runs(f"{name}")) >= number + 1
    if number % 4 == 3:
        library.restore(library.delete([writer.header.id]))
print("done", library.notice, flush=True)
"""


def test_two_processes_write_at_once(library: Library) -> None:
    names = ("left", "right")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(library.root), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for name in names
    ]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    writer = library.create(RunHeader(method="walk", name="here 0", versions={}))
    for step in range(60):
        writer.write(Message(f"here 0 {step}"))
        writer.flush()
        library.sync()
    writer.close("finished", None, 1.0, None)
    for process in processes:
        out, _ = process.communicate(timeout=60)
        assert out == "done \n"
    library.sync()
    runs = library.runs(sort="name", descending=False)
    assert sorted(run.name for run in runs) == sorted(
        ["here 0", *(f"{name} {number}" for name in names for number in range(12))]
    )
    for run in runs:
        with library.open(run.id) as record:
            assert [m.text for _, m in record.log()] == [f"{run.name} {step}" for step in range(60)]
            assert record.status == "finished"
            if not run.name.startswith("here"):
                name, number = run.name.split()
                assert run.results == {"number": int(number)}
                (series,) = record.board().state("path").series  # type: ignore[union-attr]
                assert series.name == name
                assert series.y.tolist() == [int(number)] * 60


def test_many_threads_share_a_library(library: Library) -> None:
    import threading

    failed: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for number in range(5):
                writer = library.create(RunHeader(method=name, versions={}))
                writer.write(Append("path", name, 0, number))
                writer.close("finished", None, 1.0, None)
                library.sync()
                assert len(library.runs(method=name)) == number + 1
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(f"method {n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(ids(library)) == 20


@pytest.mark.slow
def test_ten_thousand_runs_list_in_half_a_second(library: Library) -> None:
    writer = RunWriter(library.root / "first", RunHeader(method="walk", parameters={"k": 0, "rate": 0.1}))
    for number in range(10):
        writer.write(Value(f"result {number}", number / 7))
    writer.write(Message("done"))
    writer.close("finished", None, 1.0, 10.0)
    text = (writer.folder / "run.json").read_text(encoding="utf-8")
    for number in range(9_999):
        folder = library.root / new_id()
        folder.mkdir()
        own = text.replace(writer.header.id, folder.name).replace('"k": 0', f'"k": {number}')
        (folder / "run.json").write_text(own, encoding="utf-8")
    library.sync()
    for options in (
        {},
        {"query": "walk k=77"},
        {"sort": "results.result 3"},
        {"sort": "parameters.k", "limit": 50},
    ):
        begin = time.perf_counter()
        found = library.runs(**options)  # type: ignore[arg-type]
        assert time.perf_counter() - begin < 0.5
        assert len(found) == {"query": 111, "limit": 50}.get(list(options)[-1] if options else "", 10_000)
