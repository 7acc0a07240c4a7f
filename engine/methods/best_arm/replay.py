"""One run step by step, on simulated rewards or on the rewards of a log."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.methods.best_arm.algorithms import Algorithm
from engine.methods.best_arm.procedures import History, Rejection, procedure_of

Source = Callable[[int], int | None]
"""source(arm): the next reward of an arm, None when it has no more."""


PAUSE = 200
"""Draws between two pauses of `tracing`: a few hundredths of a second."""


@dataclass(frozen=True)
class Trace:
    """What happened: `arms` (t,) and `rewards` (t,) in order, the arms dropped, the recommendation.

    `exhausted` is the arm whose log ran out before the budget was used (the run stopped there and
    recommends the best empirical mean so far), else None.
    """

    arms: NDArray[np.int64]
    rewards: NDArray[np.int64]
    counts: NDArray[np.int64]
    successes: NDArray[np.int64]
    rejections: tuple[Rejection, ...]
    recommended: int
    exhausted: int | None

    def counts_over_time(self) -> NDArray[np.int64]:
        """N_k(t) after each draw, shape (t, K)."""
        hits = np.zeros((self.arms.size, self.counts.size), np.int64)
        hits[np.arange(self.arms.size), self.arms] = 1
        return np.cumsum(hits, axis=0)

    def means_over_time(self) -> NDArray[np.float64]:
        """μ̂_k after each draw, shape (t, K); ½ before the first draw of an arm."""
        hits = np.zeros((self.arms.size, self.counts.size), np.int64)
        hits[np.arange(self.arms.size), self.arms] = self.rewards
        n, s = self.counts_over_time(), np.cumsum(hits, axis=0)
        return np.where(n > 0, s / np.maximum(n, 1), 0.5)


def bernoulli_source(means: ArrayLike, rng: np.random.Generator) -> Source:
    """Rewards drawn as Bernoulli(μ_k)."""
    m = np.asarray(means, dtype=float)
    return lambda arm: int(rng.random() < m[arm])


def log_source(arms: ArrayLike, rewards: ArrayLike, count: int) -> Source:
    """Rewards of a log in its order: drawing arm k takes the next unused reward logged for k.

    `arms` (n,) integers in 0..count−1, `rewards` (n,) of 0 and 1.
    """
    a, x = np.asarray(arms, dtype=np.int64), np.asarray(rewards, dtype=np.int64)
    queues = [iter(x[a == k].tolist()) for k in range(count)]
    return lambda arm: next(queues[arm], None)


def trace(
    algorithm: Algorithm,
    arms: int,
    budget: int,
    source: Source,
    rng: np.random.Generator,
    means: Sequence[float] | None = None,
) -> Trace:
    """Run an algorithm once. `means` only matter to the oracle UCB-E.

    The labels an algorithm sees are as given; none of the algorithms prefers a label, ties are random.
    """
    steps = tracing(algorithm, arms, budget, source, rng, means)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def tracing(
    algorithm: Algorithm,
    arms: int,
    budget: int,
    source: Source,
    rng: np.random.Generator,
    means: Sequence[float] | None = None,
) -> Generator[int, None, Trace]:
    """`trace` in pieces: yields the draws made every `PAUSE` draws, returns the trace."""
    h = History(arms, budget, rng)
    procedure = procedure_of(algorithm, h, means)
    drawn: list[tuple[int, int]] = []
    exhausted, recommended = None, None
    try:
        arm = next(procedure)
        while True:
            reward = source(arm)
            if reward is None:
                exhausted = arm
                procedure.close()
                break
            h.record(arm, reward)
            drawn.append((arm, reward))
            if len(drawn) % PAUSE == 0:
                yield len(drawn)
            arm = procedure.send(reward)
    except StopIteration as end:
        recommended = end.value
    if recommended is None:
        gone = {r.arm for r in h.rejections}
        recommended = h.best_of([k for k in range(arms) if k not in gone])
    steps = np.array(drawn, dtype=np.int64).reshape(-1, 2)
    return Trace(
        steps[:, 0], steps[:, 1], np.array(h.counts), np.array(h.successes),
        tuple(h.rejections), int(recommended), exhausted,
    )  # fmt: skip


def largest_budget(arms: ArrayLike, count: int) -> int:
    """Draws that equal sampling can make before a log runs out: K · (fewest rewards of an arm)."""
    return int(count * np.bincount(np.asarray(arms, dtype=np.int64), minlength=count).min())
