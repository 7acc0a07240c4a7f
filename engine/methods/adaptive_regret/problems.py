"""An online convex problem as arrays: features, targets, loss, domain, and the constants D, G, bound, α."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LOSSES = ("square", "logistic", "log", "hinge", "absolute")


@dataclass(frozen=True, eq=False)
class Problem:
    """f_t(w) = ℓ(⟨w, φ_t⟩, y_t) over a ball of radius R or the simplex.

    `features` (T, d) float64; `targets` (T,); `loss` one of LOSSES; `simplex` the domain; `radius` R.
    Constants left None are taken from the data: `gradient_bound` G ≥ ‖∇f_t‖, `loss_bound` ≥ f_t.
    `switches` are the rounds at which the stream is known to change.
    """

    features: Floats
    targets: Floats
    loss: str = "square"
    simplex: bool = False
    radius: float = 1.0
    gradient_bound: float | None = None
    loss_bound: float | None = None
    switches: tuple[int, ...] = ()
    names: tuple[str, ...] = field(default=())

    @property
    def rounds(self) -> int:
        return len(self.features)

    @property
    def dimension(self) -> int:
        return self.features.shape[1]

    @property
    def diameter(self) -> float:
        """D: 2R for the ball, √2 for the simplex."""
        return math.sqrt(2.0) if self.simplex else 2.0 * self.radius

    @property
    def start(self) -> Floats:
        """Where every expert starts: 0, or the uniform point."""
        d = self.dimension
        return np.full(d, 1.0 / d) if self.simplex else np.zeros(d)

    @property
    def largest_residual(self) -> float:
        """ρ ≥ |⟨w, φ_t⟩ − y_t| over the domain (square loss)."""
        reach = self._reach()
        return float(np.max(reach + np.abs(self.targets))) or 1.0

    def gradient_limit(self) -> float:
        """G from the data: the largest ‖φ_t‖·|ℓ'| over the domain."""
        if self.gradient_bound is not None:
            return self.gradient_bound
        norms = np.linalg.norm(self.features, axis=1)
        reach = self._reach()
        if self.loss == "square":
            slopes = reach + np.abs(self.targets)
        elif self.loss == "logistic":
            slopes = 1.0 / (1.0 + np.exp(-reach))
        elif self.loss == "log":
            slopes = 1.0 / np.maximum(self.features.min(axis=1), 1e-12)
        else:
            slopes = np.ones(self.rounds)
        return float((norms * slopes).max()) or 1.0

    def loss_limit(self) -> float:
        """The largest loss a round can cost, from the data: what the meta-algorithms count as one."""
        if self.loss_bound is not None:
            return self.loss_bound
        reach = self._reach()
        if self.loss == "square":
            return float((0.5 * (reach + np.abs(self.targets)) ** 2).max()) or 1.0
        if self.loss == "logistic":
            return float(np.log1p(np.exp(reach)).max())
        if self.loss == "log":
            low = np.maximum(self.features.min(axis=1), 1e-12)
            return float(np.log(self.features.max(axis=1) / low).max()) or 1.0
        if self.loss == "hinge":
            return float((1.0 + reach).max())
        return float((reach + np.abs(self.targets)).max()) or 1.0

    def alpha(self) -> float:
        """The exp-concavity that holds by the data; for losses without one, 1/(bound of the loss)."""
        if self.loss == "square":
            return 1.0 / self.largest_residual**2
        if self.loss == "logistic":
            return math.exp(-float(self._reach().max()))
        if self.loss == "log":
            return 1.0
        return 1.0 / self.loss_limit()

    def upto(self, rounds: int) -> Problem:
        """The first rounds alone."""
        return replace(self, features=self.features[:rounds], targets=self.targets[:rounds])

    def _reach(self) -> Floats:
        """|⟨w, φ_t⟩| at most, (T,)."""
        if self.simplex:
            return np.abs(self.features).max(axis=1)
        return self.radius * np.linalg.norm(self.features, axis=1)
