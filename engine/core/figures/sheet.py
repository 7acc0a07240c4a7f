"""The page a view is drawn on: figure, axes, titles, and the record of what was drawn how.

Lengths are in points unless said. Everything is placed by layout inside the size asked for; nothing is
cropped. Layout happens at a fixed resolution, so that the dots per inch of a file change pixels only.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text

from engine.core.figures import fonts, ticks
from engine.core.figures.palette import Palette, palette
from engine.core.figures.style import FigureStyle
from engine.core.views import Axis

LAYOUT_DPI = 288
RASTER_ABOVE = 5_000
FINEST_DPI = 600
FADED = 0.3
MARGIN = 0.045
_SETTINGS = threading.RLock()


@dataclass(frozen=True)
class Look:
    """How one named thing is drawn, to judge whether it is told apart without colour."""

    name: str
    colour: str
    shape: str = ""
    dashes: tuple[float, ...] = ()
    labelled: bool = False


@dataclass
class Sheet:
    """A figure in the making, its style and palette, and what has to be said about it.

    `notes` are sentences for the report and the caption; `entries` (handle, text) wait for the legend;
    `rasterised` names layers embedded as an image; `wanted_height` (inches) is what would show all of a
    table, and no more.
    """

    figure: Figure
    style: FigureStyle
    colours: Palette
    families: list[str]
    notes: list[str] = field(default_factory=list)
    entries: list[tuple[Any, str]] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    rasterised: list[str] = field(default_factory=list)
    missing: tuple[str, ...] = ()
    wanted_height: float | None = None

    @property
    def hairline(self) -> float:
        return 0.6 * self.style.scale

    def font(
        self, size: float | None = None, weight: str = "normal", tabular: bool = False
    ) -> dict[str, Any]:
        """Keywords for a text: family, size and weight; figures of equal width where `tabular`."""
        words: dict[str, Any] = {
            "family": self.families,
            "size": size or self.style.font_size,
            "weight": weight,
            "parse_math": False,
        }
        if tabular:
            words["fontfeatures"] = fonts.TABULAR
        return words

    def axes(self) -> Axes:
        """Axes in the plot language: no box, bottom and left line, outward ticks."""
        ax = self.figure.add_subplot()
        ax.set_facecolor(self.colours.ground)
        ax.set_axisbelow(True)
        self.frame(ax)
        return ax

    def frame(self, ax: Axes, left: str = "left") -> None:
        """Lines, ticks and tick labels of `ax`; `left` is the side of the vertical axis."""
        for side, spine in ax.spines.items():
            spine.set_visible(side in ("bottom", left))
            spine.set_color(self.colours.axis)
            spine.set_linewidth(self.hairline)
        ax.tick_params(
            which="both",
            length=3 * self.style.scale,
            width=self.hairline,
            pad=2.5 * self.style.scale,
            color=self.colours.axis,
            labelcolor=self.colours.secondary,
            labelsize=self.style.small,
            labelfontfamily=self.families,
        )

    def grid(self, ax: Axes, which: str) -> None:
        """Grid lines along `which` ("x", "y", "both") if the style asks for them."""
        if self.style.grid:
            ax.grid(axis=which, color=self.colours.grid, linewidth=self.hairline)  # type: ignore[arg-type]

    def title_axes(self, ax: Axes, x: Axis | None, y: Axis | None) -> None:
        """Axis titles in words with unit; a logarithmic scale is named."""
        pad = 3 * self.style.scale
        for axis, setter in ((x, ax.set_xlabel), (y, ax.set_ylabel)):
            if axis is not None and axis_title(axis):
                setter(axis_title(axis), labelpad=pad, color=self.colours.secondary, **self.font())

    def lay_out(self) -> None:
        """Carry out the layout, so that sizes on the page are known."""
        self.figure.draw_without_rendering()

    def size_of(self, ax: Axes) -> tuple[float, float]:
        """Width and height of the axes' plot area after the last layout."""
        box = ax.get_window_extent()
        return box.width * 72 / self.figure.dpi, box.height * 72 / self.figure.dpi

    def width_of(
        self, text: str, size: float | None = None, weight: str = "normal", tabular: bool = False
    ) -> float:
        """Width of one line of text."""
        prop = FontProperties(family=self.families, size=size or self.style.font_size, weight=weight)
        if tabular:
            return fonts.tabular_width(text, prop)
        renderer = self.figure.canvas.get_renderer()  # type: ignore[attr-defined]
        return renderer.get_text_width_height_descent(text, prop, False)[0] * 72 / self.figure.dpi

    def fitted(self, text: str, width: float, size: float | None = None, weight: str = "normal") -> str:
        """`text`, shortened with "…" where it is wider than `width`."""
        if self.width_of(text, size, weight) <= width:
            return text
        kept = text
        while kept and self.width_of(kept.rstrip() + "…", size, weight) > width:
            kept = kept[:-1]
        return kept.rstrip() + "…"

    def alpha(self, *ids: int | str) -> float:
        """Opacity of a mark with these ids: 1, or faded where others are selected."""
        chosen = self.style.selection
        return 1.0 if not chosen or any(i in chosen for i in ids) else FADED

    def alphas(self, ids: Sequence[int | str] | np.ndarray) -> np.ndarray:
        """`alpha` of many marks, float64 (n,)."""
        if not self.style.selection:
            return np.ones(len(ids))
        return np.where(self.selected(ids), 1.0, FADED)

    def selected(self, ids: Sequence[int | str] | np.ndarray) -> np.ndarray:
        """Which ids are selected, bool (n,)."""
        chosen = set(self.style.selection)
        return np.fromiter((i in chosen for i in np.asarray(ids).tolist()), bool, len(ids))

    def say_missing(self, count: int, noun: str, of: str = "") -> None:
        """Count values that are not finite, for caption and report; `noun` in the singular."""
        if count:
            whose = f" of {of}" if of else ""
            self.notes.append(f"{count:,} {noun}{'s' if count > 1 else ''}{whose} not finite, left out")

    def say_hidden_by_log(self, count: int, axis: str) -> None:
        """Count values that a logarithmic axis cannot show."""
        if count:
            self.notes.append(f"{count:,} not above zero: cannot be shown on the log {axis} axis")

    def told_apart(self) -> bool:
        """Whether all named things differ by shape, dashes, label or by 20 in lightness (CIE L*)."""
        from engine.core.figures.palette import lightness

        looks = [look for look in self.looks if not look.labelled]
        return all(
            (a.shape, a.dashes) != (b.shape, b.dashes) or abs(lightness(a.colour) - lightness(b.colour)) >= 20
            for i, a in enumerate(looks)
            for b in looks[i + 1 :]
        )


