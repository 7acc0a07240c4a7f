"""Points in the plane, with hulls, segments and stars."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from engine.core.encoding import word
from engine.core.views.declaration import Axis, View, ViewState
from engine.core.views.lines import Reference


@dataclass(frozen=True, kw_only=True)
class Scatter(View):
    """Points, one mark per id. `equal`: both axes in one unit; `geographic`: x longitude, y latitude.

    Gestures and payloads: ``click`` {id}; ``select`` {ids} (lasso or box); ``drag-point`` {id, x, y};
    ``double-click`` {x, y}.
    """

    kind: ClassVar[str] = "scatter"
    gesture_words: ClassVar[tuple[str, ...]] = ("click", "select", "drag-point", "double-click")

    x: Axis
    y: Axis
    equal: bool = False
    geographic: bool = False


@word("scatter.group")
@dataclass(frozen=True, kw_only=True)
class Group:
    """A set of points of one colour; `colour` None is context (muted)."""

    name: str
    colour: int | None


@word("scatter.polygon")
@dataclass(frozen=True, eq=False, kw_only=True)
class Polygon:
    """A hull: corners `x`, `y` (m,), colour index, and the label drawn beside it."""

    x: np.ndarray
    y: np.ndarray
    colour: int | None
    label: str = ""
    note: str = ""


@word("scatter.segments")
@dataclass(frozen=True, eq=False, kw_only=True)
class Segments:
    """Straight segments `x`, `y` (m, 2): diameters, links, trails."""

    name: str
    x: np.ndarray
    y: np.ndarray
    colour: int | None = None
    dashed: bool = False


@word("scatter")
@dataclass(frozen=True, eq=False, kw_only=True)
class ScatterState(ViewState):
    """Marks `x`, `y` float64 (n,), `group` int (n,) into `groups` (−1: muted), `ids` int64 (n,) or 0…n−1.

    `value` (n,) colours by a number instead of by group, on the map named by `value_map`
    ("sequential", "diverging" about `value_centre`); `names` are for hover and search; `stars` are marks
    drawn as a star: indices (k,) or places (k, 2); `size` is an area, the median an ordinary mark;
    `low`/`high` are y error bars; `hollow` bool (n,) draws outlines only.
    """

    kind: ClassVar[str] = "scatter"

    x: np.ndarray
    y: np.ndarray
    group: np.ndarray | None = None
    groups: tuple[Group, ...] = ()
    ids: np.ndarray | None = None
    names: tuple[str, ...] | np.ndarray = ()
    value: np.ndarray | None = None
    value_axis: Axis | None = None
    value_map: str = "sequential"
    value_centre: float = 0.0
    size: np.ndarray | None = None
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    hollow: np.ndarray | None = None
    stars: np.ndarray | None = None
    polygons: tuple[Polygon, ...] = ()
    segments: tuple[Segments, ...] = ()
    references: tuple[Reference, ...] = ()
    x_axis: Axis | None = None
    y_axis: Axis | None = None
    equal: bool | None = None
    geographic: bool | None = None
