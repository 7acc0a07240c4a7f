"""Runs leave as a zip that anybody can read, and come in without harm."""

from __future__ import annotations

import io
import json
import os
import shutil
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.core.data.limits import DEFAULT_LIMITS, Limits
from engine.core.errors import StorageError
from engine.core.events import Append, Artifact, Message, Rows, Show, StatusChanged, Value
from engine.core.records.archive import export_runs, import_folder, import_runs
from engine.core.records.header import RunHeader
from engine.core.records.library import Library
from engine.core.records.reader import RunRecord
from engine.core.records.writer import RunWriter
from engine.core.views import ScatterState


@pytest.fixture
def library(place: Path) -> Iterator[Library]:
    library = Library(place / "runs")
    yield library
    library.close()


@pytest.fixture
def elsewhere(place: Path) -> Iterator[Library]:
    library = Library(place / "elsewhere")
    yield library
    library.close()


def write(writer: RunWriter, tmp_path: Path, number: int = 0) -> RunRecord:
    writer.write(StatusChanged("running"))
    for step in range(20):
        writer.write(Append("path", "walker", step, step * number))
    x = np.arange(6_000.0)
    writer.write(Show("points", ScatterState(x=x, y=x)))
    writer.write(Rows("steps", {"step": [1, 2], "text": ["ß", "数"]}))
    writer.write(Value("final", float("nan")))
    (tmp_path / "made.txt").write_text("made", encoding="utf-8")
    writer.write(Artifact("Bericht 数.txt", tmp_path / "made.txt"))
    writer.close("finished", None, 1.0, 10.0)
    (writer.folder / "scratch").mkdir()
    (writer.folder / "scratch" / "left.tmp").write_text("x")
    return RunRecord(writer.folder)


@pytest.fixture
def records(library: Library, tmp_path: Path) -> list[RunRecord]:
    return [
        write(library.create(RunHeader(method="walk", name=f"Lauf {n}", versions={})), tmp_path, n)
        for n in range(2)
    ]


def what_it_says(record: RunRecord, plain: Callable, board_as_data: Callable) -> Any:
    events = [(sequence, seconds, plain(event)) for sequence, seconds, event in record.events()]
    return events, board_as_data(record.board()), record.header, plain(record.results), record.selection


def test_export_and_import_give_the_same_runs(
    library: Library,
    elsewhere: Library,
    records: list[RunRecord],
    place: Path,
    plain: Callable,
    board_as_data: Callable,
) -> None:
    library.rename(records[0].header.id, "renamed")
    records[1].save_selection({"point": [1, 2]})
    records[0].refresh()
    path = place / "Läufe 数.zip"
    held = export_runs(records, path)
    assert import_runs(path, elsewhere) == sorted(record.header.id for record in records)
    for record in records:
        back = elsewhere.open(record.header.id)
        assert what_it_says(back, plain, board_as_data) == what_it_says(record, plain, board_as_data)
        assert (back.folder / "artifacts" / "Bericht 数.txt").read_text() == "made"
        assert not (back.folder / "scratch").exists()
        assert not (back.folder / "lock").exists()
    assert {run.name for run in elsewhere.runs()} == {"renamed", "Lauf 1"}
    files = [
        f"{r.header.id}/{f.relative_to(r.folder).as_posix()}" for r in records for f in r.folder.rglob("*")
    ]
    assert set(held) == {f for f in files if "scratch" not in f and "." in f.rsplit("/")[-1]}
    assert not [p for p in elsewhere.root.iterdir() if p.name.startswith(".")]


