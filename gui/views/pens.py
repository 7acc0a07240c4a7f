"""Pens for what is painted in px of the canvas.

A cosmetic pen is as many device px wide as it says, so that 2 px would be a hairline on a dense screen;
these are logical px wide at every scale.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QColor, QPen

from gui.theme.plot import cosmetic_pen


def in_px(pen: QPen) -> QPen:
    """The same pen, its width in logical px."""
    result = QPen(pen)
    result.setCosmetic(False)
    return result


def line_pen(colour: QColor, width: float, dashes: Iterable[float] = ()) -> QPen:
    """A pen ``width`` logical px wide; ``dashes`` in logical px."""
    return in_px(cosmetic_pen(colour, width, dashes))
