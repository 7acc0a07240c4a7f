"""The trade-off between diversity and sensitivity over several benchmarks (the paper's headline figure)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Tradeoff:
    """`slope` of the regression through the origin, sensitivity ≈ slope · diversity, and Pearson's
    `correlation` (NaN when one of the two does not vary)."""

    slope: float
    correlation: float


def fit_tradeoff(diversity: ArrayLike, sensitivity: ArrayLike) -> Tradeoff:
    """Relation of two vectors, one value a benchmark. Raises ValueError for fewer than two benchmarks."""
    x = np.asarray(diversity, dtype=np.float64)
    y = np.asarray(sensitivity, dtype=np.float64)
    if x.shape != y.shape or x.size < 2:
        raise ValueError("diversity and sensitivity of at least two benchmarks are needed")
    square = float(x @ x)
    slope = float(x @ y) / square if square > 0 else 0.0
    spread = float(x.std() * y.std())
    correlation = float(((x - x.mean()) * (y - y.mean())).mean()) / spread if spread > 0 else float("nan")
    return Tradeoff(slope, correlation)
