"""Exact error probability of Successive Rejects and Sequential Halving for a few arms.

The state after a round is the joint law of the survivors' sums, one tensor per set of survivors.
A round convolves every axis with the new draws and removes the worst arms one at a time, ties shared
equally (removing the worst twice with random ties is keeping the best by random ties). The first
removal uses independence, so that its tensors have K−1 axes: O(n^{K−1}) memory.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.methods.best_arm.exact_counts import log_error_fixed
from engine.methods.best_arm.rates import sr_rate
from engine.methods.best_arm.schedules import Elimination
from engine.methods.best_arm.simulation import correct_arms

Floats = NDArray[np.float64]
Survivors = dict[tuple[int, ...], Floats]

MAX_CELLS = 1_000_000
_MAX_EXPONENT = 600.0  # beyond e^−600 products of probabilities leave the range of doubles


def is_computable(means: ArrayLike, schedule: Elimination, *, max_cells: int = MAX_CELLS) -> bool:
    """Whether `log_error_elimination` fits into `max_cells` numbers and into double range."""
    if schedule.arms == 2:
        return True
    budget = schedule.used + schedule.unused
    exponent = budget * sr_rate(means)
    return largest_tensor(schedule) <= max_cells and bool(exponent < _MAX_EXPONENT)


def largest_tensor(schedule: Elimination) -> int:
    """Number of cells of the largest joint law the computation holds."""
    cells, total = 0, 0
    for draws, active, kept in zip(schedule.draws, schedule.active, schedule.keep, strict=True):
        total = draws if schedule.fresh else total + draws
        independent = active == schedule.arms or schedule.fresh
        if kept < active:
            cells = max(cells, (total + 1) ** (active - 1 if independent else active))
    return cells


def log_error_elimination(means: ArrayLike, schedule: Elimination) -> float:
    """ln P(error) of an elimination schedule: `means` (K,), K small (see `is_computable`).

    Right is to recommend a maximal arm; arm 1 if all means are equal.
    """
    m = np.asarray(means, dtype=float)
    if schedule.arms == 2:
        return log_error_fixed(m, (sum(schedule.draws),) * 2)
    winners = np.zeros(m.size)
    for arms, law in _final_laws(m, schedule).items():
        winners[arms[0]] += law.sum()
    wrong = winners[~correct_arms(m)].sum()
    with np.errstate(divide="ignore"):
        return float(np.log(wrong))


def _final_laws(means: Floats, schedule: Elimination) -> Survivors:
    everyone = tuple(range(means.size))
    laws: Survivors = {}
    total = 0
    for round_, (draws, kept) in enumerate(zip(schedule.draws, schedule.keep, strict=True)):
        if round_ == 0:
            laws = _first_removal(means, draws)
        elif schedule.fresh:
            laws = _renewed(laws, means, draws)
        else:
            laws = {arms: _with_new_draws(law, means[list(arms)], draws) for arms, law in laws.items()}
        total += draws
        while len(next(iter(laws))) > kept:
            laws = _remove_worst(laws)
    return laws if schedule.arms > 1 else {everyone: np.ones(1)}


def _pmf(trials: int, mean: float) -> Floats:
    from engine.methods.best_arm.binomial_logs import log_pmf

    return np.exp(log_pmf(trials, mean)) if trials else np.ones(1)


def _independent(pmfs: list[Floats]) -> Floats:
    law = np.ones(())
    for pmf in pmfs:
        law = law[..., None] * pmf
    return law


def _lowest(axes: int, size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Minimum of the coordinates and how often it occurs, at each cell of a cube of `axes` axes."""
    coordinates = np.meshgrid(*[np.arange(size)] * axes, indexing="ij", sparse=True)
    low = coordinates[0]
    for c in coordinates[1:]:
        low = np.minimum(low, c)
    low = np.broadcast_to(low, (size,) * axes)
    return low, sum((c == low).astype(np.int64) for c in coordinates)


def _first_removal(means: Floats, draws: int) -> Survivors:
    """Laws of the K−1 survivors: arm d leaves with chance P(S_d < min) + P(S_d = min)/(1 + ties)."""
    pmfs = [_pmf(draws, float(mean)) for mean in means]
    low, ties = _lowest(means.size - 1, draws + 1)
    laws = {}
    for arms in combinations(range(means.size), means.size - 1):
        (gone,) = set(range(means.size)) - set(arms)
        below = np.concatenate(([0.0], np.cumsum(pmfs[gone])))
        leaves = below[low] + pmfs[gone][low] / (1 + ties)
        laws[arms] = _independent([pmfs[k] for k in arms]) * leaves
    return laws


def _renewed(laws: Survivors, means: Floats, draws: int) -> Survivors:
    """Fresh samples: only which arms survive is kept."""
    fresh = {}
    for arms, law in laws.items():
        fresh[arms] = law.sum() * _independent([_pmf(draws, float(means[k])) for k in arms])
    return fresh


def _with_new_draws(law: Floats, means: Floats, draws: int) -> Floats:
    """Convolve every axis with Binomial(draws, mean of that arm)."""
    if draws == 0:
        return law
    for axis, mean in enumerate(means):
        pmf, size = _pmf(draws, float(mean)), law.shape[axis]
        shift = np.zeros((size + draws, size))
        for s in range(size):
            shift[s : s + draws + 1, s] = pmf
        law = np.moveaxis(np.tensordot(shift, law, axes=(1, axis)), 0, axis)
    return law


def _remove_worst(laws: Survivors) -> Survivors:
    """One more removal from every set of survivors, ties shared equally."""
    after: Survivors = {}
    for arms, law in laws.items():
        axes, size = len(arms) - 1, law.shape[0]
        low, ties = _lowest(axes, size)
        for position in range(len(arms)):
            moved = np.moveaxis(law, position, 0)
            below = np.concatenate([np.zeros((1, *moved.shape[1:])), np.cumsum(moved, axis=0)])
            at = np.take_along_axis(moved, low[None], axis=0)[0]
            kept = np.take_along_axis(below, low[None], axis=0)[0] + at / (1 + ties)
            rest = arms[:position] + arms[position + 1 :]
            after[rest] = after.get(rest, 0.0) + kept
    return after
