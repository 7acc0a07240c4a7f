"""Names beside what they name: pushed apart, clicked to hide."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from gui.theme.theme import theme
from gui.views.layer import Layer

if TYPE_CHECKING:
    from gui.views.canvas import PlotCanvas

APART = 13.0
"""Least distance of two labels' middles, px."""


@dataclass(frozen=True)
class DirectLabel:
    """``text`` in ``colour`` with its middle at height ``y``, from ``x`` on; a click means ``key``."""

    text: str
    colour: str
    y: float
    x: float
    key: str = ""
    weight: int = 600
    hidden: bool = False


def push_apart(places: list[float], apart: float, low: float, high: float) -> list[float]:
    """Places moved as little as possible so that neighbours are ``apart`` and all lie in [low, high].

    Touching places form blocks that stand about their mean (least squares, the pool-adjacent-violators
    scheme). Where there is no room for all, they start at ``low`` and overlap evenly.
    """
    count = len(places)
    if count == 0:
        return []
    apart = min(apart, (high - low) / max(count - 1, 1)) if high > low else 0.0
    order = sorted(range(count), key=lambda index: places[index])
    blocks: list[tuple[float, int]] = []
    for rank, index in enumerate(order):
        blocks.append((places[index] - rank * apart, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (mean, size), (before, earlier) = blocks.pop(), blocks.pop()
            blocks.append(((mean * size + before * earlier) / (size + earlier), size + earlier))
    levels = [mean for mean, size in blocks for _ in range(size)]
    highest = high - (count - 1) * apart
    moved = [min(max(level, low), max(highest, low)) + rank * apart for rank, level in enumerate(levels)]
    result = [0.0] * count
    for rank, index in enumerate(order):
        result[index] = moved[rank]
    return result


class DirectLabels(Layer):
    """Labels of one plot. ``hovered`` is the key under the mouse."""

    clipped = False

    def __init__(self, canvas: PlotCanvas, z: float = 50) -> None:
        super().__init__(canvas, z)
        self.labels: list[DirectLabel] = []
        self.left_out = 0

    def font(self, weight: int) -> QFont:
        """Caption size in this weight."""
        return theme().font("caption", weight=weight, tabular=True)

    def width_of(self, text: str, weight: int = 600) -> float:
        """Width of a label, px."""
        return QFontMetricsF(self.font(weight)).horizontalAdvance(text)

    def place(self, labels: list[DirectLabel]) -> None:
        """Show ``labels``, moved apart; those beyond the room become one line that counts them."""
        plot = self.canvas.plot_rect()
        fit = max(2, int(plot.height() / APART) + 1)
        self.left_out = max(0, len(labels) - fit)
        if self.left_out:
            labels = labels[: fit - 1]
            self.left_out += 1
            more = DirectLabel(
                f"+ {self.left_out} more", theme().colours.text_tertiary, plot.bottom(), labels[0].x, "", 400
            )
            labels.append(more)
        # Labels beside the plot and those inside it do not get in each other's way.
        beside = [label for label in labels if label.x >= plot.right()]
        within = [label for label in labels if label.x < plot.right()]
        self.labels = []
        for group in (beside, within):
            places = push_apart([label.y for label in group], APART, plot.top() + 2, plot.bottom() - 2)
            self.labels += [replace(label, y=y) for label, y in zip(group, places, strict=True)]
        self.prepareGeometryChange()
        self.update()

    def shortened(self, key: str) -> bool:
        """Whether the label of this key does not fit."""
        return any(
            label.key == key and label.x + self.width_of(label.text, label.weight) > self.canvas.width() - 1
            for label in self.labels
        )

    def key_at(self, pos: QPointF) -> str:
        """Key of the label under ``pos``, '' where there is none."""
        for label in self.labels:
            box = QRectF(label.x - 4, label.y - 8, self.width_of(label.text, label.weight) + 12, 16)
            if label.key and box.contains(pos):
                return label.key
        return ""

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Texts; hidden ones pale and struck through."""
        for label in self.labels:
            font = self.font(label.weight)
            font.setStrikeOut(label.hidden)
            metrics = QFontMetricsF(font)
            painter.setFont(font)
            colour = QColor(theme().colours.text_tertiary if label.hidden else label.colour)
            painter.setPen(colour)
            room = self.canvas.width() - label.x - 2
            text = metrics.elidedText(label.text, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QPointF(label.x, label.y - metrics.height() / 2 + metrics.ascent()), text)
