"""The data behind a view as a flat table, for CSV. Imports no matplotlib.

Numbers are written in full (they read back to the same float); what is not finite is "nan", "inf", "-inf".
A view of several parts (curves and bounds, points and hulls) has a column `part`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

import numpy as np

from engine.core.views import (
    Axis,
    Bars,
    BarsState,
    DendrogramState,
    GraphState,
    HeatMapState,
    ImageGridState,
    LinesState,
    PanelState,
    ScatterState,
    TableState,
    View,
    ViewState,
)

Row = tuple[Any, ...]


def write_rows(view: View, state: ViewState, file: TextIO) -> int:
    """Write head and rows of the data behind a view to an open file; returns the number of rows.

    Raises:
        KeyError: a state of a kind not known here.
    """
    head, rows = _TABLES[state.kind](view, state)
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(head)
    count = 0
    for row in rows:
        writer.writerow([_cell(value) for value in row])
        count += 1
    return count


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, float | np.floating):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    return str(value)


def _column(values: Any, count: int) -> list[Any]:
    """An optional column as a list, empty cells where it is absent."""
    if values is None or len(values) == 0:
        return [None] * count
    return values.tolist() if isinstance(values, np.ndarray) else list(values)


def _named(axis: Axis | None, otherwise: str) -> str:
    return axis.shown() if axis is not None and axis.title else otherwise


def _lines(view: Any, state: LinesState) -> tuple[Row, Iterable[Row]]:
    x, y = _named(state.x or view.x, "x"), _named(state.y or view.y, "y")

    def rows() -> Iterator[Row]:
        for s in state.series:
            n = len(s.x)
            yield from zip(
                ["series"] * n,
                [s.name] * n,
                _column(s.x, n),
                _column(s.y, n),
                _column(s.low, n),
                _column(s.high, n),
                strict=True,
            )
        for b in state.brackets:
            for at, low, high in zip(_column(b.x, 0), _column(b.low, 0), _column(b.high, 0), strict=True):
                yield "bracket", b.name, at, None, low, high
        for r in state.references:
            for at, height in zip(_column(r.x, 0), _column(r.y, 0), strict=True):
                yield r.kind, r.name, at, height, None, None
        for level in state.levels:
            place = (None, level.value) if level.axis == "y" else (level.value, None)
            yield ("level", level.name, *place, None, None)
        for rug in state.rugs:
            for at in _column(rug.x, 0):
                yield "rug", rug.name, at, None, None, None
        for span in state.spans:
            yield "span", span.name, None, None, span.low, span.high

    return ("part", "name", x, y, "low", "high"), rows()


def _scatter(view: Any, state: ScatterState) -> tuple[Row, Iterable[Row]]:
    x, y = _named(state.x_axis or view.x, "x"), _named(state.y_axis or view.y, "y")
    n = len(state.x)
    group_names = [g.name for g in state.groups]

    def rows() -> Iterator[Row]:
        groups = [
            group_names[g] if g is not None and 0 <= g < len(group_names) else None
            for g in _column(state.group, n)
        ]
        ids = range(n) if state.ids is None else state.ids.tolist()
        columns = (state.x, state.y, state.value, state.size, state.low, state.high)
        yield from zip(
            ["point"] * n,
            ids,
            _column(state.names, n),
            groups,
            *(_column(c, n) for c in columns),
            strict=True,
        )
        for number, hull in enumerate(state.polygons):
            for at, height in zip(_column(hull.x, 0), _column(hull.y, 0), strict=True):
                yield "hull", number, hull.label, hull.note, at, height, None, None, None, None
        for s in state.segments:
            for number, (xs, ys) in enumerate(
                zip(np.asarray(s.x).tolist(), np.asarray(s.y).tolist(), strict=True)
            ):
                for at, height in zip(xs, ys, strict=True):
                    yield "segment", number, s.name, None, at, height, None, None, None, None
        for r in state.references:
            for at, height in zip(_column(r.x, 0), _column(r.y, 0), strict=True):
                yield r.kind, None, r.name, None, at, height, None, None, None, None
        for number, place in enumerate(star_places(state).tolist()):
            yield "star", number, None, None, place[0], place[1], None, None, None, None

    return (
        "part",
        "id",
        "name",
        "group",
        x,
        y,
        _named(state.value_axis, "value"),
        "size",
        "low",
        "high",
    ), rows()


def star_places(state: ScatterState) -> np.ndarray:
    """Where stars stand, float64 (s, 2): positions as given, or the points whose indices are given."""
    stars = np.empty((0, 2)) if state.stars is None else np.asarray(state.stars)
    if stars.ndim == 1:
        chosen = stars.astype(int)
        return np.column_stack((np.asarray(state.x, float)[chosen], np.asarray(state.y, float)[chosen]))
    return stars


def _bars(view: Bars, state: BarsState) -> tuple[Row, Iterable[Row]]:
    value = _named(state.value or view.value, "value")
    category = _named(state.category or view.category, "category")
    edges = state.edges
    first: Row = (category,) if edges is None else (f"{category} from", f"{category} to")

    def rows() -> Iterator[Row]:
        for s in state.series:
            n = len(s.values)
            marks = _column(state.ticks, n)
            for i, (v, low, high) in enumerate(
                zip(_column(s.values, n), _column(s.low, n), _column(s.high, n), strict=True)
            ):
                name = state.categories[i] if i < len(state.categories) else i
                place = (name,) if edges is None else (float(edges[i]), float(edges[i + 1]))
                yield ("bar", s.name, *place, v, low, high, marks[i])
        for level in state.levels:
            yield ("level", level.name, *[None] * len(first), level.value, None, None, None)

    return ("part", "series", *first, value, "low", "high", state.ticks_name or "mark"), rows()


def _heat_map(view: Any, state: HeatMapState) -> tuple[Row, Iterable[Row]]:
    values = np.asarray(state.values)
    columns = _column(state.x, 0) or list(state.columns) or list(range(1, values.shape[1] + 1))
    rows = _column(state.y, 0) or list(state.rows) or list(range(1, values.shape[0] + 1))
    corner = f"{_named(state.y_axis or view.y, 'row')} \\ {_named(state.x_axis or view.x, 'column')}"
    return (corner, *(_cell(c) for c in columns)), (
        (name, *row.tolist()) for name, row in zip(rows, values, strict=True)
    )


def _table(view: Any, state: TableState) -> tuple[Row, Iterable[Row]]:
    heads: list[str] = []
    columns: list[list[Any]] = []
    for column in state.columns:
        name = f"{column.title} ({column.unit})" if column.unit else column.title
        heads.append(name)
        columns.append(_column(column.values, 0))
        if column.kind == "interval" and column.low is not None and column.high is not None:
            heads += [f"{name} low", f"{name} high"]
            columns += [_column(column.low, 0), _column(column.high, 0)]
        if column.kind == "spread" and column.high is not None:
            heads.append(f"{name} ±")
            columns.append(_column(column.high, 0))
    return tuple(heads), zip(*columns, strict=True)


def _dendrogram(view: Any, state: DendrogramState) -> tuple[Row, Iterable[Row]]:
    height = _named(state.height or view.height, "height")
    n = state.leaves

    def rows() -> Iterator[Row]:
        places = np.empty(n, np.int64)
        places[np.asarray(state.order, np.int64)] = np.arange(n)
        names = _column(state.names, n)
        for leaf, (place, label) in enumerate(zip(places.tolist(), _column(state.labels, n), strict=True)):
            yield "leaf", leaf, names[leaf], place, label, None, None, None, None
        for row, (a, b, at, size) in enumerate(np.asarray(state.merges, float).tolist()):
            yield "merge", n + row, None, None, None, int(a), int(b), at, int(size)
        if state.cut is not None:
            yield "cut", None, state.cut_label, None, None, None, None, state.cut, None

    return ("part", "node", "name", "place", "cluster", "left", "right", height, "leaves"), rows()


def _graph(view: Any, state: GraphState) -> tuple[Row, Iterable[Row]]:
    n = len(state.x)

    def rows() -> Iterator[Row]:
        columns = (state.names, state.x, state.y, state.colours, state.size)
        for number, cells in enumerate(zip(*(_column(c, n) for c in columns), strict=True)):
            yield ("node", number, *cells, None, None, None)
        pairs = np.empty((0, 2), int) if state.edges is None else np.asarray(state.edges, int)
        names = _column(state.edge_names, len(pairs))
        for number, (a, b) in enumerate(pairs.tolist()):
            score = None if state.edge_score is None else float(state.edge_score[number])
            yield "edge", number, names[number], None, None, None, None, a, b, score

    return ("part", "id", "name", "x", "y", "colour", "size", "from", "to", "score"), rows()


def _panel(view: Any, state: PanelState) -> tuple[Row, Iterable[Row]]:
    rows = (
        (getattr(c, "group", ""), c.label, getattr(c, "value", None), getattr(c, "unit", ""))
        for c in state.controls
    )
    return ("group", "label", "value", "unit"), rows


def _image_grid(view: Any, state: ImageGridState) -> tuple[Row, Iterable[Row]]:
    n = state.count
    ids = np.arange(n) if state.ids is None else state.ids
    marks = [-1] * n if state.mark is None else np.asarray(state.mark).tolist()
    named = [state.marks[mark].name if mark >= 0 else None for mark in marks]
    columns = (
        _column(ids, n),
        _column(state.captions, n),
        _column(state.struck, n),
        named,
        _column(state.notes, n),
    )
    return ("id", "caption", "before", "state", "note"), zip(*columns, strict=True)


_TABLES: dict[str, Any] = {
    "lines": _lines,
    "scatter": _scatter,
    "bars": _bars,
    "heat-map": _heat_map,
    "table": _table,
    "dendrogram": _dendrogram,
    "graph": _graph,
    "panel": _panel,
    "image-grid": _image_grid,
}
