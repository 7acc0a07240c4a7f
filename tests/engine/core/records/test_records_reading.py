"""A record shows at any moment what was shown then; damage and other versions are told."""

from __future__ import annotations

import gc
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from engine.core.board import Board
from engine.core.errors import StorageError
from engine.core.events import Acted, Answered, Append, EngineEvent, Message, Rows, Show, StatusChanged, Value
from engine.core.records import description
from engine.core.records.header import FORMAT, RunHeader
from engine.core.records.process import ProcessMark, lives, this_process
from engine.core.records.reader import RunRecord
from engine.core.records.writer import RunWriter
from engine.core.views import LinesState, ScatterState, Series

Reopen = Callable[[RunWriter], RunRecord]
SAMPLE = Path(__file__).parent / "data" / "format_1"


def lines(*names: str, points: int = 0) -> LinesState:
    x = np.arange(points, dtype=float)
    return LinesState(series=tuple(Series(name=name, x=x, y=x * 2, colour=3) for name in names))


def a_history(steps: int) -> list[EngineEvent]:
    """Events of every kind that changes a board, curves that are shown anew among them."""
    events: list[EngineEvent] = [StatusChanged("running"), Show("path", lines("walker"))]
    for step in range(steps):
        events.append(Append("path", "walker", step, step**0.5))
        if step % 3 == 0:
            events.append(Append("path", "bounds", step, step, low=step - 1.0, high=step + 1.0))
        if step % 10 == 5:
            x = np.arange(4.0) + step
            events.append(Append("loss", "block", x, x**2))
            events.append(Show("points", ScatterState(x=x, y=x, caption=f"step {step}")))
        if step % 40 == 20:
            events.append(Show("path", lines("walker", "other", points=step)))
        if step % 15 == 0:
            events.append(Value("distance", float(step)))
            events.append(Rows("steps", {"step": [step], "text": [f"ß{step}"]}, replace=step % 45 == 0))
    return events


@pytest.mark.parametrize("closed", [False, True])
def test_board_at_any_moment_is_the_board_of_the_events_until_then(
    writer: RunWriter, clock: Any, reopened: Reopen, board_as_data: Callable, closed: bool
) -> None:
    clock.seconds = writer._begin
    events = a_history(120)
    for number, event in enumerate(events):
        clock.seconds += 0.25
        writer.write(event)
        if number % 11 == 0:
            writer.flush()
    writer.flush()
    if closed:
        writer.close("finished", None, 60.0, None)
    record = reopened(writer)
    for count in (*range(1, len(events), 7), len(events)):
        at = count * 0.25
        assert board_as_data(record.board(at)) == board_as_data(Board.of(events[:count])), count
    assert board_as_data(record.board()) == board_as_data(Board.of(events))
    assert board_as_data(record.board(0.0)) == board_as_data(Board())
    assert record.duration == len(events) * 0.25
    shows = [0.25 * (place + 1) for place, event in enumerate(events) if isinstance(event, Show)]
    assert record.key_times.tolist() == shows


def test_events_give_the_board_again(
    writer: RunWriter, clock: Any, reopened: Reopen, board_as_data: Callable
) -> None:
    clock.seconds = writer._begin
    events = a_history(300)
    for event in events:
        clock.seconds += 0.01
        writer.write(event)
    writer.flush()
    record = reopened(writer)
    back = list(record.events())
    assert board_as_data(Board.of(event for _, _, event in back)) == board_as_data(Board.of(events))
    assert [sequence for sequence, _, _ in back] == sorted({sequence for sequence, _, _ in back})
    assert len(back) < len(events)
    for until in (0.0, 0.4, 1.5, 2.345):
        early = list(record.events(until))
        assert all(seconds <= until for _, seconds, _ in early)
        assert board_as_data(Board.of(e for _, _, e in early)) == board_as_data(record.board(until))


