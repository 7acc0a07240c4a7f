"""Instances: the constructions behind the lower bounds, and synthetic data sets. All seeded.

An `Instance` holds points (n, d) to be measured with `metric`, or a distance matrix (n, n).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import FieldError

from .metrics import distances
from .storage import Distances


@dataclass(frozen=True)
class Instance:
    """A named set of points or distances, with what it shows and the k to look at.

    `points` (n, d) float64 for drawing and measuring, or for drawing only when `matrix` (n, n) is given.
    `groups` (n,) are the parts of the construction or the true labels, -1 for noise.
    """

    name: str
    description: str
    k: int
    metric: str = "euclidean"
    points: NDArray[np.float64] | None = None
    matrix: NDArray[np.float64] | None = None
    groups: NDArray[np.int64] | None = None

    @property
    def n(self) -> int:
        """Number of points."""
        held = self.matrix if self.matrix is not None else self.points
        return 0 if held is None else len(held)

    def distances(self) -> Distances:
        """All distances, square float64."""
        if self.matrix is not None:
            return Distances(self.matrix.copy(), self.n, "precomputed", True)
        return distances(np.asarray(self.points), self.metric)


def _at_least(field: str, value: float, least: float) -> None:
    if value < least:
        raise FieldError(field, found=value, allowed=f"at least {least}")


def sl_chain(k: int = 7, epsilon: float = 1e-3, far: float | None = None) -> Instance:
    """Single linkage chains: n = 2k-2, ratio k(k-2)(1-ε) to OPT_AV(k), which is 1/k.

    A: k-1 points at mutual distance 1. B: k-1 points on a line with step 1-ε. Cross distance `far` >= k
    (default 3k). Raises `FieldError` for k < 3, ε outside (0, 1/2), far < k.
    """
    _at_least("k", k, 3)
    far = 3.0 * k if far is None else far
    _at_least("far", far, k)
    if not 0 < epsilon < 0.5:
        raise FieldError("epsilon", found=epsilon, allowed="between 0 and 0.5, both excluded")
    m = k - 1
    matrix = np.full((2 * m, 2 * m), float(far))
    matrix[:m, :m] = 1.0 - np.eye(m)
    line = np.arange(m) * (1.0 - epsilon)
    matrix[m:, m:] = np.abs(line[:, None] - line)
    # For the eye: A on a circle at the left, B along the line at the right.
    angle = 2 * np.pi * np.arange(m) / m
    circle = np.column_stack([0.5 * np.cos(angle), 0.5 * np.sin(angle)])
    drawn = np.vstack([circle, np.column_stack([line + 2.0, np.zeros(m)])])
    groups = np.repeat([0, 1], m)
    return Instance(
        "sl_chain", "Single linkage joins the line before any pair of the clique", k, "precomputed",
        drawn, matrix, groups,
    )  # fmt: skip


def al_stairs(t: int = 5, epsilon: float = 1e-3) -> Instance:
    """Average linkage climbs stairs: n = t! + t, max-diam t(t-1)/2 at k = t+1 while OPT_DM <= t+1+ε.

    Position p_i = i(i+1)/2 is taken by A_i, 1 point for i = 0 and (i+1)! - i! for i >= 1; then x_0..x_{t-1}
    with dist(x_i, A_j) = |p_i - p_j| + t+1+ε and dist(x_i, x_j) = |p_i - p_j| + 2(t+1+ε). 2 <= t <= 7.
    """
    if not 2 <= t <= 7:
        raise FieldError("t", found=t, allowed="between 2 and 7 (t! + t points)")
    place = np.arange(t) * (np.arange(t) + 1) / 2
    many = [1] + [factorial(i + 1) - factorial(i) for i in range(1, t)]
    position = np.concatenate([np.repeat(place, many), place])
    lifted = np.concatenate([np.zeros(sum(many)), np.ones(t)])
    height = t + 1 + epsilon
    matrix = np.abs(position[:, None] - position) + height * (lifted[:, None] + lifted)
    np.fill_diagonal(matrix, 0.0)
    groups = np.concatenate([np.repeat(np.arange(t), many), np.arange(t)])
    return Instance(
        "al_stairs", "Average linkage swallows stair after stair", t + 1, "precomputed",
        np.column_stack([position, lifted * height]), matrix, groups,
    )  # fmt: skip


def line_shrinking(n: int = 30, epsilon: float | None = None) -> Instance:
    """Points x_1 = 1, x_i = x_{i-1} + 1 - iε: single linkage peels singletons, cs-ratio_AV = Ω(n-k).

    ε defaults to 1/(2n); needs 0 < nε < 1.
    """
    _at_least("n", n, 3)
    epsilon = 0.5 / n if epsilon is None else epsilon
    if not 0 < n * epsilon < 1:
        raise FieldError("epsilon", found=epsilon, allowed=f"between 0 and 1/n = {1 / n:.4g}, both excluded")
    x = 1.0 + np.concatenate([[0.0], np.cumsum(1.0 - epsilon * np.arange(2, n + 1))])
    points = np.column_stack([x, np.zeros(n)])
    return Instance("line_shrinking", "Single linkage eats the line from one end", 2, "euclidean", points)


def cl_sqrt(m: int = 3) -> Instance:
    """Complete linkage with cs-ratio_AV = Ω(√n) at k = 3, by the order of ties; ℓ1 metric.

    t = 2^m - 1. A: t² copies at ½ and i + ½ for i = 1..t; B: their mirror image. E: p = 2(t² + t) points
    with first coordinate t² and an axis of their own each, at mutual distance 1.5t: farther apart than A or
    B is long (t), nearer than A∪B is (2t + 1). Points stand in the order that makes the index policy join
    within A and within B, so that {A, B, E} appears: E has average 1.5t, A and B are 1 + o(1) apart.
    2 <= m <= 4, n = 4(t² + t).
    """
    if not 2 <= m <= 4:
        raise FieldError("m", found=m, allowed="between 2 and 4")
    t = 2**m - 1
    side = np.concatenate([np.full(t * t, 0.5), np.arange(1, t + 1) + 0.5])
    p = 2 * len(side)
    points = np.zeros((2 * p, 1 + p))
    points[:p, 0] = np.concatenate([side, -side])
    points[p:, 0] = t * t
    points[p:, 1:] = 0.75 * t * np.eye(p)
    groups = np.repeat([0, 1, 2], [p // 2, p // 2, p])
    return Instance(
        "cl_sqrt", "Complete linkage keeps two neighbouring halves apart and joins a loose crowd", 3,
        "cityblock", points, None, groups,
    )  # fmt: skip


def gaussian_blobs(n: int = 300, k: int = 5, d: int = 2, spread: float = 0.06, seed: int = 0) -> Instance:
    """k spherical normal clusters of standard deviation `spread`, centres uniform in the unit cube."""
    _at_least("k", k, 1)
    _at_least("n", n, k)
    rng = np.random.default_rng(seed)
    centres = rng.random((k, d))
    groups = np.arange(n) % k
    points = centres[groups] + spread * rng.normal(size=(n, d))
    return Instance("gaussian_blobs", f"{k} round clusters", k, "euclidean", points, None, groups)


def two_moons(n: int = 300, noise: float = 0.06, seed: int = 0) -> Instance:
    """Two interlocked half circles of radius 1 with normal noise."""
    _at_least("n", n, 2)
    rng = np.random.default_rng(seed)
    groups = np.arange(n) % 2
    angle = np.pi * rng.random(n)
    upper = np.column_stack([np.cos(angle), np.sin(angle)])
    lower = np.column_stack([1.0 - np.cos(angle), 0.5 - np.sin(angle)])
    points = np.where(groups[:, None] == 0, upper, lower) + noise * rng.normal(size=(n, 2))
    return Instance("two_moons", "Two bent clusters that touch nowhere", 2, "euclidean", points, None, groups)


def ring_with_noise(n: int = 300, share: float = 0.15, noise: float = 0.04, seed: int = 0) -> Instance:
    """A ring of radius 1 around a disc of radius 0.3, and a `share` of uniform noise (group -1)."""
    _at_least("n", n, 3)
    if not 0 <= share < 1:
        raise FieldError("share", found=share, allowed="from 0 up to, not including, 1")
    rng = np.random.default_rng(seed)
    groups = np.where(rng.random(n) < share, -1, np.arange(n) % 2)
    angle = 2 * np.pi * rng.random(n)
    radius = np.where(groups == 0, 1.0 + noise * rng.normal(size=n), 0.3 * np.sqrt(rng.random(n)))
    points = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    points = np.where(groups[:, None] < 0, 3.0 * rng.random((n, 2)) - 1.5, points)
    return Instance("ring_with_noise", "A ring, a disc, and noise", 2, "euclidean", points, None, groups)


def uniform_cube(n: int = 300, d: int = 2, seed: int = 0) -> Instance:
    """Points uniform in the unit cube: no clusters to find."""
    _at_least("n", n, 2)
    _at_least("d", d, 1)
    points = np.random.default_rng(seed).random((n, d))
    return Instance("uniform_cube", "No clusters at all", 5, "euclidean", points)


INSTANCES = {
    "sl_chain": sl_chain,
    "al_stairs": al_stairs,
    "line_shrinking": line_shrinking,
    "cl_sqrt": cl_sqrt,
    "gaussian_blobs": gaussian_blobs,
    "two_moons": two_moons,
    "ring_with_noise": ring_with_noise,
    "uniform_cube": uniform_cube,
}
