"""Means of repeated numbers and how sure they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

LEVEL = 0.95
"""Of every interval given."""


@dataclass(frozen=True)
class Mean:
    """Mean of `n` finite numbers, `half` the half-width of its t interval (NaN for fewer than two)."""

    mean: float
    half: float
    n: int

    @property
    def low(self) -> float:
        return self.mean - self.half

    @property
    def high(self) -> float:
        return self.mean + self.half


NOTHING = Mean(math.nan, math.nan, 0)
"""The mean of no numbers."""


def mean_of(numbers: Sequence[float], level: float = LEVEL) -> Mean:
    """The mean with the two-sided Student t interval: mean ± t₍ₙ₋₁₎ · s/√n. What is not finite is left out.

    Source: Student (1908); the interval is exact for independent normal numbers.
    """
    values = np.asarray([v for v in numbers if math.isfinite(v)], dtype=float)
    n = len(values)
    if n == 0:
        return NOTHING
    if n == 1:
        return Mean(float(values[0]), math.nan, 1)
    half = t_quantile(n, level) * float(values.std(ddof=1)) / math.sqrt(n)
    return Mean(float(values.mean()), half, n)


def t_quantile(n: int, level: float = LEVEL) -> float:
    """The factor of s/√n in the two-sided interval of n ≥ 2 numbers."""
    from scipy.special import stdtrit

    return float(stdtrit(n - 1, 0.5 + level / 2))
