"""Frames a second of panning large plots, and the time of a linked selection. Run by name:

``xvfb-run -s "-screen 0 1600x1200x24" python tests/benchmarks/bench_views.py``
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QApplication

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.core.views import (
    Axis,
    Dendrogram,
    DendrogramState,
    Group,
    HeatMap,
    HeatMapState,
    ImageGrid,
    ImageGridState,
    Lines,
    LinesState,
    Scatter,
    ScatterState,
    Series,
)
from gui.theme.theme import theme
from gui.views import make_drawing
from gui.views.plot import PlotDrawing
from gui.views.selection import Selection

FRAMES = 60
RNG = np.random.default_rng(0)


def shown(drawing: PlotDrawing) -> PlotDrawing:
    """On the screen at 900 × 700."""
    drawing.resize(900, 700)
    drawing.show()
    QApplication.processEvents()
    return drawing


def frames(drawing: PlotDrawing, step: Callable[[int], None]) -> float:
    """Mean ms of a repaint after ``step``."""
    canvas = drawing.canvas
    step(0)
    canvas.viewport().repaint()
    began = time.perf_counter()
    for frame in range(1, FRAMES + 1):
        step(frame)
        canvas.viewport().repaint()
    return (time.perf_counter() - began) * 1000 / FRAMES


def pan(name: str, drawing: PlotDrawing, zoom: float = 0.1) -> None:
    """Pan the whole, then zoomed in; print ms and frames a second."""
    canvas = drawing.canvas
    canvas.bounded = False
    canvas.go_home()
    whole = frames(drawing, lambda k: canvas.pan(0.01 if k % 2 else -0.01, 0.0))
    canvas.go_home()
    canvas.zoom(zoom)
    near = frames(drawing, lambda k: canvas.pan(0.01 if k % 20 < 10 else -0.01, 0.0))
    canvas.go_home()
    print(
        f"{name:44s} {whole:7.1f} ms {1000 / whole:6.0f}/s   zoomed {near:7.1f} ms {1000 / near:6.0f}/s",
        flush=True,
    )


def scatter(count: int) -> None:
    """Ten groups."""
    group = RNG.integers(0, 10, count)
    x, y = RNG.normal(0, 1, (2, count)) + 4 * np.array([np.cos(group), np.sin(group)])
    state = ScatterState(x=x, y=y, group=group, groups=tuple(Group(name=str(i), colour=i) for i in range(10)))
    drawing = make_drawing(Scatter("s", title="", x=Axis("x"), y=Axis("y"), entity="point"))
    assert isinstance(drawing, PlotDrawing)
    shown(drawing).show_state(state)
    pan(f"scatter, {count:,} points", drawing)
    selection = Selection()
    drawing.set_selection(selection)
    times = []
    for _ in range(10):
        ids = RNG.choice(count, 5000, replace=False)
        began = time.perf_counter()
        selection.set("point", ids)
        drawing.canvas.viewport().repaint()
        times.append((time.perf_counter() - began) * 1000)
    print(f"  select 5,000 of {count:,}, repainted: {np.median(times):.1f} ms (longest {max(times):.1f})")
    drawing.close()


def dendrogram(merges: np.ndarray, name: str) -> None:
    """In the order of a left-first walk, with 20 clusters."""
    leaves = len(merges) + 1
    sizes = np.concatenate((np.ones(leaves, np.int64), merges[:, 3].astype(np.int64)))
    first = np.zeros(2 * leaves - 1, np.int64)
    for row in range(leaves - 2, -1, -1):
        a, b = int(merges[row, 0]), int(merges[row, 1])
        first[a], first[b] = first[leaves + row], first[leaves + row] + sizes[a]
    order = np.empty(leaves, np.int64)
    order[first[:leaves]] = np.arange(leaves)
    labels = np.empty(leaves, np.int64)
    labels[order] = np.arange(leaves) * 20 // leaves
    drawing = make_drawing(
        Dendrogram("d", title="", height=Axis("h"), entity="point", gestures={"cut": "cut"})
    )
    assert isinstance(drawing, PlotDrawing)
    state = DendrogramState(
        merges=merges, leaves=leaves, order=order, labels=labels, cut=float(merges[-19:, 2].min())
    )
    began = time.perf_counter()
    shown(drawing).show_state(state)
    drawing.canvas.viewport().repaint()
    print(f"  first paint {1000 * (time.perf_counter() - began):.0f} ms")
    pan(name, drawing)
    drawing.close()


def chain(leaves: int) -> np.ndarray:
    """Every merge adds one leaf."""
    index = np.arange(leaves - 1)
    left = np.where(index == 0, 0, leaves + index - 1)
    return np.column_stack((left, index + 1, 1.0 + index, index + 2)).astype(np.float64)


def curve(count: int) -> None:
    """A random walk, whole and growing."""
    x, y = np.arange(float(count)), np.cumsum(RNG.normal(0, 1, count))
    drawing = make_drawing(Lines("l", title="", x=Axis("step"), y=Axis("value")))
    assert isinstance(drawing, PlotDrawing)
    shown(drawing).show_state(LinesState(series=(Series(name="walk", x=x, y=y),)))
    pan(f"curve, {count:,} points", drawing, 0.01)
    drawing.set_live(True)
    step = count // (2 * FRAMES)

    def grow(k: int) -> None:
        end = count // 2 + k * step
        drawing.show_state(LinesState(series=(Series(name="walk", x=x[:end], y=y[:end]),)))

    print(f"  growing, {count // 2:,} to {count:,}: {frames(drawing, grow):.1f} ms a frame")
    drawing.close()


def heat_map(size: int) -> None:
    """Float32 cells."""
    drawing = make_drawing(HeatMap("h", title="", x=Axis("x"), y=Axis("y"), value=Axis("v")))
    assert isinstance(drawing, PlotDrawing)
    cells = RNG.normal(0, 1, (size, size)).astype(np.float32)
    began = time.perf_counter()
    shown(drawing).show_state(HeatMapState(values=cells))
    drawing.canvas.viewport().repaint()
    print(f"  first paint {1000 * (time.perf_counter() - began):.0f} ms")
    pan(f"heat map, {size:,} × {size:,}", drawing)
    drawing.close()


def image_grid(count: int) -> None:
    """Thumbnails of 8 × 8 px: first paint, the next state, scrolling by a row."""
    drawing = make_drawing(ImageGrid("i", title="Images", entity="image"))
    state = ImageGridState(
        images=RNG.integers(0, 256, (count, 8, 8, 3), np.uint8), captions=tuple(map(str, range(count)))
    )
    shown(drawing)  # type: ignore[arg-type]
    times = []
    for _ in range(2):
        began = time.perf_counter()
        drawing.show_state(state)
        QApplication.processEvents()
        times.append(1000 * (time.perf_counter() - began))
    bar, port, steps = drawing.list.verticalScrollBar(), drawing.list.viewport(), []  # type: ignore[attr-defined]
    for _ in range(FRAMES):
        began = time.perf_counter()
        bar.setValue(bar.value() + 100)
        port.repaint()
        steps.append(1000 * (time.perf_counter() - began))
    print(f"image grid, {count:,} images: first {times[0]:.0f} ms, next state {times[1]:.0f} ms")
    print(f"  scroll by a row: {np.median(steps):.1f} ms (longest {max(steps):.1f})")
    drawing.close()


def main() -> None:
    """All of them."""
    from scipy.cluster.hierarchy import linkage

    app = QApplication([])
    theme().attach(app)
    theme().set_mode("light")
    from gui.views.kernels import warm

    began = time.perf_counter()
    warm()
    print(f"kernels ready after {time.perf_counter() - began:.2f} s")
    scatter(20_000)
    scatter(100_000)
    scatter(1_000_000)
    for leaves in (20_000, 100_000):
        points = np.sort(RNG.normal(0, 1, leaves))[:, None]
        if leaves <= 20_000:
            dendrogram(linkage(points, "single"), f"dendrogram, single, {leaves:,} leaves")
        else:
            import fastcluster

            flat = np.column_stack((points[:, 0], RNG.normal(0, 1, leaves)))
            dendrogram(
                fastcluster.linkage_vector(flat[:, :1], "single"), f"dendrogram, single, {leaves:,} leaves"
            )
        dendrogram(chain(leaves), f"dendrogram, chain, {leaves:,} leaves")
    curve(1_000_000)
    heat_map(2_000)
    image_grid(2_000)


if __name__ == "__main__":
    main()
