"""Cardinal benchmarks: ranking by mean score, irrelevant changes of the tasks' spread (section 3).

Label noise on task j shrinks the spread of its scores by a factor α_j ∈ [ε, 1] and leaves the ranking on that
task as it is. The sensitivity of a benchmark is the largest rank distance such factors can cause. Here: the
ranking, the factors, and the published gradient solver. Scores s are (m models, n tasks), complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from . import single_precision as single
from .ranking import rank_distance, tolerant_ranks

CONSTANT_TASK = 1e-8
"""A task whose unbiased standard deviation is not above this is left out."""


@dataclass(frozen=True)
class CardinalProblem:
    """A benchmark ready to be attacked.

    `scores` (m, k): the k tasks that vary; `kept` (k,): their columns in the table; `deviation` (k,):
    unbiased standard deviations; `standard` (m, k): standardised scores z; `ranks` (m,): the old ranking.
    """

    scores: NDArray[np.float64]
    kept: NDArray[np.intp]
    deviation: NDArray[np.float64]
    standard: NDArray[np.float64]
    ranks: NDArray[np.float64]


def prepare(scores: ArrayLike) -> CardinalProblem:
    """Leave out constant tasks, rank by mean score, standardise.

    Raises ValueError for missing or infinite scores, fewer than two models, or when every task is constant.
    """
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] < 2:
        raise ValueError("at least two models are needed")
    if not np.isfinite(table).all():
        raise ValueError("a cardinal benchmark needs a complete table of finite scores")
    deviation = table.std(axis=0, ddof=1)
    kept = np.flatnonzero(deviation > CONSTANT_TASK)
    if kept.size == 0:
        raise ValueError("every task gives all models the same score")
    table, deviation = np.ascontiguousarray(table[:, kept]), deviation[kept]
    standard = (table - table.mean(axis=0)) / deviation
    return CardinalProblem(table, kept, deviation, standard, tolerant_ranks(table.mean(axis=1)))


def shrink_factors(
    problem: CardinalProblem, weights: ArrayLike, normalise: bool = True
) -> NDArray[np.float64]:
    """α (k,), largest 1: α ∝ w/σ when the weights act on standardised scores, α ∝ w otherwise."""
    alpha = np.asarray(weights)
    if normalise:
        alpha = alpha / problem.deviation
    return np.asarray(alpha / alpha.max(), dtype=np.float64)


def reweighted_ranks(problem: CardinalProblem, alpha: ArrayLike) -> NDArray[np.float64]:
    """Ranking by the mean of the shrunken scores, Σ_j α_j s_ij / k."""
    return tolerant_ranks((problem.scores * np.asarray(alpha)).mean(axis=1))


def rank_change(problem: CardinalProblem, alpha: ArrayLike) -> tuple[float, float]:
    """(τ-distance, MRC) between the ranking after shrinking by `alpha` and the original one."""
    return rank_distance(reweighted_ranks(problem, alpha), problem.ranks)


def shrunken_table(
    scores: ArrayLike, alpha: ArrayLike, chance: ArrayLike | float = 0.0
) -> NDArray[np.float64]:
    """c_j + α_j (s_ij − c_j): the re-weighted table, each task shrunk about its chance level c_j.

    The chance level moves all models of a task alike, so the ranking does not depend on it.
    """
    level = np.asarray(chance, dtype=np.float64)
    return np.asarray(level + np.asarray(alpha) * (np.asarray(scores, dtype=np.float64) - level))


@dataclass
class GradientState:
    """Where the published solver stands: `step` done, `loss` last seen, `weights` w (k,) float32."""

    step: int
    loss: float
    weights: NDArray[np.float32]
    finished: bool


@njit(nogil=True, cache=True)
def _pair_loss(
    scores: NDArray[np.float64], ranks: NDArray[np.float64], weighted: bool
) -> tuple[float, NDArray[np.float64]]:
    """Loss over the originally ordered pairs and its slope (m,) in the scores."""
    m = scores.size
    slope = np.zeros(m)
    # the published loss is a float32 running sum in this order of pairs; its rounding decides the stop
    loss = np.float32(0.0)
    for i in range(m):
        for j in range(m):
            if ranks[j] < ranks[i]:
                gap = scores[j] - scores[i]
                if gap >= 0.0:
                    c = ranks[i] - ranks[j] if weighted else 1.0
                    loss = np.float32(loss + np.float32(c * gap))
                    slope[j] += c
                    slope[i] -= c
    return float(loss), slope


def descend(
    problem: CardinalProblem,
    *,
    epsilon: float = 0.01,
    rank_weighted: bool = False,
    rate: float = 1.0,
    steps: int = 1000,
    threshold: float = 1e-5,
    chunk: int = 50,
) -> Iterator[tuple[GradientState, NDArray[np.float64]]]:
    """The published solver: gradient descent on u, w = (softmax(u) + ε/(1−ε)) / Σ, from u = 1.

    Loss: Σ over pairs (i worse than j at first) c_ij max(score_j − score_i, 0), score = mean_t z_it w_t, with
    c = 1 or c = rank_i − rank_j (`rank_weighted`). Stops when the loss is at most 1e-8 or changes by less
    than `threshold`. Yields (state, losses of the steps since the last yield) every `chunk` steps and at
    the end.

    Raises ValueError unless 0 ≤ ε < 1.
    """
    if not 0.0 <= epsilon < 1.0:
        raise ValueError("epsilon must be at least 0 and below 1")
    u = np.ones(problem.kept.size, np.float32)
    last = float(0x3F3F3F3F)
    done = 0
    while True:
        count = min(chunk, steps - done)
        losses, finished = _steps(
            problem.standard, problem.ranks, rank_weighted, epsilon, rate, threshold, last, count, u
        )
        done, last = done + losses.size, float(losses[-1])
        finished = bool(finished) or done >= steps
        yield GradientState(done, last, _weights(u, epsilon)[1], finished), losses
        if finished:
            return


@njit(nogil=True, cache=True)
def _steps(
    z: NDArray[np.float64],
    ranks: NDArray[np.float64],
    weighted: bool,
    epsilon: float,
    rate: float,
    threshold: float,
    last: float,
    count: int,
    u: single.Single,
) -> tuple[NDArray[np.float64], bool]:
    """`count` steps of the descent or fewer, in place on `u`; their losses, and whether it stopped."""
    tasks = z.shape[1]
    losses = np.empty(count)
    for step in range(count):
        p, w, total = _weights(u, epsilon)
        loss, slope = _pair_loss(single.mean_of_rows(z * w), ranks, weighted)
        losses[step] = loss
        if loss <= 1e-8:
            return losses[: step + 1], True
        slope /= tasks
        pull = single.sum_of_columns(z * slope.reshape(-1, 1))
        _descend_once(u, pull.astype(np.float32), p, w, total, np.float32(-rate))
        if abs(loss - last) < threshold:
            return losses[: step + 1], True
        last = loss
    return losses, False


@njit(nogil=True, cache=True)
def _descend_once(
    u: single.Single,
    pull: single.Single,
    p: single.Single,
    w: single.Single,
    total: np.float32,
    rate: np.float32,
) -> None:
    """Backwards through w = raised / total and p = softmax(u), in the order automatic derivatives take."""
    slope = single.softmax_slope(pull / total + single.total(-pull * (w / total)), p)
    for t in range(u.size):
        u[t] = single.fused(slope[t], rate, u[t])


@njit(nogil=True, cache=True)
def _weights(u: single.Single, epsilon: float) -> tuple[single.Single, single.Single, np.float32]:
    """p = softmax(u); w = (p + ε/(1−ε)) / Σ, each at least ε times the largest; and that Σ."""
    p = single.softmax(u)
    raised = p + np.float32(epsilon / (1.0 - epsilon))
    total = single.total(raised)
    return p, raised / total, total


@dataclass(frozen=True)
class CardinalSensitivity:
    """(τ-distance, MRC) reached by the factors `alpha` (k,), and how many steps it took."""

    tau: float
    mrc: float
    alpha: NDArray[np.float64]
    steps: int
    rank_weighted: bool


def published_sensitivity(
    scores: ArrayLike,
    *,
    epsilon: float = 0.01,
    normalise: bool = True,
    rate: float = 1.0,
    steps: int = 1000,
    threshold: float = 1e-5,
) -> CardinalSensitivity:
    """Both variants of the published solver; the better one by τ first, then MRC, as published."""
    problem = prepare(scores)
    best: CardinalSensitivity | None = None
    for rank_weighted in (True, False):
        for state, _ in descend(
            problem,
            epsilon=epsilon,
            rank_weighted=rank_weighted,
            rate=rate,
            steps=steps,
            threshold=threshold,
            chunk=steps,
        ):
            last = state
        alpha = shrink_factors(problem, last.weights, normalise)
        tau, mrc = rank_change(problem, alpha)
        if best is None or (tau, mrc) >= (best.tau, best.mrc):
            best = CardinalSensitivity(tau, mrc, alpha, last.step, rank_weighted)
    assert best is not None
    return best
