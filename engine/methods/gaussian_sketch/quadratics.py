"""Synthetic quadratics ½(x − x*)ᵀM(x − x*), M = QΛQᵀ, as least squares ½‖Bx − Bx*‖²/d with B = √d Λ^½Qᵀ."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SPECTRA = ("decay", "spike", "flat")


def spectrum(kind: str, d: int) -> NDArray[np.float64]:
    """Eigenvalues (d,): decay max(i^−1.5, 1e−3); spike 1 and d − 1 times 0.01; flat all 0.5."""
    if kind == "decay":
        return np.maximum(np.arange(1, d + 1) ** -1.5, 1e-3)
    if kind == "spike":
        return np.concatenate([[1.0], np.full(d - 1, 0.01)])
    if kind == "flat":
        return np.full(d, 0.5)
    raise ValueError(f"no spectrum named {kind}: {', '.join(SPECTRA)}")


def least_squares(
    eigenvalues: NDArray[np.float64],
    optimum: NDArray[np.float64],
    rotation: NDArray[np.float64] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(B, y) with BᵀB/d = QΛQᵀ and y = Bx*; `rotation` Q (d, d), the identity if None."""
    d = len(eigenvalues)
    turned = np.eye(d) if rotation is None else rotation.T
    matrix = np.sqrt(d * eigenvalues)[:, None] * turned
    return matrix, matrix @ optimum
