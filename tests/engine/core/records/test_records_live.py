"""A run can be looked at while it is written, thinned and merged."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from engine.core.events import Append, Message, Show, StatusChanged, Value
from engine.core.records import frames
from engine.core.records.header import RunHeader
from engine.core.records.reader import RunRecord
from engine.core.records.writer import RunWriter
from engine.core.views import ScatterState


def test_reading_while_writing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "MOST_FRAMES", 20)
    writer = RunWriter(place / "run", RunHeader(method="walk", versions={}))
    ended = threading.Event()

    def write() -> None:
        writer.write(StatusChanged("running"))
        step = 0
        while not ended.is_set():
            x = np.full(4_200 if step % 3 else 60, float(step))
            writer.write(Append("path", "walker", step, step**2))
            writer.write(Show("points", ScatterState(x=x, y=x)))
            writer.write(Message(f"{step}"))
            writer.flush()
            step += 1
            if step % 40 == 0:
                writer.close("stopped", None, 1.0, None)

    thread = threading.Thread(target=write)
    thread.start()
    looks, seen = 0, -1
    until = time.monotonic() + 2
    try:
        while time.monotonic() < until:
            with RunRecord(writer.folder) as record:
                board = record.board()
                for state in (board.state("points"), record.board(record.duration / 2).state("points")):
                    assert state is None or (state.x == state.x[0]).all()  # type: ignore[union-attr]
                path, shown = board.state("path"), board.state("points")
                if path is not None and shown is not None:
                    x, y = path.series[0].x, path.series[0].y  # type: ignore[union-attr]
                    assert x.tolist() == list(range(len(x)))
                    assert (y == x**2).all()
                    assert shown.x[0] >= seen  # type: ignore[union-attr]
                    seen = shown.x[0]  # type: ignore[union-attr]
                assert [int(m.text) for _, m in record.log()] == list(range(len(record.log())))
                assert record.notices == []
                assert sum(isinstance(event, Show) for _, _, event in record.events()) <= 22
                looks += 1
    finally:
        ended.set()
        thread.join()
    assert looks > 10
    assert seen > 10


def test_many_threads_write_one_run(writer: RunWriter, reopened: Callable[[RunWriter], RunRecord]) -> None:
    """The engine, the steering thread and the heart share a writer; each event is there once."""
    count = 3_000

    def write(name: str) -> None:
        for number in range(count):
            writer.write(Append("path", name, number, number))
            if number % 100 == 0:
                writer.write(Message(f"{name} {number}"))
                writer.flush()

    threads = [threading.Thread(target=write, args=(f"thread {n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    writer.write(Value("done", 1))
    writer.close("finished", None, 1.0, None)
    record = reopened(writer)
    series = record.board().state("path").series  # type: ignore[union-attr]
    assert {s.name: s.x.tolist() for s in series} == {f"thread {n}": list(range(count)) for n in range(4)}
    texts = [message.text for _, message in record.log()]
    assert sorted(texts) == sorted(f"thread {n} {k}" for n in range(4) for k in range(0, count, 100))
    times = [seconds for seconds, _ in record.log()]
    assert times == sorted(times)
    assert record.counts["events"] == 4 * (count + count // 100) + 2
