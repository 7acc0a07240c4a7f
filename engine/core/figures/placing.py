"""Labels beside curves: at their ends, pushed apart, or inside the plot where nothing else is."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from engine.core.figures.sheet import Sheet

STEP = 5.0
POSITIONS = np.array([0.62, 0.7, 0.54, 0.78, 0.46, 0.86, 0.38, 0.3, 0.94, 0.22, 0.14, 0.06])


class FreeSpace:
    """What is taken on the plot, as points in pixels; labels take their own boxes."""

    def __init__(self, sheet: Sheet, ax: Axes) -> None:
        self._sheet, self._ax = sheet, ax
        self._taken = np.empty((0, 2))

    def take_curve(self, x: np.ndarray, y: np.ndarray) -> None:
        """A curve in data coordinates is in the way of labels."""
        self._taken = np.vstack((self._taken, self._pixels(x, y)))

    def take_points(self, x: np.ndarray, y: np.ndarray) -> None:
        """Single points in data coordinates are in the way of labels."""
        self._taken = np.vstack((self._taken, self._ax.transData.transform(np.column_stack((x, y)))))

    def take_box(self, low: tuple[float, float], high: tuple[float, float]) -> None:
        """A box in pixels is in the way of labels."""
        xs = np.arange(low[0], high[0] + STEP, STEP)
        ys = np.arange(low[1], high[1] + STEP, STEP)
        self._taken = np.vstack((self._taken, np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)))

    def label(self, x: np.ndarray, y: np.ndarray, text: str, colour: str) -> bool:
        """Write `text` close above or below the curve where it touches nothing; False if nowhere."""
        curve = self._pixels(x, y)
        if not len(curve):
            return False
        scale = self._sheet.figure.dpi / 72
        width = self._sheet.width_of(text) * scale
        height = self._sheet.style.font_size * scale
        place = self._free_place(curve, width, height, 2.5 * scale * self._sheet.style.scale)
        if place is None:
            return False
        self._write(place, text, colour, np.array([width, height]) / 2, "normal")
        return True

    def label_hull(self, x: np.ndarray, y: np.ndarray, text: str, colour: str) -> bool:
        """Write `text` outside a closed shape, near its top or its foot; False if both are taken."""
        outline = self._pixels(x, y)
        if not len(outline):
            return False
        scale = self._sheet.figure.dpi / 72
        half = (
            np.array([self._sheet.width_of(text, weight="semibold"), self._sheet.style.font_size]) * scale / 2
        )
        gap = 3 * scale * self._sheet.style.scale
        box = self._ax.get_window_extent()
        ends = outline[np.argmax(outline[:, 1])], outline[np.argmin(outline[:, 1])]
        sides = outline[np.argmin(outline[:, 0])], outline[np.argmax(outline[:, 0])]
        shifts = np.array([0.0, -0.5, 0.5, -0.9, 0.9]) * half[0]
        places = [
            end + np.array([shift, s * (half[1] + gap)])
            for end, s in zip(ends, (1, -1), strict=True)
            for shift in shifts
        ]
        places += [
            side + np.array([s * (half[0] + gap), lift * half[1]])
            for lift in (0.0, 1.2, -1.2)
            for side, s in zip(sides, (-1, 1), strict=True)
        ]
        for place in places:
            low, high = place - half - 1, place + half + 1
            inside = low[0] >= box.x0 and high[0] <= box.x1 and low[1] >= box.y0 and high[1] <= box.y1
            if inside and not np.any(np.all((self._taken > low) & (self._taken < high), axis=1)):
                self._write(place, text, colour, half, "semibold")
                return True
        return False

    def _write(self, place: np.ndarray, text: str, colour: str, half: np.ndarray, weight: str) -> None:
        self.take_box(tuple(place - half), tuple(place + half))
        x, y = self._ax.transAxes.inverted().transform(place).tolist()
        self._ax.text(
            x,
            y,
            text,
            transform=self._ax.transAxes,
            ha="center",
            va="center_baseline",
            color=colour,
            zorder=6,
            **self._sheet.font(weight=weight),
        )

    def _free_place(self, curve: np.ndarray, width: float, height: float, gap: float) -> np.ndarray | None:
        box = self._ax.get_window_extent()
        half = np.array([width, height]) / 2 + gap * 0.6
        steep = float(np.ptp(curve[:, 1])) > 4 * max(float(np.ptp(curve[:, 0])), 1.0)
        for position in POSITIONS:
            along = curve[np.argmin(np.abs(curve[:, 0] - (box.x0 + position * box.width)))]
            if steep:
                along = curve[np.argmin(np.abs(curve[:, 1] - (box.y0 + (1.1 - position) * box.height)))]
            for centre in self._beside(curve, along, width, height, gap, steep):
                low, high = centre - half, centre + half
                inside = low[0] >= box.x0 and high[0] <= box.x1 and low[1] >= box.y0 and high[1] <= box.y1
                if inside and not np.any(np.all((self._taken > low) & (self._taken < high), axis=1)):
                    return centre
        return None

    @staticmethod
    def _beside(
        curve: np.ndarray, along: np.ndarray, width: float, height: float, gap: float, steep: bool
    ) -> list[np.ndarray]:
        """Centres just clear of the curve over the label's own width: above and below, or right and left."""
        if steep:
            return [along + np.array([s * (width / 2 + gap * 1.5), 0.0]) for s in (1.0, -1.0)]
        near = curve[np.abs(curve[:, 0] - along[0]) <= width / 2 + gap]
        top, bottom = near[:, 1].max(), near[:, 1].min()
        return [np.array([along[0], top + gap + height / 2]), np.array([along[0], bottom - gap - height / 2])]

    def _pixels(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Points every few pixels along a curve, those inside the plot only."""
        x, y = np.asarray(x, float), np.asarray(y, float)
        keep = np.isfinite(x) & np.isfinite(y)
        if self._ax.get_xscale() == "log":
            keep &= x > 0
        if self._ax.get_yscale() == "log":
            keep &= y > 0
        if not keep.any():
            return np.empty((0, 2))
        points = self._ax.transData.transform(np.column_stack((x[keep], y[keep])))
        if len(points) > 20_000:
            points = points[:: len(points) // 20_000]
        pieces = [points]
        lengths = np.hypot(*np.diff(points, axis=0).T)
        for start, stop, length in zip(points[:-1], points[1:], lengths, strict=True):
            if length > STEP:
                pieces.append(
                    start + np.linspace(0, 1, min(int(length / STEP) + 2, 2000))[:, None] * (stop - start)
                )
        dense = np.vstack(pieces)
        box = self._ax.get_window_extent()
        within = (dense >= (box.x0 - 1, box.y0 - 1)) & (dense <= (box.x1 + 1, box.y1 + 1))
        return dense[within.all(axis=1)]


def end_labels(sheet: Sheet, ax: Axes, ends: list[tuple[float, float, str, str, str]]) -> None:
    """Names right of the plot at the height of each curve's end, at least a line apart.

    `ends` holds (x, y) in data coordinates, text, colour, weight.
    """
    ends = [end for end in ends if np.isfinite(end[1])]
    if not ends:
        return
    box = ax.get_window_extent()
    scale = sheet.figure.dpi / 72
    heights = np.array([ax.transData.transform(end[:2])[1] for end in ends])
    line = 1.2 * sheet.style.font_size * scale
    places = apart(heights, line, box.y0, box.y1)
    for (_, _, text, colour, weight), place in zip(ends, places, strict=True):
        ax.annotate(
            text,
            (1.0, (place - box.y0) / box.height),
            (4 * sheet.style.scale, 0),
            xycoords="axes fraction",
            textcoords="offset points",
            va="center_baseline",
            color=colour,
            annotation_clip=False,
            **sheet.font(weight=weight),
        )


def apart(heights: np.ndarray, least: float, low: float, high: float) -> np.ndarray:
    """`heights` moved as little as needed to lie at least `least` apart; clusters are spread evenly."""
    order = np.argsort(heights, kind="stable")
    groups: list[list[float]] = []
    for height in heights[order]:
        groups.append([float(height), 1.0])
        while len(groups) > 1 and _bottom(groups[-1], least) < _top(groups[-2], least) + least:
            centre, count = groups.pop()
            before = groups[-1]
            before[0] = (before[0] * before[1] + centre * count) / (before[1] + count)
            before[1] += count
    placed = np.concatenate([_bottom(g, least) + least * np.arange(int(g[1])) for g in groups])
    placed += max(0.0, low - placed[0]) - max(0.0, placed[-1] - high)
    result = np.empty_like(placed)
    result[order] = placed
    return result


def _bottom(group: list[float], least: float) -> float:
    return group[0] - least * (group[1] - 1) / 2


def _top(group: list[float], least: float) -> float:
    return group[0] + least * (group[1] - 1) / 2
