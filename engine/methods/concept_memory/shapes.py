"""Synthetic images with exact concepts in five groups: shape, colour, size, stripe, quadrant.

32 × 32 RGB, drawn at four times the size and averaged, with Gaussian pixel noise. The class follows a fixed
rule: 4·[large] + 2·[circle or square] + [stripe].
"""

from __future__ import annotations

import colorsys
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.methods.concept_memory.concept_images import OPEN, TEST, TRAIN, VALIDATION, ConceptImages
from engine.methods.concept_memory.distortions import distorted, occlude

Change = Literal["none", "confounded", "occlusion", "shift"]
SIDE, FINE, NOISE = 32, 4, 0.05
SHAPES = ("circle", "square", "triangle", "cross")
COLOURS = ("red", "yellow", "green", "cyan", "blue", "magenta")
WARM = (0, 1, 5)
GROUPS = {
    "shape": SHAPES,
    "colour": COLOURS,
    "size": ("small", "large"),
    "stripe": ("no stripe", "stripe"),
    "quadrant": ("top left", "top right", "bottom left", "bottom right"),
}
CLASSES = tuple(
    f"{size} {family}{stripe}"
    for size in ("small", "large")
    for family in ("pointed", "round or square")
    for stripe in ("", ", striped")
)
CONFOUNDING = 0.95


def factors(count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Independent uniform factors: shape, colour, size, stripe, quadrant (count, 5)."""
    return np.stack([rng.integers(0, len(names), count) for names in GROUPS.values()], axis=1)


def rule(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The class of factors (n, 5)."""
    shape, _, size, stripe, _ = values.T
    return 4 * size + 2 * (shape < 2) + stripe


def one_hot(values: NDArray[np.int64]) -> NDArray[np.uint8]:
    """The 18 concepts (n, 18)."""
    parts = [np.eye(len(names), dtype=np.uint8)[values[:, at]] for at, names in enumerate(GROUPS.values())]
    return np.concatenate(parts, axis=1)


def concept_groups() -> NDArray[np.int64]:
    """Group of each of the 18 concepts."""
    return np.repeat(np.arange(len(GROUPS)), [len(names) for names in GROUPS.values()])


def draw(values: NDArray[np.int64], rng: np.random.Generator) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Images (n, 32, 32, 3) and, per image, the pixels the figure covers (n, 32, 32)."""
    images = np.empty((len(values), SIDE, SIDE, 3))
    covered = np.empty((len(values), SIDE, SIDE), bool)
    for place, (shape, colour, size, stripe, quadrant) in enumerate(values.tolist()):
        mask, lines = _figure(shape, size, stripe, quadrant, rng)
        alpha = _averaged(mask.astype(float))
        dark = _averaged((mask & lines).astype(float))
        paint = np.array(colorsys.hsv_to_rgb(colour / len(COLOURS), 0.85, 0.95))
        images[place] = 0.12 * (1 - alpha)[..., None] + (alpha - dark)[..., None] * paint
        covered[place] = alpha > 0.5
    images += rng.normal(0.0, NOISE, images.shape)
    return np.round(np.clip(images, 0, 1) * 255).astype(np.uint8), covered


def make_shapes(count: int, change: Change, seed: int) -> ConceptImages:
    """A set of `count` images with a fixed split (half training, quarters validation and test).

    "confounded": in training, stripe equals "the colour is warm" with probability 0.95. "occlusion": a
    random 10 × 10 box; factors of a figure covered by more than 70% get certainty 1. "shift": validation
    and test images are blurred, noisy, recoloured and partly erased.
    """
    rng = np.random.default_rng([seed, 2])
    values = factors(count, rng)
    split = np.full(count, OPEN, np.int8)
    split[: count // 2], split[count // 2 : 3 * count // 4], split[3 * count // 4 :] = TRAIN, VALIDATION, TEST
    if change == "confounded":
        follows = (split == TRAIN) & (rng.random(count) < CONFOUNDING)
        values[follows, 3] = np.isin(values[follows, 1], WARM)
    images, covered = draw(values, rng)
    certainty = None
    if change == "occlusion":
        images, hidden = occlude(images, covered, rng)
        certainty = np.where(hidden[:, None], 1, 4).astype(np.uint8).repeat(len(concept_groups()), axis=1)
    if change == "shift":
        later = split != TRAIN
        images[later] = distorted(images[later], rng)
    return ConceptImages(
        name="shapes" if change == "none" else f"shapes, {change}",
        images=images,
        concepts=one_hot(values),
        labels=rule(values),
        concept_names=tuple(name for names in GROUPS.values() for name in names),
        groups=concept_groups(),
        group_names=tuple(GROUPS),
        class_names=CLASSES,
        split=split,
        certainty=certainty,
    )


def _figure(
    shape: int, size: int, stripe: int, quadrant: int, rng: np.random.Generator
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The figure and its stripes as masks of 128 × 128."""
    side = SIDE * FINE
    radius = (4.0, 7.0)[size] * FINE
    centre = np.array([8.0, 8.0]) + 16.0 * np.array([quadrant // 2, quadrant % 2])
    row, column = centre * FINE + rng.uniform(-1.0, 1.0, 2) * FINE
    y, x = np.mgrid[0:side, 0:side] + 0.5
    dy, dx = y - row, x - column
    if shape == 0:
        mask = dx**2 + dy**2 <= radius**2
    elif shape == 1:
        mask = (np.abs(dx) <= 0.88 * radius) & (np.abs(dy) <= 0.88 * radius)
    elif shape == 2:
        mask = (dy <= 0.8 * radius) & (2 * np.abs(dx) <= dy + radius) & (dy >= -radius)
    else:
        arm = 0.36 * radius
        mask = ((np.abs(dx) <= arm) & (np.abs(dy) <= radius)) | ((np.abs(dy) <= arm) & (np.abs(dx) <= radius))
    lines = (np.floor(y / (1.5 * FINE)).astype(int) % 2 == 0) if stripe else np.zeros((side, side), bool)
    return mask, lines


def _averaged(fine: NDArray[np.floating]) -> NDArray[np.floating]:
    """Means over blocks of 4 × 4."""
    return fine.reshape(SIDE, FINE, SIDE, FINE).mean(axis=(1, 3))
