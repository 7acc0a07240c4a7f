"""Ordinal benchmarks: ranking by mean win rate, irrelevant models added or left out (section 4).

L are the relevant models; any others may be present. The sensitivity is the largest rank distance between the
ranking of L inside S ⊇ L and the ranking of L inside L. Here: the problem and the published solver.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from .ranking import _rank_distance, _tolerant_ranks, rank_distance, tolerant_ranks
from .win_rate import pairwise_win_matrix, relevant_count


@dataclass(frozen=True)
class OrdinalProblem:
    """`wins` P (m, m); `relevant` (ℓ,) and `irrelevant` (m − ℓ,) row indices; `ranks` (ℓ,) of L inside L."""

    wins: NDArray[np.float64]
    relevant: NDArray[np.intp]
    irrelevant: NDArray[np.intp]
    ranks: NDArray[np.float64]


def prepare(scores: ArrayLike, *, share: float = 0.2, relevant: ArrayLike | None = None) -> OrdinalProblem:
    """The win matrix and the relevant models: given indices, or the first ⌊m · share⌋ rows.

    The published solver expects rows in the order of the winning rate (`boards.best_first`). Raises
    ValueError when fewer than two models are relevant.
    """
    return from_win_matrix(pairwise_win_matrix(scores), share=share, relevant=relevant)


def from_win_matrix(
    wins: NDArray[np.float64], *, share: float = 0.2, relevant: ArrayLike | None = None
) -> OrdinalProblem:
    """`prepare` for a win matrix (m, m) that is there already."""
    m = len(wins)
    chosen = (
        np.arange(relevant_count(m, share)) if relevant is None else np.unique(np.asarray(relevant, np.intp))
    )
    if chosen.size < 2:
        raise ValueError(f"{chosen.size} of {m} models are relevant; at least two are needed")
    others = np.setdiff1d(np.arange(m), chosen)
    ranks = tolerant_ranks(wins[np.ix_(chosen, chosen)].mean(axis=1))
    return OrdinalProblem(np.ascontiguousarray(wins), chosen, others, ranks)


def subset_ranks(problem: OrdinalProblem, added: ArrayLike) -> NDArray[np.float64]:
    """Ranking (ℓ,) of the relevant models inside L ∪ `added` (row indices of irrelevant models)."""
    members = np.concatenate([problem.relevant, np.asarray(added, dtype=np.intp)])
    return tolerant_ranks(problem.wins[np.ix_(problem.relevant, members)].mean(axis=1))


def rank_change(problem: OrdinalProblem, added: ArrayLike) -> tuple[float, float]:
    """(τ-distance, MRC) of the relevant models when `added` join them."""
    return rank_distance(subset_ranks(problem, added), problem.ranks)


@dataclass
class SamplingState:
    """Where the published solver stands: best `tau` seen, its `mrc` and `added` models, `steps` done."""

    step: int
    tau: float
    mrc: float
    added: NDArray[np.intp]
    finished: bool


def bernoulli_uniforms(seed: int, steps: int, models: int) -> NDArray[np.float64]:
    """(steps, models) uniforms on [0, 1): the stream from which torch draws Bernoulli float64 samples.

    53 low bits of two 32-bit words of MT19937; a sample is 1 where the uniform is below its probability.
    """
    words = np.random.RandomState(seed).randint(0, 2**32, size=(steps, models, 2), dtype=np.uint32)
    joined = (words[..., 0].astype(np.uint64) << np.uint64(32)) | words[..., 1]
    return np.asarray((joined & np.uint64((1 << 53) - 1)) * 2.0**-53, dtype=np.float64)


@njit(nogil=True, cache=True)
def _subset_distance(
    wins: NDArray[np.float64], rows: NDArray[np.intp], present: NDArray[np.bool_], ranks: NDArray[np.float64]
) -> tuple[float, float]:
    rates = np.zeros(rows.size)
    size = present.sum()
    for k in range(rows.size):
        for b in range(present.size):
            if present[b]:
                rates[k] += wins[rows[k], b]
        rates[k] /= size
    return _rank_distance(_tolerant_ranks(rates, 1e-8), ranks)


@njit(nogil=True, cache=True)
def _surrogate(
    wins: NDArray[np.float64],
    rows: NDArray[np.intp],
    ranks: NDArray[np.float64],
    chosen: NDArray[np.float64],
    slack: float,
    slope: NDArray[np.float64],
) -> bool:
    """Slope of Σ max(v_a − v_b, −slack) over pairs a above b in the inclusions; False if it is flat."""
    m = wins.shape[0]
    size = chosen.sum()
    met = np.zeros(m)
    for a in rows:
        for b in range(m):
            met[a] += wins[a, b] * chosen[b]
    push = np.zeros(m)
    active = False
    for i in range(rows.size):
        for j in range(rows.size):
            if ranks[i] < ranks[j]:
                a, b = rows[i], rows[j]
                if (chosen[a] * met[a] - chosen[b] * met[b]) / size >= -slack:
                    push[a] += 1.0
                    push[b] -= 1.0
                    active = True
    common = 0.0
    for a in rows:
        common += push[a] * chosen[a] * met[a]
    common /= size * size
    for k in range(m):
        slope[k] = push[k] * met[k] / size - common
    for a in rows:
        for k in range(m):
            slope[k] += push[a] * chosen[a] * wins[a, k] / size
    return active


@njit(nogil=True, cache=True)
def _sample_steps(
    wins: NDArray[np.float64],
    rows: NDArray[np.intp],
    ranks: NDArray[np.float64],
    uniforms: NDArray[np.float64],
    rate: float,
    done: int,
    logits: NDArray[np.float64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    best: NDArray[np.float64],
    best_present: NDArray[np.bool_],
    taus: NDArray[np.float64],
) -> int:
    m = wins.shape[0]
    slope = np.empty(m)
    for step in range(uniforms.shape[0]):
        present = uniforms[step] < 1.0 / (1.0 + np.exp(-logits))
        present[rows] = True
        if not _surrogate(wins, rows, ranks, present.astype(np.float64), 0.01, slope):
            return step
        count = done + step + 1
        first[:] = 0.9 * first + 0.1 * slope
        second[:] = 0.999 * second + 0.001 * slope * slope
        scale = np.sqrt(second) / np.sqrt(1.0 - 0.999**count) + 1e-8
        logits -= rate / (1.0 - 0.9**count) * first / scale
        tau, mrc = _subset_distance(wins, rows, present, ranks)
        taus[step] = tau
        if tau > best[0]:
            best[0] = tau
            best[1] = mrc
            best_present[:] = present
    return uniforms.shape[0]


def sample(
    problem: OrdinalProblem, *, rate: float = 0.01, steps: int = 1000, seed: int = 0, chunk: int = 100
) -> Iterator[tuple[SamplingState, NDArray[np.float64]]]:
    """The published solver: Adam on inclusion logits with straight-through Bernoulli samples.

    Each step includes every model with probability sigmoid(logit) (relevant ones always), follows the slope
    of Σ over ordered pairs max(v_a − v_b, −0.01) in the winning rates v, and remembers the sampled set with
    the largest τ-distance; at the end the set of logits above 0 is tried too. Yields (state, τ-distance of
    every sampled set since the last yield) every `chunk` steps.
    """
    m, rows = len(problem.wins), problem.relevant
    uniforms = bernoulli_uniforms(seed, steps, m)
    logits, first, second = np.zeros(m), np.zeros(m), np.zeros(m)
    best, best_present = np.array([-1.0, -1.0]), np.zeros(m, dtype=np.bool_)
    best_present[rows] = True
    done, stopped = 0, False
    while done < steps and not stopped:
        block = uniforms[done : done + chunk]
        taus = np.empty(len(block))
        taken = _sample_steps(
            problem.wins,
            rows,
            problem.ranks,
            block,
            rate,
            done,
            logits,
            first,
            second,
            best,
            best_present,
            taus,
        )
        done += taken
        stopped = taken < len(block)
        if done < steps and not stopped:
            yield _state(problem, done, best, best_present, False), taus
    present = logits > 0.0
    present[rows] = True
    final = _subset_distance(problem.wins, rows, present, problem.ranks)
    if final > (best[0], best[1]):
        best[:] = final
        best_present = present
    yield _state(problem, done, best, best_present, True), taus[:taken]


def _state(
    problem: OrdinalProblem, done: int, best: NDArray[np.float64], present: NDArray[np.bool_], finished: bool
) -> SamplingState:
    added = problem.irrelevant[present[problem.irrelevant]]
    return SamplingState(done, max(0.0, float(best[0])), max(0.0, float(best[1])), added, finished)


def published_sensitivity(
    scores: ArrayLike,
    *,
    share: float = 0.2,
    relevant: ArrayLike | None = None,
    rate: float = 0.01,
    steps: int = 1000,
    seed: int = 0,
) -> SamplingState:
    """The published solver run to its end; rows in the order of the winning rate."""
    problem = prepare(scores, share=share, relevant=relevant)
    for state, _ in sample(problem, rate=rate, steps=steps, seed=seed, chunk=steps):
        last = state
    return last
