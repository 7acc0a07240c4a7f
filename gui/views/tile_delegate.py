"""Tiles of an image grid: picture, frame and corner sign for the state, caption."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem

from engine.core.views import ImageGridState, TileMark
from gui.theme.icons import paint_icon
from gui.theme.plot import PlotTheme
from gui.theme.theme import theme
from gui.views.pens import in_px

Index = QModelIndex | QPersistentModelIndex
TONES = {"good": "success", "bad": "danger", "warning": "warning", "info": "accent", "neutral": "axis"}
SIGNS = {
    "check": "check-bold",
    "cross": "x-bold",
    "down": "arrow-down-bold",
    "up": "arrow-up-bold",
    "flag": "flag-fill",
    "star": "star-fill",
    "dot": "circle-fill",
}
SIZES = (48.0, 64.0, 80.0, 96.0)
"""Sides a tile can have, logical px; pixel data take the whole factor below."""
_MARGIN, _RADIUS, _DISC, _CAPTION = 6, 5.0, 15.0, 16


class TileModel(QAbstractListModel):
    """The images in the order shown; a row of the model is a place in the state."""

    def __init__(self) -> None:
        super().__init__()
        self.state: ImageGridState | None = None
        self.places = np.empty(0, np.int64)
        self._pictures: dict[int, QImage] = {}
        self._of: np.ndarray | None = None

    def show_places(self, state: ImageGridState, places: np.ndarray) -> None:
        """Take a state and the places shown of it; where the places are the same the scroll stays."""
        same = self.state is not None and np.array_equal(self.places, places)
        if not same:
            self.beginResetModel()
        if self._of is not state.images and not _equal(self._of, state.images):
            self._pictures.clear()
        self._of = state.images
        self.state, self.places = state, places
        if not same:
            self.endResetModel()
        elif len(places):
            self.dataChanged.emit(self.index(0), self.index(len(places) - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.places)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What is read out of a tile."""
        if role == Qt.ItemDataRole.AccessibleTextRole and self.state is not None:
            return self.words(index.row())
        return None

    def words(self, row: int) -> str:
        """Caption, what held before, state and note of a tile."""
        state, place = self.state, int(self.places[row])
        assert state is not None
        mark = self.mark(row)
        before = state.struck[place] if state.struck else ""
        parts = (
            state.captions[place] if state.captions else f"image {place + 1:,}",
            f"before {before}" if before else "",
            mark.name if mark else "",
            state.notes[place] if state.notes else "",
        )
        return ", ".join(part for part in parts if part)

    def mark(self, row: int) -> TileMark | None:
        """State of a tile."""
        assert self.state is not None
        number = -1 if self.state.mark is None else int(self.state.mark[self.places[row]])
        return self.state.marks[number] if number >= 0 else None

    def picture(self, row: int) -> QImage:
        """The image of a tile, sharing no memory with the state."""
        place = int(self.places[row])
        found = self._pictures.get(place)
        if found is None:
            assert self.state is not None
            pixels = np.ascontiguousarray(self.state.images[place])
            grey = pixels.ndim == 2
            kind = QImage.Format.Format_Grayscale8 if grey else QImage.Format.Format_RGB888
            high, wide = pixels.shape[:2]
            found = QImage(pixels.data, wide, high, pixels.strides[0], kind).copy()
            self._pictures[place] = found
        return found


