"""Sketch matrices S (d, ℓ) with E[SSᵀ] = ℓI, and their moments.

Columns are stored as rows: a draw has shape (steps, ℓ, d). Drawn from a NumPy generator in order, so that
the numbers do not depend on how many steps are drawn at once.

* gaussian: i.i.d. N(0, 1); κ = E s⁴ = 3;
* rademacher: i.i.d. ±1; κ = 1;
* sparse: ±1/√p with probability p, else 0; κ = 1/p;
* orthogonal: a Haar-distributed orthonormal block times √d (ℓ = 1: a uniform direction of length √d);
* srht: ℓ distinct columns of a Hadamard matrix with random signs, cut to d rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import hadamard

SKETCHES = ("gaussian", "rademacher", "sparse", "orthogonal", "srht")
Draws = NDArray[np.float64]


def sparse_density(d: int) -> float:
    """Share of entries of the sparse sketch that are not 0: 1/√d, at least 1/d."""
    return min(1.0, 1.0 / np.sqrt(d))


def kurtosis(kind: str, d: int) -> float:
    """κ = E s⁴ of one entry; for orthogonal blocks the value that gives the right trace of E[(SSᵀ)²]."""
    if kind == "sparse":
        return 1.0 / sparse_density(d)
    return 3.0 if kind == "gaussian" else 1.0


def h_step(kind: str, d: int, size: int) -> float:
    """a = argmin E‖v − aSSᵀv‖² = 1/(d + ℓ − 2 + κ) for i.i.d. entries; 1/d for orthogonal columns.

    Gaussian: 1/(d + ℓ + 1), E[(SSᵀ)²] = ℓ(d + ℓ + 1)I. A Hadamard block is orthogonal where d is a
    power of two, and behaves like signs otherwise.
    """
    if kind == "orthogonal" or (kind == "srht" and d & (d - 1) == 0):
        return 1.0 / d
    return 1.0 / (d + size - 2 + kurtosis(kind, d))


def draw(kind: str, rng: np.random.Generator, steps: int, size: int, d: int) -> Draws:
    """`steps` independent sketches, float64 (steps, ℓ, d)."""
    shape = (steps, size, d)
    if kind == "gaussian":
        return rng.standard_normal(shape)
    if kind == "rademacher":
        return np.where(rng.random(shape) < 0.5, -1.0, 1.0)
    if kind == "sparse":
        density = sparse_density(d)
        uniform = rng.random(shape)
        signs = np.where(uniform < 0.5 * density, -1.0, 1.0)
        return np.where(uniform < density, signs / np.sqrt(density), 0.0)
    if kind == "orthogonal":
        normal = rng.standard_normal(shape)
        if size == 1:
            return normal * (np.sqrt(d) / np.linalg.norm(normal, axis=2, keepdims=True))
        return np.sqrt(d) * orthonormal(normal.transpose(0, 2, 1)).transpose(0, 2, 1)
    return _hadamard_blocks(rng, steps, size, d)


def orthonormal(normal: Draws) -> Draws:
    """Haar-distributed orthonormal columns from Gaussian blocks (…, d, ℓ), ℓ ≤ d (Mezzadri 2007)."""
    q, r = np.linalg.qr(normal)
    return q * np.sign(np.diagonal(r, axis1=-2, axis2=-1))[..., None, :]


def _hadamard_blocks(rng: np.random.Generator, steps: int, size: int, d: int) -> Draws:
    width = 1 << max(d - 1, 0).bit_length()
    table = hadamard(width)[:d].T
    out = np.empty((steps, size, d))
    for t in range(steps):
        signs = np.where(rng.random(d) < 0.5, -1.0, 1.0)
        # the smallest ℓ of `width` uniform keys: distinct columns, one draw of the generator each
        columns = np.argsort(rng.random(width), kind="stable")[:size]
        out[t] = table[columns] * signs
    return out
