"""Missing scores from the nearest models: scikit-learn's KNNImputer with uniform weights, without loading it.

Distances are worked out by the same sums of products, so that ties between neighbours break alike.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def impute_nearest(scores: ArrayLike, neighbours: int = 5) -> NDArray[np.float64]:
    """Fill missing scores (NaN) of (m, n) with the mean of the k nearest models that have them.

    The published ordinal diversity does this before ranking (k = 5). A model that shares no task with any
    that has the score gets the task's mean; a task without any score becomes 0.
    """
    table = np.array(scores, dtype=np.float64)
    gaps = np.isnan(table)
    if not gaps.any():
        return table
    receivers = np.flatnonzero(gaps.any(axis=1))
    distance = nearest_distances(table[receivers], table)
    filled = table.copy()
    for task in np.flatnonzero(gaps.any(axis=0)):
        donors = np.flatnonzero(~gaps[:, task])
        if donors.size == 0:
            filled[:, task] = 0.0
            continue
        wanted = np.flatnonzero(gaps[receivers, task])
        far = distance[wanted][:, donors]
        alone = np.isnan(far).all(axis=1)
        filled[receivers[wanted[alone]], task] = table[donors, task].mean()
        wanted, far = wanted[~alone], far[~alone]
        if wanted.size:
            k = min(neighbours, donors.size)
            chosen = np.argpartition(far, k - 1, axis=1)[:, :k]
            counted = ~np.isnan(np.take_along_axis(far, chosen, axis=1))
            sums = (table[donors, task][chosen] * counted).sum(axis=1)
            filled[receivers[wanted], task] = sums / counted.sum(axis=1)
    return filled


def nearest_distances(rows: NDArray[np.float64], table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Euclidean distances (r, m) over the columns both have, scaled up to all n; NaN where there are none."""
    gaps_rows, gaps = np.isnan(rows), np.isnan(table)
    x, y = np.where(gaps_rows, 0.0, rows), np.where(gaps, 0.0, table)
    squares = -2.0 * (x @ y.T)
    squares += np.einsum("ij,ij->i", x, x)[:, None]
    squares += np.einsum("ij,ij->i", y, y)[None, :]
    np.maximum(squares, 0.0, out=squares)
    squares -= (x * x) @ gaps.T.astype(np.float64)
    squares -= gaps_rows.astype(np.float64) @ (y * y).T
    np.maximum(squares, 0.0, out=squares)
    common = (~gaps_rows).astype(np.int64) @ (~gaps).T.astype(np.int64)
    squares[common == 0] = np.nan
    return np.asarray(np.sqrt(squares / np.maximum(1, common) * table.shape[1]))
