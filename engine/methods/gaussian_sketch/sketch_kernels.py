"""Compiled steps of Gaussian sketched gradient descent, all seeds in one pass over the data.

Symbols: S_t (ℓ, d) rows s_j; z = Sᵀ∇f(x) − Sᵀh; g = h + Sz/ℓ; h ← h + a·Sz; x ← prox_{ηφ}(x − ηg).
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.methods.gaussian_sketch.losses import loss_slope, loss_value
from engine.methods.gaussian_sketch.products import row_products
from engine.methods.gaussian_sketch.regularisers import NONE, prox

Vector = NDArray[np.float64]
Places = NDArray[np.int64]
EXACT, CENTRAL, FORWARD = 0, 1, 2
ORACLES = {"exact": EXACT, "central": CENTRAL, "forward": FORWARD}


@njit(nogil=True, cache=True)
def shifted_value(
    scores: Vector,
    direction: Vector,
    shift: float,
    target: Vector,
    loss: int,
    delta: float,
    x: Vector,
    s: Vector,
    ridge: Vector,
) -> float:
    """f(x + shift · s) from the scores of x and of s."""
    total = 0.0
    for i in range(scores.shape[0]):
        total += loss_value(loss, scores[i] + shift * direction[i], target[i], delta)
    total /= scores.shape[0]
    for j in range(x.shape[0]):
        u = x[j] + shift * s[j]
        total += 0.5 * ridge[j] * u * u
    return total


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract"})
def directional(
    scores: Vector,
    seen: Vector,
    target: Vector,
    loss: int,
    delta: float,
    x: Vector,
    sketch: Vector,
    ridge: Vector,
    oracle: int,
    epsilon: float,
    slopes: Vector,
    out: Vector,
) -> None:
    """out_j = s_jᵀ∇f(x), exactly or by differences of f along s_j.

    `scores` (n,) of x, `seen` (n, ℓ) of the sketch; `slopes` (n,) is room. `epsilon` > 0 fixes the length
    of a difference; 0 takes ε_mach^⅓ (central) or ε_mach^½ (forward) times (1 + ‖x‖)/‖s‖.
    """
    n, size = seen.shape
    if oracle == EXACT:
        for i in range(n):
            slopes[i] = loss_slope(loss, scores[i], target[i], delta) / n
        for j in range(size):
            total = 0.0
            for i in range(n):
                total += slopes[i] * seen[i, j]
            for k in range(x.shape[0]):
                total += ridge[k] * x[k] * sketch[j, k]
            out[j] = total
        return
    power = 1.0 / 3.0 if oracle == CENTRAL else 0.5
    reach = (1.0 + np.sqrt(np.sum(x * x))) * 2.220446049250313e-16**power
    here = 0.0
    if oracle == FORWARD:
        here = shifted_value(scores, seen[:, 0], 0.0, target, loss, delta, x, sketch[0], ridge)
    for j in range(size):
        s = sketch[j]
        shift = epsilon if epsilon > 0 else reach / np.sqrt(np.sum(s * s))
        ahead = shifted_value(scores, seen[:, j], shift, target, loss, delta, x, s, ridge)
        if oracle == FORWARD:
            out[j] = (ahead - here) / shift
        else:
            back = shifted_value(scores, seen[:, j], -shift, target, loss, delta, x, s, ridge)
            out[j] = (ahead - back) / (2.0 * shift)


@njit(nogil=True, cache=True)
def armijo_step(
    scores: Vector,
    along: Vector,
    target: Vector,
    loss: int,
    delta: float,
    x: Vector,
    direction: Vector,
    ridge: Vector,
    slope: float,
    eta: float,
) -> float:
    """The first of η, η/2, … with f(x − ηd) ≤ f(x) − ½η·slope, slope = ∇fᵀd ≥ 0: no new derivative."""
    here = shifted_value(scores, along, 0.0, target, loss, delta, x, direction, ridge)
    for _ in range(40):
        there = shifted_value(scores, along, -eta, target, loss, delta, x, direction, ridge)
        # the slack is the rounding of f itself
        if there <= here - 0.5 * eta * slope + 1e-15 * abs(here):
            return eta
        eta *= 0.5
    return eta


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract"})
def sketched_steps(
    dense: Vector,
    values: Vector,
    indices: Places,
    starts: Places,
    target: Vector,
    loss: int,
    delta: float,
    ridge: Vector,
    code: int,
    group: int,
    numbers: Vector,
    weights: Vector,
    sketches: Vector,
    x: Vector,
    h: Vector,
    scores: Vector,
    h_scores: Vector,
    eta: Vector,
    learns: bool,
    a: float,
    oracle: int,
    epsilon: float,
    adaptive: bool,
    c: float,
    growth: float,
) -> None:
    """Run `sketches` (T, R, ℓ, d) steps of R seeds, changing x, h (R, d) and scores (R, n) in place.

    `learns` False freezes h (at what it is). Without φ, `scores` = Ax and `h_scores` = Ah are kept up to
    date from the products with S alone; otherwise Ax is computed with AS in the same pass. `eta` (R,);
    with `adaptive` it is found by Armijo's rule along the same sketch, growing by `growth` a step, and
    `c` of it is used where φ or h is there.
    """
    steps, seeds, size, d = sketches.shape
    n = target.shape[0]
    smooth = code == NONE
    per_seed = size if smooth else size + 1
    vectors = np.empty((seeds * per_seed, d))
    products = np.empty((n, seeds * per_seed))
    z, slopes, along = np.empty(size), np.empty(n), np.empty(n)
    step, own = np.empty(d), np.empty(n)
    for t in range(steps):
        for r in range(seeds):
            vectors[r * per_seed : r * per_seed + size] = sketches[t, r]
            if not smooth:
                vectors[r * per_seed + size] = x[r]
        row_products(dense, values, indices, starts, vectors, products)
        for r in range(seeds):
            sketch, first = sketches[t, r], r * per_seed
            seen = products[:, first : first + size]
            if smooth:
                own[:] = scores[r]
            else:
                own[:] = products[:, first + size]
            directional(own, seen, target, loss, delta, x[r], sketch, ridge, oracle, epsilon, slopes, z)
            used = eta[r]
            if adaptive:
                slope = 0.0
                step[:] = 0.0
                along[:] = 0.0
                for j in range(size):
                    slope += z[j] * z[j] / size
                    for k in range(d):
                        step[k] += z[j] / size * sketch[j, k]
                    for i in range(n):
                        along[i] += z[j] / size * seen[i, j]
                eta[r] = armijo_step(
                    own, along, target, loss, delta, x[r], step, ridge, slope, eta[r] * growth
                )
                used = eta[r] if smooth and not learns else c * eta[r]
            for k in range(d):
                step[k] = h[r, k]
            for j in range(size):
                inner = 0.0
                for k in range(d):
                    inner += sketch[j, k] * h[r, k]
                z[j] -= inner
            for j in range(size):
                for k in range(d):
                    step[k] += z[j] / size * sketch[j, k]
            if smooth:
                for i in range(n):
                    change = 0.0
                    for j in range(size):
                        change += z[j] * seen[i, j]
                    scores[r, i] -= used * (h_scores[r, i] + change / size)
                    if learns:
                        h_scores[r, i] += a * change
            if learns:
                for j in range(size):
                    for k in range(d):
                        h[r, k] += a * z[j] * sketch[j, k]
            for k in range(d):
                x[r, k] -= used * step[k]
            prox(x[r], used, code, group, numbers, weights)
