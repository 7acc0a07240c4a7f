"""Distances to the memory: d_k(x), the distance from e(x) to its k-th nearest entry.

The official code loops over samples; here a matrix product in blocks finds the nearest entries, and their
distances are then taken from differences, so that an exact duplicate is at distance exactly 0.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import RunError

Metric = Literal["euclidean", "cosine"]
BLOCK_BYTES = 1 << 20
"""Of a block of distances: small enough to stay in a core's cache between its three passes."""


def unit(encodings: NDArray[np.floating]) -> NDArray[np.floating]:
    """Rows of length 1; a row of zeros stays."""
    length = np.sqrt(np.einsum("nd,nd->n", encodings, encodings))
    return encodings / np.where(length > 0, length, 1)[:, None]


def prepared(encodings: NDArray[np.floating], metric: Metric) -> NDArray[np.float32]:
    """Encodings as they are compared: on the unit sphere for the cosine (its chord is a distance)."""
    encodings = np.ascontiguousarray(encodings, np.float32)
    return np.ascontiguousarray(unit(encodings), np.float32) if metric == "cosine" else encodings


def distances(
    queries: NDArray[np.floating], memory: NDArray[np.floating], metric: Metric = "euclidean"
) -> NDArray[np.float64]:
    """All distances (N, m), from differences."""
    if not len(queries) or not len(memory):
        return np.empty((len(queries), len(memory)))
    from scipy.spatial.distance import cdist

    return cdist(
        prepared(queries, metric).astype(np.float64), prepared(memory, metric).astype(np.float64), "euclidean"
    )


def nearest(
    queries: NDArray[np.floating],
    memory: NDArray[np.floating],
    k: int = 1,
    metric: Metric = "euclidean",
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The k nearest entries of each query, nearest first: distances (N, k) and entries (N, k).

    Raises:
        RunError: the memory has fewer than k entries.
    """
    check_k(k, len(memory))
    queries, memory = prepared(queries, metric), prepared(memory, metric)
    square = np.einsum("md,md->m", memory, memory)
    doubled = -2.0 * memory.T
    found = np.empty((len(queries), k), np.int64)
    exact = np.empty((len(queries), k))
    block = max(1, BLOCK_BYTES // (4 * len(memory)))
    for start in range(0, len(queries), block):
        part = queries[start : start + block]
        # |e − m|² less |e|², which is the same for all entries of a row.
        partial = part @ doubled
        partial += square
        chosen = _smallest(partial, k)
        apart = part[:, None, :] - memory[chosen]
        lengths = np.sqrt(np.einsum("nkd,nkd->nk", apart, apart, dtype=np.float64))
        order = np.argsort(lengths, axis=1, kind="stable")
        found[start : start + block] = np.take_along_axis(chosen, order, axis=1)
        exact[start : start + block] = np.take_along_axis(lengths, order, axis=1)
    return exact, found


def kth(all_distances: NDArray[np.floating], k: int) -> NDArray[np.float64]:
    """d_k (N,) from all distances (N, m); infinite where the memory is empty.

    Raises:
        RunError: the memory has entries, but fewer than k.
    """
    if all_distances.shape[1] == 0:
        return np.full(len(all_distances), np.inf)
    check_k(k, all_distances.shape[1])
    return np.partition(all_distances, k - 1, axis=1)[:, k - 1].astype(np.float64)


def check_k(k: int, entries: int) -> None:
    """Refuse a k the memory cannot serve."""
    if k > entries:
        noun = "entry" if entries == 1 else "entries"
        raise RunError(f"k = {k} but the memory has {entries} {noun}.")


def _smallest(values: NDArray[np.floating], k: int) -> NDArray[np.int64]:
    if k == 1:
        return values.argmin(axis=1)[:, None].astype(np.int64)
    if k == values.shape[1]:
        return np.argsort(values, axis=1, kind="stable").astype(np.int64)
    return np.argpartition(values, k - 1, axis=1)[:, :k].astype(np.int64)
