"""Matrices as colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from engine.core.encoding import word
from engine.core.views.declaration import Axis, View, ViewState

MapKind = Literal["sequential", "zero", "diverging", "cyclic"]


@dataclass(frozen=True, kw_only=True)
class HeatMap(View):
    """A matrix, rows downwards; or a function over the plane where the state has coordinates.

    Gestures and payloads: ``click`` {row, column}; ``brush`` {row_low, row_high, column_low, column_high};
    ``edit-cell`` {row, column, value}.
    """

    kind: ClassVar[str] = "heat-map"
    gesture_words: ClassVar[tuple[str, ...]] = ("click", "brush", "edit-cell")

    x: Axis
    y: Axis
    value: Axis
    map: MapKind = "sequential"


@word("heat-map")
@dataclass(frozen=True, eq=False, kw_only=True)
class HeatMapState(ViewState):
    """`values` float (r, c); NaN is undefined (hatched). Names or coordinates label rows and columns.

    `x`, `y` are cell centres, increasing, (c,) and (r,), where the axes are quantities (y grows upwards
    then). `limits` fixes the colour scale, `centre` the neutral value of a diverging map; `outlined`
    bool (r, c) frames cells; `contours` draws level lines; rows are selected by their index; `notes` are
    texts (r, c) for hover.
    """

    kind: ClassVar[str] = "heat-map"

    values: np.ndarray
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    x: np.ndarray | None = None
    y: np.ndarray | None = None
    limits: tuple[float, float] | None = None
    centre: float = 0.0
    outlined: np.ndarray | None = None
    contours: tuple[float, ...] = ()
    notes: tuple[tuple[str, ...], ...] = ()
    x_axis: Axis | None = None
    y_axis: Axis | None = None
    value_axis: Axis | None = None
