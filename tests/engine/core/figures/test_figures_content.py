"""What is drawn is what the state holds; gaps, selection, references, titles."""

from __future__ import annotations

import csv
import dataclasses
from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import PathCollection, QuadMesh
from matplotlib.colors import to_hex, to_rgba
from matplotlib.text import Text

from engine.core.figures.draw import compose, draw
from engine.core.figures.export import data_csv
from engine.core.figures.style import FigureStyle
from engine.core.views import (
    Axis,
    HeatMap,
    HeatMapState,
    ImageGridState,
    Lines,
    LinesState,
    Scatter,
    ScatterState,
    Series,
    TileFilter,
)


def texts(figure) -> list[str]:
    return [t.get_text() for t in figure.findobj(Text) if t.get_visible() and t.get_text()]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_curves_hold_the_state(samples: dict, tmp_path: Path) -> None:
    sample = samples["lines"]
    ax = draw(sample.view, sample.state).axes[0]
    drawn = [(np.asarray(line.get_xdata()), np.asarray(line.get_ydata())) for line in ax.get_lines()]
    for series in sample.state.series:
        assert any(np.array_equal(x, series.x) and np.array_equal(y, series.y) for x, y in drawn)
    data_csv(sample.view, sample.state, tmp_path / "a.csv")
    written = rows(tmp_path / "a.csv")
    for series in sample.state.series:
        own = [r for r in written if r["part"] == "series" and r["name"] == series.name]
        assert np.array_equal([float(r["largest diameter (cm)"]) for r in own], series.y)
    bracket = [float(r["high"]) for r in written if r["part"] == "bracket"]
    assert np.array_equal(bracket, sample.state.brackets[0].high)
    assert [r["name"] for r in written if r["part"] == "level"] == ["widest pair"]


def test_points_hold_the_state(samples: dict, tmp_path: Path) -> None:
    sample = samples["scatter"]
    ax = draw(sample.view, sample.state).axes[0]
    offsets = np.concatenate([c.get_offsets() for c in ax.collections if isinstance(c, PathCollection)])
    wanted = np.column_stack((sample.state.x, sample.state.y))
    assert np.array_equal(np.unique(offsets, axis=0), np.unique(wanted, axis=0))
    assert len(offsets) == 150
    data_csv(sample.view, sample.state, tmp_path / "a.csv")
    points = [r for r in rows(tmp_path / "a.csv") if r["part"] == "point"]
    assert np.array_equal([float(r["first component (cm)"]) for r in points], sample.state.x)
    assert [r["group"] for r in points] == [f"cluster {g + 1}" for g in sample.state.group]


def test_bars_hold_the_state(samples: dict, tmp_path: Path) -> None:
    sample = samples["bars"]
    ax = draw(sample.view, sample.state).axes[0]
    assert [p.get_height() for p in ax.patches] == sample.state.series[0].values.tolist()
    assert ax.get_ylim()[0] == 0
    assert to_hex(ax.patches[1].get_facecolor()).upper() == "#D55E00"
    data_csv(sample.view, sample.state, tmp_path / "a.csv")
    bars = [r for r in rows(tmp_path / "a.csv") if r["part"] == "bar"]
    assert [float(r["flowers"]) for r in bars] == sample.state.series[0].values.tolist()


def test_cells_hold_the_state(samples: dict, tmp_path: Path) -> None:
    sample = samples["heat-map"]
    ax = draw(sample.view, sample.state).axes[0]
    mesh = next(c for c in ax.collections if isinstance(c, QuadMesh))
    assert np.array_equal(np.asarray(mesh.get_array()).reshape(4, 4), sample.state.values)
    assert (mesh.norm.vmin, mesh.norm.vmax) == (-1.0, 1.0)
    assert ax.get_ylim() == (3.5, -0.5)
    data_csv(sample.view, sample.state, tmp_path / "a.csv")
    written = list(csv.reader((tmp_path / "a.csv").open(encoding="utf-8")))
    assert np.array_equal(np.array(written)[1:, 1:].astype(float), sample.state.values)


