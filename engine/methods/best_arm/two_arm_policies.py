"""Two-arm policies as decisions in every state, for the exact forward pass.

Every built-in algorithm that is a function of (n1, n2, s1, s2), and policies a person makes: a table
over progress and lead, or any Python function of the state.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from engine.methods.best_arm.algorithms import Algorithm, ucbe_numerator
from engine.methods.best_arm.index_kernels import estimated_exploration
from engine.methods.best_arm.rejection_kernels import allows_drop
from engine.methods.best_arm.tracking_kernels import log_tables, tracking_probability
from engine.methods.best_arm.two_arm_exact import Decision, Floats, Policy, layer_offsets

Ints = NDArray[np.int64]


def layer_states(t: int) -> tuple[Ints, Ints, Ints, Ints]:
    """(n1, n2, s1, s2) of every state of the packed layer of t draws."""
    size = int(layer_offsets(t)[-1])
    out = np.empty((4, size), np.int64)
    _fill_states(t, out)
    return out[0], out[1], out[2], out[3]


@njit(nogil=True, cache=True)
def _fill_states(t: int, out: NDArray) -> None:
    i = 0
    for n1 in range(t + 1):
        for s1 in range(n1 + 1):
            for s2 in range(t - n1 + 1):
                out[0, i], out[1, i], out[2, i], out[3, i] = n1, t - n1, s1, s2
                i += 1


def policy_of(algorithm: Algorithm, means: ArrayLike = (0.5, 0.5)) -> Policy:
    """The decision function of an algorithm on two arms. `means` matter to the oracle UCB-E only.

    Raises ValueError for algorithms that are no function of the state: two-stage (see
    `two_stage_exact`) and the phase algorithms (`exact_elimination`).
    """
    name = algorithm.name
    if name == "uniform":
        return static_policy(0.5)
    if name == "static" and algorithm.weights is not None:
        return static_policy(algorithm.weights[1] / sum(algorithm.weights))
    if name == "ttts":
        # With two arms the challenger is the other arm: the leader is drawn with probability β.
        return thompson_policy(algorithm.leader_share)
    if name == "thompson":
        return thompson_policy(1.0)
    if name == "tracking":
        return tracking_policy(algorithm.tracking_exploration)
    if name == "ucbe":
        return lambda t, budget, reached: Decision(
            _ucbe_layer(t, reached, algorithm.ucbe_exploration(means, budget), ucbe_numerator(2, budget))
        )
    if name in ("cr_c", "cr_a"):
        return rejects_policy(algorithm.theta)
    raise ValueError(f"{algorithm.title} is not a function of the counts and sums alone")


def static_policy(share: float) -> Policy:
    """Deterministic tracking of a fixed share of arm 2; a fair coin when both arms are equally behind."""

    def decide(t: int, budget: int, reached: Floats) -> Decision:
        n1 = np.arange(t + 1)
        behind = (1.0 - share) * (t + 1) - n1
        first = np.where(np.abs(behind - 0.5) < 1e-9, 0.5, (behind > 0.5).astype(float))
        return Decision(np.repeat(first, (n1 + 1) * (t - n1 + 1)))

    return decide


def tracking_policy(exploration: float = 0.5) -> Policy:
    """Plug-in tracking, see `tracking_kernels.tracking_probability`."""
    return lambda t, budget, reached: Decision(_tracking_layer(t, reached, exploration, *log_tables(budget)))


def thompson_policy(leader_share: float) -> Policy:
    """Draw the posterior sample's best arm with probability `leader_share`, else the other arm."""

    def decide(t: int, budget: int, reached: Floats) -> Decision:
        first = _thompson_layer(t, _log_factorials(t + 3))
        return Decision(leader_share * first + (1.0 - leader_share) * (1.0 - first))

    return decide


def rejects_policy(theta: float = 1e-6) -> Policy:
    """CR-C and CR-A, which are the same rule on two arms: equal draws until the worse arm is dropped."""

    def decide(t: int, budget: int, reached: Floats) -> Decision:
        n1 = np.arange(t + 1)
        first = np.repeat(0.5 * (1.0 + np.sign(t - 2 * n1)), (n1 + 1) * (t - n1 + 1))
        if t < max(2, int(np.ceil(theta * budget))):
            return Decision(first)
        return Decision(first, _rejects_stops(t, budget, np.array([0.0, 0.5, 1.0])))

    return decide


def function_policy(rule: Callable[..., ArrayLike]) -> Policy:
    """A policy from `rule(n1, n2, s1, s2, t, T)` on integer arrays, returning P(draw arm 1) or booleans.

    Raises ValueError, naming the first offending state, when a value is not a number in [0, 1].
    """

    def decide(t: int, budget: int, reached: Floats) -> Decision:
        needed = reached > 0
        states = [x[needed] for x in layer_states(t)]
        values = np.broadcast_to(np.asarray(rule(*states, t, budget), dtype=float), states[0].shape)
        bad = ~((values >= 0.0) & (values <= 1.0))
        if bad.any():
            n1, n2, s1, s2 = (int(x[np.argmax(bad)]) for x in states)
            raise ValueError(
                f"the rule gives {values[np.argmax(bad)]:g} at n1={n1}, n2={n2}, s1={s1}, s2={s2}; "
                "a probability between 0 and 1 is needed"
            )
        first = np.zeros(reached.size)
        first[needed] = values
        return Decision(first)

    return decide


