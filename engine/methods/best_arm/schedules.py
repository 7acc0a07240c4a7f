"""How many draws each arm gets in each phase: uniform, fixed weights, Successive Rejects, Halving.

A schedule is what a phase algorithm decides before it sees any reward. Pure integer arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.methods.best_arm.rates import log_bar


@dataclass(frozen=True)
class Elimination:
    """Rounds of equal draws for every active arm, each followed by dropping the worst.

    `draws[r]` new draws per active arm in round r, then `keep[r]` arms survive; `fresh` compares the
    round's own draws instead of all draws so far. `unused` draws of the budget are left over.
    """

    arms: int
    draws: tuple[int, ...]
    keep: tuple[int, ...]
    fresh: bool
    unused: int

    @property
    def active(self) -> tuple[int, ...]:
        """Number of active arms in each round."""
        return (self.arms, *self.keep[:-1])

    @property
    def used(self) -> int:
        """Draws the schedule makes in total."""
        return sum(n * a for n, a in zip(self.draws, self.active, strict=True))


def uniform_counts(arms: int, budget: int) -> tuple[int, int]:
    """(⌊T/K⌋, T mod K): draws of every arm, and how many random distinct arms get one more."""
    return divmod(budget, arms)


def static_counts(weights: ArrayLike, budget: int) -> NDArray[np.int64]:
    """Draws per arm (K,) for fixed weights: the largest remainders are rounded up, sum = budget.

    Equal remainders go to the earlier arm.
    """
    w = np.asarray(weights, dtype=float)
    quota = w / w.sum() * budget
    # A quota a rounding error below an integer is that integer.
    counts = np.floor(quota + 1e-9).astype(np.int64)
    order = np.argsort(-(quota - counts), kind="stable")
    counts[order[: budget - int(counts.sum())]] += 1
    return counts


def sr_lengths(arms: int, budget: int) -> tuple[int, ...]:
    """n_k = ceil((T−K) / (logbar(K) (K+1−k))), k = 1..K−1: cumulative draws per arm after phase k.

    Successive Rejects (Audibert, Bubeck and Munos, COLT 2010). Raises ValueError when the first phase
    would be empty, naming the smallest budget.
    """
    if budget <= arms:
        raise ValueError(f"Successive Rejects on {arms} arms needs a budget of at least {arms + 1}")
    scale = (budget - arms) / log_bar(arms)
    # The subtraction keeps an exact integer from being lifted by rounding.
    return tuple(math.ceil(scale / (arms + 1 - k) - 1e-12) for k in range(1, arms))


def successive_rejects_schedule(arms: int, budget: int) -> Elimination:
    """Successive Rejects as rounds: one arm is dropped after each of K−1 phases."""
    lengths = sr_lengths(arms, budget)
    draws = tuple(b - a for a, b in zip((0, *lengths[:-1]), lengths, strict=True))
    keep = tuple(range(arms - 1, 0, -1))
    spent = sum(lengths) + lengths[-1]
    return Elimination(arms, draws, keep, False, budget - spent)


def sequential_halving_schedule(arms: int, budget: int, *, reuse: bool = True) -> Elimination:
    """Sequential Halving (Karnin, Koren and Somekh, ICML 2013): R = ⌈log2 K⌉ rounds.

    Each active arm gets ⌊T/(|S_r| R)⌋ draws in round r, the better half (rounded up) stays. `reuse`
    compares by all draws so far; the original analysis uses the round's own ("fresh").
    """
    rounds = max(1, math.ceil(math.log2(arms)))
    draws, keep, active, spent = [], [], arms, 0
    for _ in range(rounds):
        draws.append(budget // (active * rounds))
        spent += draws[-1] * active
        active = -(-active // 2)
        keep.append(active)
    if draws[0] == 0:
        raise ValueError(f"Sequential Halving on {arms} arms needs a budget of at least {arms * rounds}")
    return Elimination(arms, tuple(draws), tuple(keep), not reuse, budget - spent)


def smallest_budget_for(arms: int, algorithm: str) -> int:
    """Smallest T with at least one draw of every arm: "sr", "sh", or K for any other algorithm."""
    if algorithm == "sr":
        return arms + 1
    if algorithm == "sh":
        return arms * max(1, math.ceil(math.log2(arms)))
    return arms


def check_weights(weights: Sequence[float]) -> None:
    """Raise ValueError unless the weights are finite, non-negative and not all zero."""
    w = np.asarray(weights, dtype=float)
    if w.ndim != 1 or not np.isfinite(w).all() or (w < 0).any() or w.sum() <= 0:
        raise ValueError("weights must be finite, not negative, and not all zero")
