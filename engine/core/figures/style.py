"""How a figure is to look: size, type, palette, legend. Plain data; imports no matplotlib."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from engine.core.errors import FieldError

Theme = Literal["light", "dark", "print"]
LegendPlace = Literal["top", "right", "inside", "none"]
MM_PER_INCH = 25.4
SMALLEST_TEXT = 7.0


def _within(name: str, value: float, low: float, high: float, unit: str) -> None:
    if not low <= value <= high:
        raise FieldError(name, found=value, allowed=f"between {low:g} and {high:g} {unit}")


@dataclass(frozen=True, kw_only=True)
class FigureStyle:
    """Everything about a figure that is not its data.

    `width`, `height` in inches: the file has exactly this size. `dpi` counts for PNG and for layers
    embedded as an image; it changes pixels only. `font_size` (axis titles, legend), `line_width` and
    `marker_size` in points; ticks are one point smaller than `font_size`, never below 7. `legend` "right"
    names curves at their ends, "none" leaves the legend out. `selection` holds the ids selected in the
    view (series names, point ids, bar indices, table ids, nodes): they keep their colour, others fade.

    Raises:
        FieldError: a size, resolution or type size outside what can be printed.
    """

    width: float = 3.25
    height: float = 2.4
    dpi: int = 300
    font_size: float = 8.0
    line_width: float = 1.2
    marker_size: float = 4.0
    theme: Theme = "print"
    title: bool = False
    legend: LegendPlace = "top"
    grid: bool = False
    family: str = "Inter"
    selection: tuple[int | str, ...] = ()

    def __post_init__(self) -> None:
        _within("width", self.width, 1.0, 60.0, "inches")
        _within("height", self.height, 0.75, 60.0, "inches")
        _within("dpi", self.dpi, 36, 2400, "dots per inch")
        _within("font_size", self.font_size, SMALLEST_TEXT, 72.0, "points")
        _within("line_width", self.line_width, 0.1, 20.0, "points")
        _within("marker_size", self.marker_size, 0.5, 40.0, "points")

    @property
    def small(self) -> float:
        """Size of ticks and notes in points: one below `font_size`, at least 7."""
        return max(SMALLEST_TEXT, self.font_size - 1.0)

    @property
    def scale(self) -> float:
        """Type size relative to 8 pt; gaps and hairlines grow with it."""
        return self.font_size / 8.0

    @property
    def millimetres(self) -> tuple[float, float]:
        """Width and height in mm."""
        return self.width * MM_PER_INCH, self.height * MM_PER_INCH


PRESETS: Mapping[str, FigureStyle] = MappingProxyType(
    {
        "single column": FigureStyle(width=3.25, height=2.4),
        "double column": FigureStyle(width=6.75, height=3.2),
        "slide 16:9": FigureStyle(
            width=13.333, height=7.5, dpi=144, font_size=20.0, line_width=3.0, marker_size=10.0, theme="light"
        ),
    }
)