def test_points_after_a_thinned_state_are_not_drawn_on_an_older_one(
    writer: RunWriter, clock: Any, reopened: Reopen
) -> None:
    """Every picture at a past moment is one that was shown, though not every one shown is kept."""
    clock.seconds = writer._begin
    for number in range(600):
        clock.seconds += 1
        writer.write(Show("path", lines("walker", points=number)))
        writer.write(Append("path", "walker", number, number * 2))
        writer.flush()
    record = reopened(writer)
    for at in (1.0, 337.5, 599.0, 600.0):
        state = record.board(at).state("path")
        assert isinstance(state, LinesState)
        x = state.series[0].x
        assert x.tolist() == list(range(len(x)))
        assert at - 8 <= len(x) <= at


def test_log_and_steering(writer: RunWriter, clock: Any, reopened: Reopen, plain: Callable) -> None:
    clock.seconds = writer._begin + 2
    acted = Acted("move", {"value": 2.5}, 4, ("move", {"value": 1.0}))
    answered = Answered({"keep": True}, "person")
    for event in (Message("first"), acted, Message("second", "error"), answered, Value("a", 1)):
        writer.write(event)
    writer.flush()
    record = reopened(writer)
    assert [(seconds, m.text, m.level) for seconds, m in record.log()] == [
        (2.0, "first", "info"),
        (2.0, "second", "error"),
    ]
    assert [(sequence, plain(event)) for sequence, _, event in record.steering()] == [
        (1, plain(acted)),
        (3, plain(answered)),
    ]


def test_refresh_shows_what_a_live_run_wrote_since(writer: RunWriter, reopened: Reopen) -> None:
    writer.write(StatusChanged("running"))
    writer.write(Append("path", "walker", 0, 0))
    writer.write(Show("points", ScatterState(x=np.zeros(1), y=np.zeros(1))))
    writer.flush()
    record = reopened(writer)
    assert record.status == "running"
    assert len(record.key_times) == 1
    writer.write(Append("path", "walker", 1, 1))
    writer.write(Show("points", ScatterState(x=np.ones(1), y=np.zeros(1))))
    writer.close("stopped", None, 1.0, None)
    # The frame that the record had listed was merged into another file; it finds it all the same.
    assert record.board().state("points").x.tolist() == [0.0]  # type: ignore[union-attr]
    record.refresh()
    assert record.board().state("points").x.tolist() == [1.0]  # type: ignore[union-attr]
    assert record.status == "stopped"
    assert record.board().state("path").series[0].x.tolist() == [0, 1]  # type: ignore[union-attr]


def test_selection_is_saved_with_the_record(writer: RunWriter, reopened: Reopen) -> None:
    writer.close("finished", None, 1.0, None)
    record = reopened(writer)
    assert record.selection is None
    record.save_selection({"point": [1, 5, 7], "named": {"Ränder": [2]}})
    assert reopened(writer).selection == {"point": [1, 5, 7], "named": {"Ränder": [2]}}


def test_status_follows_the_process(writer: RunWriter, reopened: Reopen) -> None:
    writer.write(StatusChanged("paused"))
    writer.flush()
    assert reopened(writer).status == "paused"
    path = writer.folder / "run.json"
    stored = json.loads(path.read_text())
    for change in ({"pid": 2**22 + 1}, {"process_started": stored["process_started"] - 60}, {"pid": None}):
        path.write_text(json.dumps({**stored, **change}))
        assert reopened(writer).status == "interrupted"
        assert not reopened(writer).is_live
    # On another machine only the heartbeat can tell.
    path.write_text(json.dumps({**stored, "host": "elsewhere"}))
    assert reopened(writer).status == "paused"
    path.write_text(json.dumps({**stored, "host": "elsewhere", "heartbeat": stored["heartbeat"] - 3600}))
    assert reopened(writer).status == "interrupted"


def test_only_this_very_process_counts_as_alive() -> None:
    mark = this_process()
    assert mark.pid == os.getpid()
    assert lives(mark, None)
    assert not lives(ProcessMark(mark.pid, mark.started + 100, mark.host), None)
    assert not lives(None, None)


