"""What the window's plots are drawn with: pens, brushes, fonts and number words, from the tokens."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPen

from gui.theme.categories import EntityStyle, entity_style
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS

DENSE_CURVES = 12
"""Number of curves above which they are drawn 1 px wide."""
DENSE_POINTS = 20_000
"""Number of points above which curves are 1 px wide and marks lose their outline and antialiasing."""
DENSE_MARKS = 5_000
"""Number of points above which marks are 3 px."""


class PlotTheme:
    """Pens and fonts in the theme in force; make them anew at each ``theme().changed``."""

    def entity(self, index: int) -> EntityStyle:
        """Colour, line and marker of the entity with this index."""
        return entity_style(index, theme().name)

    def background(self) -> QColor:
        """Ground of a plot, the surface of its card."""
        return theme().colour("plot_bg")

    def axis_pen(self) -> QPen:
        """Bottom axis line and ticks, 1 px whatever the scale."""
        return cosmetic_pen(theme().colour("axis"), TOKENS.line.axis)

    def grid_pen(self) -> QPen:
        """Grid lines."""
        return cosmetic_pen(theme().colour("grid"), TOKENS.line.grid)

    def reference_pen(self, kind: str = "solid") -> QPen:
        """Neutral line: ``solid`` for optimum and truth, ``dashed`` for bounds, ``dotted`` for chance."""
        dashes = {"solid": (), "dashed": (6.0, 4.0), "dotted": (1.5, 3.0)}[kind]
        return cosmetic_pen(theme().colour("reference"), TOKENS.line.reference, dashes)

    def selection_pen(self, *, dashed: bool = False) -> QPen:
        """Outline of selected marks, lasso; dashed 5-3 for cut lines."""
        dashes = (5.0, 3.0) if dashed else ()
        return cosmetic_pen(theme().colour("selection"), TOKENS.line.selection, dashes)

    def curve_pen(self, index: int, *, curves: int = 1, points: int = 0) -> QPen:
        """Pen of the curve of an entity.

        Args:
            index: index of the entity.
            curves: number of curves in the view.
            points: number of points of the longest; above 20,000 or 12 curves the pen is 1 px wide,
                in the edge shade, since a thin line in a pale fill is lost on white.
        """
        style = self.entity(index)
        dense = curves > DENSE_CURVES or points > DENSE_POINTS
        width = TOKENS.line.curve_dense if dense else TOKENS.line.curve
        return cosmetic_pen(QColor(style.edge if dense else style.fill), width, style.dash)

    def mark_brush(self, index: int, opacity: float = TOKENS.marker.opacity) -> QBrush:
        """Fill of the marks of an entity."""
        return QBrush(_faded(self.entity(index).fill, opacity))

    def mark_pen(self, count: int = 0) -> QPen:
        """Outline of marks in the ground's colour; none above 20,000 points."""
        if count > DENSE_POINTS:
            return QPen(Qt.PenStyle.NoPen)
        return cosmetic_pen(self.background(), 0.75)

    def mark_size(self, count: int) -> float:
        """Diameter of the marks of a scatter of ``count`` points, logical px."""
        return TOKENS.marker.size_dense if count > DENSE_MARKS else TOKENS.marker.size

    def band_brush(self, index: int) -> QBrush:
        """Fill of the spread around the curve of an entity."""
        return QBrush(_faded(self.entity(index).fill, TOKENS.opacity.band))

    def hull_brush(self, index: int) -> QBrush:
        """Fill of the hull of a group."""
        return QBrush(_faded(self.entity(index).fill, TOKENS.opacity.hull))

    def hull_pen(self, index: int) -> QPen:
        """Edge of the hull of a group."""
        return cosmetic_pen(_faded(self.entity(index).fill, TOKENS.opacity.hull_edge), TOKENS.line.hull)

    def tick_font(self) -> QFont:
        """Font of tick labels and axis titles, figures of equal width."""
        return theme().font("caption", tabular=True)

    def label_font(self) -> QFont:
        """Font of the names at the ends of curves."""
        return theme().font("caption", weight=600)

    def tick_colour(self) -> QColor:
        """Colour of tick labels and axis titles."""
        return theme().colour("tick_label")


def cosmetic_pen(colour: QColor, width: float, dashes: Iterable[float] = ()) -> QPen:
    """Pen whose width does not grow with the zoom of a plot; ``dashes`` in logical px."""
    pen = QPen(colour)
    pen.setCosmetic(True)
    pen.setWidthF(width)
    lengths = [length / width for length in dashes]
    if lengths:
        pen.setDashPattern(lengths)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def _faded(colour: str, opacity: float) -> QColor:
    result = QColor(colour)
    result.setAlphaF(opacity)
    return result


def typographic(text: str) -> str:
    """Number as it is set in the window: a true minus sign in place of the hyphen."""
    return text.replace("-", "\N{MINUS SIGN}")
