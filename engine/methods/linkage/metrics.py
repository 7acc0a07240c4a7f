"""Distances between points: euclidean, cityblock, chebyshev, cosine and great-circle (haversine).

Points are (n, d) float64. Distances are computed in float64 by direct differences (no expansion of the
square, which loses digits) and stored as float32 or float64, row block after row block, on several
threads. Cosine and haversine are taken between unit vectors: 1 - cos = |u - v|²/2 and
arc = 2·R·asin(|u - v|/2), both free of cancellation.
"""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from engine.core.errors import DataError, UnknownNameError

from .pacing import result_of
from .storage import Distances, Layout, condensed_length

EARTH_RADIUS_KM = 6371.0088
TILE = 256
OPERATIONS_PER_BLOCK = 1.5e7

SUM_ABS, SUM_SQUARES, LARGEST = 0, 1, 2
AS_IS, ROOT, HALF, ARC = 0, 1, 2, 3


@dataclass(frozen=True)
class Metric:
    """A way to measure distance: its name, whether it obeys the triangle inequality, and its unit."""

    name: str
    is_metric: bool
    unit: str
    gather: int
    finish: int


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("euclidean", True, "unit of the data", SUM_SQUARES, ROOT),
        Metric("cityblock", True, "unit of the data", SUM_ABS, AS_IS),
        Metric("chebyshev", True, "unit of the data", LARGEST, AS_IS),
        Metric("cosine", False, "1 - cosine", SUM_SQUARES, HALF),
        Metric("haversine", True, "km", SUM_SQUARES, ARC),
    )
}


def metric_named(name: str) -> Metric:
    """The metric of that name; raises `UnknownNameError` with the nearest names."""
    if name not in METRICS:
        raise UnknownNameError("metric", name, METRICS)
    return METRICS[name]


def prepare_points(
    points: ArrayLike, metric: str, dtype: type[np.floating] = np.float64, source: str = "points"
) -> NDArray[np.float64]:
    """Check points (n, d) and bring them into the form the kernels measure in, float64 (n, d').

    Haversine takes columns latitude, longitude in degrees and gives unit vectors (n, 3); cosine gives
    unit vectors (n, d). Raises `DataError`: fewer than two rows, a cell that is not finite (row and
    column), distances beyond the range of `dtype` (column), zero vectors under cosine (rows),
    latitudes outside [-90, 90].
    """
    x = np.ascontiguousarray(points, dtype=np.float64)
    x = x[:, None] if x.ndim == 1 else x
    _check_shape(x, source)
    _check_finite(x, source)
    chosen = metric_named(metric)
    if chosen.name == "haversine":
        return _unit_sphere(x, source)
    if chosen.name == "cosine":
        return _unit_vectors(x, source)
    _check_range(x, chosen, dtype, source)
    return x


def _check_shape(x: NDArray, source: str) -> None:
    if x.ndim != 2 or x.shape[0] < 2 or x.shape[1] < 1:
        raise DataError(
            code="too-few-rows",
            file=source,
            found=f"the table has shape {x.shape}",
            allowed="clustering needs at least 2 rows and 1 column of numbers",
        )


def _check_finite(x: NDArray, source: str) -> None:
    bad = ~np.isfinite(x)
    if bad.any():
        row, column = (int(v) for v in np.argwhere(bad)[0])
        raise DataError(
            code="not-finite",
            file=source,
            row=row + 1,
            column=column + 1,
            found=f"{x[row, column]} is not a finite number",
            allowed="every cell must hold a finite number",
            further=int(bad.sum()) - 1,
        )


def _check_range(x: NDArray, metric: Metric, dtype: type[np.floating], source: str) -> None:
    """Bound the largest possible distance by the box of the data before anything is computed."""
    with np.errstate(over="ignore"):
        spans = x.max(axis=0) - x.min(axis=0)
        gathered = np.sum(spans**2) if metric.gather == SUM_SQUARES else np.sum(spans)
        largest = np.sqrt(gathered) if metric.finish == ROOT else gathered
    # Ward, centroid and median square what is stored, hence the root of the range.
    if np.isfinite(gathered) and largest < np.sqrt(np.finfo(dtype).max) / 4:
        return
    column = int(np.argmax(spans))
    raise DataError(
        code="overflow",
        file=source,
        column=column + 1,
        found=f"the column spans {spans[column]:.3g}, so that distances leave the range of {dtype.__name__}",
        allowed="divide the column by a constant or standardise the columns",
    )


def _unit_vectors(x: NDArray, source: str) -> NDArray[np.float64]:
    largest = np.abs(x).max(axis=1)
    zero = np.flatnonzero(largest == 0)
    if zero.size:
        rows = ", ".join(str(int(row) + 1) for row in zero[:5])
        raise DataError(
            code="zero-vector",
            file=source,
            row=int(zero[0]) + 1,
            found=f"all values are zero (rows {rows}{', …' if zero.size > 5 else ''})",
            allowed="the cosine of a zero vector is not defined: drop these rows or choose another metric",
            further=int(zero.size) - 1,
        )
    scaled = x / largest[:, None]
    return scaled / np.linalg.norm(scaled, axis=1, keepdims=True)


