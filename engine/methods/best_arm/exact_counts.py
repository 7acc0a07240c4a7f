"""Exact error probability when the draws per arm do not depend on the rewards (uniform, fixed weights).

P(right) = Σ_s P(S_1=s) Σ_j c_j(s)/(1+j), Σ_j c_j z^j = Π_{k≥2} (P(S_k/n_k < s/n_1) + P(S_k/n_k = s/n_1) z).
Σ_j c_j/(1+j) is the integral of that polynomial over z in [0, 1], done exactly by Gauss–Legendre with
⌈K/2⌉ nodes. Errors as small as e^−100000 keep their relative accuracy: the complement is accumulated
from upper tails, all terms positive, in logarithms.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from engine.methods.best_arm.binomial_logs import Floats, log_above, log_below, log_pmf_window
from engine.methods.best_arm.rates import two_arm_rate
from engine.methods.best_arm.schedules import static_counts, uniform_counts

Ints = NDArray[np.int64]
Head = tuple[int, Floats, int]
"""The hero's table: lowest sum, ln P from there on, draws."""
Kernel = Callable[..., float]

NEGLIGIBLE = 60.0
"""Terms e^−60 below the largest are left out: a million of them stay below rounding."""


def log_error_uniform(means: ArrayLike, budget: int) -> float:
    """ln P(error) of uniform sampling with `budget` draws, any K; T mod K random arms get one more.

    Right is to recommend a maximal arm; if all means are equal, arm 1 (so that two equal arms give ½).
    Cost O(K² n) when K divides T, O(K² n · (T mod K)) otherwise.
    """
    m = np.asarray(means, dtype=float)
    each, extra = uniform_counts(m.size, budget)
    return _log_error(m, np.full(m.size, each, np.int64), extra)


def log_error_fixed(means: ArrayLike, counts: ArrayLike) -> float:
    """ln P(error) for given draws per arm: `means` (K,), `counts` (K,) integers; undrawn arms count as ½."""
    return _log_error(np.asarray(means, dtype=float), np.asarray(counts, dtype=np.int64), 0)


def log_error_static(means: ArrayLike, weights: ArrayLike, budget: int) -> float:
    """ln P(error) of the fixed allocation `weights` (K,) with `budget` draws."""
    return log_error_fixed(means, static_counts(weights, budget))


def selection_probabilities(means: ArrayLike, counts: ArrayLike) -> Floats:
    """P(arm k is recommended), (K,), for given draws per arm (K,): which arm would be shipped."""
    m, n = np.asarray(means, dtype=float), np.asarray(counts, dtype=np.int64)
    return np.exp([_log_selected(m, n, 0, k) for k in range(m.size)])


def _log_error(means: Floats, counts: Ints, extra: int) -> float:
    best = np.flatnonzero(means == means.max())
    if 1 < best.size < means.size:
        wrong = np.delete(np.arange(means.size), best)
        return float(np.logaddexp.reduce([_log_selected(means, counts, extra, int(k)) for k in wrong]))
    hero = int(best[0])
    return _over_leftovers(means, counts, extra, hero, _log_beaten)


def _log_selected(means: Floats, counts: Ints, extra: int, hero: int) -> float:
    return _over_leftovers(means, counts, extra, hero, _log_wins)


def _over_leftovers(means: Floats, counts: Ints, extra: int, hero: int, kernel: Kernel) -> float:
    """Average over whether the hero itself is among the `extra` arms that get one more draw."""
    others = np.delete(np.arange(means.size), hero)
    depth = _depth(means, counts, hero)
    terms = []
    for lifted, chance in ((0, 1 - extra / means.size), (1, extra / means.size)):
        if chance > 0:
            n1 = int(counts[hero]) + lifted
            head = (*log_pmf_window(n1, float(means[hero]), depth), n1 if n1 else 2)
            value = _evaluate(head, means[others], counts[others], extra - lifted, kernel, depth)
            terms.append(np.log(chance) + value)
    return float(min(np.logaddexp.reduce(terms), 0.0))


