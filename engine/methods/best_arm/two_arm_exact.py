"""Exact law of any two-arm policy by one forward pass, valid for all instances at once.

R_t(n1, s1, s2) is the chance that the policy has drawn arm 1 n1 times after t draws, given that the
first n1 rewards of arm 1 hold s1 successes in random order, and the first n2 = t − n1 of arm 2 hold
s2. It does not depend on the means: for any μ,

  P(N_1 = n1, S_1 = s1, S_2 = s2) = R_t(n1, s1, s2) · Bin(n1, μ_1)(s1) · Bin(n2, μ_2)(s2).

With π = π(arm 1 | n1, n2, s1, s2) mass is passed on by
  R(n1+1, s1, s2)   += π R (n1+1−s1)/(n1+1),   R(n1+1, s1+1, s2) += π R (s1+1)/(n1+1),
and likewise for arm 2. R is the path count C of the direct recursion divided by two binomial
coefficients, so it stays in [0, 1] for every budget. One pass costs O(T⁴/24) cell updates and two
layers of O(T³/6) doubles. A layer is packed: block n1 holds (n1+1)(t−n1+1) values, s2 fastest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from engine.methods.best_arm.binomial_logs import pmf_rows

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Decision:
    """What a policy does in every state of a layer (packed arrays).

    `first`: probability of drawing arm 1. `stop`: 0 go on, 1 or 2 stop and recommend that arm; None
    when the policy never stops early.
    """

    first: Floats
    stop: NDArray[np.int8] | None = None


Policy = Callable[[int, int, Floats], Decision]
"""policy(t, T, reached): the decision in every state with t draws made of T.

