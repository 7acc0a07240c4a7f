"""What a scatter says: under the mouse, as a summary, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPointF

from gui.views.drawing import DataTable
from gui.views.hover import Row
from gui.views.point_styles import shown_group
from gui.views.ticks import value_words

if TYPE_CHECKING:
    from gui.views.scatter import ScatterDrawing

_PILE = 2.5


def say_point(drawing: ScatterDrawing, index: int, pos: QPointF) -> None:
    """Name, group, numbers, and how many more lie there."""
    state, (x, y) = drawing.state, drawing.axes()
    rows = [
        Row(x.title, value_words(float(state.x[index]))),
        Row(y.title, value_words(float(state.y[index]))),
    ]
    group = int(shown_group(state)[index])
    if 0 <= group < len(state.groups):
        look = drawing.points.pictures[drawing.points.base[index]]
        rows.insert(0, Row(state.groups[group].name, "", look.fill, look.shape))
    if state.value is not None:
        title = state.value_axis.title if state.value_axis else "value"
        rows.append(Row(title, value_words(float(state.value[index]))))
    here = drawing.canvas.to_scene(float(drawing.points.xs[index]), float(drawing.points.ys[index]))
    pile = len(drawing.points.near(here, _PILE)) - 1
    if pile > 0:
        rows.append(Row(f"and {pile:,} more here"))
    drawing.hover_box.say(pos, drawing.name_of(index), "", tuple(rows))


def say_hull(drawing: ScatterDrawing, pos: QPointF) -> None:
    """Label and note of the hull under the mouse; without one the box goes away."""
    index = drawing.hulls.at(pos)
    polygon = None if index is None else drawing.state.polygons[index]
    if polygon is None or not (polygon.note or polygon.label):
        drawing.hover_box.hide()
        return
    rows = (Row(polygon.note),) if polygon.note else ()
    drawing.hover_box.say(pos, polygon.label, "", rows)


def point_summary(drawing: ScatterDrawing) -> str:
    """How many points, of which groups, over which axes."""
    x, y = drawing.axes()
    head = f"{drawing.view.title}: {len(drawing.ids):,} points, {y.shown()} over {x.shown()}."
    group = shown_group(drawing.state)
    counts = [
        f"{one.name} {np.count_nonzero(group == i):,}" for i, one in enumerate(drawing.state.groups[:12])
    ]
    hulls = [" ".join(filter(None, (one.label, one.note))) for one in drawing.state.polygons[:12]]
    parts = [head]
    if counts:
        parts.append(f"Groups: {', '.join(counts)}.")
    if any(hulls):
        parts.append(f"Outlined: {', '.join(filter(None, hulls))}.")
    return " ".join(parts)


def point_table(drawing: ScatterDrawing) -> DataTable:
    """One row per point."""
    state, (x, y) = drawing.state, drawing.axes()
    headers = [drawing.view.entity or "id", x.shown(), y.shown()]
    columns: list[list[Any]] = [
        drawing.ids.tolist(),
        np.asarray(state.x).tolist(),
        np.asarray(state.y).tolist(),
    ]
    if len(state.names):
        headers.insert(1, "name")
        columns.insert(1, [str(name) for name in state.names])
    if state.groups and state.group is not None:
        names = [*(one.name for one in state.groups), ""]
        headers.append("group")
        columns.append([names[group] for group in np.asarray(state.group).tolist()])
    if state.value is not None:
        headers.append(state.value_axis.shown() if state.value_axis else "value")
        columns.append(np.asarray(state.value).tolist())
    return headers, columns
