"""Derivative-free sketched descent of a function known only by its values: own code, no data matrix.

For an expensive black box the calls of `function` are all that counts, so this is plain NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.methods.gaussian_sketch.sketches import draw, h_step

Vector = NDArray[np.float64]
Prox = Callable[[Vector, float], Vector]


@dataclass
class BlackBox:
    """Resumable zeroth-order GSGD: z_j = s_jᵀ∇f by differences, h learnt, a proximal step of φ.

    `function` f: (d,) → float; `prox` (v, η) → prox_{ηφ}(v) or None; `eta` η; `size` ℓ; `forward`
    spends 1 + ℓ calls a step in place of 2ℓ. `calls` counts calls of f.
    """

    function: Callable[[Vector], float]
    x: Vector
    rng: np.random.Generator
    eta: float
    size: int = 1
    prox: Prox | None = None
    sketch: str = "gaussian"
    forward: bool = False
    learns: bool = True
    calls: int = 0

    def __post_init__(self) -> None:
        self.x = np.array(self.x, np.float64)
        self.h = np.zeros_like(self.x)

    def step(self) -> None:
        """One step."""
        d = self.x.size
        sketch = draw(self.sketch, self.rng, 1, self.size, d)[0]
        z = np.array([self._derivative(s) for s in sketch]) - sketch @ self.h
        if self.forward:
            self.calls -= self.size - 1
        along = sketch.T @ z
        g = self.h + along / self.size
        if self.learns:
            self.h = self.h + h_step(self.sketch, d, self.size) * along
        self.x = self.x - self.eta * g
        if self.prox is not None:
            self.x = self.prox(self.x, self.eta)

    def _derivative(self, s: Vector) -> float:
        """sᵀ∇f(x): central with ε_mach^⅓, forward with ε_mach^½, times (1 + ‖x‖)/‖s‖."""
        power = 0.5 if self.forward else 1.0 / 3.0
        shift = np.finfo(float).eps ** power * (1 + np.linalg.norm(self.x)) / np.linalg.norm(s)
        ahead = self.function(self.x + shift * s)
        self.calls += 2
        if self.forward:
            return (ahead - self._here()) / shift
        return (ahead - self.function(self.x - shift * s)) / (2 * shift)

    def _here(self) -> float:
        """f(x), called once a step."""
        if getattr(self, "_at", None) is not self.x:
            self._at, self._value = self.x, self.function(self.x)
        return self._value