def test_the_zip_is_readable_without_this_program(records: list[RunRecord], place: Path) -> None:
    path = place / "runs.zip"
    held = export_runs(records, path)
    with zipfile.ZipFile(path) as file:
        readme = file.read("README.md").decode()
        for record in records:
            assert record.header.id in readme
            assert record.header.name in readme
        assert json.loads(file.read("contents.json"))["files"] == held
        id = records[1].header.id
        run = json.loads(file.read(f"{id}/run.json"))
        assert run["results"] == {"final": "nan"}
        curves = np.load(io.BytesIO(file.read(f"{id}/curves.npz")), allow_pickle=False)
        index = json.loads(curves["index.json"])
        assert index["curves"][0]["series"] == "walker"
        assert curves["c0.y"].tolist() == list(range(20))
        frames = np.load(io.BytesIO(file.read(f"{id}/frames.npz")), allow_pickle=False)
        frame = json.loads(frames["index.json"])[0]
        state = json.loads(frames[f"{frame['sequence']}/state.json"])
        shared = state["shared"][state["state"]["x"]["$array"]]
        array = np.load(io.BytesIO(file.read(f"{id}/arrays/{shared}.npz")), allow_pickle=False)["array"]
        assert array.tolist() == list(range(6_000))
        assert file.read(f"{id}/tables/steps.csv").decode() == "step,text\n1,ß\n2,数\n"
        lines = file.read(f"{id}/events.jsonl").decode().splitlines()
        assert json.loads(lines[0])["event"] == {"$word": "status", "status": "running", "reason": ""}
        for name in ("index.json", "events.jsonl", "curves.npz", "frames.npz", "run.json", "label.json"):
            assert name in readme


def test_nothing_is_overwritten(library: Library, records: list[RunRecord], place: Path) -> None:
    export_runs(records[:1], place / "one.zip")
    (new,) = import_runs(place / "one.zip", library)
    assert new != records[0].header.id
    assert len(library.runs()) == 3
    record = library.open(new)
    assert record.header.id == new
    assert json.loads((record.folder / "run.json").read_text())["imported"]["id"] == records[0].header.id


def test_a_live_run_arrives_as_interrupted(library: Library, elsewhere: Library, place: Path) -> None:
    writer = library.create(RunHeader(method="walk", versions={}))
    writer.write(StatusChanged("running"))
    writer.write(Append("path", "walker", 0, 1))
    writer.write(Message("so far"))
    writer.flush()
    export_runs([RunRecord(writer.folder)], place / "live.zip")
    (id,) = import_runs(place / "live.zip", elsewhere)
    record = elsewhere.open(id)
    assert record.status == "interrupted"
    assert [message.text for _, message in record.log()] == ["so far"]
    with pytest.raises(StorageError, match="still on its way"):
        import_folder(writer.folder, elsewhere)


def test_a_folder_of_the_terminal_comes_in(elsewhere: Library, place: Path, tmp_path: Path) -> None:
    out = place / "out"
    record = write(RunWriter(out, RunHeader(method="walk", name="out", versions={})), tmp_path)
    id = import_folder(out, elsewhere)
    assert id == record.header.id
    assert elsewhere.open(id).tables() == record.tables()
    again = import_folder(out, elsewhere)
    assert again != id
    assert [run.name for run in elsewhere.runs()] == ["out", "out"]
    assert (out / "run.json").exists()
    with pytest.raises(StorageError, match=r"run\.json is missing"):
        import_folder(place, elsewhere)


def zipped(path: Path, files: dict[str, bytes], **attributes: int) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = attributes.get("external_attr", 0) if name != "run/run.json" else 0
            file.writestr(info, content)
    return path


RUN = json.dumps(
    {"format": 1, "id": "20240101T000000000-00000000", "method": "walk", "status": "finished"}
).encode()


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "run/../../evil",
        "/evil",
        "run/a:evil",
        "run\\..\\evil",
        "C:/evil",
        "run/artifacts/../../../evil",
    ],
)
def test_paths_that_lead_out_are_refused(elsewhere: Library, place: Path, name: str) -> None:
    place.mkdir()
    path = zipped(place / "evil.zip", {"run/run.json": RUN, name: b"evil"})
    with pytest.raises(StorageError, match="leads out of it"):
        import_runs(path, elsewhere)
    assert not list(place.rglob("evil"))
    assert elsewhere.runs() == []


def test_links_are_refused(elsewhere: Library, place: Path) -> None:
    place.mkdir()
    files = {"run/run.json": RUN, "run/artifacts": b"/etc"}
    path = zipped(place / "link.zip", files, external_attr=(stat.S_IFLNK | 0o777) << 16)
    with pytest.raises(StorageError, match="leads out of it"):
        import_runs(path, elsewhere)


