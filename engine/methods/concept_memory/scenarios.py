"""Digits with something wrong in their training, and the split of any set into its three parts.

Concepts are the ten digit identities (one group), the class is parity. "unbalanced": only a few training
nines. "confounded": in training the colour tells the digit, elsewhere it is random.
"""

from __future__ import annotations

import colorsys
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.methods.concept_memory.concept_images import (
    OPEN,
    TEST,
    TRAIN,
    VALIDATION,
    ConceptImages,
    Experiment,
)
from engine.methods.concept_memory.distortions import distorted

Scenario = Literal["confounded", "unbalanced", "plain"]
RARE_DIGIT = 9
DIGIT_TEST = 450
"""Test images of scikit-learn's 1,797 digits."""
TEST_SHARE, VALIDATION_SHARE = 0.25, 0.25


def palette(count: int = 10) -> NDArray[np.float64]:
    """Saturated hues evenly spaced on [0, 0.83] of the hue circle: RGB (count, 3)."""
    return np.array([colorsys.hsv_to_rgb(hue, 1.0, 1.0) for hue in np.linspace(0.0, 0.83, count)])


def digit_images(name: str, images: NDArray[np.uint8], digits: NDArray[np.int64]) -> ConceptImages:
    """Digits as a concept set: identity is one group of ten concepts, parity the class."""
    return ConceptImages(
        name=name,
        images=images,
        concepts=np.eye(10, dtype=np.uint8)[digits],
        labels=digits % 2,
        concept_names=tuple(f"digit {digit}" for digit in range(10)),
        groups=np.zeros(10, np.int64),
        group_names=("digit identity",),
        class_names=("even", "odd"),
        split=np.full(len(images), OPEN, np.int8),
        digits=digits,
    )


def split_places(
    data: ConceptImages, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Training, validation and test places: those given, the open ones drawn.

    Test: 450 of scikit-learn's digits, a quarter of other sets that have none; then a quarter of the rest
    is validation.
    """
    test = np.flatnonzero(data.split == TEST)
    validation = np.flatnonzero(data.split == VALIDATION)
    open_places = rng.permutation(np.flatnonzero((data.split == OPEN) | (data.split == TRAIN)))
    given = data.split[open_places] == TRAIN
    if not len(test):
        wanted = DIGIT_TEST if data.digits is not None and data.n == 1797 else round(TEST_SHARE * data.n)
        drawn = open_places[~given] if (~given).any() else open_places
        test = drawn[:wanted]
        open_places = open_places[~np.isin(open_places, test)]
    if not len(validation):
        count = round(VALIDATION_SHARE * len(open_places))
        validation, open_places = open_places[:count], open_places[count:]
    return open_places, validation, test


def prepare(
    data: ConceptImages,
    scenario: Scenario,
    seed: int,
    *,
    nines: int = 6,
    shifted: bool = False,
    features: NDArray[np.float32] | None = None,
) -> Experiment:
    """Split, and make of digits what the scenario says; other data are used as they are.

    `shifted`: corrections are taken on the clean test images and applied to distorted copies of the same
    images (the official code does so on CUB); otherwise on validation images, disjoint from the test.
    `features` (n, D) take the place of the pixels as inputs of g (a backbone's output).
    """
    rng = np.random.default_rng([seed, 1])
    train, validation, test = split_places(data, rng)
    images = data.images
    if data.digits is not None and scenario == "unbalanced":
        train = _few_nines(train, data.digits, nines)
    if data.digits is not None and scenario == "confounded":
        images = _coloured(images, data.digits, train, rng)
    inputs = features if features is not None else as_inputs(images)
    test_images, test_inputs = images[test], inputs[test]
    if shifted:
        test_images = _shifted(test_images, rng)
        test_inputs = as_inputs(test_images)
    return Experiment(
        data=replace(data, images=images) if images is not data.images else data,
        scenario=scenario if data.digits is not None else "plain",
        seed=seed,
        images=images,
        inputs=inputs,
        train=train,
        validation=validation,
        test=test,
        pool=test if shifted else validation,
        test_inputs=test_inputs,
        test_images=test_images,
    )


def as_inputs(images: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Pixels in [0, 1], flattened: float32 (n, D)."""
    return images.reshape(len(images), -1).astype(np.float32) / np.float32(255)


def _shifted(images: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Distorted copies; grey images stay grey."""
    if images.ndim == 4:
        return distorted(images, rng)
    coloured = distorted(np.repeat(images[..., None], 3, axis=3), rng)
    return np.round(coloured.mean(axis=3)).astype(np.uint8)


def _few_nines(train: NDArray[np.int64], digits: NDArray[np.int64], kept: int) -> NDArray[np.int64]:
    """The training places with only the first `kept` nines."""
    nines = np.flatnonzero(digits[train] == RARE_DIGIT)
    return np.delete(train, nines[kept:])


def _coloured(
    images: NDArray[np.uint8],
    digits: NDArray[np.int64],
    train: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.uint8]:
    """Grey × colour: RGB (n, h, w, 3); the colour is the digit in training and random elsewhere."""
    colour = rng.integers(0, 10, len(images))
    colour[train] = digits[train]
    shades = palette()[colour]
    return np.round(images[..., None] * shades[:, None, None, :]).astype(np.uint8)
