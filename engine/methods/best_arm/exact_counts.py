"""Exact error probability when the draws per arm do not depend on the rewards (uniform, fixed weights).

P(right) = Σ_s P(S_1=s) Σ_j c_j(s)/(1+j), Σ_j c_j z^j = Π_{k≥2} (P(S_k/n_k < s/n_1) + P(S_k/n_k = s/n_1) z).
Σ_j c_j/(1+j) is the integral of that polynomial over z in [0, 1], done exactly by Gauss–Legendre with
⌈K/2⌉ nodes. Errors as small as e^−100000 keep their relative accuracy: the complement is accumulated
from upper tails, all terms positive, in logarithms.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from engine.methods.best_arm.binomial_logs import Floats, log_above, log_below, log_pmf
from engine.methods.best_arm.schedules import static_counts, uniform_counts

Ints = NDArray[np.int64]


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


def _over_leftovers(means, counts, extra, hero, kernel) -> float:  # type: ignore[no-untyped-def]
    """Average over whether the hero itself is among the `extra` arms that get one more draw."""
    others = np.delete(np.arange(means.size), hero)
    terms = []
    for lifted, chance in ((0, 1 - extra / means.size), (1, extra / means.size)):
        if chance > 0:
            head = log_pmf(int(counts[hero]) + lifted, float(means[hero]))
            value = _evaluate(head, means[others], counts[others], extra - lifted, kernel)
            terms.append(np.log(chance) + value)
    return float(min(np.logaddexp.reduce(terms), 0.0))


def _evaluate(head: Floats, means: Floats, counts: Ints, extra: int, kernel) -> float:  # type: ignore[no-untyped-def]
    tail_of = log_above if kernel is _log_beaten else log_below
    known: dict[tuple[int, float], tuple[Floats, Floats]] = {}
    equal, tail, sizes = [], [], []
    for mean, count in zip(means, counts, strict=True):
        for n in (int(count), int(count) + (extra > 0)):
            if (n, mean) not in known:
                pmf = log_pmf(n, float(mean))
                known[n, mean] = pmf, tail_of(pmf)
            equal.append(known[n, mean][0])
            tail.append(known[n, mean][1])
            sizes.append(equal[-1].size)
    start = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    nodes, weights = np.polynomial.legendre.leggauss((means.size + 2) // 2)
    joined = (np.concatenate(equal), np.concatenate(tail), start)
    return float(kernel(head, *joined, extra, 0.5 * (nodes + 1), 0.5 * weights))


@njit(nogil=True, cache=True)
def _log_beaten(head, equal, tail, start, extra, nodes, weights):
    """ln P(hero is not selected); tables 2k, 2k+1 of `equal` and `tail` are arm k without and with extra.

    At each s, `tail` gives ln P(S_k/n_k > s/n_1). With e_k(z) the chance that arm k beats the hero
    outright, or ties and precedes it, D ← D + (1−D) e_k accumulates 1 − Π(1−e_k), in units of e^L.
    `lifted` runs over how many extra draws are already dealt (a hypergeometric walk).
    """
    n1, arms = head.shape[0] - 1, start.shape[0] // 2
    log_tail, log_equal = np.empty(2 * arms), np.empty(2 * arms)
    total = -np.inf
    chance, done = np.empty(extra + 2), np.empty(extra + 2)
    for s in range(n1 + 1):
        if head[s] == -np.inf:
            continue
        scale = -np.inf
        for i in range(2 * arms):
            n = start[i + 1] - start[i] - 1
            x = s * n // n1
            log_tail[i] = tail[start[i] + x]
            log_equal[i] = equal[start[i] + x] if x * n1 == s * n else -np.inf
            scale = max(scale, log_tail[i], log_equal[i])
        if scale == -np.inf:
            continue
        unit = np.exp(scale)
        mass = 0.0
        for z in range(nodes.shape[0]):
            chance[:] = 0.0
            done[:] = 0.0
            chance[0] = 1.0
            for k in range(arms):
                e0 = np.exp(log_tail[2 * k] - scale) + np.exp(log_equal[2 * k] - scale) * nodes[z]
                e1 = np.exp(log_tail[2 * k + 1] - scale) + np.exp(log_equal[2 * k + 1] - scale) * nodes[z]
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
            total = np.logaddexp(total, head[s] + scale + np.log(mass))
    return total


@njit(nogil=True, cache=True)
def _log_wins(head, equal, tail, start, extra, nodes, weights):
    """ln P(hero is selected); as `_log_beaten` with `tail` giving ln P(S_k/n_k < s/n_1)."""
    n1, arms = head.shape[0] - 1, start.shape[0] // 2
    total = -np.inf
    product = np.empty(extra + 2)
    for s in range(n1 + 1):
        if head[s] == -np.inf:
            continue
        for z in range(nodes.shape[0]):
            product[:] = 0.0
            product[0] = 1.0
            scale = 0.0
            for k in range(arms):
                f0 = _not_above(equal, tail, start, 2 * k, s, n1, nodes[z])
                f1 = _not_above(equal, tail, start, 2 * k + 1, s, n1, nodes[z])
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
                value = head[s] + scale + np.log(weights[z] * product[extra])
                total = np.logaddexp(total, value)
    return total


@njit(nogil=True, cache=True, inline="always")
def _not_above(equal, tail, start, table, s, n1, z):
    n = start[table + 1] - start[table] - 1
    x = s * n // n1
    if x * n1 == s * n:
        return np.logaddexp(tail[start[table] + x], equal[start[table] + x] + np.log(z))
    # P(S < s n/n1) with s n/n1 between x and x+1 is P(S ≤ x)
    return np.logaddexp(tail[start[table] + x], equal[start[table] + x])
