"""The experts: online learners that restart when their interval starts. Kernels on a bank of slots.

All experts of an algorithm live in one bank: `w` (S, d) points, and for the Newton experts the matrices A
and A⁻¹ in stacks (M, d, d), so that a round is a loop over arrays. g is the gradient an expert sees.

========== ======================================================================= ===================
kind       step                                                                    constant
========== ======================================================================= ===================
FIXED      stays where it starts                                                   –
OGD        w ← Π[w − D/(G√n) g], n the rounds since its start                      –
SOGD       w ← Π[w − a/√(δ + Σ‖g‖²) g], a = D/√2, δ = 0.01, the current g included –
ONS        A ← A + ggᵀ, w ← Π^A[w − A⁻¹g/β], A₀ = I/(β²D²)                         β
ONS_DIAG   the same with the diagonal of A alone                                   β
SC_OGD     w ← Π[w − g/(λn)]                                                       λ
S2OGD      w ← Π[w − a/(δ + Σ‖g‖²) g], a = G²(1 + 2D/G)²/λ                         λ
UMA_EXP    ONS on η⟨g, w − w_t⟩ + η²⟨g, w − w_t⟩²                                   η
UMA_SC     SC_OGD on η⟨g, w − w_t⟩ + η²G²‖w − w_t‖²                                 η
EG         w_i ← w_i exp(−η g_i)/Σ                                                 η
========== ======================================================================= ===================
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.methods.adaptive_regret.projections import (
    BALL,
    minimise_on_ball,
    minimise_on_simplex,
    project,
    project_diagonal,
)

Floats = NDArray[np.float64]

FIXED, OGD, SOGD, ONS, ONS_DIAG, SC_OGD, S2OGD, UMA_EXP, UMA_SC, EG = range(10)
DELTA = 0.01
UMA_BETA = 25.0 / 56.0
"""½ min(1/(4 G_η D), 1) with the surrogate's gradients bounded by G_η = 7/(25 D)."""


class Bank(NamedTuple):
    """S slots of experts; S = levels × members of a bundle, slot = level × members + member.

    `w` (S, d); `A`, `inverse` (M, d, d); `diagonal` (N, d); `place` (S,) row in those stacks or −1;
    `kind`, `constant` (S,); `total` (S,) Σ‖g‖²; `age` (S,) rounds lived; `alive` (S,); `born` (S,) round;
    `end` (S,) marker at which it ends; `z`, `f`, `p` (S,) prediction, loss, weight of the round;
    `meta` (S, 4) state of the meta-algorithm.
    """

    w: np.ndarray
    A: np.ndarray
    inverse: np.ndarray
    diagonal: np.ndarray
    place: np.ndarray
    kind: np.ndarray
    constant: np.ndarray
    total: np.ndarray
    age: np.ndarray
    alive: np.ndarray
    born: np.ndarray
    end: np.ndarray
    z: np.ndarray
    f: np.ndarray
    p: np.ndarray
    meta: np.ndarray


def is_newton(kind: int) -> bool:
    """Whether experts of this kind keep a matrix."""
    return kind in (ONS, UMA_EXP)


def make_bank(levels: int, kinds: np.ndarray, constants: np.ndarray, dimension: int) -> Bank:
    """An empty bank for `levels` levels of a bundle with `kinds`, `constants` (B,)."""
    _members, slots = len(kinds), levels * len(kinds)
    kind = np.tile(kinds.astype(np.int64), levels)
    place = np.full(slots, -1, np.int64)
    newton = np.array([is_newton(k) for k in kind], bool)
    diagonal = kind == ONS_DIAG
    place[newton] = np.arange(newton.sum())
    place[diagonal] = np.arange(diagonal.sum())
    matrices = int(newton.sum())
    return Bank(
        w=np.zeros((slots, dimension)),
        A=np.zeros((matrices, dimension, dimension)),
        inverse=np.zeros((matrices, dimension, dimension)),
        diagonal=np.zeros((int(diagonal.sum()), dimension)),
        place=place,
        kind=kind,
        constant=np.tile(constants.astype(np.float64), levels),
        total=np.zeros(slots),
        age=np.zeros(slots, np.int64),
        alive=np.zeros(slots, np.uint8),
        born=np.zeros(slots, np.int64),
        end=np.zeros(slots, np.int64),
        z=np.zeros(slots),
        f=np.zeros(slots),
        p=np.zeros(slots),
        meta=np.zeros((slots, 4)),
    )


def grown(bank: Bank, levels: int, members: int, dimension: int) -> Bank:
    """The same experts with room for `levels` levels."""
    larger = make_bank(levels, bank.kind[:members], bank.constant[:members], dimension)
    for old, new in zip(bank, larger, strict=True):
        new[: len(old)] = old
    return larger


