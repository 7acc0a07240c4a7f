"""The scale of a colour map: a narrow bar at the right, its title and unit above the numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from engine.core.figures.sheet import Sheet, axis_title
from engine.core.figures.ticks import NumberFormatter, set_ticks
from engine.core.views import Axis

WIDTH = 7.0


def add_colour_bar(sheet: Sheet, mappable: Any, ax: Axes, axis: Axis) -> None:
    """A bar `WIDTH` points wide as high as the plot, with round ticks and the title beside it."""
    height = max(sheet.style.height * 72 * 0.7, 3 * WIDTH)
    bar = sheet.figure.colorbar(
        mappable, ax=ax, fraction=0.05, aspect=height / (WIDTH * sheet.style.scale), pad=0.02, drawedges=False
    )
    bar.outline.set_visible(False)  # type: ignore[operator]
    bar.ax.tick_params(
        length=2 * sheet.style.scale,
        width=sheet.hairline,
        pad=2 * sheet.style.scale,
        color=sheet.colours.axis,
        labelcolor=sheet.colours.secondary,
        labelsize=sheet.style.small,
        labelfontfamily=sheet.families,
    )
    set_ticks(bar.ax.yaxis, log=False, length=height, per_tick=3.0 * sheet.style.small)
    bar.ax.yaxis.set_major_formatter(NumberFormatter())
    if bar.solids is not None:
        bar.solids.set_rasterized(False)
        bar.solids.set_edgecolor("face")
    if axis_title(axis):
        bar.set_label(
            axis_title(axis), labelpad=3 * sheet.style.scale, color=sheet.colours.secondary, **sheet.font()
        )


def finite_range(values: np.ndarray) -> tuple[float, float]:
    """Smallest and largest finite value; (0, 1) where there is none."""
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
