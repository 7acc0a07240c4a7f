"""Bars and histograms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from engine.core.encoding import word
from engine.core.views.declaration import Axis, View, ViewState
from engine.core.views.lines import Level


@dataclass(frozen=True, kw_only=True)
class Bars(View):
    """Bars by category, or a histogram where the state has `edges`.

    Gestures and payloads: ``click`` {id}; ``drag-bar`` {id, value}.
    """

    kind: ClassVar[str] = "bars"
    gesture_words: ClassVar[tuple[str, ...]] = ("click", "drag-bar")

    category: Axis
    value: Axis
    horizontal: bool = False
    stacked: bool = False


@word("bars.series")
@dataclass(frozen=True, eq=False, kw_only=True)
class BarSeries:
    """Heights float64 (c,), with whiskers `low`/`high` (c,) or None; `colours` int (c,) one per bar."""

    name: str
    values: np.ndarray
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    colour: int | None = None
    colours: np.ndarray | None = None


@word("bars")
@dataclass(frozen=True, eq=False, kw_only=True)
class BarsState(ViewState):
    """`categories` c names (their index is the id) or histogram `edges` (c+1,); `ticks` are marks (c,)."""

    kind: ClassVar[str] = "bars"

    series: tuple[BarSeries, ...] = ()
    categories: tuple[str, ...] = ()
    edges: np.ndarray | None = None
    ticks: np.ndarray | None = None
    ticks_name: str = ""
    levels: tuple[Level, ...] = ()
    category: Axis | None = None
    value: Axis | None = None