def test_merges_and_table_in_csv(samples: dict, tmp_path: Path) -> None:
    sample = samples["dendrogram"]
    data_csv(sample.view, sample.state, tmp_path / "tree.csv")
    merges = [r for r in rows(tmp_path / "tree.csv") if r["part"] == "merge"]
    back = [[float(r[c]) for c in ("left", "right", "merge height (cm)", "leaves")] for r in merges]
    assert np.array_equal(back, sample.state.merges)
    sample = samples["table"]
    data_csv(sample.view, sample.state, tmp_path / "table.csv")
    written = rows(tmp_path / "table.csv")
    assert [r["Linkage"] for r in written] == ["complete", "average", "weighted", "single"]
    assert np.array_equal([float(r["k = 3"]) for r in written], sample.state.columns[2].values)
    for kind, count in (("graph", 9), ("panel", 4)):
        assert data_csv(samples[kind].view, samples[kind].state, tmp_path / "a.csv") == count


def test_gaps_are_left_and_counted() -> None:
    y = np.arange(10.0)
    y[[3, 4, 6]] = [np.nan, np.inf, np.nan]
    state = LinesState(series=(Series(name="loss", x=np.arange(10.0), y=y, marks=False),), caption="one run")
    view = Lines("v", title="Loss", x=Axis("step"), y=Axis("loss"))
    sheet = compose(view, state, FigureStyle(title=True))
    assert "3 values of loss not finite, left out" in sheet.notes
    assert any("one run · 3 values of loss not finite" in text for text in texts(sheet.figure))
    curve, alone = sheet.figure.axes[0].get_lines()[:2]
    assert np.array_equal(curve.get_ydata(), y, equal_nan=True)
    # The value between two gaps has no line on either side: it is drawn as a dot.
    assert np.array_equal(alone.get_xdata(), [5.0])
    low, high = sheet.figure.axes[0].get_ylim()
    assert low == 0
    assert 9 < high < 10


def test_log_axes_say_what_they_hide() -> None:
    state = LinesState(series=(Series(name="a", x=np.arange(1, 6.0), y=np.array([1, 0, 10, -2, 100.0])),))
    view = Lines("v", title="V", x=Axis("step"), y=Axis("error", log=True))
    sheet = compose(view, state, FigureStyle())
    assert sheet.notes == ["2 not above zero: cannot be shown on the log y axis"]
    assert "Error (log)" in texts(sheet.figure)


def test_undefined_cells_and_points() -> None:
    values = np.array([[1.0, np.nan], [3.0, 4.0]])
    view = HeatMap("m", title="M", x=Axis("a"), y=Axis("b"), value=Axis("c"))
    sheet = compose(view, HeatMapState(values=values), FigureStyle())
    assert sheet.notes == ["1 undefined cell hatched"]
    assert any(p.get_hatch() for p in sheet.figure.axes[0].patches)
    view = Scatter("s", title="S", x=Axis("a"), y=Axis("b"))
    state = ScatterState(x=np.array([0.0, 1, np.nan]), y=np.array([0.0, 1, 2]))
    sheet = compose(view, state, FigureStyle())
    assert sheet.notes == ["1 point not finite, left out"]
    empty = ScatterState(x=np.empty(0), y=np.empty(0))
    assert {"a", "b", "0.0", "1.0"} <= set(texts(draw(view, empty)))


def test_selection_fades_the_rest(samples: dict) -> None:
    sample = samples["lines"]
    ax = draw(sample.view, sample.state, FigureStyle(selection=("average",))).axes[0]
    alpha = {
        series.name: line.get_alpha()
        for series in sample.state.series
        for line in ax.get_lines()
        if np.array_equal(line.get_ydata(), series.y)
    }
    assert alpha == {"complete": 0.3, "average": 1.0, "weighted": 0.3, "single": 0.3}
    sample = samples["scatter"]
    ax = draw(sample.view, sample.state, FigureStyle(selection=(7,))).axes[0]
    points = [c for c in ax.collections if isinstance(c, PathCollection)]
    outlined = [
        np.asarray(c.get_offsets())[i]
        for c in points
        for i, edge in enumerate(c.get_edgecolors())
        if np.allclose(edge, to_rgba("#4A4FC4"))
    ]
    assert np.array_equal(outlined, [[sample.state.x[7], sample.state.y[7]]])


