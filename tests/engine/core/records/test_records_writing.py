"""What lies on the disk after a run: files, forms, thinning."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.core.errors import StorageError
from engine.core.events import (
    Acted,
    Answered,
    Append,
    Artifact,
    Ask,
    Message,
    Progress,
    Rows,
    Show,
    StatusChanged,
    Value,
)
from engine.core.records.frames import MOST_FRAMES
from engine.core.records.header import RunHeader, is_id, new_id, versions
from engine.core.records.reader import RunRecord
from engine.core.records.writer import RunWriter
from engine.core.views import DendrogramState, LinesState, ScatterState, Series, TableState

Reopen = Callable[[RunWriter], RunRecord]


def described(writer: RunWriter) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((writer.folder / "run.json").read_text(encoding="utf-8"))
    return found


def scatter(value: float, n: int = 4) -> ScatterState:
    return ScatterState(x=np.full(n, value), y=np.arange(n, dtype=float), caption=f"{value}")


def test_description_has_the_fields_scripts_read(writer: RunWriter) -> None:
    writer.write(StatusChanged("running"))
    writer.write(Value("loss", 0.25, spread=0.5, repeats=3))
    writer.write(Value("best", "average"))
    writer.close("failed", {"kind": "run", "message": "It grew too large.", "field": "k"}, 2.5, 120.0)
    found = described(writer)
    assert {key: found[key] for key in ("method", "status", "seed", "seconds", "peak_mb")} == {
        "method": "walk",
        "status": "failed",
        "seed": 0,
        "seconds": 2.5,
        "peak_mb": 120.0,
    }
    assert found["parameters"] == {"steps": 50}
    assert found["results"] == {"loss": 0.25, "best": "average"}
    assert found["spreads"] == {"loss": {"spread": 0.5, "repeats": 3}}
    assert found["error"] == {"kind": "run", "message": "It grew too large.", "field": "k"}
    assert found["versions"] == {"numpy": "2"}
    assert found["data"] == {}
    assert found["format"] == 1


def test_parameters_come_back_equal_and_typed(place: Path, plain: Callable[[Any], Any]) -> None:
    parameters = {
        "whole": 10**30,
        "one": 1,
        "also one": 1.0,
        "tiny": 5e-324,
        "third": 1 / 3,
        "yes": True,
        "nothing": None,
        "words": 'Zoë 数据 \n\t"quoted" \U0001f600',
        "text of a number": "1.0",
        "long": "x" * 100_000,
        "several": [1, 2.5, "three", [None, False]],
        "nested": {"a": {"b": {"c": [{}]}}},
    }
    data = {"name": "Müller.csv", "path": "/daten/Müller.csv", "options": {"decimal": ","}, "kind": "table"}
    header = RunHeader(
        method="walk", parameters=parameters, data=data, seed=2**62, threads=3, tags=("a", "ß"), parent="p"
    )
    RunWriter(place, header).close("finished", None, 0.0, None)
    back = RunRecord(place).header
    assert back == header
    assert plain(back.parameters) == plain(parameters)
    assert [type(value) for value in back.parameters.values()] == [type(v) for v in parameters.values()]


def test_numbers_that_are_not_finite(writer: RunWriter, reopened: Reopen) -> None:
    for name, value in {"a": math.nan, "b": math.inf, "c": -math.inf, "d": np.float64("nan")}.items():
        writer.write(Value(name, value))
    writer.write(Rows("numbers", {"x": np.array([1.0, np.nan, np.inf, -np.inf]), "n": [1, 2, 3, 4]}))
    writer.write(Append("path", "walker", 0, math.nan))
    writer.write(Append("path", "walker", 1, math.inf, low=-math.inf, high=math.nan))
    writer.write(Show("points", ScatterState(x=np.array([np.nan, -np.inf]), y=np.array([np.inf, 0.0]))))
    writer.close("finished", None, math.nan, None)
    text = (writer.folder / "run.json").read_text(encoding="utf-8")
    stored = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert stored["results"] == {"a": "nan", "b": "inf", "c": "-inf", "d": "nan"}
    record = reopened(writer)
    np.testing.assert_equal(list(record.results.values()), [math.nan, math.inf, -math.inf, math.nan])
    np.testing.assert_equal(record.tables()["numbers"]["x"], [1.0, math.nan, math.inf, -math.inf])
    state = record.board().state("points")
    assert isinstance(state, ScatterState)
    np.testing.assert_equal(state.x, [math.nan, -math.inf])
    lines = record.board().state("path")
    assert isinstance(lines, LinesState)
    np.testing.assert_equal(lines.series[0].y, [math.nan, math.inf])
    np.testing.assert_equal(lines.series[0].low, [math.nan, -math.inf])
    with open(writer.folder / "tables" / "numbers.csv", encoding="utf-8", newline="") as file:
        assert list(csv.reader(file))[1:] == [["1.0", "1"], ["nan", "2"], ["inf", "3"], ["-inf", "4"]]


def test_tables_grow_and_keep_every_digit(writer: RunWriter, reopened: Reopen) -> None:
    third = 1 / 3
    writer.write(Rows("Tabelle ä/数", {"name": ['comma, quote" and\nline', "ß"], "value": [third, 1e300]}))
    writer.flush()
    writer.write(Rows("Tabelle ä/数", {"value": np.array([5e-324]), "name": np.array(["数据"])}))
    writer.write(Rows("again", {"k": [1, 2]}))
    writer.write(Rows("again", {"k": [3]}, replace=True))
    writer.write(Rows("again", {"k": [4]}))
    writer.flush()
    path = writer.folder / "tables" / "Tabelle ä%2F数.csv"
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["name", "value"]
    assert [row[0] for row in rows[1:]] == ['comma, quote" and\nline', "ß", "数据"]
    assert [float(row[1]) for row in rows[1:]] == [third, 1e300, 5e-324]
    assert (writer.folder / "tables" / "again.csv").read_text() == "k\n3\n4\n"
    tables = reopened(writer).tables()
    assert tables["again"] == {"k": [3, 4]}
    assert tables["Tabelle ä/数"]["value"] == [third, 1e300, 5e-324]


def test_every_kind_of_event_comes_back(
    writer: RunWriter, reopened: Reopen, plain: Callable[[Any], Any]
) -> None:
    events = [
        StatusChanged("running"),
        Message("Zoë liest 数据", "warning"),
        Ask("Which?", {"which": ("a", "b"), "ids": (1, 2)}, {"which": "a"}, "points"),
        Answered({"which": "b", "ids": [3, 4]}, "person"),
        Acted("move", {"value": 1.5, "ids": [1, 2]}, 7, undo=("move", {"value": 0.0}), kind="redo"),
        Value("loss", 0.1),
        Progress(0.5, "Walking", 1, 2, "step"),
        Rows("t", {"a": np.arange(3, dtype=np.int32), "b": ["x", None, "z"], "c": (True, False, True)}),
        Show("points", scatter(1.0)),
        Acted("select", {"ids": np.arange(20_000)}, 8),
    ]
    for event in events:
        writer.write(event)
    writer.flush()
    back = list(reopened(writer).events())
    assert [plain(event) for _, _, event in back] == [plain(event) for event in events]
    assert [sequence for sequence, _, _ in back] == list(range(len(events)))


def test_progress_and_values_are_thinned_but_the_last_counts(
    writer: RunWriter, clock: Any, reopened: Reopen
) -> None:
    clock.seconds = writer._begin
    for step in range(400):
        clock.seconds += 0.01
        writer.write(Progress(step / 400, "Walking", step, 400, "step"))
        writer.write(Value("distance", step))
        if step % 50 == 49:
            writer.flush()
    writer.close("finished", None, 4.0, None)
    record = reopened(writer)
    told = [(seconds, event) for _, seconds, event in record.events()]
    steps = [event.done for _, event in told if isinstance(event, Progress)]
    assert 18 <= len(steps) <= 22
    assert steps == sorted(steps)
    assert steps[-1] == 399
    assert len([event for _, event in told if isinstance(event, Value)]) <= 30
    assert record.results == {"distance": 399}


def test_frames_are_thinned_evenly_and_first_and_last_stay(
    writer: RunWriter, clock: Any, reopened: Reopen
) -> None:
    clock.seconds = writer._begin
    for shown in range(5_001):
        clock.seconds += 0.1
        writer.write(Show("points", scatter(float(shown))))
        if shown % 7 == 0:
            writer.flush()
    writer.flush()
    assert len(list((writer.folder / "frames" / "points").iterdir())) <= MOST_FRAMES
    writer.close("finished", None, 500.0, None)
    shown_at = [event.state.x[0] for _, _, event in reopened(writer).events() if isinstance(event, Show)]
    assert MOST_FRAMES / 2 <= len(shown_at) <= MOST_FRAMES
    assert shown_at[0] == 0
    assert shown_at[-1] == 5_000
    assert set(np.diff(shown_at)[:-1]) == {32.0}
    assert len(reopened(writer).key_times) == len(shown_at)


def test_few_frames_are_all_kept(writer: RunWriter, reopened: Reopen) -> None:
    for shown in range(MOST_FRAMES - 1):
        writer.write(Show("points", scatter(float(shown))))
    writer.close("finished", None, 1.0, None)
    shown_at = [event.state.x[0] for _, _, event in reopened(writer).events() if isinstance(event, Show)]
    assert shown_at == list(range(MOST_FRAMES - 1))


def test_large_arrays_are_stored_once_and_go_with_their_last_frame(
    writer: RunWriter, reopened: Reopen, monkeypatch: pytest.MonkeyPatch
) -> None:
    merges, order = np.random.default_rng(1).random((34_000, 4)), np.arange(34_000)
    names = tuple(f"leaf {leaf}" for leaf in range(34_000))
    for cut in range(200):
        state = DendrogramState(merges=merges, leaves=34_001, order=order, names=names, cut=cut / 7)
        writer.write(Show("tree", state))
        writer.flush()
    stored = list((writer.folder / "arrays").iterdir())
    assert len(stored) == 3
    assert sum(path.stat().st_size for path in writer.folder.rglob("*") if path.is_file()) < 3_000_000
    state = reopened(writer).board().state("tree")
    assert isinstance(state, DendrogramState)
    np.testing.assert_array_equal(state.merges, merges)
    assert state.names == names
    assert state.cut == 199 / 7
    # Frames of more bytes than a view may have thin out until what is left fits, with their arrays.
    monkeypatch.setattr("engine.core.records.frames.MOST_BYTES", 3_000_000)
    for shown in range(200):
        writer.write(Show("points", scatter(float(shown), 10_000)))
    writer.close("finished", None, 1.0, None)
    frames = [e for _, _, e in reopened(writer).events() if isinstance(e, Show) and e.view == "points"]
    assert 15 <= len(frames) <= 40
    assert frames[-1].state.x[0] == 199
    # One array per frame, the order they share, and three of the tree.
    assert len(list((writer.folder / "arrays").iterdir())) == len(frames) + 1 + 3


def test_table_states_with_many_words_come_back(
    writer: RunWriter, reopened: Reopen, plain: Callable[[Any], Any]
) -> None:
    words = tuple(f"réponse {number} 数" for number in range(2_000))
    numbers = [*range(300), 1e300, 2**70]
    event = Acted("label", {"names": words, "numbers": numbers, "flags": [True] * 300}, 0)
    state = DendrogramState(merges=np.empty((0, 4)), leaves=2_000, order=np.arange(2_000), names=words)
    writer.write(Show("tree", state))
    writer.write(Show("lines", LinesState(series=(Series(name="s", x=np.arange(3.0), y=np.arange(3.0)),))))
    writer.write(event)
    writer.flush()
    record = reopened(writer)
    assert plain(record.board().state("tree")) == plain(state)
    assert plain(record.steering()[0][2]) == plain(event)
    assert TableState.word not in (writer.folder / "run.json").read_text()


def test_what_cannot_be_stored_is_said_and_costs_nothing_else(writer: RunWriter, reopened: Reopen) -> None:
    writer.write(Show("points", ScatterState(x=np.array([object()]), y=np.zeros(1))))
    writer.write(Acted("do", {"thing": object()}, 0))
    writer.write(Append("path", "walker", np.arange(3.0), np.arange(4.0)))
    writer.write(Append("path", "other", 0, 1.5))
    writer.write(Rows("t", {"a": [1, 2], "b": [1]}))
    writer.write(Artifact("gone.txt", "/nowhere/gone.txt"))
    writer.write(Message("still here"))
    writer.flush()
    record = reopened(writer)
    texts = [message.text for _, message in record.log()]
    assert texts[0] == "still here"
    assert [
        sum(word in text for text in texts) for word in ("points", "Acted", "walker", "Rows", "gone.txt")
    ] == [
        1,
        1,
        1,
        1,
        1,
    ]
    lines = record.board().state("path")
    assert isinstance(lines, LinesState)
    assert [series.name for series in lines.series] == ["other"]


def test_artifacts_are_moved_into_the_record(writer: RunWriter, reopened: Reopen, tmp_path: Path) -> None:
    source = tmp_path / "made.txt"
    source.write_text("made by the run")
    writer.write(Artifact("../Bericht ä.txt", source, "Report"))
    placed = writer.artifact_path("placed.bin")
    placed.write_bytes(b"12")
    writer.write(Artifact("placed.bin", placed))
    writer.flush()
    found = [event for _, _, event in reopened(writer).events() if isinstance(event, Artifact)]
    assert [(a.name, a.path) for a in found] == [
        ("../Bericht ä.txt", "artifacts/%2E.%2FBericht ä.txt"),
        ("placed.bin", "artifacts/placed.bin"),
    ]
    assert (writer.folder / found[0].path).read_text() == "made by the run"
    assert not source.exists()
    assert placed.read_bytes() == b"12"


def test_actions_on_a_finished_run_are_recorded(writer: RunWriter, reopened: Reopen) -> None:
    for shown in range(3):
        writer.write(Show("points", scatter(float(shown))))
        writer.write(Append("path", "walker", shown, shown))
    writer.close("finished", None, 1.0, None)
    assert not (writer.folder / "lock").exists()
    writer.write(StatusChanged("finished"))
    writer.write(Show("points", scatter(9.0)))
    writer.write(Append("path", "walker", 3, 3))
    writer.write(Value("ratio", 2.0))
    writer.write(Acted("cut", {"height": 2.0}, 3))
    writer.flush()
    for _ in range(2):
        record = reopened(writer)
        assert record.status == "finished"
        assert [e.state.x[0] for _, _, e in record.events() if isinstance(e, Show)] == [0, 1, 2, 9]
        state = record.board().state("path")
        assert isinstance(state, LinesState)
        assert state.series[0].x.tolist() == [0, 1, 2, 3]
        assert record.results == {"ratio": 2.0}
        assert [e.status for _, _, e in record.events() if isinstance(e, StatusChanged)] == ["finished"]
        record.close()
        writer.close("finished", None, 1.0, None)
    assert not (writer.folder / "lock").exists()
    assert not (writer.folder / "frames").exists()


def test_thinning_goes_on_after_the_files_were_merged(writer: RunWriter, reopened: Reopen) -> None:
    for shown in range(250):
        writer.write(Show("points", scatter(float(shown), 5_000)))
    writer.close("finished", None, 1.0, None)
    for shown in range(250, 900):
        writer.write(Show("points", scatter(float(shown), 5_000)))
        if shown % 5 == 0:
            writer.flush()
    writer.flush()
    state = reopened(writer).board().state("points")
    assert isinstance(state, ScatterState)
    assert state.x[0] == 899
    writer.close("finished", None, 1.0, None)
    shown_at = [event.state.x[0] for _, _, event in reopened(writer).events() if isinstance(event, Show)]
    assert shown_at == [*range(0, 900, 4), 899]
    assert len(list((writer.folder / "arrays").iterdir())) == len(shown_at) + 1


def test_blocks_stay_few_while_a_run_goes_on(writer: RunWriter, reopened: Reopen) -> None:
    for step in range(1_200):
        writer.write(Append("path", "walker", step, step * 0.5))
        if step % 3 == 0:
            writer.write(Append("path", "bounds", step, 0.0, low=-1.0, high=1.0))
        writer.flush()
    assert len(list((writer.folder / "curves").iterdir())) < 3 * 32
    state = reopened(writer).board().state("path")
    assert isinstance(state, LinesState)
    assert state.series[0].x.tolist() == list(range(1_200))
    writer.close("finished", None, 1.0, None)
    assert not (writer.folder / "curves").exists()
    walker, bounds = reopened(writer).board().state("path").series  # type: ignore[union-attr]
    assert walker.y.tolist() == [step * 0.5 for step in range(1_200)]
    assert walker.low is None
    assert bounds.high.tolist() == [1.0] * 400


def test_a_folder_holds_one_run_and_one_writer(place: Path, header: RunHeader) -> None:
    first = RunWriter(place, header)
    with pytest.raises(StorageError, match="holds a run already"):
        RunWriter(place, header)
    (place / "run.json").unlink()
    with pytest.raises(StorageError, match="being written by process"):
        RunWriter(place, header)
    (place / "run.json").write_text("{}")
    first.close("finished", None, 0.0, None)
    assert RunRecord(place).status == "finished"


def test_new_ids_differ_and_sort_by_time() -> None:
    ids = [new_id() for _ in range(2_000)]
    assert len(set(ids)) == 2_000
    assert all(is_id(id) for id in ids)
    assert [id[:18] for id in ids] == sorted(id[:18] for id in ids)


def test_versions_name_program_and_libraries_that_are_installed() -> None:
    found = versions()
    assert found["numpy"] == np.__version__
    assert {"python", "platform", "scipy", "numba"} <= set(found)
