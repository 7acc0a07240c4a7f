"""A run whose process is killed opens as interrupted, with everything that was flushed."""

from __future__ import annotations

import csv
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from engine.core.records.library import Library
from engine.core.records.reader import RunRecord
from engine.core.views import LinesState, ScatterState

SCRIPT = Path(__file__).parent / "endless_run.py"
ROOT = Path(__file__).parents[4]
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the runs are forked")


@pytest.fixture
def endless() -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    script = subprocess.Popen(
        [sys.executable, str(SCRIPT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment,
    )
    yield script
    assert script.stdin
    assert script.stdout
    script.stdin.close()
    script.wait(60)
    script.stdout.close()


def kill_after(script: subprocess.Popen[str], folder: Path, seconds: float) -> None:
    """Begins a run in `folder` and kills it `seconds` after its first flush."""
    assert script.stdin
    assert script.stdout
    script.stdin.write(f"{folder}\n")
    script.stdin.flush()
    child = int(script.stdout.readline())
    flushed = Path(f"{folder}.flushed")
    until = time.monotonic() + 60
    while not (flushed.exists() and flushed.stat().st_size):
        assert time.monotonic() < until
        time.sleep(0.002)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    while psutil.pid_exists(child):
        assert time.monotonic() < until
        time.sleep(0.001)


def last_flushed(folder: Path) -> int:
    return int(Path(f"{folder}.flushed").read_bytes().split(b"\n")[-2])


def check(folder: Path) -> int:
    """Everything up to the last flush is there once, in order, and nothing is torn; the steps found."""
    flushed = last_flushed(folder)
    with RunRecord(folder) as record:
        assert record.status == "interrupted"
        told = [int(message.text.removeprefix("step ")) for _, message in record.log()]
        assert told == list(range(len(told)))
        assert len(told) > flushed
        board = record.board()
        path, points = board.state("path"), board.state("points")
        assert isinstance(path, LinesState)
        assert isinstance(points, ScatterState)
        assert len(path.series[0].x) > flushed
        assert path.series[0].y.tolist() == [step**2 for step in range(len(path.series[0].x))]
        assert points.x[0] >= flushed
        assert (points.x == points.x[0]).all()
        shown = [record.board(at).state("points").x[0] for at in record.key_times[::7]]  # type: ignore[union-attr]
        assert shown == sorted(shown)
        assert record.results["step"] >= flushed  # type: ignore[operator]
        assert record.tables()["steps"]["step"] == list(range(len(record.tables()["steps"]["step"])))
        assert len(record.tables()["steps"]["step"]) > flushed
        assert record.notices == []
    with open(folder / "tables" / "steps.csv", encoding="utf-8", newline="", errors="replace") as file:
        rows = list(csv.reader(file))
    assert [row[0] for row in rows[1 : flushed + 2]] == [str(step) for step in range(flushed + 1)]
    return len(told)


def test_fifty_kills(endless: subprocess.Popen[str], place: Path) -> None:
    place.mkdir()
    random.seed(1)
    steps = []
    for number in range(50):
        folder = place / f"run {number}"
        kill_after(endless, folder, random.uniform(0, 0.12))
        steps.append(check(folder))
    assert len(set(steps)) > 20
    library = Library(place)
    runs = library.runs()
    assert len(runs) == 50
    assert {run.status for run in runs} == {"interrupted"}
    assert all(run.damaged is None for run in runs)
    library.close()
