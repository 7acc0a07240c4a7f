"""Images in rows: each with a frame and a corner sign for its state, and its caption below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyBboxPatch

from engine.core.figures.legend import wrapped
from engine.core.figures.sheet import Look, Sheet
from engine.core.views import ImageGrid, ImageGridState, TileMark

SMALLEST, LARGEST, USUAL = 26.0, 72.0, 34.0
"""Sides of a tile in points at 8-pt type: smallest, largest, and that where not all images fit."""
_STROKES: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "check": (((-0.5, 0.0), (-0.12, 0.38), (0.5, -0.36)),),
    "cross": (((-0.38, -0.38), (0.38, 0.38)), ((-0.38, 0.38), (0.38, -0.38))),
    "down": (((0.0, -0.5), (0.0, 0.5)), ((-0.4, 0.1), (0.0, 0.5), (0.4, 0.1))),
    "up": (((0.0, 0.5), (0.0, -0.5)), ((-0.4, -0.1), (0.0, -0.5), (0.4, -0.1))),
    "flag": (((-0.32, 0.55), (-0.32, -0.5), (0.42, -0.22), (-0.32, 0.08)),),
    "star": (((0.0, -0.5), (0.0, 0.5)), ((-0.45, -0.25), (0.45, 0.25)), ((-0.45, 0.25), (0.45, -0.25))),
    "dot": (((-0.12, 0.0), (0.12, 0.0)),),
}


@dataclass(frozen=True)
class _Plan:
    """Where tiles stand, in points: side, gaps, columns, how many are drawn, left and upper edge."""

    side: float
    aspect: float
    gap: float
    caption: float
    columns: int
    shown: int
    left: float
    top: float

    def corner(self, number: int) -> tuple[float, float]:
        row, column = divmod(number, self.columns)
        across = self.left + column * (self.side + self.gap)
        return across, self.top + row * (self.side * self.aspect + self.caption + self.gap)


def draw_image_grid(view: ImageGrid, state: ImageGridState, sheet: Sheet) -> None:
    """Draw the images in the order given, as many as the page holds; the rest is counted."""
    ax = sheet.figure.add_axes((0.0, 0.0, 1.0, 1.0))
    ax.set_axis_off()
    sheet.figure.set_layout_engine("none")
    state = state.arranged(state.filter, state.order)
    width, height = sheet.style.width * 72, sheet.style.height * 72
    ax.set_xlim(0, width)
    ax.set_ylim(height, 0)
    ax.set_autoscale_on(False)
    edge = 6.0 * sheet.style.scale
    top = _title(view, state, ax, sheet, edge, width)
    top = _legend(state, ax, sheet, edge, top, width)
    foot = _note(state, ax, sheet, edge, width, height)
    plan = _plan(state, sheet, (edge, top), width - 2 * edge, foot - top)
    if plan.shown < state.count:
        sheet.notes.append(f"{plan.shown:,} of {state.count:,} images find room; all are in the data")
    ids = np.arange(state.count) if state.ids is None else np.asarray(state.ids)
    for number in range(plan.shown):
        _tile(state, number, ids[number].item(), plan, ax, sheet)


def _plan(
    state: ImageGridState, sheet: Sheet, corner: tuple[float, float], width: float, height: float
) -> _Plan:
    """The largest tiles with which all images fit; tiles of the usual size where they do not."""
    scale = sheet.style.scale
    aspect = state.images.shape[1] / state.images.shape[2] if state.count else 1.0
    caption = 1.5 * sheet.style.small if state.captions or state.struck else 0.0
    gap = 5.0 * scale

    def fits(side: float) -> tuple[int, int]:
        columns = max(1, int((width + gap) / (side + gap)))
        return columns, columns * max(1, int((height + gap) / (side * aspect + caption + gap)))

    side = LARGEST * scale
    while side > SMALLEST * scale and fits(side)[1] < state.count:
        side -= 0.5
    if fits(side)[1] < state.count:
        side = USUAL * scale
    columns, room = fits(side)
    return _Plan(side, aspect, gap, caption, columns, min(room, state.count), *corner)


def _tile(state: ImageGridState, number: int, ident: int, plan: _Plan, ax: Axes, sheet: Sheet) -> None:
    x, y = plan.corner(number)
    scale = sheet.style.scale
    high = plan.side * plan.aspect
    mark = _mark(state, number)
    chosen = ident in sheet.style.selection
    shape = FancyBboxPatch(
        (x, y),
        plan.side,
        high,
        boxstyle=f"round,pad=0,rounding_size={2.5 * scale}",
        facecolor="none",
        edgecolor=sheet.colours.selection if chosen else _colour(mark, sheet),
        linewidth=(1.4 if mark or chosen else 0.6) * scale,
        zorder=3,
    )
    picture = AxesImage(
        ax,
        extent=(x, x + plan.side, y + high, y),
        origin="upper",
        interpolation="antialiased" if state.smooth else "nearest",
        zorder=2,
    )
    image = state.images[number]
    picture.set_data(np.repeat(image[..., None], 3, axis=2) if image.ndim == 2 else image)
    ax.add_image(picture)
    ax.add_patch(shape)
    picture.set_clip_path(shape)
    if mark is not None:
        _sign(mark, x + plan.side - 1.5 * scale, y + 1.5 * scale, 3.6 * scale, ax, sheet)
    _caption(state, number, x + plan.side / 2, y + high + 0.75 * sheet.style.small, plan, ax, sheet)


def _mark(state: ImageGridState, number: int) -> TileMark | None:
    place = -1 if state.mark is None else int(state.mark[number])
    return state.marks[place] if place >= 0 else None


def _colour(mark: TileMark | None, sheet: Sheet) -> str:
    colours = sheet.colours
    if mark is None:
        return colours.border
    tones = {
        "good": colours.success,
        "bad": colours.danger,
        "warning": colours.warning,
        "info": colours.accent,
        "neutral": colours.axis,
    }
    return tones[mark.tone]


def _sign(mark: TileMark, x: float, y: float, radius: float, ax: Axes, sheet: Sheet) -> None:
    """A disc in the state's colour with its sign in the ground's."""
    ground = sheet.colours.ground
    disc = Circle(
        (x, y),
        radius,
        facecolor=_colour(mark, sheet),
        edgecolor=ground,
        linewidth=0.8 * sheet.style.scale,
        zorder=4,
    )
    ax.add_patch(disc)
    for stroke in _STROKES[mark.sign]:
        points = np.array([x, y]) + radius * np.array(stroke)
        line = Line2D(
            points[:, 0],
            points[:, 1],
            color=ground,
            linewidth=1.0 * sheet.style.scale,
            solid_capstyle="round",
            zorder=5,
        )
        ax.add_line(line)


def _caption(
    state: ImageGridState, number: int, centre: float, y: float, plan: _Plan, ax: Axes, sheet: Sheet
) -> None:
    """What held before, crossed out, then the caption; centred under the tile."""
    small, room = sheet.style.small, plan.side + 0.8 * plan.gap
    before = state.struck[number] if state.struck else ""
    text = state.captions[number] if state.captions else ""
    parted = 0.35 * small if before and text else 0.0
    ahead = sheet.width_of(before, small) if before else 0.0
    if ahead + parted + sheet.width_of(text, small) > room:
        before, ahead, parted = "", 0.0, 0.0
        text = sheet.fitted(text, room, small)
    x = centre - (ahead + parted + sheet.width_of(text, small)) / 2
    words: dict[str, Any] = {"va": "center_baseline", "ha": "left", "zorder": 4, **sheet.font(small)}
    if before:
        ax.text(x, y, before, color=sheet.colours.tertiary, **words)
        ax.add_line(
            Line2D([x, x + ahead], [y, y], color=sheet.colours.tertiary, linewidth=sheet.hairline, zorder=5)
        )
    if text:
        ax.text(x + ahead + parted, y, text, color=sheet.colours.text, **words)


def _legend(state: ImageGridState, ax: Axes, sheet: Sheet, edge: float, top: float, width: float) -> float:
    """A row of the signs in use with their names; returns where the tiles may begin."""
    used = [] if state.mark is None else sorted({int(m) for m in np.unique(state.mark) if m >= 0})
    if not used or sheet.style.legend == "none":
        return top
    size, x, y = sheet.style.font_size, edge, top + 0.8 * sheet.style.font_size
    for place in used:
        mark = state.marks[place]
        needed = 1.4 * size + sheet.width_of(mark.name)
        if x > edge and x + needed > width - edge:
            x, y = edge, y + 1.5 * size
        _sign(mark, x + 0.45 * size, y + 0.08 * size, 0.45 * size, ax, sheet)
        ax.text(x + 1.2 * size, y, mark.name, va="center_baseline", color=sheet.colours.text, **sheet.font())
        sheet.looks.append(Look(mark.name, _colour(mark, sheet), shape=mark.sign))
        x += needed + size
    return y + 1.4 * size


def _note(state: ImageGridState, ax: Axes, sheet: Sheet, edge: float, width: float, height: float) -> float:
    """The note at the foot of the page; returns where the tiles must end."""
    small = sheet.style.small
    lines = wrapped(sheet, state.note, width - 2 * edge) if state.note else []
    y = height - edge - 1.3 * small * len(lines)
    words: dict[str, Any] = {"va": "center_baseline", "ha": "left", **sheet.font(small)}
    for number, line in enumerate(lines):
        ax.text(edge, y + (0.65 + 1.3 * number) * small, line, color=sheet.colours.tertiary, **words)
    return y - (0.3 * small if lines else 0.0)


def _title(
    view: ImageGrid, state: ImageGridState, ax: Axes, sheet: Sheet, edge: float, width: float
) -> float:
    if not sheet.style.title:
        return edge
    size = sheet.style.font_size + 1
    words: dict[str, Any] = {"va": "center_baseline", "ha": "left"}
    ax.text(
        edge, edge + 0.6 * size, view.title, color=sheet.colours.text, **words, **sheet.font(size, "semibold")
    )
    y = edge + 1.4 * size
    small = sheet.style.small
    for line in wrapped(sheet, state.caption, width - 2 * edge):
        ax.text(edge, y + 0.5 * small, line, color=sheet.colours.tertiary, **words, **sheet.font(small))
        y += 1.35 * small
    return y + 0.3 * small