@njit(nogil=True, cache=True)
def start_expert(
    s: int, t: int, end: int, domain: int, radius: float, diameter: float, start: Floats, bank: Bank
) -> None:
    """Wake slot `s` at round `t` until marker `end`, at the point `start` (d,)."""
    d = bank.w.shape[1]
    bank.alive[s] = 1
    bank.born[s], bank.end[s] = t, end
    bank.age[s], bank.total[s] = 0, 0.0
    for i in range(d):
        bank.w[s, i] = start[i]
    kind = bank.kind[s]
    if kind in (ONS, UMA_EXP, ONS_DIAG):
        beta = UMA_BETA if kind == UMA_EXP else bank.constant[s]
        first = 1.0 / (beta * beta * diameter * diameter)
        row = bank.place[s]
        for i in range(d):
            if kind == ONS_DIAG:
                bank.diagonal[row, i] = first
            else:
                for j in range(d):
                    bank.A[row, i, j] = first if i == j else 0.0
                    bank.inverse[row, i, j] = 1.0 / first if i == j else 0.0


@njit(nogil=True, cache=True)
def step_expert(
    s: int, gradient: Floats, domain: int, radius: float, diameter: float, bound: float, bank: Bank
) -> None:
    """Move expert `s` by its rule after it has seen `gradient` (d,), which is overwritten."""
    kind = bank.kind[s]
    bank.age[s] += 1
    w = bank.w[s]
    if kind == FIXED:
        return
    if kind in (ONS, UMA_EXP):
        beta = UMA_BETA if kind == UMA_EXP else bank.constant[s]
        row = bank.place[s]
        _newton_step(w, gradient, beta, domain, radius, bank.A[row], bank.inverse[row])
        return
    if kind == ONS_DIAG:
        _diagonal_step(w, gradient, bank.constant[s], domain, radius, bank.diagonal[bank.place[s]])
        return
    if kind == EG:
        _exponentiated_step(w, gradient, bank.constant[s])
        return
    bank.total[s] += np.dot(gradient, gradient)
    if kind == OGD:
        rate = diameter / (bound * math.sqrt(bank.age[s]))
    elif kind == SOGD:
        rate = diameter / math.sqrt(2.0) / math.sqrt(DELTA + bank.total[s])
    elif kind == SC_OGD:
        rate = 1.0 / (bank.constant[s] * bank.age[s])
    elif kind == S2OGD:
        scale = (bound + 2.0 * diameter) ** 2 / bank.constant[s]
        rate = scale / (DELTA + bank.total[s])
    else:
        eta = bank.constant[s]
        rate = 1.0 / (2.0 * eta * eta * bound * bound * bank.age[s])
    for i in range(w.size):
        w[i] -= rate * gradient[i]
    project(domain, radius, w)


@njit(nogil=True, cache=True)
def _newton_step(
    w: Floats, gradient: Floats, beta: float, domain: int, radius: float, matrix: Floats, inverse: Floats
) -> None:
    """One online Newton step: rank-one updates of A and A⁻¹ (Sherman–Morrison), then the A-projection."""
    d = w.size
    turned = np.empty(d)
    for i in range(d):
        value = 0.0
        for j in range(d):
            value += inverse[i, j] * gradient[j]
        turned[i] = value
    quadratic = 1.0
    for i in range(d):
        quadratic += gradient[i] * turned[i]
    for i in range(d):
        for j in range(d):
            matrix[i, j] += gradient[i] * gradient[j]
            inverse[i, j] -= turned[i] * turned[j] / quadratic
    point = np.empty(d)
    inside = True
    norm, total = 0.0, 0.0
    for i in range(d):
        # After the update A⁻¹g = turned/(1 + gᵀA⁻¹g).
        point[i] = w[i] - turned[i] / (quadratic * beta)
        norm += point[i] * point[i]
        total += point[i]
        inside = inside and point[i] >= 0.0
    if domain == BALL and norm <= radius * radius:
        w[:] = point
        return
    if domain != BALL and inside and abs(total - 1.0) < 1e-15:
        w[:] = point
        return
    linear = np.empty(d)
    for i in range(d):
        value = 0.0
        for j in range(d):
            value += matrix[i, j] * point[j]
        linear[i] = value
    if domain == BALL:
        minimise_on_ball(matrix, linear, radius, w)
    else:
        minimise_on_simplex(matrix, linear, w)


@njit(nogil=True, cache=True)
def _diagonal_step(
    w: Floats, gradient: Floats, beta: float, domain: int, radius: float, weights: Floats
) -> None:
    for i in range(w.size):
        weights[i] += gradient[i] * gradient[i]
        w[i] -= gradient[i] / (weights[i] * beta)
    project_diagonal(domain, radius, weights, w)


@njit(nogil=True, cache=True)
def _exponentiated_step(w: Floats, gradient: Floats, eta: float) -> None:
    lowest = gradient.min()
    total = 0.0
    for i in range(w.size):
        w[i] *= math.exp(-eta * (gradient[i] - lowest))
        total += w[i]
    for i in range(w.size):
        w[i] /= total
