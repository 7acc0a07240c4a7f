"""The float32 arithmetic of the published descent, operation by operation.

The descent takes steps so large that its last bits decide where it ends. The authors ran it in torch, whose
vector kernels fix how exponentials are approximated and in which order sums are taken: both are written out
here, so that the published numbers come out on every processor and without loading torch. All functions take
and give float32; sums run as in torch 2 on processors with 512-bit vectors.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Single = NDArray[np.float32]

SUM_LANES = 8
"""Partial sums that `torch.sum` keeps beside each other."""

SOFTMAX_LANES = 16
"""Partial sums that `torch.softmax` and its derivative keep."""

_LOG2_E = np.float32(1.4426950408889634)
_LN2_HIGH, _LN2_LOW = np.float32(0.693145751953125), np.float32(1.428606765330187045e-06)
_POWERS = np.array(
    [
        0.000198527617612853646278381,
        0.00139304355252534151077271,
        0.00833336077630519866943359,
        0.0416664853692054748535156,
        0.166666671633720397949219,
        0.5,
    ],
    dtype=np.float32,
)
"""Coefficients of the exponential's polynomial (SLEEF, expf to one unit in the last place)."""


@njit(nogil=True, cache=True)
def fused(a: np.float32, b: np.float32, c: np.float32) -> np.float32:
    """a·b + c, rounded once."""
    return np.float32(np.float64(a) * np.float64(b) + np.float64(c))


@njit(nogil=True, cache=True)
def exponential(x: np.float32) -> np.float32:
    """exp(x) for x ≤ 0 as SLEEF computes it; 0 below −104."""
    if x < np.float32(-104.0):
        return np.float32(0.0)
    q = np.float32(np.rint(x * _LOG2_E))
    s = fused(q, -_LN2_HIGH, x)
    s = fused(q, -_LN2_LOW, s)
    u = _POWERS[0]
    for k in range(1, _POWERS.size):
        u = fused(u, s, _POWERS[k])
    u = np.float32(1.0) + fused(np.float32(s * s), u, s)
    return np.float32(np.ldexp(np.float64(u), np.int64(q)))


@njit(nogil=True, cache=True)
def total(x: Single) -> np.float32:
    """`torch.sum` of a contiguous vector of fewer than 512 numbers: four rows of lanes, then the rest."""
    n = x.size
    lanes = SUM_LANES if n >= SUM_LANES else 1
    vectors = n // lanes
    rows = np.zeros((4, lanes), np.float32)
    for v in range(vectors):
        row = v % 4 if v < vectors // 4 * 4 else 0
        for lane in range(lanes):
            rows[row, lane] += x[v * lanes + lane]
    for row in range(1, 4):
        for lane in range(lanes):
            rows[0, lane] += rows[row, lane]
    if lanes == 1:
        return rows[0, 0]
    result = np.float32(0.0)
    for k in range(vectors * lanes, n):
        result += x[k]
    for lane in range(lanes):
        result += rows[0, lane]
    return result


@njit(nogil=True, cache=True)
def folded(x: Single, y: Single) -> np.float32:
    """Σ x·y as softmax takes its sums: lanes folded in halves; few numbers one after another.

    Products are rounded before they are added, except those that fill a part of the lanes only, at the end.
    """
    n = x.size
    if n < SOFTMAX_LANES:
        result = x[0] * y[0]
        for k in range(1, n):
            result += x[k] * y[k]
        return result
    lanes = x[:SOFTMAX_LANES] * y[:SOFTMAX_LANES]
    whole = n // SOFTMAX_LANES * SOFTMAX_LANES
    for k in range(SOFTMAX_LANES, whole):
        lanes[k % SOFTMAX_LANES] += x[k] * y[k]
    for k in range(whole, n):
        lanes[k - whole] = fused(x[k], y[k], lanes[k - whole])
    half = SOFTMAX_LANES // 2
    while half:
        for k in range(half):
            lanes[k] += lanes[k + half]
        half //= 2
    return lanes[0]


@njit(nogil=True, cache=True)
def softmax(u: Single) -> Single:
    """exp(u − max u) over its sum, by the reciprocal."""
    largest = u.max()
    raised = np.empty_like(u)
    for k in range(u.size):
        raised[k] = exponential(u[k] - largest)
    return raised * (np.float32(1.0) / folded(raised, np.ones_like(raised)))


@njit(nogil=True, cache=True)
def softmax_slope(pull: Single, p: Single) -> Single:
    """Derivative of p = softmax(u) in u, applied to `pull`: p (pull − Σ pull p)."""
    return (pull - folded(pull, p)) * p


@njit(nogil=True, cache=True)
def mean_of_rows(products: NDArray[np.float64]) -> NDArray[np.float64]:
    """Means (m,) of the rows of (m, n) in float64, in torch's order: four lanes in four rows."""
    m, n = products.shape
    lanes = 4 if n >= 4 else 1
    vectors = n // lanes
    means = np.empty(m)
    rows = np.empty((4, lanes))
    for i in range(m):
        rows[:] = 0.0
        for v in range(vectors):
            row = v % 4 if v < vectors // 4 * 4 else 0
            for lane in range(lanes):
                rows[row, lane] += products[i, v * lanes + lane]
        for row in range(1, 4):
            for lane in range(lanes):
                rows[0, lane] += rows[row, lane]
        result = 0.0
        if lanes == 1:
            result = rows[0, 0]
        else:
            for k in range(vectors * lanes, n):
                result += products[i, k]
            for lane in range(lanes):
                result += rows[0, lane]
        means[i] = result / n
    return means


@njit(nogil=True, cache=True)
def sum_of_columns(products: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums (n,) of the columns of (m, n) in float64, in torch's order.

    Whole blocks of 16 columns are summed in stretches of 16 rows, the other columns in four interleaved
    sums of such stretches (m below 1,024).
    """
    m, n = products.shape
    blocks = n // 16 * 16
    sums = np.empty(n)
    for t in range(blocks):
        sums[t] = _stretches(products[:, t])
    for t in range(blocks, n):
        column, whole = products[:, t], m // 4 * 4
        first = _stretches(column[0:whole:4])
        for i in range(whole, m):
            first += column[i]
        for k in range(1, 4):
            first += _stretches(column[k:whole:4])
        sums[t] = first
    return sums


@njit(nogil=True, cache=True)
def _stretches(x: NDArray[np.float64]) -> float:
    """Sum in stretches of 16 whose sums are kept apart, the unfinished one first (fewer than 256 numbers)."""
    whole, done = x.size // 16 * 16, 0.0
    for start in range(0, whole, 16):
        part = 0.0
        for k in range(start, start + 16):
            part += x[k]
        done += part
    rest = 0.0
    for k in range(whole, x.size):
        rest += x[k]
    return rest + done
