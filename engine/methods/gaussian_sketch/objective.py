"""The problem: min F(x) = f(x) + φ(x), f(x) = (1/n) Σ ℓ(a_iᵀx, y_i) + ½ Σ ridge_j x_j².

One form serves logistic, ridge and Huber regression, and quadratics (`quadratic`). Solvers work in the
variable of the matrix; `scale` says what it stands for (x = scale · variable) after preconditioning.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from engine.methods.gaussian_sketch.losses import CURVATURE, LOSSES, loss_slope, loss_value
from engine.methods.gaussian_sketch.products import Packed, Places, inner, packed, row_products
from engine.methods.gaussian_sketch.regularisers import Penalty, penalty_value

LossName = Literal["logistic", "square", "huber"]
Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Objective:
    """`matrix` (n, d) dense or CSR, `target` (n,), `ridge` (d,) ≥ 0, `scale` (d,), `delta` of Huber.

    `free` (d,) marks coordinates that φ leaves alone (an intercept).
    """

    matrix: np.ndarray | sparse.csr_matrix
    target: Vector
    ridge: Vector
    loss: LossName = "logistic"
    penalty: Penalty = Penalty()  # noqa: RUF009 - frozen
    delta: float = 1.0
    scale: Vector | None = None
    free: NDArray[np.bool_] | None = None

    @property
    def samples(self) -> int:
        """n."""
        return self.matrix.shape[0]

    @property
    def dimension(self) -> int:
        """d."""
        return self.matrix.shape[1]

    @property
    def loss_code(self) -> int:
        """The number the kernels know the loss by."""
        return LOSSES[self.loss]

    @property
    def curvature(self) -> float:
        """Bound c of the loss's second derivative: M = c · AᵀA/n + diag(ridge)."""
        return CURVATURE[self.loss]

    @property
    def stored(self) -> int:
        """Entries of the matrix that are read for one product."""
        return self.matrix.size if isinstance(self.matrix, np.ndarray) else self.matrix.nnz

    @cached_property
    def rows(self) -> Packed:
        """The matrix by rows, for the kernels."""
        return packed(self.matrix)

    @cached_property
    def columns(self) -> Packed:
        """The matrix by columns, for the kernels."""
        return packed(self.matrix.T)

    @cached_property
    def weights(self) -> Vector:
        """What φ is meant of: `scale` or ones, 0 for free coordinates."""
        scale = np.ones(self.dimension) if self.scale is None else self.scale
        return scale if self.free is None else np.where(self.free, 0.0, scale)

    def smooth(self, x: Vector) -> float:
        """f(x)."""
        return self.value(x) - float(
            penalty_value(x, self.penalty.code, self.penalty.size, self.penalty.numbers(), self.weights)
        )

    def value(self, x: Vector) -> float:
        """F(x)."""
        return float(self.values(np.asarray(x, np.float64)[None])[0])

    def values(self, points: Vector) -> Vector:
        """F at each of (K, d) points, float64 (K,)."""
        scores = np.empty((self.samples, len(points)))
        row_products(*self.rows, np.ascontiguousarray(points, np.float64), scores)
        p = self.penalty
        return np.array(
            [
                objective_of_scores(
                    scores[:, k], self.target, self.loss_code, self.delta, x, self.ridge,
                    p.code, p.size, p.numbers(), self.weights,
                )
                for k, x in enumerate(points)
            ]
        )  # fmt: skip

    def gradient(self, x: Vector) -> Vector:
        """∇f(x), float64 (d,)."""
        out = np.empty(self.dimension)
        gradient_of(
            *self.rows,
            self.target,
            self.loss_code,
            self.delta,
            self.ridge,
            np.ascontiguousarray(x, np.float64),
            out,
        )
        return out

    def in_data_units(self, x: Vector) -> Vector:
        """The solver's variable (…, d) as coefficients of the data's columns."""
        return x if self.scale is None else x * self.scale

    def preconditioned(self, diagonal: Vector) -> Objective:
        """The same problem in y = P^½ x, P = diag(`diagonal`): A P^−½, ridge/P, φ(P^−½ y).

        Sketching it with S ~ N(0, I) is sketching the original one with S ~ N(0, P⁻¹).
        """
        if not self.penalty.is_separable:
            raise ValueError("a preconditioner needs a separable regulariser")
        factor = 1.0 / np.sqrt(diagonal)
        matrix = self.matrix
        scaled = matrix * factor if isinstance(matrix, np.ndarray) else matrix.multiply(factor).tocsr()
        return replace(self, matrix=scaled, ridge=self.ridge * factor**2, scale=self.in_data_units(factor))

    def rotated(self, rotation: NDArray[np.float64]) -> Objective:
        """The problem in u with x = Qu for orthogonal Q (d, d); the ridge must be one number."""
        if np.ptp(self.ridge) > 0:
            raise ValueError("a rotation needs the same ridge on every coordinate")
        dense = self.matrix if isinstance(self.matrix, np.ndarray) else self.matrix.toarray()
        return replace(self, matrix=dense @ rotation)

    def start(self) -> Vector:
        """Where solvers begin: 0, or the point of φ's set nearest to it."""
        x = np.zeros(self.dimension)
        return x if self.penalty.name == "none" else self.penalty.prox(x, 1.0, self.weights)

    def with_penalty(self, penalty: Penalty) -> Objective:
        """The same f with another φ; what was derived from the matrix is kept."""
        other = replace(self, penalty=penalty)
        for name in ("rows", "columns", "weights"):
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        return other