def _unit_sphere(x: NDArray, source: str) -> NDArray[np.float64]:
    if x.shape[1] != 2:
        raise DataError(
            code="not-coordinates",
            file=source,
            found=f"the table has {x.shape[1]} columns",
            allowed="haversine needs two columns: latitude and longitude in degrees",
        )
    beyond = np.flatnonzero(np.abs(x[:, 0]) > 90)
    if beyond.size:
        raise DataError(
            code="not-a-latitude",
            file=source,
            row=int(beyond[0]) + 1,
            column=1,
            found=f"{x[beyond[0], 0]} is not a latitude",
            allowed="latitudes lie between -90 and 90 degrees",
            further=int(beyond.size) - 1,
        )
    lat, lon = np.radians(x).T
    return np.column_stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])


@njit(nogil=True, cache=True, fastmath={"nnan", "nsz"})
def gather_row(xt: NDArray, gather: int, finish: int, i: int, lo: int, hi: int, acc: NDArray) -> None:
    """Distances from point i to points lo..hi-1 into acc[:hi-lo]; xt is (d, n), vectorised over points.

    No fused multiply-add: an entry must not depend on where in a vector it was computed, or ties break.
    """
    m = hi - lo
    for t in range(m):
        acc[t] = 0.0
    for c in range(xt.shape[0]):
        x = xt[c, i]
        # A slice, as an index that might be negative would keep the loop from being vectorised.
        there = xt[c, lo:hi]
        if gather == SUM_SQUARES:
            for t in range(m):
                gap = there[t] - x
                acc[t] += gap * gap
        elif gather == SUM_ABS:
            for t in range(m):
                acc[t] += abs(there[t] - x)
        else:
            for t in range(m):
                acc[t] = max(acc[t], abs(there[t] - x))
    if finish == ROOT:
        for t in range(m):
            acc[t] = np.sqrt(acc[t])
    elif finish == HALF:
        for t in range(m):
            acc[t] = 0.5 * acc[t]
    elif finish == ARC:
        for t in range(m):
            acc[t] = 2.0 * EARTH_RADIUS_KM * np.arcsin(min(1.0, 0.5 * np.sqrt(acc[t])))


@njit(nogil=True, cache=True)
def fill_rows(
    xt: NDArray, gather: int, finish: int, first: int, last: int, square: bool, flat: NDArray
) -> None:
    """Write the pairs (i, j), first <= i < last, j > i, and their mirror in the square layout."""
    n = xt.shape[1]
    acc = np.empty(TILE)
    for j0 in range(first, n, TILE):
        j1 = min(j0 + TILE, n)
        for i in range(first, min(last, j1)):
            lo = max(j0, i + 1)
            gather_row(xt, gather, finish, i, lo, j1, acc)
            at = i * n + lo if square else i * n - i * (i + 1) // 2 + lo - i - 1
            for t in range(j1 - lo):
                flat[at + t] = acc[t]
        if square:
            for j in range(j0, j1):
                for i in range(first, min(last, j)):
                    flat[j * n + i] = flat[i * n + j]
    if square:
        for i in range(first, last):
            flat[i * n + i] = 0.0


def filling(
    prepared: NDArray[np.float64],
    metric: str,
    layout: Layout = "square",
    dtype: type[np.floating] = np.float64,
    threads: int = 2,
) -> Generator[float, None, Distances]:
    """Fill all pairwise distances of prepared points (n, d); yields the fraction done.

    Each yield follows blocks of about 1.5e7 operations per thread. Returns `Distances`. Every entry is
    computed by one thread in one order: the result does not depend on `threads`.
    """
    n, d = prepared.shape
    chosen = metric_named(metric)
    xt = np.ascontiguousarray(prepared.T)
    size = n * n if layout == "square" else condensed_length(n)
    flat = np.empty(size, dtype=dtype)
    rows = int(min(64, max(1, OPERATIONS_PER_BLOCK // (n * max(d, 4)))))
    starts = range(0, n, rows)

    def block(first: int) -> None:
        last = min(first + rows, n)
        fill_rows(xt, chosen.gather, chosen.finish, first, last, layout == "square", flat)

    group = threads * max(1, int(OPERATIONS_PER_BLOCK // (rows * n * max(d, 4))))
    with ThreadPoolExecutor(max_workers=threads) as pool:
        for g in range(0, len(starts), group):
            list(pool.map(block, starts[g : g + group]))
            left = n - min(n, (g + group) * rows)
            yield 1.0 - (left / n) ** 2
    values = flat.reshape(n, n) if layout == "square" else flat
    return Distances(values, n, metric, chosen.is_metric)


def distances(
    points: ArrayLike,
    metric: str = "euclidean",
    layout: Layout = "square",
    dtype: type[np.floating] = np.float64,
    threads: int = 2,
) -> Distances:
    """Check points (n, d) and compute all their distances at once; see `prepare_points`, `filling`."""
    prepared = prepare_points(points, metric, dtype)
    return result_of(filling(prepared, metric, layout, dtype, threads))
