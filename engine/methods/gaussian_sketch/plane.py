"""A plane through the optimum: values of F on it, and where iterates fall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from engine.methods.gaussian_sketch.objective import Objective, objective_of_scores

Vector = NDArray[np.float64]
GRID = 41


@dataclass(frozen=True, eq=False)
class Plane:
    """`origin` x* (d,), orthonormal `axes` (2, d), grid `a`, `b` (G,) and `values` F (G, G), b by rows."""

    origin: Vector
    axes: Vector
    a: Vector
    b: Vector
    values: Vector
    titles: tuple[str, str]

    def at(self, points: Vector) -> Vector:
        """Coordinates (K, 2) of points (K, d) projected to the plane."""
        return (points - self.origin) @ self.axes.T


def plane_of(objective: Objective, origin: Vector, start: Vector, size: int = GRID) -> Plane:
    """The coordinate plane for d = 2; else the plane of x* that the start lies in and the steepest axis.

    The first axis points from the optimum to the start; the second is the direction of largest curvature
    (by power iteration on AᵀA) made orthogonal to it.
    """
    d = objective.dimension
    if d == 2:
        axes, titles = np.eye(2), ("first coefficient − optimum", "second coefficient − optimum")
    else:
        first = start - origin
        first = first / max(float(np.linalg.norm(first)), 1e-300) if np.any(first) else np.eye(1, d)[0]
        second = _steepest(objective)
        second = second - (second @ first) * first
        norm = float(np.linalg.norm(second))
        if norm < 1e-8:
            second = np.eye(1, d, int(np.argmin(np.abs(first))))[0]
            second = second - (second @ first) * first
            norm = float(np.linalg.norm(second))
        axes, titles = np.stack([first, second / norm]), ("toward the start", "steepest direction")
    reach = max(float(np.linalg.norm(start - origin)), 1e-3)
    near = (start - origin) @ axes.T
    span, wide = 0.35 * reach, 0.6 * reach
    a = np.linspace(min(0.0, near[0]) - span, max(0.0, near[0]) + span, size)
    b = np.linspace(min(0.0, near[1]) - wide, max(0.0, near[1]) + wide, size)
    return Plane(origin, axes, a, b, _values(objective, origin, axes, a, b), titles)


def _steepest(objective: Objective) -> Vector:
    a = objective.matrix
    v = np.cos(np.arange(1.0, objective.dimension + 1))
    for _ in range(30):
        v = objective.curvature * (a.T @ (a @ v)) / objective.samples + objective.ridge * v
        v = v / max(np.linalg.norm(v), 1e-300)
    return v


def _values(objective: Objective, origin: Vector, axes: Vector, a: Vector, b: Vector) -> Vector:
    """F on the grid, from three products with the data."""
    o, p = objective, objective.penalty
    base, along, up = (np.asarray(o.matrix @ v).ravel() for v in (origin, axes[0], axes[1]))
    out = np.empty((b.size, a.size))
    for row, high in enumerate(b):
        for column, far in enumerate(a):
            x = origin + far * axes[0] + high * axes[1]
            out[row, column] = objective_of_scores(
                base + far * along + high * up, o.target, o.loss_code, o.delta, x, o.ridge,
                p.code, p.size, p.numbers(), o.weights,
            )  # fmt: skip
    return out


def contours(plane: Plane, levels: Vector) -> tuple[Vector, Vector]:
    """Level lines of F as segments: x (m, 2) and y (m, 2)."""
    from contourpy import contour_generator

    found = contour_generator(plane.a, plane.b, np.ma.masked_invalid(plane.values))
    # the default kind of contourpy's lines is a list of (points, 2) arrays
    drawn = [line for level in levels for line in cast(list[Vector], found.lines(float(level)))]
    lines = [line for line in drawn if len(line) > 1]
    ends = [np.stack([line[:-1], line[1:]], axis=1) for line in lines]
    if not ends:
        return np.empty((0, 2)), np.empty((0, 2))
    joined = np.concatenate(ends)
    return joined[..., 0], joined[..., 1]