def table_policy(table: ArrayLike) -> Policy:
    """A policy table: rows are equal parts of the budget used, columns equal parts of the lead.

    `table` (rows, columns) holds P(draw arm 1); the lead is the difference μ̂_1 − μ̂_2 of smoothed means
    (s+½)/(n+1), cut into equal intervals of [−1, 1].
    """
    cells = np.asarray(table, dtype=float)
    if cells.ndim != 2 or not ((cells >= 0) & (cells <= 1)).all():
        raise ValueError("the policy table must be a matrix of probabilities between 0 and 1")

    def decide(t: int, budget: int, reached: Floats) -> Decision:
        row = cells[min(int(t * cells.shape[0] / budget), cells.shape[0] - 1)]
        return Decision(_lead_layer(t, row))

    return decide


@njit(nogil=True, cache=True)
def _lead_layer(t: int, row: NDArray) -> NDArray:
    out = np.empty((t + 1) * (t + 2) * (t + 3) // 6)
    columns = row.shape[0]
    i = 0
    for n1 in range(t + 1):
        for s1 in range(n1 + 1):
            for s2 in range(t - n1 + 1):
                lead = (s1 + 0.5) / (n1 + 1.0) - (s2 + 0.5) / (t - n1 + 1.0)
                out[i] = row[min(int((lead + 1.0) * 0.5 * columns), columns - 1)]
                i += 1
    return out


@njit(nogil=True, cache=True)
def _tracking_layer(
    t: int, reached: NDArray, exploration: float, log_half: NDArray, log_one: NDArray
) -> NDArray:
    out = np.zeros((t + 1) * (t + 2) * (t + 3) // 6)
    i = 0
    for n1 in range(t + 1):
        for s1 in range(n1 + 1):
            for s2 in range(t - n1 + 1):
                if reached[i] > 0.0:
                    out[i] = tracking_probability(n1, t - n1, s1, s2, exploration, log_half, log_one)
                i += 1
    return out


@njit(nogil=True, cache=True)
def _ucbe_layer(t: int, reached: NDArray, exploration: float, numerator: float) -> NDArray:
    out = np.zeros((t + 1) * (t + 2) * (t + 3) // 6)
    mean = np.empty(2)
    i = 0
    for n1 in range(t + 1):
        n2 = t - n1
        for s1 in range(n1 + 1):
            for s2 in range(n2 + 1):
                if n1 == 0 or n2 == 0:
                    out[i] = 1.0 if n1 == 0 else 0.0
                elif reached[i] > 0.0:
                    mean[0], mean[1] = s1 / n1, s2 / n2
                    root = (
                        estimated_exploration(mean, 1.0 / t, numerator)
                        if exploration < 0
                        else np.sqrt(exploration)
                    )
                    lead = mean[0] + root / np.sqrt(n1) - mean[1] - root / np.sqrt(n2)
                    out[i] = 0.5 if n1 == n2 and s1 == s2 else (1.0 if lead > 0 else 0.0)
                i += 1
    return out


@njit(nogil=True, cache=True)
def _rejects_stops(t: int, budget: int, log_bars: NDArray) -> NDArray:
    """The arm recommended where the other is dropped, else 0. Packed layer, int8."""
    out = np.zeros((t + 1) * (t + 2) * (t + 3) // 6, np.int8)
    i = 0
    for n1 in range(t + 1):
        n2 = t - n1
        if abs(n1 - n2) > 1:
            i += (n1 + 1) * (n2 + 1)
            continue
        for s1 in range(n1 + 1):
            for s2 in range(n2 + 1):
                gap = s1 / n1 - s2 / n2
                if gap != 0.0 and allows_drop(abs(gap), t, 2, 0, budget, log_bars):
                    out[i] = 1 if gap > 0 else 2
                i += 1
    return out


def _log_factorials(largest: int) -> Floats:
    return np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, largest + 1)))))


@njit(nogil=True, cache=True)
def _thompson_layer(t: int, lf: NDArray) -> NDArray:
    """P(θ_1 > θ_2), θ_k ~ Beta(s_k+1, n_k−s_k+1) independent; lf[i] = ln i!.

    Moving one failure of arm 1 to a success adds g·(1/(b−1) + 1/a), with (a, b) the old parameters of
    arm 1 and g = B(a+a2, b−1+b2) / (B(a, b−1) B(a2, b2)); all terms are positive.
    """
    out = np.empty((t + 1) * (t + 2) * (t + 3) // 6)
    base = 0
    for n1 in range(t + 1):
        n2 = t - n1
        for s2 in range(n2 + 1):
            a2, b2 = s2 + 1, n2 - s2 + 1
            log_beta_2 = lf[a2 - 1] + lf[b2 - 1] - lf[a2 + b2 - 1]
            b = n1 + 1
            value = np.exp(lf[a2 - 1] + lf[b + b2 - 1] - lf[a2 + b + b2 - 1] - log_beta_2)
            out[base + s2] = value
            for s1 in range(n1):
                a, b = s1 + 1, n1 - s1 + 1
                g = np.exp(
                    lf[a + a2 - 1] + lf[b + b2 - 2] - lf[a + a2 + b + b2 - 2]
                    - (lf[a - 1] + lf[b - 2] - lf[a + b - 2]) - log_beta_2
                )  # fmt: skip
                value += g * (1.0 / (b - 1) + 1.0 / a)
                out[base + (s1 + 1) * (n2 + 1) + s2] = min(value, 1.0)
        base += (n1 + 1) * (n2 + 1)
    return out
