"""Images side by side on the screen."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPointF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QLabel, QListView, QVBoxLayout, QWidget

from engine.core.views import ImageGrid, ImageGridState
from gui.theme.typeset import typeset
from gui.views.drawing import DataTable, Drawing
from gui.views.hover import HoverBox, Row
from gui.views.selection import NONE
from gui.views.tile_delegate import SIZES, TileDelegate, TileModel
from gui.views.tile_filters import TileFilters

_FLAG = QItemSelectionModel.SelectionFlag


class TileList(QListView):
    """Rows of tiles that wrap; the wheel with Ctrl, and Ctrl with plus and minus, change their size."""

    resized = Signal(int)
    """Larger (1) or smaller (−1) tiles are wanted."""
    opened = Signal(object)
    """Enter on a tile (its row)."""
    cleared = Signal()
    """Escape."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(4_000)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionRectVisible(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setProperty("ground", "surface")

    def wheelEvent(self, event: QWheelEvent) -> None:
        """With Ctrl larger or smaller tiles, else scroll."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.resized.emit(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens, Escape clears, Ctrl with plus and minus change the size."""
        key, ctrl = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex().row())
        elif key == Qt.Key.Key_Escape and self.selectionModel().hasSelection():
            self.cleared.emit()
        elif ctrl and key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self.resized.emit(-1 if key == Qt.Key.Key_Minus else 1)
        else:
            super().keyPressEvent(event)


