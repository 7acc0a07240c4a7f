"""A folder with a blank, an accent and letters that are not Latin; a clock that only moves when told."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.core.board import Board
from engine.core.encoding import encode
from engine.core.records import writer as writing
from engine.core.records.header import RunHeader
from engine.core.records.reader import RunRecord
from engine.core.records.writer import RunWriter


class Clock:
    """Stands for the module `time` in the writer."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def monotonic(self) -> float:
        return self.seconds

    def time(self) -> float:
        return 1.7e9 + self.seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(writing, "time", types.SimpleNamespace(monotonic=clock.monotonic, time=clock.time))
    return clock


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "Läufe 数据 von Zoë"


@pytest.fixture
def header() -> RunHeader:
    return RunHeader(method="walk", title="Random walk", parameters={"steps": 50}, versions={"numpy": "2"})


@pytest.fixture
def writer(place: Path, header: RunHeader) -> RunWriter:
    return RunWriter(place / "run", header)


@pytest.fixture
def reopened() -> Iterator[Callable[[RunWriter], RunRecord]]:
    """Opens what a writer wrote; closed after the test."""
    records: list[RunRecord] = []

    def reopen(writer: RunWriter) -> RunRecord:
        records.append(RunRecord(writer.folder))
        return records[-1]

    yield reopen
    for record in records:
        record.close()


def plain(value: Any) -> Any:
    """A described value as data that compares with ==, NaN equal to NaN, types of arrays included."""
    tree, arrays = encode(value)
    for name, array in arrays.items():
        if array.dtype.kind == "f":
            # One NaN is as good as another: their bits may differ.
            arrays[name] = np.where(np.isnan(array), array.dtype.type(np.nan), array)
    return tree, {name: (a.dtype.str, a.shape, a.tobytes()) for name, a in arrays.items()}


def board_as_data(board: Board) -> dict[str, Any]:
    views = {view: plain(board.state(view)) for view in sorted(board.views())}
    values = {name: plain(value) for name, value in board.values.items()}
    return {"views": views, "values": values, "tables": plain(board.tables)}


@pytest.fixture(name="plain")
def plain_fixture() -> Callable[[Any], Any]:
    return plain


@pytest.fixture(name="board_as_data")
def board_as_data_fixture() -> Callable[[Board], dict[str, Any]]:
    return board_as_data
