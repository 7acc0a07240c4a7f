"""Numbers on axes and in tables; palettes; labels pushed apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.figures import cell_text
from engine.core.figures.palette import contrasting, lightness, luminance, palette
from engine.core.figures.placing import apart
from engine.core.figures.sheet import axis_title
from engine.core.figures.ticks import NumberFormatter, log_ticks, number_text
from engine.core.views import Axis, Column


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-2.5, "−2.5"),
        (1234567.0, "1,234,567"),
        (2.5e-6, "2.5×10⁻⁶"),
        (-1e9, "−10⁹"),
        (float("nan"), "–"),
        (float("-inf"), "−∞"),
    ],
)
def test_number_text(value: float, text: str) -> None:
    assert number_text(value) == text


def test_fixed_decimals_have_no_negative_zero() -> None:
    assert number_text(-0.001, 2) == "0.00"
    assert cell_text.fixed(-0.001, 2) == "0.00"
    assert cell_text.fixed(-1234.5, 1) == "−1,234.5"


def test_log_ticks() -> None:
    assert log_ticks(1, 40) == [1, 2, 5, 10, 20]
    assert log_ticks(2, 10) == [2, 3, 4, 5, 6, 8, 10]
    assert log_ticks(1e-3, 1e4, most=8) == pytest.approx([1e-3, 1e-2, 1e-1, 1, 10, 100, 1e3, 1e4])
    assert log_ticks(1e-12, 1e3, most=5) == pytest.approx([1e-12, 1e-8, 1e-4, 1.0])


@given(st.floats(-6, 6), st.floats(0.05, 12))
def test_log_ticks_lie_inside(start: float, decades: float) -> None:
    low, high = 10.0**start, 10.0 ** (start + decades)
    ticks = log_ticks(low, high)
    assert 1 <= len(ticks) <= 14
    assert all(low * 0.999999 <= t <= high * 1.000001 for t in ticks)
    assert ticks == sorted(ticks)


def test_ticks_share_their_decimals() -> None:
    formatter = NumberFormatter()
    formatter.set_locs([0.0, 0.25, 0.5])
    assert [formatter(v) for v in (0.0, 0.25, 0.5)] == ["0.00", "0.25", "0.50"]
    formatter.set_locs([-2000.0, 0.0, 2000.0])
    assert [formatter(v) for v in (-2000.0, 0.0)] == ["−2,000", "0"]


def test_axis_titles() -> None:
    assert axis_title(Axis("largest diameter", "cm", log=True)) == "Largest diameter (cm, log)"
    assert axis_title(Axis("k")) == "k"
    assert axis_title(Axis("p-value")) == "p-value"
    assert axis_title(Axis("ΔΔG", "kcal/mol")) == "ΔΔG (kcal/mol)"
    assert axis_title(Axis("α of the test")) == "α of the test"


def column(kind: str, values: list, **words: object) -> Column:
    return Column(name="c", title="c", values=np.array(values), kind=kind, **words)  # type: ignore[arg-type]


def test_cells_as_a_paper_prints_them() -> None:
    interval = column("interval", [1.2, 1.5], low=np.array([1.2, 1.5]), high=np.array([1.23, 1.501]))
    assert cell_text.printed(interval) == ["1.20–1.23", "1.50"]
    spread = column("spread", [0.77, np.nan], high=np.array([0.012, 0.1]), digits=3)
    assert cell_text.printed(spread) == ["0.770 ± 0.012", "–"]
    assert cell_text.printed(column("integer", [1234.0, 5])) == ["1,234", "5"]


def test_best_values() -> None:
    best = cell_text.best
    assert best(column("number", [1.051, 1.049, 1.3], best="low")).tolist() == [True, True, False]
    assert best(column("number", [1.0, 1.0], best="low")).tolist() == [False, False]
    assert best(column("number", [1.0, np.nan, 3.0], best="high")).tolist() == [False, False, True]
    low, high = np.array([1.20, 1.30, 1.30]), np.array([1.23, 1.34, 1.34])
    assert best(column("interval", low, low=low, high=high, best="low")).tolist() == [True, False, False]
    overlap = np.array([1.20, 1.22, 1.30])
    assert not best(column("interval", overlap, low=overlap, high=high, best="low")).any()


def test_palettes_keep_contrast() -> None:
    for theme in ("light", "dark", "print"):
        colours = palette(theme)
        ground = luminance(*(int(colours.ground[i : i + 2], 16) / 255 for i in (1, 3, 5)))
        for colour in (*colours.edges, colours.text, colours.secondary, colours.reference, colours.selection):
            own = luminance(*(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)))
            ratio = (max(own, ground) + 0.05) / (min(own, ground) + 0.05)
            assert ratio >= 4.5, (theme, colour)
    assert palette("print").fill(7) == "#000000"
    assert palette("light").fill(9) == palette("light").fill(1)
    assert palette("light").fill(32) == palette("light").muted == palette("light").fill(-1)
    assert (palette("light").shape(9), palette("light").shape(17)) == ("s", "^")


def test_lightness_and_contrast() -> None:
    assert lightness("#FFFFFF") == pytest.approx(100)
    assert lightness("#000000") == 0
    assert lightness("#777777") == pytest.approx(50.0, abs=0.2)
    assert contrasting(1, 1, 1) == "#000000"
    assert contrasting(0, 0, 0.5) == "#FFFFFF"


def test_apart() -> None:
    assert apart(np.array([0.0, 100.0]), 10, -50, 200).tolist() == [0, 100]
    assert apart(np.array([50.0, 50.0, 50.0]), 10, 0, 100).tolist() == [40, 50, 60]
    assert apart(np.array([3.0, 1.0]), 10, 0, 100).tolist() == [10, 0]


@given(st.lists(st.floats(0, 100), min_size=1, max_size=9))
def test_apart_keeps_order_and_distance(heights: list[float]) -> None:
    placed = apart(np.array(heights), 5.0, 0.0, 100.0)
    order = np.argsort(heights, kind="stable")
    assert np.all(np.diff(placed[order]) >= 5 - 1e-9)
