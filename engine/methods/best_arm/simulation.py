"""Simulated runs of any algorithm on any instance, in resumable batches.

A batch is a pure function of (algorithm, means, budget, seed, stream, batch number): the same numbers
come out whichever thread computes it and however often a run was paused. The memory is that of one
batch, O(batch · K).
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.methods.best_arm import (
    index_kernels,
    phase_kernels,
    rejection_kernels,
    thompson_kernels,
    tracking_kernels,
)
from engine.methods.best_arm.algorithms import Algorithm, ucbe_numerator
from engine.methods.best_arm.binomial_tables import BinomialTables, binomial_tables
from engine.methods.best_arm.intervals import wilson
from engine.methods.best_arm.rates import log_bar
from engine.methods.best_arm.schedules import (
    Elimination,
    sequential_halving_schedule,
    static_counts,
    successive_rejects_schedule,
    uniform_counts,
)
from engine.methods.best_arm.streams import State, stream

MAX_BATCH = 100_000
_DRAWS_PER_BATCH = 2_000_000  # keeps a batch of a step algorithm near 0.1 s

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Outcomes:
    """One batch: `counts` (R, K) draws, `successes` (R, K), `chosen` (R,) recommended arm, int32.

    `path` (C, K): Σ over the runs of the draws per arm after `checkpoints` (C,) draws in total.
    """

    counts: NDArray[np.int32]
    successes: NDArray[np.int32]
    chosen: NDArray[np.int32]
    checkpoints: Ints
    path: NDArray[np.float64]


@dataclass
class Tally:
    """What is kept of all batches so far.

    `chosen` (K,) recommendations, `draws` (K,) total draws, `path` (C, K) mean draws per arm at
    `checkpoints`; for two arms `split` (T+1,) histogram of the draws of arm 2.
    """

    runs: int
    chosen: Ints
    draws: NDArray[np.float64]
    checkpoints: Ints
    path_sum: NDArray[np.float64]
    split: Ints = field(default_factory=lambda: np.zeros(0, np.int64))

    def errors(self, correct: NDArray[np.bool_]) -> int:
        """Runs that recommended an arm not marked in `correct` (K,)."""
        return int(self.chosen[~correct].sum())

    def error_interval(self, correct: NDArray[np.bool_], level: float = 0.95) -> tuple[float, float, float]:
        """(estimate, low, high) of the error probability, Wilson interval."""
        wrong = self.errors(correct)
        return (wrong / max(self.runs, 1), *wilson(wrong, self.runs, level))

    @property
    def mean_shares(self) -> NDArray[np.float64]:
        """(C, K) mean share of the draws so far of each arm at the checkpoints."""
        return self.path_sum / np.maximum(self.path_sum.sum(axis=1, keepdims=True), 1.0)


def correct_arms(means: ArrayLike) -> NDArray[np.bool_]:
    """Which recommendations are right (K,): every maximal arm; arm 1 by its label if all are equal."""
    m = np.asarray(means, dtype=float)
    right = m == m.max()
    if right.all():
        right = np.arange(m.size) == 0
    return right


class Simulator:
    """Simulates one algorithm on one instance for one budget.

    `means` (K,) in [0, 1], in any order: no algorithm here depends on the labels. `stream_name`
    separates the random numbers of different curves; give two simulators the same name for common
    random numbers. `proposal` (K,) draws the rewards from other means (for importance sampling).
    Raises ValueError when the algorithm cannot run (see `Algorithm.check`).
    """

    def __init__(
        self,
        algorithm: Algorithm,
        means: ArrayLike,
        budget: int,
        *,
        seed: int = 0,
        stream_name: tuple[int, ...] = (0,),
        checkpoints: ArrayLike = (),
        batch: int | None = None,
    ) -> None:
        self.algorithm = algorithm
        self.means = np.asarray(means, dtype=float)
        self.budget = int(budget)
        algorithm.check(self.means.size, self.budget)
        self.checkpoints = np.asarray(checkpoints, dtype=np.int64)
        self._name = (seed, *stream_name)
        self._tables: BinomialTables | None = None
        self.batch_size = batch or self._default_batch()

    @property
    def arms(self) -> int:
        """K."""
        return self.means.size

    @property
    def schedule(self) -> Elimination | None:
        """The rounds of an elimination algorithm, None for the others."""
        if self.algorithm.name == "sr":
            return successive_rejects_schedule(self.arms, self.budget)
        if self.algorithm.name in ("sh", "sh_fresh"):
            return sequential_halving_schedule(self.arms, self.budget, reuse=self.algorithm.name == "sh")
        return None

    def _default_batch(self) -> int:
        if self.algorithm.name in ("uniform", "static", "sr", "sh", "sh_fresh"):
            return MAX_BATCH // 4
        cost = self.budget * (25 * self.arms if self.algorithm.name[0] == "t" else 1)
        return int(np.clip(_DRAWS_PER_BATCH // cost, 16, MAX_BATCH // 4))

    def batch(self, number: int, runs: int | None = None) -> Outcomes:
        """Simulate batch `number` (0, 1, …) of `runs` runs (the whole batch by default)."""
        size = self.batch_size if runs is None else runs
        counts = np.zeros((size, self.arms), np.int32)
        successes = np.zeros((size, self.arms), np.int32)
        chosen = np.zeros(size, np.int32)
        state = stream((*self._name, number))
        name = self.algorithm.name
        if name in ("uniform", "static"):
            path = self._fixed(state, counts, successes, chosen)
        elif self.schedule is not None:
            path = self._elimination(state, counts, successes, chosen)
        else:
            path = np.zeros((self.checkpoints.size, self.arms))
            self._steps(state, counts, successes, chosen, path)
        return Outcomes(counts, successes, chosen, self.checkpoints, path)

    def _fixed(
        self, state: State, counts: NDArray, successes: NDArray, chosen: NDArray
    ) -> NDArray[np.float64]:
        if self.algorithm.name == "uniform":
            each, extra = uniform_counts(self.arms, self.budget)
            base = np.full(self.arms, each, np.int64)
        else:
            assert self.algorithm.weights is not None
            base, extra = static_counts(self.algorithm.weights, self.budget), 0
        if self._tables is None:
            trials = np.stack([base, base + 1], axis=1).ravel()
            self._tables = binomial_tables(trials, np.repeat(self.means, 2))
        t = self._tables
        phase_kernels.simulate_fixed(
            state, t.cumulative, t.guide, t.start, t.lowest, base, extra, counts, successes, chosen
        )
        total = counts.sum(axis=0, dtype=np.float64)
        return self.checkpoints[:, None] / self.budget * total

    def _elimination(
        self, state: State, counts: NDArray, successes: NDArray, chosen: NDArray
    ) -> NDArray[np.float64]:
        schedule = self.schedule
        assert schedule is not None
        draws = np.array(schedule.draws, np.int64)
        if self._tables is None:
            self._tables = binomial_tables(np.repeat(draws, self.arms), np.tile(self.means, draws.size))
        t = self._tables
        ends = np.zeros((draws.size, self.arms))
        phase_kernels.simulate_elimination(
            state, t.cumulative, t.guide, t.start, t.lowest, draws, np.array(schedule.keep, np.int64),
            schedule.fresh, counts, successes, chosen, ends,
        )  # fmt: skip
        # Draws are dealt in turn within a phase: the shares move linearly between its ends.
        spent = np.concatenate(([0], np.cumsum(draws * np.array(schedule.active))))
        steps = np.vstack([np.zeros((1, self.arms)), ends])
        columns = [np.interp(self.checkpoints, spent, steps[:, k]) for k in range(self.arms)]
        return np.stack(columns, axis=1)

    def _steps(
        self, state: State, counts: NDArray, successes: NDArray, chosen: NDArray, path: NDArray
    ) -> None:
        a, out = self.algorithm, (counts, successes, chosen, self.checkpoints, path)
        head = (state, self.means, self.budget)
        if a.name == "ucbe":
            exploration = a.ucbe_exploration(self.means, self.budget)
            index_kernels.simulate_ucbe(*head, exploration, ucbe_numerator(self.arms, self.budget), *out)
        elif a.name in ("cr_c", "cr_a"):
            bars = np.array([0.0] + [log_bar(m) for m in range(1, self.arms + 1)])
            rejection_kernels.simulate_rejects(*head, a.theta, bars, a.name == "cr_a", a.keep_drawing, *out)
        elif a.name in ("tracking", "two_stage"):
            stage = a.first_stage(self.budget) if a.name == "two_stage" else -1
            tracking_kernels.simulate_tracking(*head, a.tracking_exploration, stage, *out)
        else:
            share = a.leader_share if a.name == "ttts" else 1.0
            thompson_kernels.simulate_thompson(*head, share, *out)

    def empty_tally(self) -> Tally:
        """The tally before the first batch."""
        split = np.zeros(self.budget + 1 if self.arms == 2 else 0, np.int64)
        return Tally(
            0,
            np.zeros(self.arms, np.int64),
            np.zeros(self.arms),
            self.checkpoints,
            np.zeros((self.checkpoints.size, self.arms)),
            split,
        )

    def add(self, tally: Tally, outcomes: Outcomes) -> None:
        """Add a batch to a tally in place."""
        tally.runs += outcomes.chosen.size
        tally.chosen += np.bincount(outcomes.chosen, minlength=self.arms)
        tally.draws += outcomes.counts.sum(axis=0, dtype=np.float64)
        tally.path_sum += outcomes.path
        if self.arms == 2:
            tally.split += np.bincount(outcomes.counts[:, 1], minlength=self.budget + 1)


def simulate(simulator: Simulator, runs: int, *, threads: int = 1) -> Iterator[Tally]:
    """Yield the same growing tally after every batch (or after `threads` batches) until `runs` runs."""
    tally = simulator.empty_tally()
    sizes = [simulator.batch_size] * (runs // simulator.batch_size)
    if runs % simulator.batch_size:
        sizes.append(runs % simulator.batch_size)
    if threads <= 1:
        for number, size in enumerate(sizes):
            simulator.add(tally, simulator.batch(number, size))
            yield tally
        return
    with ThreadPoolExecutor(threads) as pool:
        for first in range(0, len(sizes), threads):
            part = range(first, min(first + threads, len(sizes)))
            for outcomes in pool.map(simulator.batch, part, sizes[first : first + threads]):
                simulator.add(tally, outcomes)
            yield tally
