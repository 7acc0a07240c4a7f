"""The meta-algorithms: how the awake experts are weighed. Kernels on the `meta` columns of a bank.

r_i is the instantaneous regret to expert i, in [−1, 1] after division by the loss bound; sleeping experts
are left out of everything. All weights are kept as logarithms.

============= ==================================================================== =====================
rule          weight of an awake expert                                            meta columns
============= ==================================================================== =====================
HEDGE         p_i ∝ p_i exp(−α f_i); a new marker m gets 1/m, the rest 1 − 1/m     ln p
NORMAL        ½(Φ(R+1, C+1) − Φ(R−1, C+1)), Φ(R, C) = exp([R]₊²/(3C))               R, C
ML_PROD       η_i x_i; x_i ← (x_i(1 + η_i r_i))^{η'/η}, η' = min(½, √(γ/(1+V)))     ln x, η, V, γ
PROD          x_i ← x_i(1 + η_I r_i), x_i = η_I = min(½, 1/√|I|) at the start       ln x, η
COIN          π_I [v_i]₊, v_i = Σg/n·(1 + Σ g v), g = r_i if v_i > 0 else [r_i]₊    Σg, Σgv, ln π, v
TILT          η exp(−Σ ℓ^η)                                                        Σℓ, ln η
============= ==================================================================== =====================
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from engine.methods.adaptive_regret.experts import Bank

HEDGE, NORMAL, ML_PROD, PROD, COIN, TILT = range(6)


@njit(nogil=True, cache=True)
def normal_log_weight(regret: float, size: float) -> float:
    """ln of ½(Φ(R+1, C+1) − Φ(R−1, C+1)); −∞ where it is zero (R ≤ −1).

    C + 1 stands in both terms, as published: with C − 1 in the second the weight is undefined at C = 1.
    """
    above, below = max(regret + 1.0, 0.0), max(regret - 1.0, 0.0)
    a = above * above / (3.0 * (size + 1.0))
    b = below * below / (3.0 * (size + 1.0))
    if a <= b:
        return -np.inf
    return a + math.log(-math.expm1(b - a)) - math.log(2.0)


@njit(nogil=True, cache=True)
def start_weight(s: int, rule: int, m: int, t: int, length: int, members: int, bank: Bank) -> None:
    """Weight of an expert that wakes at marker `m`, round `t`, on an interval of `length` markers."""
    meta = bank.meta[s]
    meta[:] = 0.0
    if rule == HEDGE:
        meta[0] = -math.log(float(m)) - math.log(float(members))
    elif rule == ML_PROD:
        meta[0] = -math.log(float(members)) - 2.0 * math.log(float(m))
        meta[1] = 0.5
        meta[3] = math.log(float(members)) + 2.0 * math.log(2.0 * m)
    elif rule == PROD:
        meta[1] = min(0.5, 1.0 / math.sqrt(float(length)))
        meta[0] = math.log(meta[1])
    elif rule == COIN:
        meta[2] = -2.0 * math.log(t + 1.0)
    elif rule == TILT:
        meta[1] = math.log(bank.constant[s])


@njit(nogil=True, cache=True)
def make_room(m: int, bank: Bank) -> bool:
    """Hedge at marker m: the survivors' weights are made to sum to 1 − 1/m. False if none survives."""
    top = -np.inf
    for s in range(bank.alive.size):
        if bank.alive[s]:
            top = max(top, bank.meta[s, 0])
    if top == -np.inf:
        return False
    total = 0.0
    for s in range(bank.alive.size):
        if bank.alive[s]:
            total += math.exp(bank.meta[s, 0] - top)
    shift = math.log1p(-1.0 / m) - top - math.log(total)
    for s in range(bank.alive.size):
        if bank.alive[s]:
            bank.meta[s, 0] += shift
    return True


@njit(nogil=True, cache=True)
def weigh(rule: int, bank: Bank) -> None:
    """Fill `p` (S,): weights of the awake experts, summing to one."""
    slots = bank.alive.size
    top = -np.inf
    for s in range(slots):
        if not bank.alive[s]:
            bank.p[s] = -np.inf
            continue
        meta = bank.meta[s]
        if rule in (HEDGE, PROD):
            value = meta[0]
        elif rule == NORMAL:
            value = normal_log_weight(meta[0], meta[1])
        elif rule == ML_PROD:
            value = math.log(meta[1]) + meta[0]
        elif rule == COIN:
            meta[3] = meta[0] / (bank.age[s] + 1.0) * (1.0 + meta[1])
            value = meta[2] + math.log(meta[3]) if meta[3] > 0 else -np.inf
        else:
            value = meta[1] - meta[0]
        bank.p[s] = value
        top = max(top, value)
    if top == -np.inf:
        # Nobody has shown any merit: by the prior of coin betting, else evenly.
        for s in range(slots):
            if bank.alive[s]:
                bank.p[s] = bank.meta[s, 2] if rule == COIN else 0.0
                top = max(top, bank.p[s])
    total = 0.0
    for s in range(slots):
        bank.p[s] = math.exp(bank.p[s] - top) if bank.alive[s] else 0.0
        total += bank.p[s]
    for s in range(slots):
        bank.p[s] /= total


@njit(nogil=True, cache=True)
def learn_losses(rule: int, alpha: float, bound: float, played: float, bank: Bank) -> None:
    """HEDGE, NORMAL, PROD and COIN after the losses `f` (S,) of the experts and `played` of the mixture."""
    for s in range(bank.alive.size):
        if not bank.alive[s]:
            continue
        meta = bank.meta[s]
        if rule == HEDGE:
            meta[0] -= alpha * bank.f[s]
            continue
        regret = (played - bank.f[s]) / bound
        if rule == NORMAL:
            meta[0] += regret
            meta[1] += abs(regret)
        elif rule == PROD:
            meta[0] += math.log1p(meta[1] * max(regret, -1.0))
        else:
            gain = regret if meta[3] > 0 else max(regret, 0.0)
            gain = min(max(gain, -1.0), 1.0)
            meta[0] += gain
            meta[1] += gain * meta[3]


@njit(nogil=True, cache=True)
def learn_linear(slope: float, played: float, scale: float, bank: Bank) -> float:
    """ML_PROD after r_i = ⟨g, w_t − w_i⟩/scale; returns Σ p_i r_i, zero but for rounding."""
    identity = 0.0
    for s in range(bank.alive.size):
        if not bank.alive[s]:
            continue
        meta = bank.meta[s]
        regret = slope * (played - bank.z[s]) / scale if scale > 0 else 0.0
        identity += bank.p[s] * regret
        meta[2] += regret * regret
        rate = min(0.5, math.sqrt(meta[3] / (1.0 + meta[2])))
        meta[0] = (meta[0] + math.log1p(meta[1] * regret)) * rate / meta[1]
        meta[1] = rate
    return identity


@njit(nogil=True, cache=True)
def largest_gap(slope: float, played: float, bank: Bank) -> float:
    """max over the awake of |⟨g, w_t − w_i⟩|."""
    largest = 0.0
    for s in range(bank.alive.size):
        if bank.alive[s]:
            largest = max(largest, abs(slope * (played - bank.z[s])))
    return largest
