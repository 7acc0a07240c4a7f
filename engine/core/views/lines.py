"""Curves with bands, brackets and reference curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from engine.core.encoding import word
from engine.core.views.declaration import Axis, View, ViewState

LineStyle = Literal["solid", "dashed", "dotted", "dash-dot"]
ReferenceKind = Literal["bound", "baseline", "optimum", "chance"]


@dataclass(frozen=True, kw_only=True)
class Lines(View):
    """Curves over a common x. Values may be appended while a run goes on (`Append`).

    Gestures and their payloads: ``click`` {series, x}; ``span`` {low, high} (a dragged x range);
    ``drag-level`` {name, value} (a level with `draggable`).
    """

    kind: ClassVar[str] = "lines"
    gesture_words: ClassVar[tuple[str, ...]] = ("click", "span", "drag-level")

    x: Axis
    y: Axis
    right: Axis | None = None
    stacked: bool = False


@word("lines.series")
@dataclass(frozen=True, eq=False, kw_only=True)
class Series:
    """One curve: `x`, `y` float64 (n,), `low`/`high` its spread (n,) or None.

    `name` is also its id for selection. `colour` is the index in the categorical palette (None: by place);
    `marks` None draws marks up to 40 points; `right` uses the right axis; `muted` is context only;
    `spread` says what the band is ("95% of 5 seeds"); `named` False writes no name at its end, where
    another curve of the same colour bears it already.
    """

    name: str
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    colour: int | None = None
    style: LineStyle = "solid"
    marks: bool | None = None
    steps: bool = False
    right: bool = False
    muted: bool = False
    spread: str = ""
    named: bool = True


@word("lines.band")
@dataclass(frozen=True, eq=False, kw_only=True)
class Bracket:
    """A certain interval around an unknown curve: neutral fill with both borders drawn."""

    name: str
    x: np.ndarray
    low: np.ndarray
    high: np.ndarray


@word("lines.reference")
@dataclass(frozen=True, eq=False, kw_only=True)
class Reference:
    """A neutral curve to read others against: a proven bound, a baseline, the optimum, chance."""

    name: str
    x: np.ndarray
    y: np.ndarray
    kind: ReferenceKind = "bound"


@word("lines.level")
@dataclass(frozen=True, kw_only=True)
class Level:
    """A straight line across the plot at `value` of the x or y axis."""

    name: str
    value: float
    axis: Literal["x", "y"] = "y"
    kind: ReferenceKind = "baseline"
    draggable: bool = False


@word("lines.rug")
@dataclass(frozen=True, eq=False, kw_only=True)
class Rug:
    """Ticks along the x axis where something happened."""

    name: str
    x: np.ndarray
    colour: int | None = None


@word("lines.span")
@dataclass(frozen=True, kw_only=True)
class Span:
    """A shaded stretch of the x axis."""

    name: str
    low: float
    high: float


@word("lines")
@dataclass(frozen=True, eq=False, kw_only=True)
class LinesState(ViewState):
    """Everything a lines view shows; `x`/`y` replace the declared axes where units depend on the data."""

    kind: ClassVar[str] = "lines"

    series: tuple[Series, ...] = ()
    brackets: tuple[Bracket, ...] = ()
    references: tuple[Reference, ...] = ()
    levels: tuple[Level, ...] = ()
    rugs: tuple[Rug, ...] = ()
    spans: tuple[Span, ...] = ()
    x: Axis | None = None
    y: Axis | None = None