class ImageGridDrawing(Drawing):
    """Thumbnails of one entity, filtered by chips and put in order; selected with the other views."""

    view: ImageGrid
    state: ImageGridState

    def __init__(self, view: ImageGrid, parent: QWidget | None = None) -> None:
        super().__init__(view, parent)
        self.filters = TileFilters()
        self.list = TileList(view.title)
        self.model = TileModel()
        self.list.setModel(self.model)
        self.delegate = TileDelegate(self.list)
        self.list.setItemDelegate(self.delegate)
        self.hover_box = HoverBox(self.list.viewport())
        self._taking = False
        self._focus: int | None = None
        body = QWidget()
        body.setProperty("ground", "surface")
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.filters)
        column.addWidget(self.list, 1)
        self.note = QLabel()
        self.note.setWordWrap(True)
        self.note.setProperty("tone", "tertiary")
        self.note.setContentsMargins(12, 4, 12, 6)
        typeset(self.note, "small")
        column.addWidget(self.note)
        self.filters.changed.connect(self._arrange)
        self.list.entered.connect(self._hover)
        self.list.viewportEntered.connect(self.hover_box.hide)
        self.list.viewport().installEventFilter(self)
        self.list.doubleClicked.connect(lambda index: self._open(index.row()))
        self.list.opened.connect(self._open)
        self.list.cleared.connect(lambda: self.pick(NONE))
        self.list.resized.connect(self.resize_tiles)
        self.list.selectionModel().selectionChanged.connect(self._on_picked)
        self.set_body(body)
        self.setFocusProxy(self.list)

    # What is shown

    def refresh(self) -> None:
        """Show the state; filter, order and scroll stay."""
        self.delegate.captioned = bool(self.state.captions or self.state.struck)
        self.filters.show_state(self.state)
        self.note.setText(self.state.note)
        self.note.setVisible(bool(self.state.note))
        self._arrange()
        self._follow_focus()

    def _follow_focus(self) -> None:
        """Select what the run speaks of, once, whatever filter hides it."""
        focus = self.state.focus
        if focus is None or focus == self._focus:
            return
        self._focus = focus
        if focus not in self.ids():
            self.filters.choose("")
        if focus in self.ids():
            self.pick(np.array([focus]))

    def shown_state(self) -> ImageGridState | None:
        """The images as filtered and ordered here."""
        if self.state is None:
            return None
        return self.state.arranged(self.filters.filter(), self.filters.order())

    def resize_tiles(self, step: int) -> None:
        """Larger or smaller tiles."""
        place = min(max(SIZES.index(self.delegate.wanted) + step, 0), len(SIZES) - 1)
        self.delegate.wanted = SIZES[place]
        self._measure()

    def ids(self) -> np.ndarray:
        """Ids in the order shown."""
        if self.state is None:
            return NONE
        ids = np.arange(self.state.count) if self.state.ids is None else np.asarray(self.state.ids)
        return ids[self.model.places]

    def _arrange(self) -> None:
        if self.state is None:
            return
        self._taking = True
        try:
            places = self.state.places(self.filters.filter(), self.filters.order())
            self.model.show_places(self.state, places)
        finally:
            self._taking = False
        self._measure()
        self.show_selection()

    def _measure(self) -> None:
        size = self.delegate.tile_size()
        room = self.list.viewport().width() - 8
        columns = max(1, room // size.width())
        # What is left over is shared out between the columns.
        self.list.setGridSize(QSize(max(size.width(), room // columns), size.height() + 2))
        self.list.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()

    def recolour(self) -> None:
        """Tiles read their colours when they are painted."""
        self._measure()

    # Selection

    def show_selection(self) -> None:
        """Frame the selected tiles, the first in sight; the others are looked at and keep their colours."""
        if self.state is None:
            return
        flags = np.isin(self.ids(), self.chosen())
        self.delegate.selected = flags
        rows = np.flatnonzero(flags)
        present = {index.row() for index in self.list.selectionModel().selectedIndexes()}
        if set(rows.tolist()) != present:
            self._select(rows)
        self.list.viewport().update()

    def _select(self, rows: np.ndarray) -> None:
        chosen = QItemSelection()
        for first, last in _runs(rows):
            chosen.select(self.model.index(first), self.model.index(last))
        self._taking = True
        try:
            self.list.selectionModel().select(chosen, _FLAG.ClearAndSelect)
            if len(rows):
                self.list.selectionModel().setCurrentIndex(self.model.index(int(rows[0])), _FLAG.NoUpdate)
                self.list.scrollTo(self.model.index(int(rows[0])))
        finally:
            self._taking = False

    def _on_picked(self) -> None:
        if self._taking or self.state is None:
            return
        rows = sorted(index.row() for index in self.list.selectionModel().selectedIndexes())
        ids = self.ids()[rows]
        self.pick(ids)
        if len(ids) == 1:
            self.make_gesture("click", id=int(ids[0]))
        elif len(ids) > 1:
            self.make_gesture("select", ids=ids.tolist())
        if not self.view.entity:
            self.delegate.selected = np.isin(np.arange(len(self.model.places)), rows)
            self.list.viewport().update()

    def _open(self, row: int) -> None:
        self.make_gesture("activate", id=int(self.ids()[row]))

    # Hover

    def _hover(self, index: QModelIndex) -> None:
        if not index.isValid() or self.state is None:
            return
        row = index.row()
        place, mark = int(self.model.places[row]), self.model.mark(row)
        note = self.state.notes[place] if self.state.notes else ""
        rows = [Row(line) for line in note.split("\n") if line]
        if mark is not None:
            rows.insert(0, Row(mark.name))
        caption = (
            self.state.captions[place] if self.state.captions else f"{self.view.entity} {self.ids()[row]}"
        )
        at = self.list.visualRect(index).center()
        self.hover_box.say(QPointF(at), caption, "", tuple(rows))

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Take the box away when the mouse leaves or the tiles move."""
        if event.type() in (QEvent.Type.Leave, QEvent.Type.Wheel):
            self.hover_box.hide()
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

    # In words

    def describe(self) -> str:
        """How many images, and how many in each state."""
        if self.state is None:
            return super().describe()
        state = self.state
        shown = len(self.model.places)
        text = f"{self.view.title}: {shown:,} of {state.count:,} images"
        if state.mark is None:
            return f"{text}."
        counts = [(mark.name, int(np.sum(state.mark == place))) for place, mark in enumerate(state.marks)]
        return f"{text}; " + ", ".join(f"{count:,} {name}" for name, count in counts if count) + "."

    def data_table(self) -> DataTable:
        """One row per image shown."""
        state = self.shown_state()
        if state is None:
            return [], []
        marks = [-1] * state.count if state.mark is None else np.asarray(state.mark).tolist()
        blank = ("",) * state.count
        return ["id", "caption", "before", "state", "note"], [
            self.ids().tolist(),
            list(state.captions or blank),
            list(state.struck or blank),
            [state.marks[mark].name if mark >= 0 else "" for mark in marks],
            list(state.notes or blank),
        ]


def _runs(rows: np.ndarray) -> list[tuple[int, int]]:
    """First and last of each stretch of following rows."""
    if not len(rows):
        return []
    breaks = np.flatnonzero(np.diff(rows) > 1)
    firsts = rows[np.concatenate(([0], breaks + 1))]
    lasts = rows[np.concatenate((breaks, [len(rows) - 1]))]
    return list(zip(firsts.tolist(), lasts.tolist(), strict=True))