def test_a_torn_last_line_is_ignored(writer: RunWriter, reopened: Reopen) -> None:
    for number in range(3):
        writer.write(Message(f"number {number}"))
    writer.flush()
    path = writer.folder / "events.jsonl"
    whole = path.read_bytes()
    for cut in range(1, len(whole) - whole.rstrip(b"\n").rfind(b"\n") - 1):
        path.write_bytes(whole[:-cut])
        record = reopened(writer)
        assert [message.text for _, message in record.log()] == ["number 0", "number 1"]
        assert record.notices == []


def test_damaged_parts_are_named_and_the_rest_is_read(writer: RunWriter, reopened: Reopen) -> None:
    for number in range(3):
        writer.write(Append("path", "walker", number, number))
        writer.write(Show("points", ScatterState(x=np.full(9_000, number), y=np.zeros(9_000))))
        writer.write(Message(f"number {number}"))
        writer.flush()
    blocks = sorted((writer.folder / "curves").iterdir())
    blocks[1].write_bytes(b"noise" * 100)
    frames = sorted((writer.folder / "frames" / "points").iterdir())
    frames[2].write_bytes(frames[2].read_bytes()[:200])
    text = (writer.folder / "events.jsonl").read_bytes().split(b"\n")
    text[1] = b'{"sequence": 5, "sec\xff'
    (writer.folder / "events.jsonl").write_bytes(b"\n".join(text))
    record = reopened(writer)
    board = record.board()
    assert board.state("path").series[0].x.tolist() == [0, 2]  # type: ignore[union-attr]
    assert board.state("points").x[0] == 1  # type: ignore[union-attr]
    assert [message.text for _, message in record.log()] == ["number 0", "number 2"]
    notices = "\n".join(record.notices)
    for part in (blocks[1].name, "Frame 7 of view points cannot be read", "line 2 is damaged"):
        assert part in notices
    shutil.rmtree(writer.folder / "arrays")
    record.close()
    assert record.board().views() == {"path"}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "run.json is missing"),
        (b"", "damaged"),
        (b'{"method": "walk", "for', "damaged"),
        (b"[1, 2]", "not a description"),
        (b'{"method": "walk"}', "no format number"),
        (b'{"format": 1, "method": "walk"}', "damaged"),
        (b'{"format": 1, "id": "x", "method": "walk", "parameters": 3}', "parameters"),
        (b"\xff\xfe\x00", "damaged"),
        (b'{"format": 0, "id": "x", "method": "walk"}', "no version of Papertab"),
    ],
)
def test_a_damaged_description_is_told(writer: RunWriter, content: bytes | None, told: str) -> None:
    writer.write(Message("hello"))
    writer.write(Append("path", "walker", 0, 0))
    writer.flush()
    path = writer.folder / "run.json"
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(StorageError, match=told) as raised:
        RunRecord(writer.folder)
    assert "run.json" in str(raised.value)
    if told in ("damaged", "run.json is missing") and content != b'{"format": 1, "method": "walk"}':
        assert "Still there: the events, the curves." in str(raised.value)


def test_a_newer_format_opens_read_only_with_a_sentence(writer: RunWriter) -> None:
    writer.write(Value("a", 1))
    writer.close("finished", None, 1.0, None)
    path = writer.folder / "run.json"
    stored = json.loads(path.read_text())
    path.write_text(json.dumps({**stored, "format": FORMAT + 1, "something new": [1]}))
    events = writer.folder / "events.jsonl"
    events.write_bytes(events.read_bytes() + b'{"sequence":9,"seconds":1.0,"event":{"$word":"hologram"}}\n')
    with RunRecord(writer.folder) as record:
        assert record.read_only
        assert record.results == {"a": 1}
        assert len(list(record.events())) == 2
        assert "newer version of Papertab" in record.notices[0]
        assert "hologram" in record.notices[1]
        with pytest.raises(StorageError, match="newer version"):
            record.save_selection({})
    assert not (writer.folder / "window.json").exists()


