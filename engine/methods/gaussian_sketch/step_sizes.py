"""Step sizes, one-step factors and predicted numbers of directional derivatives of every method.

c scales the trace step. Factors are per iteration of (1 − ημ); a prediction to relative gap ε is
log(1/ε)/(ημ) iterations times the derivatives of one.
"""

from __future__ import annotations

import math

import numpy as np

from engine.methods.gaussian_sketch.constants import Smoothness
from engine.methods.gaussian_sketch.sketches import kurtosis

Constants = Smoothness


def trace_step(constants: Constants, size: int, c: float = 1.0, kind: str = "gaussian") -> float:
    """η = c / ((1 + 1/ℓ)L + tr(M)/ℓ), from E[QMQ] = (1 + 1/ℓ)M + (tr M/ℓ)I.

    Entries with κ > 3 add (κ − 3) max M_ii/ℓ; for those with κ ≤ 3 and orthogonal blocks the Gaussian
    value is an upper bound.
    """
    heavier = max(kurtosis(kind, constants.dimension) - 3.0, 0.0) * float(constants.diagonal.max())
    return c / ((1 + 1 / size) * constants.largest + (constants.trace + heavier) / size)


def provable_step(constants: Constants, size: int) -> float:
    """η = ℓ / (6(d + ℓ + 1)L): the Lyapunov function of the proximal form then contracts."""
    return size / (6 * (constants.dimension + size + 1) * constants.largest)


def lyapunov_factor(constants: Constants, size: int, eta: float) -> float:
    """max(1 − ημ, 1 − q/2), q = ℓ/(d + ℓ + 1): contraction of ‖x − x*‖² + η²·(4(d+1)/(ℓq))·‖h − ∇f(x*)‖²."""
    q = size / (constants.dimension + size + 1)
    return max(1 - eta * constants.convexity, 1 - q / 2)


def uniform_probabilities(constants: Constants) -> np.ndarray:
    """p_i = 1/d."""
    return np.full(constants.dimension, 1.0 / constants.dimension)


def importance_probabilities(constants: Constants) -> np.ndarray:
    """p_i = M_ii/tr(M); uniform where M is 0."""
    if constants.trace <= 0:
        return uniform_probabilities(constants)
    return constants.diagonal / constants.diagonal.sum()


def accelerated_probabilities(constants: Constants) -> np.ndarray:
    """p_i ∝ √M_ii."""
    roots = np.sqrt(constants.diagonal)
    return roots / roots.sum() if roots.sum() > 0 else uniform_probabilities(constants)


def coordinate_step(constants: Constants, probabilities: np.ndarray) -> float:
    """η = 1/max_i(M_ii/p_i)."""
    return 1.0 / float(np.max(constants.diagonal / probabilities))


def minibatch_steps(constants: Constants, size: int) -> np.ndarray:
    """1/v_i, v_i = (1 − β)M_ii + βL, β = (τ − 1)/(d − 1): the separable overapproximation of τ-nice sampling.

    From E[M_SS] = (τ/d)((1 − β) diag M + βM) (Richtárik and Takáč, NSync); τ = d gives 1/L.
    """
    beta = (size - 1) / max(constants.dimension - 1, 1)
    return 1.0 / ((1 - beta) * constants.diagonal + beta * constants.largest)


def predicted(constants: Constants, name: str, size: int, eta: float, gap: float) -> float:
    """Predicted directional derivatives to relative `gap`; infinite where μ = 0.

    Sketched methods and gradient descent: log(1/ε)/(ημ) iterations. FISTA: √(L/μ) in place of L/μ.
    """
    mu, work = constants.convexity, math.log(1 / gap)
    if mu <= 0 or eta <= 0:
        return math.inf
    if name == "fista":
        return constants.dimension * math.sqrt(constants.largest / mu) * work
    if name == "acd":
        return float(np.sqrt(constants.diagonal).sum()) / math.sqrt(mu) * work
    return cost(name, size, constants.dimension) * work / (eta * mu)


def cost(name: str, size: int, d: int) -> int:
    """Directional derivatives of one iteration: ℓ of a sketch, 1 of a coordinate, d of a gradient."""
    if name in ("gd", "fista"):
        return d
    return size if name in ("gsgd", "gsgd_plain", "minibatch") else 1
