"""From data and parameters to a problem: scaling, labels, intercept, rotation, preconditioner."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from engine.methods.gaussian_sketch.constants import diagonal
from engine.methods.gaussian_sketch.data import Samples
from engine.methods.gaussian_sketch.objective import LossName, Objective, quadratic
from engine.methods.gaussian_sketch.parameters import Parameters, parse_diagonal
from engine.methods.gaussian_sketch.quadratics import least_squares, spectrum
from engine.methods.gaussian_sketch.regularisers import Penalty
from engine.methods.gaussian_sketch.rotation import cayley_rotation, skew_generator
from engine.methods.gaussian_sketch.sketches import SKETCHES
from engine.methods.gaussian_sketch.solvers import SolverSettings

COMPANION_SIZE = 200


@dataclass(frozen=True, eq=False)
class Ground:
    """A problem before rotation and preconditioner; `generator` K of its rotations, (d, d) or None."""

    key: str
    title: str
    objective: Objective
    features: tuple[str, ...]
    image: tuple[int, int] | None = None
    generator: NDArray[np.float64] | None = None

    @property
    def can_rotate(self) -> bool:
        """Whether the coordinates may be turned."""
        return self.generator is not None


def loss_of(parameters: Parameters, data: Samples) -> LossName:
    """The loss used: the chosen one, or by the target."""
    if data.quadratic:
        return "square"
    if parameters.objective != "auto":
        return parameters.objective
    return (
        "logistic" if data.classes is not None or parameters.positive or len(data.labels()) == 2 else "square"
    )


def signs_of(parameters: Parameters, data: Samples) -> NDArray[np.float64]:
    """Labels as ±1: the positive class against the others, or the later of two labels.

    Raises:
        ValueError: in words, when the classes are not two or the positive class is not there.
    """
    labels = data.labels()
    if parameters.positive:
        if parameters.positive not in labels:
            known = ", ".join(labels[:10])
            raise ValueError(f"there is no class “{parameters.positive}”; the classes are {known}")
        return np.where(data.is_label(parameters.positive), 1.0, -1.0)
    if len(labels) != 2:
        many = f"{len(labels)} classes" if labels else "more than 100 different values"
        raise ValueError(f"the target has {many}; logistic loss needs two, or a positive class")
    positive = max(labels, key=float) if data.classes is None else labels[1]
    return np.where(data.is_label(positive), 1.0, -1.0)


def numbers_of(data: Samples) -> NDArray[np.float64]:
    """The target as numbers; two classes become −1 and 1. Raises ValueError for other text."""
    if data.target is not None:
        return data.target
    labels = data.labels()
    if len(labels) == 2:
        return np.where(data.is_label(labels[1]), 1.0, -1.0)
    raise ValueError("the target is text; least squares and Huber need numbers")


def scaled(matrix: np.ndarray | sparse.csr_matrix, how: str) -> np.ndarray | sparse.csr_matrix:
    """Columns standardised (constant ones become 0; sparse ones keep their zeros), or rows of length 1."""
    if how == "none":
        return matrix
    if how == "rows":
        squares = (
            (matrix**2).sum(axis=1) if isinstance(matrix, np.ndarray) else matrix.multiply(matrix).sum(axis=1)
        )
        lengths = np.sqrt(np.asarray(squares, np.float64).ravel())
        factor = 1.0 / np.where(lengths > 0, lengths, 1.0)
        return (
            matrix * factor[:, None]
            if isinstance(matrix, np.ndarray)
            else sparse.diags(factor).dot(matrix).tocsr()
        )
    if not isinstance(matrix, np.ndarray):
        mean = np.asarray(matrix.mean(axis=0)).ravel()
        deviation = np.sqrt(np.asarray(matrix.multiply(matrix).mean(axis=0)).ravel() - mean**2)
        return matrix.multiply(1.0 / np.where(deviation > 0, deviation, 1.0)).tocsr()
    centred = matrix - matrix.mean(axis=0)
    deviation = centred.std(axis=0)
    # a column constant up to rounding has no deviation to divide by
    real = deviation > 1e-12 * np.maximum(np.abs(matrix).max(axis=0, initial=0.0), 1e-300)
    return np.where(real, centred, 0.0) / np.where(real, deviation, 1.0)


def penalty_of(parameters: Parameters) -> Penalty:
    """φ of the form."""
    p = parameters
    return Penalty(p.regulariser, p.strength, p.share, p.low, p.high, p.group_size)


def settings_of(parameters: Parameters) -> SolverSettings:
    """The solver settings of the form."""
    p = parameters
    assert p.sketch in SKETCHES
    return SolverSettings(p.size, p.c, p.rule, p.eta, p.sketch, p.h_start == "exact", p.oracle, p.epsilon)


def ground(parameters: Parameters, data: Samples, seed: int) -> Ground:
    """The problem of the data. Raises ValueError where the target does not fit the loss."""
    if data.quadratic:
        return quadratic_ground(data.quadratic, data.dimension, data.name, seed, penalty_of(parameters))
    loss = loss_of(parameters, data)
    matrix = scaled(data.matrix, parameters.scaling)
    if loss == "logistic":
        target = signs_of(parameters, data)
    else:
        target = np.array(numbers_of(data), np.float64)
        if parameters.scaling == "standardise":
            target = (target - target.mean()) / (target.std() or 1.0)
    ridge, free, features = np.full(matrix.shape[1], parameters.mu), None, data.features
    if parameters.intercept:
        ones = np.ones((matrix.shape[0], 1))
        matrix = (
            sparse.hstack([matrix, ones]).tocsr() if sparse.issparse(matrix) else np.hstack([matrix, ones])
        )
        ridge = np.append(ridge, 0.0)
        free = np.arange(ridge.size) == ridge.size - 1
        features = (*features, "intercept")
    objective = Objective(matrix, target, ridge, loss, penalty_of(parameters), parameters.delta, free=free)
    return Ground(
        key=_key(data.name),
        title=f"{data.name}, {_loss_words(loss)}",
        objective=objective,
        features=features,
        image=data.image,
        generator=None if parameters.intercept else _generator(objective.dimension, data.name, seed),
    )


def quadratic_ground(kind: str, d: int, name: str, seed: int, penalty: Penalty | None = None) -> Ground:
    """A synthetic quadratic with an optimum from the seed, along the axes."""
    rng = np.random.default_rng([seed, zlib.crc32(f"quadratic {kind}".encode())])
    objective = quadratic(*least_squares(spectrum(kind, d), rng.standard_normal(d)))
    return Ground(
        key=_key(name),
        title=f"quadratic, {kind}" if d > 2 else "quadratic in the plane",
        objective=objective.with_penalty(penalty or Penalty()),
        features=tuple(f"x{j}" for j in range(1, d + 1)),
        generator=_generator(d, name, seed),
    )


def turned(base: Ground, amount: float) -> Objective:
    """The objective with its coordinates turned by `amount` from 0 to 1."""
    if amount == 0.0 or base.generator is None:
        return base.objective
    return base.objective.rotated(cayley_rotation(base.generator, amount))


def preconditioned(parameters: Parameters, objective: Objective) -> Objective:
    """The objective in the metric of the chosen P."""
    if parameters.preconditioner == "none":
        return objective
    if parameters.preconditioner == "diagonal":
        values = diagonal(objective)
        return objective.preconditioned(np.where(values > 0, values, 1.0))
    return objective.preconditioned(np.array(parse_diagonal(parameters.diagonal)))


def without_penalty(objective: Objective) -> Objective:
    """f alone."""
    return replace(objective, penalty=Penalty())


def _generator(d: int, name: str, seed: int) -> NDArray[np.float64] | None:
    from engine.methods.gaussian_sketch.rotation import LARGEST

    if d > LARGEST or d < 2:
        return None
    return skew_generator(d, np.random.default_rng([seed, zlib.crc32(f"rotation {name}".encode())]))


def _key(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "_-" else "_" for letter in name)


def _loss_words(loss: str) -> str:
    return {"logistic": "logistic", "square": "least squares", "huber": "Huber"}[loss]
