"""The algorithms as they are written in the papers: one draw at a time, any reward source.

Each procedure is a generator: it yields the arm it wants, receives the reward (0 or 1) through `send`,
and returns the arm it recommends. `History` holds what it may look at. They serve step-by-step views and
replay of a person's log, and are the readable reference that the compiled simulations are tested
against. All ties are broken uniformly at random by `history.rng`.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.methods.best_arm.algorithms import Algorithm, ucbe_numerator
from engine.methods.best_arm.rates import best_share, log_bar
from engine.methods.best_arm.schedules import (
    Elimination,
    sequential_halving_schedule,
    static_counts,
    successive_rejects_schedule,
)

Procedure = Generator[int, int, int]


@dataclass(frozen=True)
class Rejection:
    """Arm `arm` was dropped after `t` draws with empirical mean `mean`."""

    t: int
    arm: int
    mean: float


@dataclass
class History:
    """Counts N_k and sums S_k so far, the arms dropped, and the random numbers for ties."""

    arms: int
    budget: int
    rng: np.random.Generator
    counts: list[int] = field(default_factory=list)
    successes: list[int] = field(default_factory=list)
    rejections: list[Rejection] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.counts = [0] * self.arms
        self.successes = [0] * self.arms

    @property
    def t(self) -> int:
        """Draws made."""
        return sum(self.counts)

    def record(self, arm: int, reward: int) -> None:
        """Count a draw of `arm` with its reward 0 or 1."""
        self.counts[arm] += 1
        self.successes[arm] += reward

    def mean(self, arm: int) -> float:
        """μ̂ of an arm, ½ when it was not drawn."""
        n = self.counts[arm]
        return self.successes[arm] / n if n else 0.5

    def drop(self, arm: int) -> None:
        """Note that an arm was dropped now."""
        self.rejections.append(Rejection(self.t, arm, self.mean(arm)))

    def any_of(self, arms: Sequence[int]) -> int:
        """One of the tied arms, uniformly."""
        return arms[0] if len(arms) == 1 else arms[int(self.rng.integers(len(arms)))]

    def best_of(self, arms: Sequence[int]) -> int:
        """argmax μ̂ over `arms`."""
        top = max(self.mean(k) for k in arms)
        return self.any_of([k for k in arms if self.mean(k) == top])

    def least_drawn(self, arms: Sequence[int]) -> int:
        """argmin N over `arms`."""
        least = min(self.counts[k] for k in arms)
        return self.any_of([k for k in arms if self.counts[k] == least])


def uniform(h: History) -> Procedure:
    """Round-robin; the T mod K draws left over go to random distinct arms; argmax μ̂."""
    for _ in range(h.budget):
        yield h.least_drawn(range(h.arms))
    return h.best_of(range(h.arms))


def static(h: History, weights: Sequence[float]) -> Procedure:
    """Fixed weights: each draw goes to the arm furthest behind its share; argmax μ̂."""
    goal = static_counts(weights, h.budget)
    share = goal / h.budget
    for t in range(h.budget):
        behind = [
            share[k] * (t + 1) - h.counts[k] if h.counts[k] < goal[k] else -math.inf for k in range(h.arms)
        ]
        top = max(behind)
        yield h.any_of([k for k in range(h.arms) if behind[k] > top - 1e-9])
    return h.best_of(range(h.arms))


def elimination(h: History, schedule: Elimination) -> Procedure:
    """Successive Rejects and Sequential Halving: equal draws for the active arms, then the worst leave."""
    active = list(range(h.arms))
    before = list(h.successes)
    for draws, kept in zip(schedule.draws, schedule.keep, strict=True):
        for _ in range(draws):
            for i in range(len(active)):
                yield active[i]
        score = {k: h.successes[k] - (before[k] if schedule.fresh else 0) for k in active}
        while len(active) > kept:
            low = min(score[k] for k in active)
            worst = h.any_of([k for k in active if score[k] == low])
            active.remove(worst)
            h.drop(worst)
        before = list(h.successes)
    return active[0]


def ucb_e(h: History, exploration: float) -> Procedure:
    """UCB-E with a = `exploration`; a negative value estimates H1, gaps floored at √(1/t)."""
    for t in range(h.budget):
        if t < h.arms:
            yield t
            continue
        a = exploration if exploration >= 0 else _estimated_exploration(h)
        index = [h.mean(k) + math.sqrt(a / h.counts[k]) for k in range(h.arms)]
        top = max(index)
        yield h.any_of([k for k in range(h.arms) if index[k] == top])
    return h.best_of(range(h.arms))


def _estimated_exploration(h: History) -> float:
    means = sorted((h.mean(k) for k in range(h.arms)), reverse=True)
    gaps = [max(means[0] - m, math.sqrt(1 / h.t)) for m in means[1:]]
    return ucbe_numerator(h.arms, h.budget) / (sum(g**-2 for g in gaps) + min(gaps) ** -2)


def continuous_rejects(h: History, theta: float, average: bool, keep_drawing: bool) -> Procedure:
    """CR-C (gap to the next worst) or CR-A (gap to the average of the others), see `rejection_kernels`."""
    candidates = list(range(h.arms))
    dropped: list[int] = []
    for t in range(h.budget):
        if len(candidates) > 1 and t >= max(h.arms, theta * h.budget):
            low = min(h.mean(k) for k in candidates)
            worst = h.any_of([k for k in candidates if h.mean(k) == low])
            rest = [h.mean(k) for k in candidates if k != worst]
            gap = (sum(rest) / len(rest) if average else min(rest)) - low
            spent = sum(h.counts[k] for k in dropped)
            beta = (t - spent) * log_bar(len(candidates)) / (h.budget - spent)
            most = max((h.counts[k] for k in dropped), default=0)
            if h.counts[worst] > most and gap >= 1 / math.sqrt(beta) - 1:
                candidates.remove(worst)
                dropped.append(worst)
                h.drop(worst)
        if len(candidates) == 1 and not keep_drawing:
            break
        yield h.least_drawn(candidates)
    return h.best_of(candidates)


def tracking(h: History, exploration: float) -> Procedure:
    """Plug-in tracking of x*(μ̂) on two arms, with forced exploration N ≥ exploration·√(t+1)."""
    for t in range(h.budget):
        n1, n2 = h.counts
        if min(n1, n2) < exploration * math.sqrt(t + 1):
            yield 0 if n1 <= n2 else 1
        else:
            yield _steer(h, _smoothed_share(h))
    return h.best_of((0, 1))


def two_stage(h: History, stage: int) -> Procedure:
    """`stage` draws shared equally, then the share x*(μ̂) estimated at its end, kept fixed."""
    share = 0.5
    for t in range(h.budget):
        if t == stage:
            share = _smoothed_share(h)
        yield _steer(h, share)
    return h.best_of((0, 1))


def _smoothed_share(h: History) -> float:
    p1, p2 = ((s + 0.5) / (n + 1) for n, s in zip(h.counts, h.successes, strict=True))
    return float(best_share(p1, p2)) if abs(p1 - p2) > 1e-12 else 0.5


def _steer(h: History, share: float) -> int:
    lead = h.counts[0] - (1 - share) * h.t
    if abs(lead) < 1e-9:
        return h.any_of((0, 1))
    return 0 if lead < 0 else 1


def top_two_thompson(h: History, leader_share: float, redraws: int = 25) -> Procedure:
    """Top-two Thompson sampling; with leader_share = 1, Thompson sampling. Uniform priors."""
    for _ in range(h.budget):
        order = _posterior_order(h)
        pick = order[0]
        if h.rng.random() >= leader_share:
            for _ in range(redraws if h.arms > 2 else 0):
                order = _posterior_order(h)
                if order[0] != pick:
                    break
            pick = order[0] if order[0] != pick else order[1]
        yield pick
    return h.best_of(range(h.arms))


def _posterior_order(h: History) -> list[int]:
    s, n = np.array(h.successes), np.array(h.counts)
    return [int(k) for k in np.argsort(-h.rng.beta(s + 1, n - s + 1))]


def procedure_of(algorithm: Algorithm, h: History, means: Sequence[float] | None = None) -> Procedure:
    """The procedure of an algorithm on a history. `means` are needed by the oracle UCB-E only.

    Raises ValueError when the algorithm cannot run with the history's arms and budget.
    """
    algorithm.check(h.arms, h.budget)
    a = algorithm
    if a.name == "uniform":
        return uniform(h)
    if a.name == "static":
        assert a.weights is not None
        return static(h, a.weights)
    if a.name == "sr":
        return elimination(h, successive_rejects_schedule(h.arms, h.budget))
    if a.name in ("sh", "sh_fresh"):
        return elimination(h, sequential_halving_schedule(h.arms, h.budget, reuse=a.name == "sh"))
    if a.name == "ucbe":
        if a.exploration == "oracle" and means is None:
            raise ValueError("UCB-E with the oracle's a needs the true means")
        return ucb_e(h, a.ucbe_exploration(means if means is not None else (), h.budget))
    if a.name in ("cr_c", "cr_a"):
        return continuous_rejects(h, a.theta, a.name == "cr_a", a.keep_drawing)
    if a.name == "tracking":
        return tracking(h, a.tracking_exploration)
    if a.name == "two_stage":
        return two_stage(h, a.first_stage(h.budget))
    return top_two_thompson(h, a.leader_share if a.name == "ttts" else 1.0)