def test_legend_places(samples: dict) -> None:
    sample = samples["lines"]
    assert draw(sample.view, sample.state, FigureStyle(legend="none")).axes[0].get_legend() is None
    top = draw(sample.view, sample.state, FigureStyle(legend="top"))
    legend = top.axes[0].get_legend()
    assert legend.get_window_extent().y0 >= top.axes[0].get_window_extent().y1
    inside = draw(sample.view, sample.state, FigureStyle(legend="inside")).axes[0]
    box, plot = inside.get_legend().get_window_extent(), inside.get_window_extent()
    assert plot.x0 <= box.x0 <= box.x1 <= plot.x1
    ends = draw(sample.view, sample.state, FigureStyle(legend="right"))
    places = [t for t in ends.axes[0].texts if t.get_text() in ("complete", "average", "weighted", "single")]
    heights = sorted(t.get_window_extent().y0 for t in places)
    line = 8 / 72 * ends.dpi
    assert len(places) == 4
    assert np.diff(heights).min() >= line


def test_entity_keeps_its_colour_when_others_are_hidden(samples: dict) -> None:
    sample = samples["lines"]
    fewer = dataclasses.replace(sample.state, series=sample.state.series[1:])

    def colour(state: LinesState) -> str:
        ax = draw(sample.view, state).axes[0]
        wanted = sample.state.series[1].y
        return next(
            to_hex(line.get_color()) for line in ax.get_lines() if np.array_equal(line.get_ydata(), wanted)
        )

    assert colour(sample.state) == colour(fewer) == "#cc79a7"


def test_many_names_are_counted() -> None:
    x = np.arange(50.0)
    series = tuple(Series(name=f"expert {i}", x=x, y=x + i) for i in range(40))
    view = Lines("v", title="V", x=Axis("round"), y=Axis("loss"))
    sheet = compose(view, LinesState(series=series), FigureStyle())
    legend = [t.get_text() for t in sheet.figure.axes[0].get_legend().get_texts()]
    left_out = 40 - (len(legend) - 1)
    assert f"and {left_out} more" in legend
    assert f"{left_out} of 40 names are not in the legend for want of room" in sheet.notes
    plot = sheet.figure.axes[0].get_window_extent()
    assert plot.height > 0.35 * sheet.figure.bbox.height


def test_title_only_if_asked(samples: dict) -> None:
    sample = samples["lines"]
    assert "Cohesion" not in texts(draw(sample.view, sample.state))
    shown = texts(draw(sample.view, sample.state, FigureStyle(title=True)))
    assert "Cohesion" in shown
    assert "iris, 150 flowers" in shown


@pytest.mark.parametrize("width", [0.5, 70.0])
def test_sizes_that_cannot_be_printed(width: float) -> None:
    from engine.core.errors import FieldError

    with pytest.raises(FieldError, match="width"):
        FigureStyle(width=width)
    with pytest.raises(FieldError, match="font_size"):
        FigureStyle(font_size=5)


def test_tiles_hold_the_images(samples: dict, tmp_path: Path) -> None:
    sample = samples["image-grid"]
    sheet = compose(sample.view, sample.state, FigureStyle())
    pictures = [image.get_array() for image in sheet.figure.axes[0].images]
    assert len(pictures) == 12
    for drawn, given in zip(pictures, sample.state.images, strict=True):
        assert np.array_equal(drawn[..., 0], given)
    assert {image.get_interpolation() for image in sheet.figure.axes[0].images} == {"nearest"}
    assert [look.shape for look in sheet.looks] == ["check", "cross"]
    assert sheet.told_apart()
    data_csv(sample.view, sample.state, tmp_path / "a.csv")
    written = rows(tmp_path / "a.csv")
    assert [r["state"] for r in written[:3]] == ["repaired", "still wrong", ""]
    assert [r["before"] for r in written[:2]] == ["7", ""]
    assert [r["caption"] for r in written] == list(sample.state.captions)


def test_images_without_room_are_counted_and_filters_hold(samples: dict) -> None:
    view, images = samples["image-grid"].view, np.zeros((900, 8, 8, 3), np.uint8)
    few = TileFilter(name="few", places=np.array([5, 3]))
    state = ImageGridState(images=images, filters=(few,))
    sheet = compose(view, state, FigureStyle())
    drawn = len(sheet.figure.axes[0].images)
    assert sheet.notes == [f"{drawn} of 900 images find room; all are in the data"]
    state = ImageGridState(images=images, ids=np.arange(900), filters=(few,), filter="few")
    assert len(compose(view, state, FigureStyle()).figure.axes[0].images) == 2
    assert state.arranged("few").ids.tolist() == [5, 3]