def test_older_formats_are_brought_up_step_by_step(
    writer: RunWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer.close("finished", None, 1.0, None)
    path = writer.folder / "run.json"
    stored = json.loads(path.read_text())
    path.write_text(json.dumps({**stored, "format": -1, "method": "old"}))
    monkeypatch.setitem(description.STEPS, -1, lambda old: {**old, "method": old["method"] + "er"})
    monkeypatch.setitem(description.STEPS, 0, lambda old: {**old, "method": old["method"] + " still"})
    record = RunRecord(writer.folder)
    assert record.header.method == "older still"
    assert not record.read_only


def test_the_sample_of_format_1_opens(tmp_path: Path) -> None:
    """Written once by the first version that wrote records; must open in every later one."""
    folder = shutil.copytree(SAMPLE, tmp_path / "sample")
    with RunRecord(folder) as record:
        assert record.header.id == "20240721T101530123-9f86d081"
        assert record.header.parameters == {"steps": 50, "kind": "lazy", "rate": 0.1}
        assert record.header.data["name"] == "Müller.csv"
        assert (record.status, record.seconds, record.peak_mb) == ("finished", 1.5, 80.0)
        np.testing.assert_equal(record.results, {"final": 12.25, "worst": float("nan"), "best": "lazy"})
        assert record.spreads == {"final": {"spread": 0.5, "repeats": 3}}
        board = record.board()
        path, points = board.state("path"), board.state("points")
        assert isinstance(path, LinesState)
        assert isinstance(points, ScatterState)
        assert path.series[0].name == "walker"
        assert path.series[0].y.tolist() == [step**0.5 for step in range(50)]
        assert points.x.shape == (4_100,)
        assert points.caption == "state 1"
        assert points.names[4_099] == "point 4099"
        assert record.board(record.key_times[1]).state("points").caption == "state 0"  # type: ignore[union-attr]
        assert board.tables == {"steps": {"step": [1, 2], "text": ["ß", "数"]}}
        assert [event.action for _, _, event in record.steering() if isinstance(event, Acted)] == [
            "move_goal"
        ]
        assert [message.text for _, message in record.log()] == ["Walking began"]
        assert record.notices == []


def test_memory_comes_back_when_records_are_closed(place: Path) -> None:
    header = RunHeader(method="walk", versions={})
    writer = RunWriter(place, header)
    x = np.arange(300_000.0)
    writer.write(Append("path", "walker", x, x))
    for shown in range(20):
        points = np.random.default_rng(shown).random(20_000)
        writer.write(Show("points", ScatterState(x=points, y=points)))
    writer.close("finished", None, 1.0, None)
    process = psutil.Process()
    before = 0
    for opened in range(50):
        with RunRecord(place) as record:
            for at in record.key_times[::5]:
                assert record.board(at).views()
        if opened == 4:
            gc.collect()
            before = process.memory_info().rss
    gc.collect()
    assert process.memory_info().rss - before < 50e6


@pytest.mark.slow
def test_a_long_history_opens_within_two_seconds(place: Path) -> None:
    import time

    writer = RunWriter(place, RunHeader(method="walk", versions={}))
    for block in range(100):
        for step in range(10_000):
            writer.write(Append("path", "walker", block * 10_000 + step, step))
        for number in range(10):
            x = np.random.default_rng(block * 10 + number).random(2_000)
            writer.write(Show("points", ScatterState(x=x, y=x)))
        writer.flush()
    writer.close("finished", None, 1.0, None)
    begin = time.perf_counter()
    with RunRecord(place) as record:
        board = record.board()
        opened = time.perf_counter() - begin
        assert len(board.state("path").series[0].x) == 1_000_000  # type: ignore[union-attr]
        begin = time.perf_counter()
        moments = np.linspace(0, record.duration, 60)
        for at in moments:
            record.board(at)
        frame = (time.perf_counter() - begin) / len(moments)
    assert opened < 2
    assert frame < 1 / 30
