"""What is clustered: the person's data with a metric, ready for the kernels, and where it is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.core.data import values
from engine.core.errors import DataError
from engine.methods.linkage.data import DrawnDistances
from engine.methods.linkage.parameters import Parameters
from engine.methods.linkage.projection import (
    MOST_SCALED,
    Projection,
    classical_scaling,
    from_two,
    in_plane,
    on_map,
    principal,
)


@dataclass
class Measured:
    """n things to be clustered.

    `prepared` (n, d') are points as the kernels measure them, None for given distances; `given` is then a
    float64 array, square or condensed. `merges` is a hierarchy that came as such. `is_metric` True, False
    or None (not known); `worst` says in words which triple violates the inequality most.
    """

    n: int
    names: NDArray[np.str_]
    metric: str
    unit: str
    prepared: NDArray[np.float64] | None = None
    points: NDArray[np.float64] | None = None
    given: NDArray[np.float64] | None = None
    merges: NDArray[np.float64] | None = None
    labels: tuple[str, ...] | None = None
    is_metric: bool | None = True
    worst: str = ""
    title: str = ""
    look_at: int | None = None
    drawn: Projection | None = field(default=None, repr=False)

    @property
    def dimensions(self) -> int:
        """Columns of the prepared points; 0 for given distances."""
        return 0 if self.prepared is None else self.prepared.shape[1]

    @property
    def euclidean_points(self) -> bool:
        """Whether Ward, centroid and median are defined."""
        return self.prepared is not None and self.metric == "euclidean"


def measured(parameters: Parameters, data: Any) -> Measured:
    """Bring loaded data into the form that is clustered. Raises DataError where the metric does not fit."""
    names = np.array(data.row_names(), dtype=str)
    if isinstance(data, values.LinkageMatrix):
        return Measured(
            data.n, names, "given", "", merges=np.array(data.merges), is_metric=None, title="given hierarchy"
        )
    if isinstance(data, values.Distances):
        found = Measured(data.n, names, "precomputed", "", given=data.values, is_metric=None)
        if isinstance(data, DrawnDistances):
            found.look_at, found.title = data.k, data.description
            found.drawn = in_plane(data.drawn, ("drawn place", ""), ("", ""))
        return found
    return _points(parameters, data, names)


def _points(parameters: Parameters, data: values.Table, names: NDArray[np.str_]) -> Measured:
    from engine.methods.linkage.metrics import metric_named, prepare_points

    points = data.numeric()
    if parameters.metric == "precomputed":
        raise DataError(
            code="not-distances",
            file="the table",
            found=f"it has {data.n:,} rows and {points.shape[1]:,} columns",
            allowed="Precomputed needs a distance matrix: open the file as distances, or take another metric",
        )
    chosen = metric_named(parameters.metric)
    raw = degrees(data) if parameters.metric == "haversine" else standardised(points, parameters)
    prepared = prepare_points(raw, parameters.metric, source="the table")
    unit = {"haversine": "km", "cosine": ""}.get(parameters.metric, common_unit(data, parameters))
    label = None if data.label is None else tuple(data.label.texts())
    return Measured(
        data.n, names, parameters.metric, unit, prepared, raw, labels=label, is_metric=chosen.is_metric
    )


def degrees(data: values.Table) -> NDArray[np.float64]:
    """Latitude and longitude (n, 2): the columns of that name, or the only two."""
    points = data.numeric()
    names = [name.casefold() for name in data.numeric_names]
    latitudes = [i for i, name in enumerate(names) if name.startswith("lat")]
    longitudes = [i for i, name in enumerate(names) if name.startswith("lon")]
    if latitudes and longitudes:
        return np.ascontiguousarray(points[:, [latitudes[0], longitudes[0]]])
    return points


def standardised(points: NDArray[np.float64], parameters: Parameters) -> NDArray[np.float64]:
    """Columns on one scale, as asked for; a constant column becomes zero."""
    if parameters.standardise == "none" or parameters.metric == "haversine":
        return points
    if parameters.standardise == "z-score":
        spread = points.std(axis=0)
        shifted = points - points.mean(axis=0)
    else:
        spread = points.max(axis=0) - points.min(axis=0)
        shifted = points - points.min(axis=0)
    return np.divide(shifted, spread, out=np.zeros_like(shifted), where=spread > 0)


def common_unit(data: values.Table, parameters: Parameters) -> str:
    """The unit all columns share; none after standardising."""
    units = {column.unit or "" for column in data.columns if column.type == "number"}
    return units.pop() if len(units) == 1 and parameters.standardise == "none" else ""


def place(parameters: Parameters, data: Any, found: Measured) -> Projection | None:
    """Where the things are drawn; None for a hierarchy alone. Kept in `found.drawn`."""
    if found.drawn is None and found.merges is None:
        found.drawn = _projection(parameters, data, found)
    return found.drawn


def _projection(parameters: Parameters, data: Any, found: Measured) -> Projection:
    if found.points is not None:
        points = found.points
        if data.geographic or parameters.metric == "haversine":
            latitude, longitude = degrees(data)[:, :2].T
            return on_map(latitude.copy(), longitude.copy())
        if points.shape[1] > 2:
            return principal(points, found.unit)
        plain = parameters.standardise == "none"
        units = tuple((c.unit or "") if plain else "" for c in data.columns if c.type == "number")
        return in_plane(points, data.numeric_names, units)
    from engine.methods.linkage.storage import Distances

    assert found.given is not None
    held = Distances(found.given, found.n)
    if found.n <= MOST_SCALED:
        return classical_scaling(held.as_square())
    return from_two(held.row, found.n, found.unit)
