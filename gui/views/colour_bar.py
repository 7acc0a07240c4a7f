"""The scale of colours beside a plot, and numbers to colours."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter

from gui.theme.colour_maps import Meaning, colour_map
from gui.theme.plot import PlotTheme
from gui.theme.theme import theme
from gui.views.axes import LABEL_GAP
from gui.views.canvas import PlotCanvas
from gui.views.layer import Layer
from gui.views.ticks import linear_ticks

_BAR = 10.0
_MEANINGS: dict[str, Meaning] = {
    "sequential": "sequential",
    "zero": "from_zero",
    "diverging": "signed",
    "cyclic": "angle",
}


@dataclass(frozen=True)
class ColourScale:
    """Numbers from ``low`` to ``high`` on the map for ``map`` (sequential, zero, diverging, cyclic)."""

    map: str
    low: float
    high: float
    _tables: dict[str, np.ndarray] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def fitted(
        cls,
        name: str,
        values: np.ndarray,
        limits: tuple[float, float] | None,
        centre: float = 0.0,
    ) -> ColourScale:
        """Scale over the defined ``values``: from 0 for ``zero``, symmetric about ``centre`` if diverging."""
        finite = values[np.isfinite(values)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        if limits is not None:
            low, high = limits
        elif name == "zero":
            low = min(low, 0.0)
        if name == "diverging":
            reach = max(abs(low - centre), abs(high - centre)) or 1.0
            low, high = centre - reach, centre + reach
        if high <= low:
            high = low + (abs(low) or 1.0)
        return cls(name, low, high)

    def table(self) -> np.ndarray:
        """Colours uint8 (256, 4) RGBA in the theme in force."""
        name = theme().name
        if name not in self._tables:
            self._tables[name] = colour_map(_MEANINGS[self.map], name).getLookupTable(nPts=256, alpha=True)
        return self._tables[name]

    def places(self, values: np.ndarray) -> np.ndarray:
        """Index 0…255 of each value; NaN becomes 0."""
        share = (np.asarray(values, np.float64) - self.low) / (self.high - self.low)
        return np.nan_to_num(np.clip(share, 0, 1) * 255).astype(np.int64)


class ColourBar(Layer):
    """10-px bar with ticks and the title, at the right of the plot."""

    clipped = False

    def __init__(self, canvas: PlotCanvas) -> None:
        self.colours: ColourScale | None = None
        self.title = ""
        super().__init__(canvas, 40)

    def width_needed(self) -> float:
        """Room beside the plot."""
        if self.colours is None:
            return 14.0
        metrics = QFontMetricsF(PlotTheme().tick_font())
        widest = max((metrics.horizontalAdvance(words) for _, words in self._ticks()), default=0.0)
        return 14 + _BAR + 6 + widest + (metrics.height() + 6 if self.title else 0) + 6

    def box(self) -> QRectF:
        """Where the bar is."""
        plot = self.canvas.plot_rect()
        return QRectF(round(plot.right()) + 14, plot.top(), _BAR, plot.height())

    def _ticks(self) -> list[tuple[float, str]]:
        wanted = max(2.0, min(5.0, self.canvas.plot_rect().height() / 45))
        return linear_ticks(self.colours.low, self.colours.high, wanted) if self.colours else []

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Colours, ticks, title."""
        if self.colours is None:
            return
        box, metrics = self.box(), QFontMetricsF(PlotTheme().tick_font())
        column = np.ascontiguousarray(self.colours.table()[::-1][:, None, :])
        painter.drawImage(box, QImage(column.data, 1, 256, 4, QImage.Format.Format_RGBA8888))
        painter.setFont(PlotTheme().tick_font())
        painter.setPen(PlotTheme().tick_colour())
        for value, words in self._ticks():
            share = (value - self.colours.low) / (self.colours.high - self.colours.low)
            middle = box.bottom() - share * box.height()
            top = min(max(middle - metrics.height() / 2, 0), self.canvas.height() - metrics.height())
            painter.drawText(QPointF(box.right() + 6, top + metrics.ascent()), words)
        if self.title:
            self._draw_title(painter, box, metrics)

    def _draw_title(self, painter: QPainter, box: QRectF, metrics: QFontMetricsF) -> None:
        painter.save()
        painter.translate(self.canvas.width() - LABEL_GAP / 2 - metrics.height() / 2, box.center().y())
        painter.rotate(-90)
        text = metrics.elidedText(self.title, Qt.TextElideMode.ElideRight, self.canvas.height() - 8.0)
        width = metrics.horizontalAdvance(text)
        painter.drawText(QPointF(-width / 2, metrics.ascent() - metrics.height() / 2), text)
        painter.restore()