class TileDelegate(QStyledItemDelegate):
    """Paints a tile; sizes follow the zoom, the screen's resolution and the images."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view
        self.wanted = SIZES[1]
        self.captioned = True
        self.selected: np.ndarray = np.empty(0, bool)

    def picture_size(self) -> QSize:
        """Width and height of the picture in logical px: a whole number of device px per pixel."""
        state = self._model().state
        high, wide = state.images.shape[1:3] if state is not None and state.count else (1, 1)
        ratio = self._view.devicePixelRatioF()
        room = theme().px(self.wanted) * ratio
        factor = room / max(high, wide)
        if not (state is not None and state.smooth) and factor >= 1:
            factor = float(int(factor))
        return QSize(max(1, round(wide * factor / ratio)), max(1, round(high * factor / ratio)))

    def tile_size(self) -> QSize:
        """Picture, margins, caption."""
        picture = self.picture_size()
        caption = theme().px(_CAPTION) if self.captioned else 0
        wide = max(picture.width(), theme().px(56) if self.captioned else 0)
        return QSize(wide + 2 * _MARGIN, picture.height() + 2 * _MARGIN + caption)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return self.tile_size()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Picture in its frame, sign over its corner, caption below."""
        model, row = self._model(), index.row()
        if model.state is None or row >= len(model.places):
            return
        rect = QRectF(option.rect)  # type: ignore[attr-defined]
        size = self.picture_size()
        box = QRectF(0, 0, size.width(), size.height())
        box.moveTopLeft(QPointF(round(rect.center().x() - size.width() / 2), rect.top() + _MARGIN))
        chosen = bool(self.selected[row]) if row < len(self.selected) else False
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._picture(painter, box, model, row)
        mark = model.mark(row)
        self._frame(painter, box, mark, chosen)
        if mark is not None:
            self._sign(painter, box, mark)
        if self.captioned:
            self._caption(painter, rect, box, model, row)
        painter.restore()

    def _picture(self, painter: QPainter, box: QRectF, model: TileModel, row: int) -> None:
        path = QPainterPath()
        path.addRoundedRect(box, _RADIUS, _RADIUS)
        painter.save()
        painter.setClipPath(path)
        smooth = bool(
            model.state and (model.state.smooth or max(model.state.images.shape[1:3]) > box.height())
        )
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
        painter.drawImage(box, model.picture(row))
        painter.restore()

    @staticmethod
    def _frame(painter: QPainter, box: QRectF, mark: TileMark | None, chosen: bool) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        colour = theme().colour(TONES[mark.tone]) if mark else theme().colour("border_strong")
        painter.setPen(QPen(colour, 2 if mark else 1))
        painter.drawRoundedRect(box, _RADIUS, _RADIUS)
        if chosen:
            pen = in_px(PlotTheme().selection_pen())
            pen.setWidthF(2)
            painter.setPen(pen)
            painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), _RADIUS + 3, _RADIUS + 3)

    @staticmethod
    def _sign(painter: QPainter, box: QRectF, mark: TileMark) -> None:
        side = theme().px(_DISC)
        disc = QRectF(box.right() - side + 4, box.top() - 4, side, side)
        painter.setPen(QPen(theme().colour("surface"), 1.5))
        painter.setBrush(theme().colour(TONES[mark.tone]))
        painter.drawEllipse(disc)
        inset = side * 0.22
        paint_icon(painter, disc.adjusted(inset, inset, -inset, -inset), SIGNS[mark.sign], "surface")

    def _caption(self, painter: QPainter, rect: QRectF, box: QRectF, model: TileModel, row: int) -> None:
        state, place = model.state, int(model.places[row])
        assert state is not None
        before = state.struck[place] if state.struck else ""
        text = state.captions[place] if state.captions else ""
        font = theme().font("caption", tabular=True)
        metrics = QFontMetricsF(font)
        room, gap = rect.width() - 2, 4.0 if before and text else 0.0
        ahead = metrics.horizontalAdvance(before)
        if ahead + gap + metrics.horizontalAdvance(text) > room:
            before, ahead, gap = "", 0.0, 0.0
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        left = rect.center().x() - (ahead + gap + metrics.horizontalAdvance(text)) / 2
        base = box.bottom() + 3 + metrics.ascent()
        painter.setFont(font)
        if before:
            painter.setPen(theme().colour("text_tertiary"))
            painter.drawText(QPointF(left, base), before)
            middle = base - metrics.xHeight() / 2
            painter.drawLine(QPointF(left, middle), QPointF(left + ahead, middle))
        painter.setPen(theme().colour("text_secondary"))
        painter.drawText(QPointF(left + ahead + gap, base), text)

    def _model(self) -> TileModel:
        model = self._view.model()
        assert isinstance(model, TileModel)
        return model


def _equal(one: np.ndarray | None, other: np.ndarray) -> bool:
    return one is not None and one.shape == other.shape and np.array_equal(one, other)
