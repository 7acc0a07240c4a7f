"""Rotations of the coordinates: x = Qu, so that A becomes AQ and M becomes QᵀMQ."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.methods.gaussian_sketch.sketches import orthonormal

Matrix = NDArray[np.float64]
LARGEST = 2000
"""No d × d matrix is formed above this many coordinates."""


def haar_rotation(d: int, rng: np.random.Generator) -> Matrix:
    """A uniformly distributed orthogonal matrix (d, d)."""
    return orthonormal(rng.standard_normal((d, d)))


def skew_generator(d: int, rng: np.random.Generator) -> Matrix:
    """A random skew matrix K whose Cayley rotation at amount 1 has diagonal near 0.

    Entries have variance 2/d: the spectrum of K then fills a semicircle of variance 2, for which the mean
    of 1/(1 + κ²) is ½ and hence the mean diagonal of Q(1) = 2(I − K)⁻¹ − I is 0.
    """
    normal = np.triu(rng.standard_normal((d, d)), 1) * np.sqrt(2.0 / d)
    return normal - normal.T


def cayley_rotation(generator: Matrix, amount: float) -> Matrix:
    """Q(θ) = (I − θK)⁻¹(I + θK): orthogonal for every θ, the identity at 0."""
    d = len(generator)
    if amount == 0.0:
        return np.eye(d)
    turned = amount * generator
    return np.asarray(np.linalg.solve(np.eye(d) - turned, np.eye(d) + turned), np.float64)
