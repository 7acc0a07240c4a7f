"""Distances a person brings: checks of square and condensed arrays, and of the triangle inequality."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from engine.core.errors import DataError

from .pacing import result_of
from .storage import Distances, condensed_length, entry_of

ASYMMETRY_TOLERANCE = 1e-8
FULL_CHECK_LIMIT = 400


def looks_like_distances(table: ArrayLike) -> bool:
    """True for a square, symmetric table with zero diagonal and no negative entry: worth a question."""
    x = np.asarray(table)
    if x.ndim != 2 or x.shape[0] != x.shape[1] or x.shape[0] < 2 or np.any(np.diagonal(x) != 0):
        return False
    return bool(np.all(x >= 0) and np.allclose(x, x.T, rtol=ASYMMETRY_TOLERANCE, atol=0))


def read_dissimilarities(
    values: ArrayLike, dtype: type[np.floating] = np.float64, source: str = "distance matrix"
) -> Distances:
    """`Distances` from a square (n, n) or condensed (n(n-1)/2,) array, in the layout given.

    Raises `DataError` naming row and column: not square, length not n(n-1)/2, fewer than two points, NaN or
    infinite or negative entries, entries beyond `dtype`, nonzero diagonal, asymmetry above 1e-8 of the
    largest entry.
    """
    x = np.ascontiguousarray(values, dtype=np.float64)
    if x.ndim == 1:
        n = (1 + math.isqrt(1 + 8 * x.size)) // 2
        if n < 2 or condensed_length(n) != x.size:
            near = f"{condensed_length(max(2, n)):,} or {condensed_length(max(2, n) + 1):,}"
            raise _problem(
                "length", source, f"the vector has {x.size:,} entries", f"n(n-1)/2, such as {near}"
            )
    elif x.ndim == 2 and x.shape[0] == x.shape[1]:
        n = x.shape[0]
        if n < 2:
            raise _problem("too-few-rows", source, "there is one point", "at least 2 points are needed")
    else:
        raise _problem("not-square", source, f"the table has shape {x.shape}", "as many rows as columns")
    _check_entries(x, n, dtype, source)
    if x.ndim == 2:
        _check_square(x, source)
    return Distances(x.astype(dtype), n)


def _check_entries(x: NDArray[np.float64], n: int, dtype: type[np.floating], source: str) -> None:
    limit = np.sqrt(np.finfo(dtype).max) / 4
    for code, bad, words, allowed in (
        ("not-finite", ~np.isfinite(x), "is not a finite number", "distances are finite numbers"),
        ("negative", x < 0, "is negative", "distances are zero or more"),
        ("overflow", x > limit, f"is too large for {dtype.__name__}", f"entries up to {limit:.2g}"),
    ):
        if bad.any():
            place = np.argwhere(bad)[0]
            row, column = _pair(int(place[0]), n) if x.ndim == 1 else (int(place[0]), int(place[1]))
            found = f"{x[tuple(place)]} {words}"
            raise _problem(code, source, found, allowed, row, column, int(bad.sum()) - 1)


def _check_square(x: NDArray[np.float64], source: str) -> None:
    diagonal = np.flatnonzero(np.diagonal(x))
    if diagonal.size:
        i = int(diagonal[0])
        raise _problem(
            "diagonal", source, f"the diagonal holds {x[i, i]}", "the distance of a point to itself is 0",
            i, i, int(diagonal.size) - 1,
        )  # fmt: skip
    gap = np.abs(x - x.T)
    if gap.max() > ASYMMETRY_TOLERANCE * x.max():
        i, j = (int(v) for v in np.unravel_index(np.argmax(gap), gap.shape))
        raise _problem(
            "asymmetric", source, f"{x[i, j]} one way and {x[j, i]} the other, the largest asymmetry",
            "the distance is the same both ways", i, j,
        )  # fmt: skip


def _pair(entry: int, n: int) -> tuple[int, int]:
    """Row and column of an entry of the condensed vector."""
    starts = np.arange(n - 1) * n - np.arange(n - 1) * np.arange(1, n) // 2
    i = int(np.searchsorted(starts, entry, side="right")) - 1
    return i, entry - int(starts[i]) + i + 1


def _problem(
    code: str, source: str, found: str, allowed: str, row: int | None = None, column: int | None = None,
    further: int = 0,
) -> DataError:  # fmt: skip
    place: dict[str, Any] = {} if row is None or column is None else {"row": row + 1, "column": column + 1}
    return DataError(code=code, file=source, found=found, allowed=allowed, further=further, **place)


@dataclass(frozen=True)
class TriangleCheck:
    """Outcome of the test dist(i, j) <= dist(i, via) + dist(via, j).

    `worst` is (i, j, via) of the largest violation, None without one; `direct` and `detour` its two sides.
    """

    checked: int
    full: bool
    violations: int
    worst: tuple[int, int, int] | None
    direct: float
    detour: float

    @property
    def holds(self) -> bool:
        """True if no checked triple violates the inequality."""
        return self.violations == 0


@njit(nogil=True, cache=True)
def _check_triples(
    flat: NDArray, n: int, square: bool, triples: NDArray, tolerance: float, worst: NDArray
) -> tuple[int, float, float]:
    """Each row (i, j, via) once; violations, and both sides of the one with the largest excess."""
    violations = 0
    direct = detour = 0.0
    for t in range(triples.shape[0]):
        i, j, via = triples[t, 0], triples[t, 1], triples[t, 2]
        a = float(flat[entry_of(n, square, i, j)])
        b = float(flat[entry_of(n, square, i, via)]) + float(flat[entry_of(n, square, via, j)])
        if a - b > tolerance * a:
            violations += 1
            if a - b > direct - detour:
                direct, detour = a, b
                worst[:] = triples[t]
    return violations, direct, detour


def triangle_steps(
    distances: Distances, samples: int = 200_000, seed: int = 0, full: bool | None = None
) -> Generator[TriangleCheck, None, TriangleCheck]:
    """Test the triangle inequality on all triples (n <= 400, or `full`) or on a seeded sample.

    Violations within the rounding of the stored type (1e-5 of the distance in float32, 1e-9 in float64) do
    not count. Yields what is known after each block of triples; 400 points take about a second.
    """
    n = distances.n
    whole = n <= FULL_CHECK_LIMIT if full is None else full
    tolerance = 1e-5 if distances.values.dtype == np.float32 else 1e-9
    best = TriangleCheck(0, whole, 0, None, 0.0, 0.0)
    yield best
    if n < 3:
        return best
    for triples in _triples(n, samples, seed, whole):
        worst = np.empty(3, np.int64)
        args = (distances.flat, n, distances.square, triples, tolerance, worst)
        violations, direct, detour = _check_triples(*args)
        further = direct - detour > best.direct - best.detour
        best = TriangleCheck(
            best.checked + len(triples), whole, best.violations + violations,
            (int(worst[0]), int(worst[1]), int(worst[2])) if further else best.worst,
            direct if further else best.direct, detour if further else best.detour,
        )  # fmt: skip
        yield best
    return best


def check_triangles(
    distances: Distances, samples: int = 200_000, seed: int = 0, full: bool | None = None
) -> TriangleCheck:
    """`triangle_steps` run to its end."""
    return result_of(triangle_steps(distances, samples, seed, full))


def _triples(n: int, samples: int, seed: int, whole: bool) -> Iterator[NDArray[np.int64]]:
    """Blocks of (i, j, via): for every i all j > i and every other via, or a random sample."""
    if not whole:
        rng = np.random.default_rng(seed)
        drawn = rng.integers(0, [n, n - 1, n - 2], size=(samples, 3))
        drawn[:, 1] += drawn[:, 1] >= drawn[:, 0]
        for taken in (np.minimum(drawn[:, 0], drawn[:, 1]), np.maximum(drawn[:, 0], drawn[:, 1])):
            drawn[:, 2] += drawn[:, 2] >= taken
        yield drawn
        return
    for i in range(n - 1):
        j, via = (part.ravel() for part in np.meshgrid(np.arange(i + 1, n), np.arange(n), indexing="ij"))
        use = (via != i) & (via != j)
        yield np.column_stack([np.full(use.sum(), i), j[use], via[use]])
