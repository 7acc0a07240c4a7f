"""Pairwise distances held in memory, in one of two layouts, and the reading of single entries.

*square*: (n, n), symmetric, rows contiguous (fast, n²·itemsize bytes).
*condensed*: (n(n-1)/2,), the rows of the upper triangle one after the other, as in scipy (lean).
Kernels receive the flat array and a flag, so that one compiled kernel serves both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

Layout = Literal["square", "condensed"]


@dataclass(frozen=True)
class Distances:
    """All pairwise distances of n points. `values` is float32 or float64, C-contiguous.

    The unit is that of the data (kilometres for haversine). `is_metric` says whether the triangle
    inequality is known to hold, unknown (None), or known to fail.
    """

    values: NDArray[np.floating]
    n: int
    metric: str = "precomputed"
    is_metric: bool | None = None

    @property
    def square(self) -> bool:
        """True for the square layout."""
        return self.values.ndim == 2

    @property
    def flat(self) -> NDArray[np.floating]:
        """A view of the entries as one vector."""
        return self.values.reshape(-1)

    def as_square(self) -> NDArray[np.float64]:
        """A float64 copy (n, n) with zero diagonal."""
        if self.square:
            full = self.values.astype(np.float64)
        else:
            full = np.zeros((self.n, self.n))
            upper = np.triu_indices(self.n, 1)
            full[upper] = self.values
            full += full.T
        np.fill_diagonal(full, 0.0)
        return full

    def as_condensed(self) -> NDArray[np.float64]:
        """A float64 copy of length n(n-1)/2 in scipy's order."""
        if not self.square:
            return self.values.astype(np.float64)
        return self.values[np.triu_indices(self.n, 1)].astype(np.float64)

    def subset(self, rows: NDArray[np.integer]) -> NDArray[np.float64]:
        """The square float64 matrix (m, m) among the given points."""
        rows = np.asarray(rows, dtype=np.int64)
        if self.square:
            part = self.values[np.ix_(rows, rows)].astype(np.float64)
        else:
            low = np.minimum(rows[:, None], rows[None, :])
            high = np.maximum(rows[:, None], rows[None, :])
            entry = low * self.n - low * (low + 1) // 2 + high - low - 1
            part = self.values[np.where(low == high, 0, entry)].astype(np.float64)
        np.fill_diagonal(part, 0.0)
        return part

    def row(self, i: int) -> NDArray[np.float64]:
        """Distances (n,) from point i to all points, float64; entry i is 0."""
        line = np.empty(self.n)
        read_row(self.flat, self.n, self.square, i, line)
        return line


def condensed_length(n: int) -> int:
    """Number of unordered pairs of n points."""
    return n * (n - 1) // 2


@njit(nogil=True, cache=True, inline="always")
def entry_of(n: int, square: bool, i: int, j: int) -> int:
    """Position of the pair (i, j), i != j, in the flat array of either layout."""
    if square:
        return i * n + j
    if i > j:
        i, j = j, i
    return i * n - i * (i + 1) // 2 + j - i - 1


@njit(nogil=True, cache=True)
def read_row(flat: NDArray, n: int, square: bool, i: int, line: NDArray) -> None:
    """Copy the distances of point i to all points into `line` (n,); the own entry becomes 0."""
    for j in range(n):
        if j != i:
            line[j] = flat[entry_of(n, square, i, j)]
    line[i] = 0.0
