"""Confidence intervals for an error probability seen as x errors in m runs."""

from __future__ import annotations

import math
from statistics import NormalDist


def wilson(errors: int, runs: int, level: float = 0.95) -> tuple[float, float]:
    """Wilson score interval (Wilson, 1927) at confidence `level`; (0, 1) before any run."""
    if runs == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + level / 2)
    p, shrink = errors / runs, 1 + z * z / runs
    centre = (p + z * z / (2 * runs)) / shrink
    half = z * math.sqrt(p * (1 - p) / runs + z * z / (4 * runs * runs)) / shrink
    low = 0.0 if errors == 0 else max(centre - half, 0.0)
    high = 1.0 if errors == runs else min(centre + half, 1.0)
    return low, high


def clopper_pearson(errors: int, runs: int, level: float = 0.95) -> tuple[float, float]:
    """Exact binomial interval (Clopper and Pearson, 1934) at confidence `level`."""
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = 0.0 if errors == 0 else float(betaincinv(errors, runs - errors + 1, tail))
    high = 1.0 if errors == runs else float(betaincinv(errors + 1, runs - errors, 1 - tail))
    return low, high
