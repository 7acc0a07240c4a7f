"""What can happen to images between training and use: occlusion, blur, noise, other colours, erasure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

BLUR, SALT, SPECKLE = 1.5, 0.01, 0.3
ERASED = (0.10, 0.20)
BOX, HIDDEN = 10, 0.7


def blurred(images: NDArray[np.floating], rng: np.random.Generator) -> NDArray[np.floating]:
    """Gaussian blur of a width drawn from [0, 1.5] px for each image (n, h, w, 3)."""
    from scipy.ndimage import gaussian_filter

    widths = rng.uniform(0.0, BLUR, len(images))
    return np.stack(
        [gaussian_filter(image, (w, w, 0)) for image, w in zip(images, widths.tolist(), strict=True)]
    )


def salt_and_pepper(images: NDArray[np.floating], rng: np.random.Generator) -> NDArray[np.floating]:
    """One pixel in a hundred black or white."""
    hit = rng.random(images.shape[:3]) < SALT
    colour = rng.integers(0, 2, images.shape[:3]).astype(float)
    return np.where(hit[..., None], colour[..., None], images)


def speckled(images: NDArray[np.floating], rng: np.random.Generator) -> NDArray[np.floating]:
    """x (1 + 0.3 z), z normal for each value."""
    return images * (1 + SPECKLE * rng.normal(size=images.shape))


def jittered(images: NDArray[np.floating], rng: np.random.Generator) -> NDArray[np.floating]:
    """Brightness and contrast of each image, and the weight of each of its channels, by up to a fifth."""
    count = len(images)
    light = rng.uniform(0.8, 1.2, (count, 1, 1, 1))
    channels = rng.uniform(0.85, 1.15, (count, 1, 1, 3))
    middle = images.mean(axis=(1, 2, 3), keepdims=True)
    contrast = rng.uniform(0.8, 1.2, (count, 1, 1, 1))
    return ((images - middle) * contrast + middle) * light * channels


def erased(images: NDArray[np.floating], rng: np.random.Generator) -> NDArray[np.floating]:
    """A random rectangle of 10 to 20% of the area of each image becomes grey."""
    result = images.copy()
    _, high, wide, _ = images.shape
    for place in range(len(images)):
        area = rng.uniform(*ERASED) * high * wide
        aspect = rng.uniform(0.5, 2.0)
        tall = int(np.clip(round(np.sqrt(area * aspect)), 1, high))
        broad = int(np.clip(round(area / tall), 1, wide))
        top, left = rng.integers(0, high - tall + 1), rng.integers(0, wide - broad + 1)
        result[place, top : top + tall, left : left + broad] = 0.5
    return result


def distorted(images: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """All of them, in the order above."""
    values: NDArray[np.floating] = images.astype(float) / 255
    for change in (blurred, salt_and_pepper, speckled, jittered, erased):
        values = change(values, rng)
    return np.round(np.clip(values, 0, 1) * 255).astype(np.uint8)


def occlude(
    images: NDArray[np.uint8], covered: NDArray[np.bool_], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """A grey box of 10 × 10 at a random place; True where it hides over 70% of the figure `covered`."""
    result = images.copy()
    _, high, wide, _ = images.shape
    hidden = np.zeros(len(images), bool)
    tops, lefts = rng.integers(0, high - BOX + 1, len(images)), rng.integers(0, wide - BOX + 1, len(images))
    for place, (top, left) in enumerate(zip(tops.tolist(), lefts.tolist(), strict=True)):
        box = (slice(top, top + BOX), slice(left, left + BOX))
        result[(place, *box)] = 90
        hidden[place] = covered[(place, *box)].sum() > HIDDEN * covered[place].sum()
    return result, hidden
