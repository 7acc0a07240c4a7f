"""Bars with whiskers and marks, in px."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter

from gui.theme.plot import PlotTheme
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.views.canvas import PlotCanvas
from gui.views.layer import Layer
from gui.views.pens import line_pen
from gui.views.ticks import aligned_words

FILLED = 0.75
"""Share of a category's room that is bar."""
_WRITTEN = 12
_PALE_ON_WHITE = (4, 5, 6)


@dataclass(frozen=True, eq=False)
class BarRun:
    """Bars of one series, drawn numbers (c,): ``start``…``end`` along the categories, ``base``…``top``."""

    name: str
    start: np.ndarray
    end: np.ndarray
    base: np.ndarray
    top: np.ndarray
    low: np.ndarray | None
    high: np.ndarray | None
    colours: list[int]
    values: np.ndarray


class BarLayer(Layer):
    """All bars of a view. ``flat`` lays them on their side."""

    def __init__(self, canvas: PlotCanvas) -> None:
        self.runs: list[BarRun] = []
        self.flat = False
        self.joined = False
        self.chosen = np.empty(0, np.bool_)
        self.lifted: tuple[int, int, float] | None = None
        self.ticks = np.empty(0)
        super().__init__(canvas, 0)

    def box(self, run: BarRun, index: int) -> QRectF:
        """Px of one bar."""
        top = float(run.top[index])
        if self.lifted is not None and self.runs[self.lifted[0]] is run and self.lifted[1] == index:
            top = self.lifted[2]
        a, b = float(run.start[index]), float(run.end[index])
        base = float(run.base[index])
        first, second = ((base, a), (top, b)) if self.flat else ((a, base), (b, top))
        return QRectF(self.canvas.to_scene(*first), self.canvas.to_scene(*second)).normalized()

    def at(self, pos: QPointF) -> tuple[int, int] | None:
        """Series and category of the bar under ``pos``."""
        for place, run in enumerate(self.runs):
            for index in self._seen(run):
                if self.box(run, index).adjusted(-0.5, -2, 0.5, 2).contains(pos):
                    return place, index
        return None

    def grip_at(self, pos: QPointF) -> tuple[int, int] | None:
        """The bar whose free end is within 6 px of ``pos``."""
        for place, run in enumerate(self.runs):
            for index in self._seen(run):
                box = self.box(run, index)
                end = self.canvas.to_scene(0, float(run.top[index])).y()
                across, along = abs(pos.y() - end), box.left() <= pos.x() <= box.right()
                if self.flat:
                    end = self.canvas.x_to_scene(float(run.top[index]))
                    across, along = abs(pos.x() - end), box.top() <= pos.y() <= box.bottom()
                if along and across <= 6:
                    return place, index
        return None

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Bars, whiskers, marks, then values at the ends of few bars."""
        for run in self.runs:
            for index in self._seen(run):
                self._draw_bar(painter, run, index)
        painter.setOpacity(1)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for run in self.runs:
            self._draw_whiskers(painter, run)
        self._draw_ticks(painter)
        if len(self.runs) == 1 and len(self.runs[0].top) <= _WRITTEN and not self.joined:
            self._write_values(painter, plot, self.runs[0])

    def _seen(self, run: BarRun) -> list[int]:
        """Indices of the bars in view; where bars are thinner than a px, the highest of each px."""
        x0, x1, y0, y1 = self.canvas.view()
        low, high = (y0, y1) if self.flat else (x0, x1)
        plot = self.canvas.plot_rect()
        seen = np.flatnonzero((run.end >= low) & (run.start <= high) & np.isfinite(run.top))
        length = plot.height() if self.flat else plot.width()
        if len(seen) <= 2 * length:
            return seen.tolist()
        column = ((run.start[seen] - low) / (high - low) * length).astype(np.int64)
        order = np.lexsort((run.top[seen], column))
        last = np.flatnonzero(np.append(np.diff(column[order]) > 0, True))
        return seen[order[last]].tolist()

    def _draw_bar(self, painter: QPainter, run: BarRun, index: int) -> None:
        box, colour = self.box(run, index), run.colours[index]
        muted = colour < 0
        style = None if muted else PlotTheme().entity(colour)
        fill = QColor(theme().colours.muted_mark if style is None else style.fill)
        chosen = bool(self.chosen[index]) if index < len(self.chosen) else False
        painter.setOpacity(TOKENS.opacity.unselected if self.chosen.any() and not chosen else 1.0)
        crisp = QRectF(round(box.left()), round(box.top()), 0, 0)
        crisp.setRight(
            max(round(box.right()) - (1 if self.joined and box.width() > 4 else 0), crisp.left() + 1)
        )
        crisp.setBottom(max(round(box.bottom()), crisp.top() + 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.fillRect(crisp, QBrush(fill))
        bare = theme().name == "light" and not muted and colour % 8 in _PALE_ON_WHITE
        if chosen or (bare and style is not None):
            edge = theme().colour("selection") if chosen or style is None else QColor(style.edge)
            painter.setPen(line_pen(edge, 1.5 if chosen else 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(crisp.adjusted(0, 0, -1, -1))

    def _draw_whiskers(self, painter: QPainter, run: BarRun) -> None:
        if run.low is None or run.high is None:
            return
        painter.setPen(line_pen(theme().colour("text"), 1.5))
        for index in self._seen(run):
            low, high = float(run.low[index]), float(run.high[index])
            if low == low and high == high:
                middle = (float(run.start[index]) + float(run.end[index])) / 2
                painter.drawLine(QLineF(self._place(middle, low), self._place(middle, high)))

    def _draw_ticks(self, painter: QPainter) -> None:
        if not len(self.ticks) or not self.runs:
            return
        painter.setPen(line_pen(theme().colour("text"), 2))
        first, last = self.runs[0], self.runs[-1]
        for index, value in enumerate(self.ticks.tolist()):
            if value == value and index < len(first.start):
                start, end = float(first.start[index]), float(last.end[index])
                painter.drawLine(QLineF(self._place(start, value), self._place(end, value)))

    def _write_values(self, painter: QPainter, plot: QRectF, run: BarRun) -> None:
        font = theme().font("caption", tabular=True)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(theme().colour("text_secondary"))
        words = aligned_words(run.values.tolist())
        room = min((self.box(run, index).width() for index in range(len(run.top))), default=0.0) / FILLED
        if not self.flat and max(map(metrics.horizontalAdvance, words), default=0.0) > room:
            return
        for index, text in enumerate(words):
            top = float(run.top[index])
            if run.high is not None and run.high[index] == run.high[index]:
                top = max(top, float(run.high[index]))
            middle = (float(run.start[index]) + float(run.end[index])) / 2
            pos, width = self._place(middle, top), metrics.horizontalAdvance(text)
            if self.flat:
                at = QPointF(min(pos.x() + 5, plot.right() - width), pos.y() + metrics.ascent() / 2 - 1)
            else:
                at = QPointF(pos.x() - width / 2, max(pos.y() - 4, plot.top() + metrics.ascent()))
            painter.drawText(at, text)

    def _place(self, along: float, value: float) -> QPointF:
        return self.canvas.to_scene(value, along) if self.flat else self.canvas.to_scene(along, value)
