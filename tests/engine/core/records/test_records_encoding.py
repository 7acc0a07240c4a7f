"""Whatever an event holds comes back from the record as it was."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from engine.core.events import Acted, Answered, Append, EngineEvent, Message, Rows, Show, Value
from engine.core.records.arrays import LONG_LIST, as_values, from_values, put_lists_back, take_out_lists
from engine.core.records.disk import file_name, json_text, plain_name
from engine.core.records.header import RunHeader
from engine.core.records.reader import RunRecord
from engine.core.records.writer import RunWriter
from engine.core.views import HeatMapState, LinesState, ScatterState

texts = st.text(max_size=20)
names = st.text(min_size=1, max_size=12)
floats = st.floats(allow_nan=True, allow_infinity=True)
leaves = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | floats | texts
trees = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(alphabet="abc_ä数", min_size=1, max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)
plain_dtypes = (
    hnp.boolean_dtypes()
    | hnp.integer_dtypes(endianness="<")
    | hnp.unsigned_integer_dtypes(endianness="<")
    | hnp.floating_dtypes(endianness="<", sizes=(32, 64))
    | hnp.unicode_string_dtypes(endianness="<", max_len=5)
)
arrays = hnp.arrays(plain_dtypes, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=6))
matrices = hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=90), elements=floats)
points = hnp.arrays(np.float64, st.integers(0, 30), elements=floats)

events: st.SearchStrategy[EngineEvent] = st.one_of(
    st.builds(Message, texts, st.sampled_from(["info", "warning", "error"])),
    st.builds(
        Acted, names, st.dictionaries(names.filter(lambda n: n[0] != "$"), trees | arrays), st.integers(-1)
    ),
    st.builds(Answered, st.dictionaries(names.filter(lambda n: n[0] != "$"), trees)),
    st.builds(lambda x, name: Show("points", ScatterState(x=x, y=x[::-1], caption=name)), points, texts),
    st.builds(lambda values: Show("map", HeatMapState(values=values)), matrices),
    st.builds(
        lambda table, a, b: Rows(table, {"a": a[: len(b)], "b": b[: len(a)]}),
        names,
        st.lists(leaves, max_size=5),
        st.lists(leaves, max_size=5),
    ),
)


@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(events=st.lists(events, min_size=1, max_size=5))
def test_events_come_back_as_they_were(events: list[EngineEvent], plain: Callable[[Any], Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        writer = RunWriter(Path(folder) / "run", RunHeader(method="walk", versions={}))
        for event in events:
            writer.write(event)
        writer.flush()
        with RunRecord(writer.folder) as record:
            back = [event for _, _, event in record.events()]
            assert record.notices == []
        assert [plain(event) for event in back] == [plain(event) for event in events]


@settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    chunks=st.lists(
        st.tuples(st.sampled_from(["a", "ß", "数"]), floats | points, st.booleans()), min_size=1, max_size=15
    )
)
def test_points_come_back_as_they_were(chunks: list[tuple[str, Any, bool]]) -> None:
    wanted: dict[str, list[tuple[float, float, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        writer = RunWriter(Path(folder) / "run", RunHeader(method="walk", versions={}))
        for number, (series, x, spread) in enumerate(chunks):
            low = x if spread else None
            writer.write(Append("path", series, x, x, low, low))
            bound = x if spread else np.full(np.shape(x), math.nan)
            wanted.setdefault(series, []).extend(
                zip(np.atleast_1d(x), np.atleast_1d(x), np.atleast_1d(bound), strict=True)
            )
            if number % 3 == 0:
                writer.flush()
        writer.close("finished", None, 1.0, None)
        with RunRecord(writer.folder) as record:
            state = record.board().state("path")
        found = {} if state is None else {series.name: series for series in state.series}
        assert state is None or isinstance(state, LinesState)
        assert set(found) == {name for name, rows in wanted.items() if rows}
        for name, series in found.items():
            x, y, low = np.array(wanted[name]).T
            np.testing.assert_array_equal(series.x, x)
            np.testing.assert_array_equal(series.y, y)
            np.testing.assert_array_equal(
                np.full(len(x), math.nan) if series.low is None else series.low, low
            )


@settings(derandomize=True, deadline=None)
@given(array=arrays)
def test_small_arrays_come_back_from_json(array: np.ndarray) -> None:
    import json

    back = from_values(json.loads(json_text(as_values(array))))
    assert back.shape == array.shape
    assert back.dtype == array.dtype or array.dtype.itemsize == 0
    np.testing.assert_array_equal(back, array)


@settings(derandomize=True, deadline=None)
@given(value=st.floats() | st.integers() | texts, count=st.integers(LONG_LIST - 2, LONG_LIST + 2))
def test_long_lists_are_taken_out_and_put_back(value: Any, count: int) -> None:
    if value != value or value in (math.inf, -math.inf):
        value = 0.5
    tree = {"a": [value] * count, "b": [{"c": [[value] * count, 1]}]}
    taken: dict[str, np.ndarray] = {}
    short = take_out_lists(tree, taken)
    assert bool(taken) == (count > LONG_LIST)
    assert put_lists_back(short, taken) == tree


@settings(derandomize=True, deadline=None)
@given(name=st.text(max_size=30))
def test_any_name_makes_a_file_name(name: str) -> None:
    made = file_name(name)
    assert plain_name(made) == name
    assert made not in ("", ".", "..")
    assert not set(made) & set('<>:"/\\|?*\0\n')
    assert not made.startswith(".")


@settings(derandomize=True, deadline=None)
@given(one=names, other=names)
def test_different_names_make_different_files(one: str, other: str) -> None:
    assert (file_name(one) == file_name(other)) == (one == other)


def test_numbers_of_numpy_are_results_like_others(tmp_path: Path) -> None:
    writer = RunWriter(tmp_path / "run", RunHeader(method="walk", versions={}))
    for name, value in {"a": np.float32(0.5), "b": np.int64(3), "c": np.str_("ß")}.items():
        writer.write(Value(name, value))  # type: ignore[arg-type]
    writer.close("finished", None, 1.0, None)
    results = RunRecord(writer.folder).results
    assert results == {"a": 0.5, "b": 3, "c": "ß"}
    assert [type(value) for value in results.values()] == [float, int, str]