def quadratic(matrix: np.ndarray, target: Vector) -> Objective:
    """½‖Bx − y‖²/n without ridge or φ: the form of a quadratic given by a factor B of M = BᵀB/n."""
    if np.count_nonzero(matrix) < 0.1 * matrix.size:
        matrix = sparse.csr_matrix(matrix)
    return Objective(matrix, target, np.zeros(matrix.shape[1]), "square")


@njit(nogil=True, cache=True)
def smooth_of_scores(
    scores: Vector, target: Vector, loss: int, delta: float, x: Vector, ridge: Vector
) -> float:
    """f from the scores Ax (n,)."""
    total = 0.0
    for i in range(scores.shape[0]):
        total += loss_value(loss, scores[i], target[i], delta)
    total /= scores.shape[0]
    for j in range(x.shape[0]):
        total += 0.5 * ridge[j] * x[j] * x[j]
    return total


@njit(nogil=True, cache=True)
def objective_of_scores(
    scores: Vector,
    target: Vector,
    loss: int,
    delta: float,
    x: Vector,
    ridge: Vector,
    code: int,
    size: int,
    numbers: Vector,
    weights: Vector,
) -> float:
    """F from the scores."""
    return smooth_of_scores(scores, target, loss, delta, x, ridge) + penalty_value(
        x, code, size, numbers, weights
    )


BLOCK = 64
"""Rows whose scores are computed before they are used again, so that they are still near."""


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract"})
def gradient_of(
    dense: Vector,
    values: Vector,
    indices: Places,
    starts: Places,
    target: Vector,
    loss: int,
    delta: float,
    ridge: Vector,
    x: Vector,
    out: Vector,
) -> None:
    """out ← ∇f(x), reading each row once from memory."""
    n = target.shape[0]
    for j in range(x.shape[0]):
        out[j] = ridge[j] * x[j]
    if dense.shape[0] > 0:
        slopes = np.empty(BLOCK)
        for start in range(0, n, BLOCK):
            stop = min(start + BLOCK, n)
            for i in range(start, stop):
                score = inner(dense[i], x)
                slopes[i - start] = loss_slope(loss, score, target[i], delta) / n
            add_rows(dense, start, stop, slopes, out)
        return
    for i in range(n):
        score = 0.0
        for e in range(starts[i], starts[i + 1]):
            score += values[e] * x[indices[e]]
        slope = loss_slope(loss, score, target[i], delta) / n
        for e in range(starts[i], starts[i + 1]):
            out[indices[e]] += slope * values[e]


@njit(nogil=True, cache=True, fastmath=True)
def add_rows(dense: Vector, start: int, stop: int, factors: Vector, out: Vector) -> None:
    """out += Σ factors[i − start] · a_i over rows start … stop − 1, four at a time."""
    i = start
    while i + 4 <= stop:
        f0, f1, f2, f3 = (
            factors[i - start],
            factors[i - start + 1],
            factors[i - start + 2],
            factors[i - start + 3],
        )
        r0, r1, r2, r3 = dense[i], dense[i + 1], dense[i + 2], dense[i + 3]
        for j in range(out.shape[0]):
            out[j] += f0 * r0[j] + f1 * r1[j] + f2 * r2[j] + f3 * r3[j]
        i += 4
    while i < stop:
        row, factor = dense[i], factors[i - start]
        for j in range(out.shape[0]):
            out[j] += factor * row[j]
        i += 1
