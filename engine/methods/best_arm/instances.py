"""Families of instances: means of K Bernoulli arms, the best one first."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def one_group(arms: int, best: float = 0.5, gap: float = 0.1) -> Floats:
    """(b, b−δ, …, b−δ)."""
    return _checked(np.concatenate(([best], np.full(arms - 1, best - gap))))


def two_groups(arms: int, best: float = 0.5, gap: float = 0.05, far_gap: float = 0.2) -> Floats:
    """Best arm, the nearer half of the others at b−δ, the rest at b−δ'."""
    near = arms // 2
    return _checked(
        np.concatenate(([best], np.full(near, best - gap), np.full(arms - 1 - near, best - far_gap)))
    )


def arithmetic(arms: int, best: float = 0.5, gap: float = 0.1) -> Floats:
    """Equal steps: μ_k = b − gap (k−1)/(K−1)."""
    return _checked(best - gap * np.arange(arms) / (arms - 1))


def geometric(arms: int, best: float = 0.5, ratio: float = 0.8) -> Floats:
    """μ_k = b r^{k−1}."""
    return _checked(best * ratio ** np.arange(arms))


def convex(arms: int, best: float = 0.5, gap: float = 0.4) -> Floats:
    """Means falling fast at first: μ_k = b − gap √((k−1)/(K−1))."""
    return _checked(best - gap * np.sqrt(np.arange(arms) / (arms - 1)))


def concave(arms: int, best: float = 0.5, gap: float = 0.4) -> Floats:
    """Means falling slowly at first: μ_k = b − gap ((k−1)/(K−1))²."""
    return _checked(best - gap * (np.arange(arms) / (arms - 1)) ** 2)


def near_zero_losers(arms: int, best: float = 0.5, epsilon: float = 0.01) -> Floats:
    """(b, ε, …, ε): where uniform sampling beats Successive Rejects."""
    return _checked(np.concatenate(([best], np.full(arms - 1, epsilon))))


def mirrored(means: ArrayLike) -> Floats:
    """1 − μ in reverse order: losses instead of rewards."""
    return _checked(1.0 - np.asarray(means, dtype=float)[::-1])


FAMILIES: dict[str, Callable[..., Floats]] = {
    "one group": one_group,
    "two groups": two_groups,
    "arithmetic": arithmetic,
    "geometric": geometric,
    "convex": convex,
    "concave": concave,
    "near-zero losers": near_zero_losers,
}


def _checked(means: ArrayLike) -> Floats:
    means = np.asarray(means, dtype=float)
    if means.size < 2 or (means < 0).any() or (means > 1).any():
        raise ValueError(f"an instance needs at least two means, all in [0, 1]; got {np.round(means, 4)}")
    return means


def jeffreys_mean(successes: ArrayLike, trials: ArrayLike) -> Floats:
    """(s+½)/(n+1): the posterior mean under Jeffreys' prior."""
    return np.asarray((np.asarray(successes) + 0.5) / (np.asarray(trials) + 1.0))
