"""Constants of M = c · AᵀA/n + diag(ridge): trace, L, diagonal, spectrum, strong convexity.

No d × d matrix is formed except for the spectrum, up to `rotation.LARGEST` coordinates. For a function
known only by its gradient, `hutchinson_trace` and `largest_curvature` estimate trace and L by differences.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator, eigsh

from engine.methods.gaussian_sketch.objective import Objective
from engine.methods.gaussian_sketch.rotation import LARGEST

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Smoothness:
    """`trace` tr(M), `largest` L = λ_max(M), `convexity` μ of f, `diagonal` M_ii (d,).

    `eigenvalues` falling (d,), or None above `LARGEST` coordinates. μ is the smallest ridge for logistic
    and Huber losses, λ_min(M) for squares.
    """

    trace: float
    largest: float
    convexity: float
    diagonal: Vector
    eigenvalues: Vector | None = None

    @property
    def dimension(self) -> int:
        """d."""
        return self.diagonal.size


def diagonal(objective: Objective) -> Vector:
    """M_ii from column norms, O(nnz)."""
    a = objective.matrix
    squares = (
        np.einsum("ij,ij->j", a, a)
        if isinstance(a, np.ndarray)
        else np.asarray(a.multiply(a).sum(axis=0)).ravel()
    )
    return objective.curvature * squares / objective.samples + objective.ridge


def trace(objective: Objective) -> float:
    """tr(M) from row norms, O(nnz)."""
    a = objective.matrix
    square = np.einsum("ij,ij->", a, a) if isinstance(a, np.ndarray) else a.multiply(a).sum()
    return float(objective.curvature * square / objective.samples + objective.ridge.sum())


def largest(objective: Objective, tolerance: float = 1e-10) -> float:
    """L = λ_max(M) by Lanczos, from products with A and Aᵀ alone; a fixed start vector."""
    a, c, ridge = objective.matrix, objective.curvature / objective.samples, objective.ridge
    d = objective.dimension
    if d <= 2:
        return float(np.linalg.eigvalsh(dense(objective))[-1])

    def product(v: Vector) -> Vector:
        return c * (a.T @ (a @ v.ravel())) + ridge * v.ravel()

    operator = LinearOperator((d, d), matvec=product, dtype=np.float64)
    start = np.cos(np.arange(1.0, d + 1.0))
    if not np.any(product(start)):
        return float(ridge.max())
    return float(eigsh(operator, k=1, v0=start, tol=tolerance, return_eigenvectors=False)[0])


def dense(objective: Objective) -> NDArray[np.float64]:
    """M itself, (d, d)."""
    a = objective.matrix
    gram = a.T @ a if isinstance(a, np.ndarray) else (a.T @ a).toarray()
    return objective.curvature * gram / objective.samples + np.diag(objective.ridge)


def smoothness(objective: Objective) -> Smoothness:
    """All constants of a problem."""
    if objective.dimension <= LARGEST:
        values = np.linalg.eigvalsh(dense(objective))[::-1].clip(min=0.0)
        top = float(values[0])
    else:
        values, top = None, largest(objective)
    convexity = float(objective.ridge.min())
    if objective.loss == "square" and values is not None:
        # eigenvalues below rounding are none
        convexity = float(values[-1]) if values[-1] > 1e-13 * top else convexity
    return Smoothness(trace(objective), top, convexity, diagonal(objective), values)


def turned(constants: Smoothness, matrix: NDArray[np.float64], rotation: NDArray[np.float64]) -> Smoothness:
    """The constants of QᵀMQ for dense M: only the diagonal changes, q_iᵀMq_i."""
    return replace(constants, diagonal=np.einsum("ij,ij->j", rotation, matrix @ rotation))


def hutchinson_trace(
    gradient: Callable[[Vector], Vector],
    x: Vector,
    rng: np.random.Generator,
    draws: int = 30,
    step: float = 1e-5,
) -> float:
    """tr ∇²f(x) ≈ mean of sᵀ∇²f(x)s over sign vectors, Hessian products by central differences."""
    total = 0.0
    for _ in range(draws):
        s = np.where(rng.random(x.size) < 0.5, -1.0, 1.0)
        total += float(s @ (gradient(x + step * s) - gradient(x - step * s))) / (2 * step)
    return total / draws


def largest_curvature(
    gradient: Callable[[Vector], Vector],
    x: Vector,
    rng: np.random.Generator,
    iterations: int = 100,
    step: float = 1e-5,
) -> float:
    """λ_max(∇²f(x)) by power iteration on central differences of the gradient."""
    v = rng.standard_normal(x.size)
    v /= np.linalg.norm(v)
    value = 0.0
    for _ in range(iterations):
        product = (gradient(x + step * v) - gradient(x - step * v)) / (2 * step)
        value = float(v @ product)
        norm = float(np.linalg.norm(product))
        if norm == 0.0:
            return 0.0
        v = product / norm
    return value