def _depth(means: Floats, counts: Ints, hero: int) -> float:
    """How far below the mode the tables must reach, in nats: well beyond the pairwise exponents.

    −ln of the chance that arm k beats the hero is close to its exponent, (n_1+n_k) · rate of the pair:
    twice the smallest and 800 more covers all that a double can tell apart.
    """
    others = np.delete(np.arange(means.size), hero)
    totals = counts[hero] + counts[others]
    shares = np.where(totals > 0, counts[others] / np.maximum(totals, 1), 0.5)
    exponents = totals * two_arm_rate(shares, means[hero], means[others])
    return 2.0 * float(exponents.min()) + 800.0


def _evaluate(head: Head, means: Floats, counts: Ints, extra: int, kernel: Kernel, depth: float) -> float:
    """Lay the tables of the other arms end to end and run a kernel.

    Table 2k is arm k without, 2k+1 with an extra draw; it covers the values `lowest[i]` on.
    """
    tail_of = log_above if kernel is _log_beaten else log_below
    known: dict[tuple[int, float], tuple[int, Floats, Floats]] = {}
    tables, trials = [], []
    for mean, count in zip(means, counts, strict=True):
        for n in (int(count), int(count) + (extra > 0)):
            if (n, mean) not in known:
                low, pmf = log_pmf_window(n, float(mean), depth)
                known[n, mean] = low, pmf, tail_of(pmf)
            tables.append(known[n, mean])
            trials.append(n if n else 2)
    start = np.concatenate(([0], np.cumsum([table[1].size for table in tables]))).astype(np.int64)
    lowest = np.array([table[0] for table in tables], np.int64)
    equal = np.concatenate([table[1] for table in tables])
    tail = np.concatenate([table[2] for table in tables])
    nodes, weights = np.polynomial.legendre.leggauss((means.size + 2) // 2)
    return float(
        kernel(*head, equal, tail, start, lowest, np.array(trials), extra, 0.5 * (nodes + 1), 0.5 * weights)
    )


@njit(nogil=True, cache=True, inline="always")
def _look_up(
    equal: NDArray,
    tail: NDArray,
    start: NDArray,
    lowest: NDArray,
    trials: NDArray,
    table: int,
    s: int,
    n1: int,
    below: bool,
) -> tuple[float, float]:
    """(ln of the tail, ln of the tie) of one arm against the hero's s of n1.

    `below`: the tail is P(S/n < s/n1), else P(S/n > s/n1); beyond the table it is 0 or 1.
    """
    x = s * trials[table] // n1
    exact = x * n1 == s * trials[table]
    i = x - lowest[table]
    size = start[table + 1] - start[table]
    if i < 0 or i >= size:
        certain = (i >= size) == below
        return (0.0 if certain else -np.inf), -np.inf
    place = start[table] + i
    if exact:
        return tail[place], equal[place]
    # s n/n1 lies between x and x+1: P(S < that) is P(S ≤ x), P(S > that) is P(S > x)
    return (np.logaddexp(tail[place], equal[place]) if below else tail[place]), -np.inf


@njit(nogil=True, cache=True)
def _log_beaten(
    head_low: int,
    head: NDArray,
    n1: int,
    equal: NDArray,
    tail: NDArray,
    start: NDArray,
    lowest: NDArray,
    trials: NDArray,
    extra: int,
    nodes: NDArray,
    weights: NDArray,
) -> float:
    """ln P(hero is not selected).

    At each s, with e_k(z) the chance that arm k beats the hero outright, or ties and precedes it,
    D ← D + (1−D) e_k accumulates 1 − Π(1−e_k), in units of e^L, L the largest ln e_k. `lifted` runs over
    how many extra draws are already dealt (a hypergeometric walk). Values of s that cannot matter
    beside the largest term are skipped.
    """
    arms = lowest.shape[0] // 2
    log_tail, log_equal = np.empty(2 * arms), np.empty(2 * arms)
    scales = np.full(head.shape[0], -np.inf)
    largest = -np.inf
    for j in range(head.shape[0]):
        for i in range(2 * arms):
            t, e = _look_up(equal, tail, start, lowest, trials, i, head_low + j, n1, False)
            scales[j] = max(scales[j], t, e)
        largest = max(largest, head[j] + scales[j])
    total = -np.inf
    chance, done = np.empty(extra + 2), np.empty(extra + 2)
    for j in range(head.shape[0]):
        scale = scales[j]
        if scale == -np.inf or head[j] + scale < largest - NEGLIGIBLE:
            continue
        for i in range(2 * arms):
            log_tail[i], log_equal[i] = _look_up(
                equal, tail, start, lowest, trials, i, head_low + j, n1, False
            )
            log_tail[i] = np.exp(log_tail[i] - scale)
            log_equal[i] = np.exp(log_equal[i] - scale)
        unit = np.exp(scale)
        mass = 0.0
        for z in range(nodes.shape[0]):
            chance[:] = 0.0
            done[:] = 0.0
            chance[0] = 1.0
            for k in range(arms):
                e0 = log_tail[2 * k] + log_equal[2 * k] * nodes[z]
                e1 = log_tail[2 * k + 1] + log_equal[2 * k + 1] * nodes[z]
                for lifted in range(min(extra, k + 1), -1, -1):
                    q = (extra - lifted) / (arms - k)
                    c, d = chance[lifted], done[lifted]
                    chance[lifted] = c * (1 - q)
                    done[lifted] = (d + (c - unit * d) * e0) * (1 - q)
                    if lifted < extra:
                        chance[lifted + 1] += c * q
                        done[lifted + 1] += (d + (c - unit * d) * e1) * q
            mass += weights[z] * done[extra]
        if mass > 0:
            total = np.logaddexp(total, head[j] + scale + np.log(mass))
    return total


@njit(nogil=True, cache=True)
def _log_wins(
    head_low: int,
    head: NDArray,
    n1: int,
    equal: NDArray,
    tail: NDArray,
    start: NDArray,
    lowest: NDArray,
    trials: NDArray,
    extra: int,
    nodes: NDArray,
    weights: NDArray,
) -> float:
    """ln P(hero is selected): no arm above it, ties by a uniform order; products in logarithms."""
    arms = lowest.shape[0] // 2
    total = -np.inf
    log_tail, log_equal = np.empty(2 * arms), np.empty(2 * arms)
    product = np.empty(extra + 2)
    for j in range(head.shape[0]):
        for i in range(2 * arms):
            log_tail[i], log_equal[i] = _look_up(
                equal, tail, start, lowest, trials, i, head_low + j, n1, True
            )
        if head[j] == -np.inf:
            continue
        for z in range(nodes.shape[0]):
            product[:] = 0.0
            product[0] = 1.0
            scale, tie = 0.0, np.log(nodes[z])
            for k in range(arms):
                f0 = np.logaddexp(log_tail[2 * k], log_equal[2 * k] + tie)
                f1 = np.logaddexp(log_tail[2 * k + 1], log_equal[2 * k + 1] + tie)
                top = max(f0, f1)
                if top == -np.inf:
                    scale = -np.inf
                    break
                scale += top
                for lifted in range(min(extra, k + 1), -1, -1):
                    q = (extra - lifted) / (arms - k)
                    p = product[lifted]
                    product[lifted] = p * np.exp(f0 - top) * (1 - q)
                    if lifted < extra:
                        product[lifted + 1] += p * np.exp(f1 - top) * q
            if scale > -np.inf and product[extra] > 0:
                total = np.logaddexp(total, head[j] + scale + np.log(weights[z] * product[extra]))
    return total
