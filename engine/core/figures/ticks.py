"""Numbers along axes: round values, U+2212 minus, thousands with a comma, 1-2-5 on short log axes."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axis import Axis as PlotAxis
from matplotlib.ticker import FixedLocator, Formatter, Locator, MaxNLocator, NullLocator

MINUS = "\u2212"
THIN_SPACE = "\u2009"
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number_text(value: float, digits: int | None = None) -> str:
    """A number as printed: `digits` decimals, or as many as it needs (6 significant) when None."""
    if not math.isfinite(value):
        return "–" if math.isnan(value) else ("∞" if value > 0 else f"{MINUS}∞")
    if digits is not None:
        return signed(f"{value:,.{digits}f}")
    size = abs(value)
    if size and (size >= 1e7 or size < 1e-4):
        return power_text(value)
    text = f"{value:,.{max(0, 5 - math.floor(math.log10(size)))}f}" if size else "0"
    return signed(text.rstrip("0").rstrip(".") if "." in text else text)


def power_text(value: float) -> str:
    """A number with a power of ten: "2.5×10⁻⁶"; a bare power where the factor is one."""
    exponent = math.floor(math.log10(abs(value)) + 1e-9)
    factor = value / 10.0**exponent
    power = f"10{str(exponent).translate(_RAISED)}"
    shown = f"{factor:.3g}"
    if shown in ("1", "-1"):
        return signed(f"-{power}" if factor < 0 else power)
    return signed(f"{shown}×{power}")


def signed(text: str) -> str:
    """`text` with a real minus, and none before a zero."""
    if text.startswith("-") and not text.strip("-0.,"):
        return text[1:]
    return text.replace("-", MINUS)


class NumberFormatter(Formatter):
    """Equal decimals on all ticks of an axis, as many as its step needs; `suffix` after each number."""

    def __init__(self, suffix: str = "") -> None:
        self._suffix = suffix
        self._decimals = 0
        self._powers = False

    def set_locs(self, locs: list[float]) -> None:
        super().set_locs(locs)
        places = np.unique(np.asarray(locs, float))
        step = (
            float(np.min(np.diff(places)))
            if len(places) > 1
            else abs(float(places[0]))
            if len(places)
            else 1.0
        )
        largest = float(np.max(np.abs(places))) if len(places) else 0.0
        self._powers = largest >= 1e7 or (0 < largest < 1e-4)
        self._decimals = next((d for d in range(9) if abs(step * 10**d - round(step * 10**d)) < 1e-6), 9)

    def __call__(self, x: float, pos: int | None = None) -> str:
        if self._powers and x:
            return power_text(x) + self._suffix
        return signed(f"{x:,.{self._decimals}f}") + self._suffix


class LogFormatter(Formatter):
    """Plain numbers between 0.001 and 100,000 on a log axis, powers of ten beyond."""

    def __init__(self, powers: bool) -> None:
        self._powers = powers

    def __call__(self, x: float, pos: int | None = None) -> str:
        return power_text(x) if self._powers and x > 0 else number_text(x)


class DegreeFormatter(Formatter):
    """Degrees with the hemisphere: "120°W" for letters "EW", "40°N" for "NS"."""

    def __init__(self, letters: str) -> None:
        self._letters = letters

    def __call__(self, x: float, pos: int | None = None) -> str:
        side = "" if x == 0 else self._letters[0] if x > 0 else self._letters[1]
        return f"{abs(x):g}°{side}"


def log_ticks(low: float, high: float, most: int = 7) -> list[float]:
    """Round values from `low` to `high` (both positive): 1-2-5 under two decades, else powers of ten."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    decades = math.log10(high / low)
    if decades >= 2:
        every = max(1, math.ceil((last - first + 1) / most))
        start = math.ceil(math.log10(low) - 1e-9)
        return [10.0**e for e in range(start, last + 1, every) if 10.0**e <= high * (1 + 1e-9)]
    sets: list[tuple[float, ...]] = [(1, 2, 5), (1, 2, 3, 5), (1, 2, 3, 4, 5, 6, 8)]
    if decades < 0.8 and most >= 5:
        sets.insert(0, sets.pop())
    sets += [tuple(0.5 * f for f in range(2, 20)), tuple(0.1 * f for f in range(10, 100))]
    ticks: list[float] = []
    for factors in sets:
        ticks = [f * 10.0**e for e in range(first, last + 1) for f in factors]
        ticks = [t for t in ticks if low * (1 - 1e-9) <= t <= high * (1 + 1e-9)]
        if len(ticks) >= 4:
            break
    return ticks[:: max(1, math.ceil(len(ticks) / (most + 2)))]


def set_ticks(axis: PlotAxis, *, log: bool, length: float, per_tick: float, whole: bool = False) -> None:
    """Give `axis` its ticks for its present limits. `length` and `per_tick` are in points."""
    low, high = sorted(axis.get_view_interval())
    most = int(np.clip(length / per_tick, 2, 7))
    locator: Locator
    if log and low > 0:
        places = log_ticks(low, high, most)
        locator = FixedLocator(places)
        wide = math.log10(high / low) >= 2
        axis.set_major_formatter(LogFormatter(powers=wide and (high > 1e5 or low < 1e-3)))
    else:
        locator = MaxNLocator(nbins=most, steps=[1, 2, 2.5, 5, 10], integer=whole, min_n_ticks=min(3, most))
        axis.set_major_formatter(NumberFormatter())
    axis.set_major_locator(locator)
    axis.set_minor_locator(NullLocator())
