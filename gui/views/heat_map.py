"""Matrices and functions over the plane on the screen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtWidgets import QWidget

from engine.core.views import Axis, HeatMap, HeatMapState
from gui.views.axes import Face
from gui.views.cell_editor import CellEditor
from gui.views.cell_layer import CellLayer, HatchLayer, cell_edges, level_lines
from gui.views.colour_bar import ColourBar, ColourScale
from gui.views.curve import same_array
from gui.views.drawing import DataTable
from gui.views.hand import Drag
from gui.views.hover import Row
from gui.views.plot import PlotDrawing
from gui.views.ticks import to_drawn, value_words

_RESAMPLED = 2000


class HeatMapDrawing(PlotDrawing):
    """A matrix with rows downwards, or a function over the plane where the state has coordinates."""

    view: HeatMap
    state: HeatMapState

    def __init__(self, view: HeatMap, parent: QWidget | None = None) -> None:
        super().__init__(view, parent)
        self.canvas.axes.grid = "none"
        self.canvas.bounded = True
        self.scale = ColourScale(view.map, 0, 1)
        self._shown: np.ndarray | None = None
        self.image = pg.ImageItem(axisOrder="row-major", autoDownsample=False)
        self.canvas.box.addItem(self.image, ignoreBounds=True)
        self.hatch = HatchLayer(self.canvas)
        self.cells = CellLayer(self.canvas)
        self.bar = ColourBar(self.canvas)
        self.editor = CellEditor(self.canvas.viewport())
        self.editor.given.connect(self._on_given)
        self._editing: tuple[int, int] | None = None

    def axes(self) -> tuple[Axis, Axis, Axis]:
        """x, y and value axes that hold now."""
        state, view = self.state, self.view
        if state is None:
            return view.x, view.y, view.value
        return state.x_axis or view.x, state.y_axis or view.y, state.value_axis or view.value

    # State

    def refresh(self) -> None:
        """Draw the state; the image is made again only for other numbers."""
        state, (x, y, value) = self.state, self.axes()
        values = np.asarray(state.values)
        rows, columns = values.shape
        over_x, over_y = state.x is not None, state.y is not None
        self.x_log, self.y_log = x.log and over_x, y.log and over_y
        self.canvas.downwards = not over_y
        self.canvas.axes.x = self._face(x, over_x, state.columns)
        self.canvas.axes.y = self._face(y, over_y, state.rows)
        self.canvas.axes.line = over_x
        across = cell_edges(None if state.x is None else to_drawn(state.x, self.x_log), columns)
        up = cell_edges(None if state.y is None else to_drawn(state.y, self.y_log), rows)
        self._set_image(values, across, up)
        self._set_cells(values, across, up)
        self.bar.colours, self.bar.title = self.scale, value.shown()
        self.canvas.right_margin = self.bar.width_needed()
        self.canvas.set_home(float(across[0]), float(across[-1]), float(up[0]), float(up[-1]))
        self.show_selection()
        self.canvas.arrange()
        undefined = int(np.count_nonzero(~np.isfinite(values)))
        self.hatch.area = (*self.canvas.home(),) if undefined else None
        words = f"{undefined:,} undefined cell{'s' if undefined > 1 else ''} hatched"
        self.setToolTip(words if undefined else "")

    @staticmethod
    def _face(axis: Axis, over: bool, names: tuple[str, ...]) -> Face:
        return Face(axis.shown(), axis.log and over, names=names if names and not over else None)

    def _set_image(self, values: np.ndarray, across: np.ndarray, up: np.ndarray) -> None:
        state = self.state
        fresh = not same_array(values, self._shown)
        before = self.scale
        if fresh or state.limits is not None:
            self.scale = ColourScale.fitted(self.view.map, values, state.limits, state.centre)
        self._shown = values
        if fresh or self.scale != before:
            shown = _evened(values, across, up)
            if not np.isfinite(shown).all():
                shown = np.where(np.isfinite(shown), shown, np.nan)
            levels = (self.scale.low, self.scale.high)
            self.image.setImage(shown, levels=levels, autoLevels=False)
        self.image.setLookupTable(self.scale.table())
        width, height = float(across[-1] - across[0]), float(up[-1] - up[0])
        self.image.setRect(QRectF(float(across[0]), float(up[0]), width, height))

    def _set_cells(self, values: np.ndarray, across: np.ndarray, up: np.ndarray) -> None:
        state, cells = self.state, self.cells
        cells.values, cells.across, cells.up, cells.colours = values, across, up, self.scale
        cells.outlined = None if state.outlined is None else np.asarray(state.outlined, bool)
        x, y = (across[1:] + across[:-1]) / 2, (up[1:] + up[:-1]) / 2
        cells.contours = level_lines(x, y, values, state.contours)
        cells.hovered = None

    def show_selection(self) -> None:
        """Selected rows are framed."""
        ids = self.chosen()
        rows = self.cells.values.shape[0]
        numbers = ids.size and ids.dtype.kind in "iu"
        self.cells.chosen = ids[(ids >= 0) & (ids < rows)] if numbers else np.empty(0, np.int64)
        self.cells.update()

    # The hand

    def drag_at(self, pos: QPointF, button: Qt.MouseButton, keys: Qt.KeyboardModifier) -> Drag | None:
        """A block of cells where the view takes one, else the range."""
        cell = self.cells.at(pos)
        if cell is not None and button == Qt.MouseButton.LeftButton and "brush" in self.view.gestures:
            return BrushDrag(self, cell)
        return super().drag_at(pos, button, keys)

    def click_at(self, pos: QPointF, keys: Qt.KeyboardModifier) -> None:
        """A cell; its row is selected."""
        cell = self.cells.at(pos)
        if cell is None:
            super().click_at(pos, keys)
            return
        self.make_gesture("click", row=cell[0], column=cell[1])
        self.pick(np.array([cell[0]]), self.mode_of(keys))

    def double_click_at(self, pos: QPointF) -> bool:
        """Edits a cell where the view takes it."""
        cell = self.cells.at(pos)
        if cell is None or "edit-cell" not in self.view.gestures:
            return False
        self._editing = cell
        box = self.cells.box(*cell).intersected(self.canvas.plot_rect()).toRect()
        self.editor.open(box, float(self.state.values[cell]), number=True)
        return True

    def _on_given(self, value: float) -> None:
        if self._editing is not None:
            row, column = self._editing
            self._editing = None
            self.make_gesture("edit-cell", row=row, column=column, value=value)

    def hover_at(self, pos: QPointF) -> None:
        """Names or places of the cell and its value."""
        cell = self.cells.at(pos)
        if cell != self.cells.hovered:
            self.cells.hovered = cell
            self.cells.update()
        if cell is None:
            self.hover_box.hide()
            return
        x, y, value = self.axes()
        row, column = cell
        note = self._note(row, column)
        rows = [
            Row(y.title or "row", self.place_name(row, self.state.rows, self.state.y)),
            Row(x.title or "column", self.place_name(column, self.state.columns, self.state.x)),
        ]
        if note:
            rows.append(Row(note))
        number = float(self.state.values[cell])
        unit = f" {value.unit}" if value.unit and number == number else ""
        self.hover_box.say(pos, f"{value_words(number)}{unit}", "", tuple(rows))

    def _note(self, row: int, column: int) -> str:
        notes = self.state.notes
        return notes[row][column] if row < len(notes) and column < len(notes[row]) else ""

    @staticmethod
    def place_name(index: int, names: tuple[str, ...], places: np.ndarray | None) -> str:
        """Name of a row or column, else its place, else its number from 1."""
        if index < len(names):
            return names[index]
        return value_words(float(places[index])) if places is not None else f"{index + 1:,}"

    def hover_left(self) -> None:
        """No frame, no box."""
        super().hover_left()
        if self.cells.hovered is not None:
            self.cells.hovered = None
            self.cells.update()

    # In words

    def describe(self) -> str:
        """Size, range, where the extremes are."""
        if self.state is None:
            return super().describe()
        values, value = np.asarray(self.state.values, np.float64), self.axes()[2]
        text = f"{self.view.title}: {values.shape[0]:,} rows × {values.shape[1]:,} columns of {value.shown()}"
        if not np.isfinite(values).any():
            return f"{text}, none defined."
        low, high = float(np.nanmin(values)), float(np.nanmax(values))
        row, column = np.unravel_index(int(np.nanargmax(values)), values.shape)
        at = (
            self.place_name(int(row), self.state.rows, self.state.y),
            self.place_name(int(column), self.state.columns, self.state.x),
        )
        return f"{text}, from {value_words(low)} to {value_words(high)} (at {at[0]}, {at[1]})."

    def data_table(self) -> DataTable:
        """Rows as they stand, the names or places of rows first."""
        if self.state is None:
            return [], []
        state, values = self.state, np.asarray(self.state.values)
        rows, columns = values.shape
        headers = [self.axes()[1].shown() or "row"]
        headers += [self.place_name(c, state.columns, state.x) for c in range(columns)]
        body: list[list[Any]] = [[self.place_name(r, state.rows, state.y) for r in range(rows)]]
        return headers, body + values.T.tolist()


class BrushDrag:
    """Draws a block of whole cells; told when let go."""

    def __init__(self, drawing: HeatMapDrawing, cell: tuple[int, int]) -> None:
        self._drawing, self._from = drawing, cell
        self._block = (cell[0], cell[0], cell[1], cell[1])

    def move(self, pos: QPointF) -> None:
        """The block reaches to the cell under the mouse, or the nearest one."""
        plot = self._drawing.canvas.plot_rect()
        inside = QPointF(
            min(max(pos.x(), plot.left()), plot.right() - 1), min(max(pos.y(), plot.top()), plot.bottom() - 1)
        )
        cell = self._drawing.cells.at(inside)
        if cell is not None:
            rows, columns = sorted((self._from[0], cell[0])), sorted((self._from[1], cell[1]))
            self._block = (rows[0], rows[1], columns[0], columns[1])
        self._drawing.cells.brush = self._block
        self._drawing.cells.update()

    def finish(self, pos: QPointF) -> None:
        """Tell the block; both ends belong to it."""
        self.move(pos)
        self.cancel()
        names = ("row_low", "row_high", "column_low", "column_high")
        self._drawing.make_gesture("brush", **dict(zip(names, self._block, strict=True)))

    def cancel(self) -> None:
        """Take the block away."""
        self._drawing.cells.brush = None
        self._drawing.cells.update()


def _evened(values: np.ndarray, across: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Cells of unequal size as an even grid, every place of which is the cell it lies in."""

    def indices(edges: np.ndarray) -> np.ndarray | None:
        steps = np.diff(edges)
        if len(steps) < 2 or np.allclose(steps, steps[0], rtol=1e-6):
            return None
        places = np.linspace(edges[0], edges[-1], 2 * _RESAMPLED + 1)[1::2]
        return np.clip(np.searchsorted(edges, places, side="right") - 1, 0, len(steps) - 1)

    columns, rows = indices(across), indices(up)
    if columns is not None:
        values = values[:, columns]
    return values if rows is None else values[rows]
