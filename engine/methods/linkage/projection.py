"""Where points are drawn: as they are in the plane, on principal components, on a map, or by distances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.core.views import Axis

MOST_SCALED = 3000
ROUNDS = 30
SMALL = 400


@dataclass(frozen=True)
class Projection:
    """Places `x`, `y` (n,), the axes, and in words how they came about."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    x_axis: Axis
    y_axis: Axis
    words: str
    geographic: bool = False
    equal: bool = True


def on_map(latitude: NDArray[np.float64], longitude: NDArray[np.float64]) -> Projection:
    """Longitude across, latitude up."""
    axes = Axis("longitude"), Axis("latitude")
    return Projection(longitude, latitude, *axes, "by latitude and longitude", geographic=True, equal=False)


def in_plane(points: NDArray[np.float64], names: tuple[str, ...], units: tuple[str, ...]) -> Projection:
    """One or two columns as they are; a single one lies on a line."""
    y = points[:, 1] if points.shape[1] > 1 else np.zeros(len(points))
    y_axis = Axis(names[1], units[1]) if points.shape[1] > 1 else Axis("")
    same = len(set(units)) == 1
    return Projection(
        points[:, 0].copy(), y.copy(), Axis(names[0], units[0]), y_axis, "as measured", equal=same
    )


def principal(points: NDArray[np.float64], unit: str) -> Projection:
    """The first two principal components of points (n, d), with their shares of the variance."""
    centred = points - points.mean(axis=0)
    total = float(np.einsum("ij,ij->", centred, centred))
    places, squares = _leading(centred)
    shares = [float(100 * s / total) if total > 0 else 0.0 for s in squares]
    unit = f"{unit}, " if unit else ""
    return Projection(
        places[:, 0],
        places[:, 1],
        Axis("first principal component", f"{unit}{shares[0]:.1f}% of variance"),
        Axis("second", f"{shares[1]:.1f}%"),
        "principal components",
    )


def _leading(centred: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Scores (n, 2) on the two leading axes and their sums of squares; the sign makes the largest loading
    positive. Exact for few columns or rows, by subspace iteration for many of both."""
    n, d = centred.shape
    if min(n, d) <= SMALL:
        wide = d > n
        _, vectors = np.linalg.eigh(centred @ centred.T if wide else centred.T @ centred)
        axes = vectors[:, ::-1][:, :2]
        if wide:
            axes = centred.T @ axes
            axes /= np.maximum(np.linalg.norm(axes, axis=0), 1e-300)
    else:
        axes = _subspace(lambda v: centred.T @ (centred @ v), d)
    axes = axes * np.sign(axes[np.argmax(np.abs(axes), axis=0), np.arange(2)])
    places = centred @ axes
    return places, np.einsum("ij,ij->j", places, places)


def _subspace(apply: Callable[[NDArray], NDArray], size: int) -> NDArray[np.float64]:
    """The two leading eigenvectors (size, 2) of a symmetric operator, from a fixed start."""
    rng = np.random.default_rng(0)
    v = np.linalg.qr(rng.normal(size=(size, min(6, size))))[0]
    for _ in range(ROUNDS):
        v = np.linalg.qr(apply(v))[0]
    small = v.T @ apply(v)
    _, turn = np.linalg.eigh((small + small.T) / 2)
    return (v @ turn[:, ::-1])[:, :2]


def classical_scaling(square: NDArray[np.float64]) -> Projection:
    """Torgerson's scaling of distances (n, n): the plane that keeps most of them; n up to 3,000."""
    squared = square**2
    rows = squared.mean(axis=1)
    product = -0.5 * (squared - rows[:, None] - rows[None, :] + rows.mean())
    n = len(square)
    if n <= SMALL:
        _, vectors = np.linalg.eigh(product)
        axes = vectors[:, ::-1][:, :2]
    else:
        axes = _subspace(lambda v: product @ v, n)
    values = np.einsum("ij,ij->j", axes, product @ axes)
    axes = axes * np.sign(axes[np.argmax(np.abs(axes), axis=0), np.arange(axes.shape[1])])
    places = axes * np.sqrt(np.maximum(values, 0.0))
    words = "classical scaling of the distances"
    return Projection(places[:, 0], places[:, -1], Axis("first coordinate"), Axis("second"), words)


def from_two(row: Callable[[int], NDArray[np.float64]], n: int, unit: str) -> Projection:
    """Distances to two points far from each other (the first of a farthest-first traversal)."""
    first = int(np.argmax(row(0)))
    to_first = row(first)
    second = int(np.argmax(to_first))
    axes = Axis("distance to one end", unit), Axis("distance to the other", unit)
    return Projection(to_first, row(second), *axes, "by distances to two points far apart")
