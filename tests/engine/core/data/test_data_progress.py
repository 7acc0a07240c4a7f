"""Reading tells how far it is, often enough, and stops when told to."""

from __future__ import annotations

import io

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

from engine.core.data import DistanceKind, ReadOptions, Source, TableKind, read

ROWS = 60_000


class Stopped(Exception):
    pass


def contents():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(ROWS, 5))
    body = "\n".join(",".join(map(repr, row)) for row in x.tolist())
    quoted = "\n".join(f'"{i}, x",{v!r}' for i, v in enumerate(x[:, 0].tolist()))
    array, columns = io.BytesIO(), io.BytesIO()
    np.save(array, rng.normal(size=(ROWS, 20)))
    parquet.write_table(pyarrow.table({f"c{j}": x[:, j] for j in range(5)}), columns, row_group_size=10_000)
    return {
        "plain.csv": ("a,b,c,d,e\n" + body).encode(),
        "utf16.csv": ("a,b,c,d,e\n" + body).encode("utf-16"),
        "quoted.csv": ("name,v\n" + quoted).encode(),
        "array.npy": array.getvalue(),
        "table.parquet": columns.getvalue(),
        "sparse.libsvm": "\n".join(f"1 1:{v!r} 3:1" for v in x[:20_000, 0].tolist()).encode(),
    }


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    place = tmp_path_factory.mktemp("groß 数")
    for name, content in contents().items():
        (place / name).write_bytes(content)
    return place


NAMES = ["plain.csv", "utf16.csv", "quoted.csv", "array.npy", "table.parquet", "sparse.libsvm"]


@pytest.mark.parametrize("name", NAMES)
def test_ticks_are_fractions_with_a_phase_and_many(files, name):
    ticks = []
    read(files / name, [TableKind(id_column=True)], tick=lambda *tick: ticks.append(tick))
    assert all(0 <= fraction <= 1 and phase for fraction, phase in ticks)
    assert len(ticks) >= 8


@pytest.mark.parametrize("name", NAMES)
def test_any_tick_may_stop_the_reading(files, name):
    count = 0

    def counting(fraction, phase):
        nonlocal count
        count += 1

    read(files / name, [TableKind(id_column=True)], tick=counting)
    for stop_at in {1, count // 2, count}:
        seen = 0

        def stopping(fraction, phase, limit=stop_at):
            nonlocal seen
            seen += 1
            if seen == limit:
                raise Stopped

        with pytest.raises(Stopped):
            read(files / name, [TableKind(id_column=True)], tick=stopping)
        assert seen == stop_at


def test_no_more_than_a_slice_is_parsed_between_ticks(files, monkeypatch):
    """With slices of a tenth, ten times as many ticks come from the parser."""

    def parser_ticks():
        phases = []
        read(files / "plain.csv", [TableKind()], tick=lambda fraction, phase: phases.append(phase))
        return phases.count("Reading the numbers")

    few = parser_ticks()
    monkeypatch.setattr("engine.core.data.delimited._CELLS_AT_A_TIME", 20_000)
    assert few == 2
    assert parser_ticks() == 15


def test_a_large_file_is_read_as_a_small_one(files):
    path = files / "head.csv"
    lines = (files / "plain.csv").read_bytes().split(b"\n")
    path.write_bytes(b"\n".join(lines[:101]))
    whole, head = read(files / "plain.csv", [TableKind()]), read(path, [TableKind()])
    assert whole.value.n == ROWS
    np.testing.assert_array_equal(whole.value.numeric()[:100], head.value.numeric())
    assert whole.report.separator == head.report.separator == ","


def test_a_bad_row_far_down_a_large_file_is_found(files):
    path = files / "bad.csv"
    lines = (files / "plain.csv").read_bytes().split(b"\n")
    lines[50_000] = b"1,2,3,4,n/a"
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(Exception, match=r"row 50,001, column e: “n/a” is not a number"):
        read(path, [TableKind()])
    lines[50_000] = b"1,2,3,4"
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(Exception, match=r"row 50,001: 4 values instead of 5"):
        read(path, [TableKind()])


def test_estimate_before_reading(files):
    estimate = Source(files / "plain.csv").estimate()
    assert estimate.file_bytes == (files / "plain.csv").stat().st_size
    assert estimate.in_words() == "5.9 MB on disk, about 17.7 MB in memory"


def test_distances_tick_while_they_are_checked(files):
    n = 1200
    path = files / "d.npy"
    x = np.random.default_rng(0).random(n)
    np.save(path, np.abs(x[:, None] - x[None, :]))
    phases = []
    read(path, [DistanceKind()], ReadOptions(), tick=lambda fraction, phase: phases.append(phase))
    assert phases.count("Checking the distances") == 5
    assert phases.count("Checking the symmetry") == 5