def axis_title(axis: Axis) -> str:
    """The title as printed: a capital first unless it begins with a symbol; "log" where it is."""
    title = axis.title
    first = title.split(" ")[0].split("-")[0]
    if len(first) > 1 and first.isascii() and first.islower():
        title = title[:1].upper() + title[1:]
    extras = ", ".join(part for part in (axis.unit, "log" if axis.log else "") if part)
    return f"{title} ({extras})" if extras else title


def limits(ax: Axes, which: str, *, log: bool, from_zero: bool = False) -> None:
    """Settle the limits of one axis: never below zero for data that is not; never empty."""
    get, put = (ax.get_xlim, ax.set_xlim) if which == "x" else (ax.get_ylim, ax.set_ylim)
    low, high = get()
    if not np.isfinite(ax.dataLim.bounds).all():
        put(*((1.0, 10.0) if log else (0.0, 1.0)))
        return
    smallest = ax.dataLim.x0 if which == "x" else ax.dataLim.y0
    if not log and (from_zero or smallest >= 0 > low):
        low = min(0.0, smallest)
    if low == high:
        low, high = low - 0.5, high + 0.5
    put(low, high)


def number_axes(
    sheet: Sheet, ax: Axes, *, log: tuple[bool, bool], whole: tuple[bool, bool] = (False, False)
) -> None:
    """Round ticks for the space there is; the layout must have been carried out."""
    width, height = sheet.size_of(ax)
    size = sheet.style.small
    ticks.set_ticks(ax.xaxis, log=log[0], length=width, per_tick=4.2 * size, whole=whole[0])
    ticks.set_ticks(ax.yaxis, log=log[1], length=height, per_tick=3.0 * size, whole=whole[1])


@contextmanager
def settings(families: list[str], style: FigureStyle) -> Iterator[None]:
    """matplotlib's settings while a figure is drawn or written; one figure at a time, then as before."""
    wanted: dict[Any, Any] = {
        "font.family": families,
        "font.size": style.font_size,
        "text.parse_math": False,
        "axes.unicode_minus": True,
        "path.simplify": True,
        "pdf.fonttype": 42,
        "pdf.compression": 6,
        "svg.fonttype": "none",
        "svg.hashsalt": "papertab",
        "hatch.linewidth": 0.4,
        "text.hinting": "none",
    }
    with _SETTINGS, matplotlib.rc_context(wanted):
        yield


def blank(style: FigureStyle, families: list[str]) -> Sheet:
    """An empty page of exactly the size asked for."""
    colours = palette(style.theme)
    figure = Figure(
        figsize=(style.width, style.height), dpi=LAYOUT_DPI, facecolor=colours.ground, layout="constrained"
    )
    FigureCanvasAgg(figure)
    margin = MARGIN * style.scale
    engine: Any = figure.get_layout_engine()
    engine.set(w_pad=margin, h_pad=margin, wspace=0, hspace=0)  # type: ignore[union-attr]
    return Sheet(figure, style, colours, families)


def use_families(sheet: Sheet, texts: Sequence[Text]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Check every character of `texts`; take in a further face where one is needed.

    Returns the characters drawn from a fallback face and those no face here can write.
    """
    chain, borrowed, missing = fonts.families(sheet.style.family, (t.get_text() for t in texts))
    if chain != sheet.families:
        sheet.families = chain
        for text in texts:
            text.set_fontfamily(chain)
    return borrowed, missing