`reached` is the packed layer R_t; where it is 0 the decision does not matter and need not be computed."""


def layer_offsets(t: int) -> Ints:
    """Start of block n1 = 0..t in the packed layer of t draws, and its total size; shape (t+2,)."""
    n1 = np.arange(t + 1, dtype=np.int64)
    return np.concatenate(([0], np.cumsum((n1 + 1) * (t - n1 + 1))))


@dataclass(frozen=True)
class Block:
    """States with the same (n1, n2): `reach` (n1+1, n2+1), rows s1, columns s2.

    `decided` (n1+1, n2+1) is 1 where a policy that stopped early recommends arm 2; None where the budget
    is used and the empirical means decide.
    """

    n1: int
    n2: int
    reach: Floats
    decided: Floats | None = None

    @property
    def second(self) -> Floats:
        """P(recommend arm 2) in every state: 0, ½ or 1."""
        return _recommend_second(self.n1, self.n2) if self.decided is None else self.decided


@dataclass(frozen=True)
class TwoArmLaw:
    """The final law of a two-arm policy: all blocks where it may end, for any means."""

    budget: int
    blocks: tuple[Block, ...]

    def choices(self, means_1: ArrayLike, means_2: ArrayLike) -> tuple[Floats, Floats]:
        """(P(recommend arm 1), P(recommend arm 2)) on a grid, each (A, B) for (A,) and (B,) means."""
        m1, m2 = np.atleast_1d(np.asarray(means_1, float)), np.atleast_1d(np.asarray(means_2, float))
        rows_1, rows_2 = _pmf_tables(m1, self.budget), _pmf_tables(m2, self.budget)
        one, two = np.zeros((m1.size, m2.size)), np.zeros((m1.size, m2.size))
        for b in self.blocks:
            f1, f2 = rows_1[b.n1], rows_2[b.n2]
            weighted = b.reach * b.second
            two += f1 @ weighted @ f2.T
            one += f1 @ (b.reach - weighted) @ f2.T
        return one, two

    def error(self, means_1: ArrayLike, means_2: ArrayLike) -> Floats:
        """P(error) on a grid (A, B): recommending the arm with the lower mean; arm 2 where equal."""
        one, two = self.choices(means_1, means_2)
        m1, m2 = np.atleast_1d(np.asarray(means_1, float)), np.atleast_1d(np.asarray(means_2, float))
        return np.where(m1[:, None] >= m2[None, :], two, one)

    def split(self, mean_1: float, mean_2: float) -> Floats:
        """P(N_2 = n) for n = 0..T, (T+1,): the law of the draws of arm 2."""
        rows_1, rows_2 = pmf_rows(self.budget, mean_1), pmf_rows(self.budget, mean_2)
        law = np.zeros(self.budget + 1)
        for b in self.blocks:
            law[b.n2] += rows_1[b.n1] @ b.reach @ rows_2[b.n2]
        return law

    def expected_share(self, mean_1: float, mean_2: float) -> float:
        """E[N_2/(N_1+N_2)]."""
        return float(self.expected_shares(np.array([mean_1]), np.array([mean_2]))[0])

    def expected_shares(self, means_1: Floats, means_2: Floats) -> Floats:
        """E[N_2/(N_1+N_2)] for pairs of means, (P,): a stable rule tends to ½ as both near a value."""
        rows_1, rows_2 = _pmf_tables(means_1, self.budget), _pmf_tables(means_2, self.budget)
        total = np.zeros(means_1.size)
        for b in self.blocks:
            mass = ((rows_1[b.n1] @ b.reach) * rows_2[b.n2]).sum(axis=1)
            total += b.n2 / max(b.n1 + b.n2, 1) * mass
        return total


def _pmf_tables(means: Floats, largest: int) -> list[Floats]:
    rows = [np.ones((means.size, 1))]
    p = means[:, None]
    for n in range(1, largest + 1):
        row = np.zeros((means.size, n + 1))
        row[:, :-1] = rows[-1] * (1.0 - p)
        row[:, 1:] += rows[-1] * p
        rows.append(row)
    return rows


class ForwardPass:
    """The recursion over t, resumable layer by layer.

    `policy` decides in every state; `reached` (packed, layer `t`) holds R_t. Iterate `steps()` to the
    end, then `law()`.
    """

    def __init__(self, policy: Policy, budget: int) -> None:
        if budget < 2:
            raise ValueError(f"two arms need a budget of at least 2, not {budget}")
        self.policy, self.budget, self.t = policy, int(budget), 0
        self.reached: Floats = np.ones(1)
        self._stopped: list[Block] = []

    def steps(self) -> Iterator[int]:
        """Advance one layer at a time, yielding the number of draws reached."""
        while self.t < self.budget:
            decision = self.policy(self.t, self.budget, self.reached)
            if decision.stop is not None:
                self._stop(decision.stop)
            following = np.zeros(layer_offsets(self.t + 1)[-1])
            push(self.t, self.reached, decision.first, following)
            self.reached = following
            self.t += 1
            yield self.t

    def _stop(self, stop: NDArray[np.int8]) -> None:
        """Set aside the mass of states that stop, with the arm they recommend."""
        offsets = layer_offsets(self.t)
        halted = (stop > 0) & (self.reached > 0)
        for n1 in np.unique(np.searchsorted(offsets, np.flatnonzero(halted), side="right") - 1):
            part, shape = slice(offsets[n1], offsets[n1 + 1]), (n1 + 1, self.t - n1 + 1)
            mass = np.where(halted[part], self.reached[part], 0.0).reshape(shape)
            second = (stop[part] == 2).astype(float).reshape(shape)
            self._stopped.append(Block(int(n1), int(self.t - n1), mass, second))
        self.reached[halted] = 0.0

    def law(self) -> TwoArmLaw:
        """The law of recommending now: argmax of raw empirical means, a fair coin on ties.

        After all steps it is the final law. Before, it is the law for the budget `t` of a policy that
        does not look at the budget.
        """
        offsets, blocks = layer_offsets(self.t), list(self._stopped)
        for n1 in range(self.t + 1):
            n2 = self.t - n1
            reach = self.reached[offsets[n1] : offsets[n1 + 1]].reshape(n1 + 1, n2 + 1)
            if reach.any():
                blocks.append(Block(n1, n2, reach))
        return TwoArmLaw(self.t, tuple(blocks))


def _recommend_second(n1: int, n2: int) -> Floats:
    """P(recommend arm 2) by empirical means (½ when undrawn), rows s1, columns s2."""
    s1, s2 = np.arange(n1 + 1)[:, None], np.arange(n2 + 1)[None, :]
    left = (s1 * 2 + (n1 == 0)) * max(n2, 1)
    right = (s2 * 2 + (n2 == 0)) * max(n1, 1)
    return 0.5 * (1.0 + np.sign(right - left))


@njit(nogil=True, cache=True)
def push(t: int, reached: NDArray, first: NDArray, following: NDArray) -> None:
    """Pass the mass of layer t on to layer t+1 (both packed; `following` starts at zero)."""
    here, there = 0, 0
    for n1 in range(t + 1):
        n2 = t - n1
        wide = n2 + 1
        # block n1 of the next layer has n2+2 columns, block n1+1 has n2+1
        next_block = there + (n1 + 1) * (n2 + 2)
        for s1 in range(n1 + 1):
            fail_1, gain_1 = (n1 + 1.0 - s1) / (n1 + 1.0), (s1 + 1.0) / (n1 + 1.0)
            for s2 in range(wide):
                mass = reached[here + s1 * wide + s2]
                if mass == 0.0:
                    continue
                p = first[here + s1 * wide + s2]
                if p > 0.0:
                    part = mass * p
                    following[next_block + s1 * wide + s2] += part * fail_1
                    following[next_block + (s1 + 1) * wide + s2] += part * gain_1
                if p < 1.0:
                    part = mass * (1.0 - p)
                    row = there + s1 * (n2 + 2) + s2
                    following[row] += part * (n2 + 1.0 - s2) / (n2 + 1.0)
                    following[row + 1] += part * (s2 + 1.0) / (n2 + 1.0)
        here += (n1 + 1) * wide
        there = next_block


def two_arm_law(policy: Policy, budget: int) -> TwoArmLaw:
    """The whole pass at once."""
    forward = ForwardPass(policy, budget)
    for _ in forward.steps():
        pass
    return forward.law()
