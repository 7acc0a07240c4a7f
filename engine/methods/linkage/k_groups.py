"""Averages over groups of k, as in the experiments of Laber & Batista (NeurIPS 2024, Table 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isqrt

import numpy as np
from numpy.typing import NDArray

SMALLER_IS_BETTER = ("max_diam", "avg_diam", "max_avg", "cs_ratio_av", "cs_ratio_dm")
LARGER_IS_BETTER = ("sep_min", "sep_av")


def k_groups(n: int) -> dict[str, tuple[int, ...]]:
    """Small {2..10}, medium {√n-4..√n+4}, large {n/i, i = 2..10}, kept within 2..n-1."""
    root = isqrt(n)
    groups = {
        "small": range(2, 11),
        "medium": range(root - 4, root + 5),
        "large": [n // i for i in range(2, 11)],
    }
    return {name: tuple(sorted({k for k in ks if 2 <= k < n})) for name, ks in groups.items()}


def relative_to_best(
    values: Mapping[str, NDArray[np.float64]], ks: Sequence[int], criterion: str
) -> dict[str, float]:
    """Mean over `ks` of best/own (own/best where larger is better), 1 for a linkage that is always best.

    `values`: linkage -> criterion by k, (n+1,). 0/0 counts as 1.
    """
    table = np.stack([by_k[list(ks)] for by_k in values.values()])
    if criterion in SMALLER_IS_BETTER:
        top, bottom = np.broadcast_to(table.min(axis=0), table.shape), table
    else:
        top, bottom = table, np.broadcast_to(table.max(axis=0), table.shape)
    share = np.divide(top, bottom, out=np.ones_like(table), where=bottom > 0)
    return dict(zip(values, share.mean(axis=1).tolist(), strict=True))
