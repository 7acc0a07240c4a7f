"""Tiny error probabilities by importance sampling: rewards drawn from means under which errors are common.

The cheapest way for the best arm to end below the j best pulls the arms of Γ_j to a common mean y*_j
(`rates.downfall`). Runs are drawn from an equal mixture of such tilted instances ν_i; a run with final
counts N and sums S has weight w = P_μ(S|N) / mean_i P_{ν_i}(S|N) whatever the algorithm did, and
P(error) = E[w 1{error}] without bias (balance heuristic, Veach and Guibas, 1995).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.methods.best_arm.algorithms import Algorithm
from engine.methods.best_arm.rates import downfall
from engine.methods.best_arm.simulation import Simulator, correct_arms

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TiltedEstimate:
    """ln of the estimate of P(error), its relative standard error, runs and weighted errors seen."""

    log_error: float
    relative_error: float
    runs: int
    errors: int


def tilted_instances(means: ArrayLike) -> Floats:
    """Instances (J, K) under which errors are common, duplicates removed.

    One per challenger k (it and the best arm moved to their y*), and one per j = 3..K (the arms of Γ_j
    moved to y*_j): pairs for allocations that compare all arms at the end, groups for eliminations.
    """
    m = np.asarray(means, dtype=float)
    order = np.argsort(-m, kind="stable")
    rows = []
    for challenger in order[1:]:
        pair = np.array([order[0], challenger])
        rows.append(_moved(m, pair, downfall(m[pair], 2).level))
    for j in range(3, m.size + 1):
        fall = downfall(m, j)
        rows.append(_moved(m, order[[0, *fall.arms]], fall.level))
    return np.unique(np.array(rows), axis=0)


def _moved(means: Floats, arms: NDArray[np.int64], level: float) -> Floats:
    row = means.copy()
    row[arms] = level
    return row


def log_weights(means: Floats, proposals: Floats, counts: NDArray, successes: NDArray) -> Floats:
    """ln w of runs with counts and successes (R, K) under the mixture of `proposals` (J, K)."""
    ratios = np.stack([_log_ratio(row, means, counts, successes) for row in proposals])
    top = ratios.max(axis=0)
    return -(top + np.log(np.exp(ratios - top).mean(axis=0)))


def _log_ratio(numerator: Floats, denominator: Floats, counts: NDArray, successes: NDArray) -> Floats:
    """ln P_numerator(S|N) − ln P_denominator(S|N) per run; means strictly inside (0, 1)."""
    gain = np.log(numerator) - np.log(denominator)
    loss = np.log1p(-numerator) - np.log1p(-denominator)
    return successes @ gain + (counts - successes) @ loss


def tilted_error(
    algorithm: Algorithm,
    means: ArrayLike,
    budget: int,
    runs: int,
    *,
    seed: int = 0,
    stream_name: tuple[int, ...] = (1,),
) -> Iterator[TiltedEstimate]:
    """Yield the growing estimate after every batch, the proposals taking turns.

    Means strictly inside (0, 1) with one best arm; raises ValueError otherwise. The algorithm itself
    sees only counts and sums; the oracle UCB-E keeps the a of the true instance.
    """
    m = np.asarray(means, dtype=float)
    if ((m <= 0) | (m >= 1)).any() or (m == m.max()).sum() != 1:
        raise ValueError("importance sampling needs means strictly between 0 and 1 and one best arm")
    if algorithm.exploration == "oracle":
        algorithm = _with_fixed_exploration(algorithm, m, budget)
    proposals, right = tilted_instances(m), correct_arms(m)
    simulators = [
        Simulator(algorithm, row, budget, seed=seed, stream_name=(*stream_name, j))
        for j, row in enumerate(proposals)
    ]
    done, errors, batch = 0, 0, 0
    size = min(simulators[0].batch_size, max(1, runs // len(simulators)))
    first, second, shift = 0.0, 0.0, -math.inf
    while done < runs:
        for simulator in simulators:
            out = simulator.batch(batch, size)
            wrong = ~right[out.chosen]
            logs = log_weights(m, proposals, out.counts[wrong], out.successes[wrong])
            errors, done = errors + int(wrong.sum()), done + size
            if logs.size:
                top = max(shift, float(logs.max()))
                rescale = math.exp(shift - top) if shift > -math.inf else 0.0
                first = first * rescale + float(np.exp(logs - top).sum())
                second = second * rescale**2 + float(np.exp(2 * (logs - top)).sum())
                shift = top
        batch += 1
        yield _estimate(first, second, shift, done, errors)


def _estimate(first: float, second: float, shift: float, runs: int, errors: int) -> TiltedEstimate:
    if first == 0.0:
        return TiltedEstimate(-math.inf, math.inf, runs, 0)
    mean = first / runs
    variance = max(second / runs - mean * mean, 0.0)
    return TiltedEstimate(math.log(mean) + shift, math.sqrt(variance / runs) / mean, runs, errors)


def _with_fixed_exploration(algorithm: Algorithm, means: Floats, budget: int) -> Algorithm:
    return replace(algorithm, exploration=algorithm.ucbe_exploration(means, budget))