def test_an_id_that_leads_out_is_replaced(elsewhere: Library, place: Path) -> None:
    place.mkdir()
    for id in ("../evil", "..", "", ".bin", "a/b", str(place / "evil")):
        described = json.dumps({"format": 1, "id": id, "method": "walk", "status": "finished"}).encode()
        (new,) = import_runs(zipped(place / "id.zip", {"x/run.json": described}), elsewhere)
        assert elsewhere.open(new).folder.parent == elsewhere.root
    assert {path.name for path in place.iterdir()} == {"elsewhere", "id.zip"}


def test_sizes_are_bounded(elsewhere: Library, place: Path) -> None:
    place.mkdir()
    path = zipped(place / "big.zip", {"run/run.json": RUN, "run/artifacts/zeros": bytes(3_000_000)})
    for limits, told in (
        (replace(DEFAULT_LIMITS, unpacked_bytes=2_000_000), "unpacks to 3.0 MB"),
        (replace(DEFAULT_LIMITS, file_bytes=100), "larger than 100 bytes"),
        (Limits(unpack_ratio=100), "far more than it is"),
    ):
        with pytest.raises(StorageError, match=told):
            import_runs(path, elsewhere, limits)
    assert not elsewhere.root.exists() or not list(elsewhere.root.iterdir())
    assert len(import_runs(path, elsewhere, replace(DEFAULT_LIMITS, unpack_ratio=2_000))) == 1


def test_a_list_that_lies_about_sizes_is_caught(elsewhere: Library, place: Path) -> None:
    place.mkdir()
    path = zipped(place / "lie.zip", {"run/run.json": RUN, "run/artifacts/x": bytes(70_000)})
    content = path.read_bytes()
    small, large = (10).to_bytes(4, "little"), (70_000).to_bytes(4, "little")
    assert content.count(large) == 2
    path.write_bytes(content.replace(large, small))
    with pytest.raises(StorageError):
        import_runs(path, elsewhere)
    assert not [p for p in elsewhere.root.iterdir() if p.name != "index.sqlite" and p.is_dir()]


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({}, "holds no run"),
        ({"README.md": b"hello"}, "holds no run"),
        ({"run/run.json": b"{"}, "damaged"),
        ({"a/run.json": RUN, "b/run.json": b'{"format": 1}'}, "damaged"),
        ({"run/run.json": RUN, "run/RUN.json": RUN}, "twice"),
    ],
)
def test_what_is_no_run_is_told_and_nothing_taken(
    elsewhere: Library, place: Path, files: dict[str, bytes], told: str
) -> None:
    place.mkdir()
    with pytest.raises(StorageError, match=told):
        import_runs(zipped(place / "odd.zip", files), elsewhere)
    assert elsewhere.runs() == []
    assert not list(elsewhere.root.glob(".*"))


def test_what_is_no_zip_is_told(elsewhere: Library, records: list[RunRecord], place: Path) -> None:
    export_runs(records, place / "whole.zip")
    whole = (place / "whole.zip").read_bytes()
    (place / "noise.zip").write_bytes(os.urandom(1_000))
    (place / "torn.zip").write_bytes(whole[: len(whole) // 2])
    middle = len(whole) // 2
    (place / "bent.zip").write_bytes(whole[:middle] + bytes(500) + whole[middle + 500 :])
    for name in ("noise.zip", "torn.zip", "bent.zip", "missing.zip"):
        with pytest.raises(StorageError, match=name):
            import_runs(place / name, elsewhere)
    assert elsewhere.runs() == []


def test_an_export_that_fails_leaves_the_former_zip(records: list[RunRecord], place: Path) -> None:
    path = place / "runs.zip"
    path.write_bytes(b"the former one")
    shutil.rmtree(records[1].folder)
    with pytest.raises(StorageError, match="gone"):
        export_runs(records, path)
    with pytest.raises(StorageError, match="cannot be written"):
        export_runs(records[:1], place / "no folder" / "runs.zip")
    assert path.read_bytes() == b"the former one"
    assert not list(place.rglob("*.part"))
