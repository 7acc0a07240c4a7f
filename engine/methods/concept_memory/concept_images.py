"""What the tab computes with: images with concepts and a class, and one experiment made of them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

TRAIN, VALIDATION, TEST, OPEN = 0, 1, 2, -1


@dataclass(frozen=True, eq=False, kw_only=True)
class ConceptImages:
    """`images` uint8 (n, h, w) grey or (n, h, w, 3); `concepts` uint8 (n, C) of 0 and 1; `labels` (n,).

    `groups` (C,) numbers the group of each concept; `split` int8 (n,) is 0 training, 1 validation, 2 test,
    −1 where the run is to split; `certainty` uint8 (n, C) on the scale 1 (not visible) to 4. `digits`
    (n,) where the images are digits, for the scenarios. `paths` are the files of photographs.
    """

    name: str
    images: NDArray[np.uint8]
    concepts: NDArray[np.uint8]
    labels: NDArray[np.int64]
    concept_names: tuple[str, ...]
    groups: NDArray[np.int64]
    group_names: tuple[str, ...]
    class_names: tuple[str, ...]
    split: NDArray[np.int8]
    certainty: NDArray[np.uint8] | None = None
    digits: NDArray[np.int64] | None = None
    names: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    smooth: bool = False

    @property
    def n(self) -> int:
        """Images."""
        return len(self.images)

    @property
    def size(self) -> tuple[int, int]:
        """Height and width in pixels."""
        return self.images.shape[1], self.images.shape[2]

    def name_of(self, place: int) -> str:
        """What image `place` is called."""
        return self.names[place] if self.names else f"image {place}"

    def summary(self) -> str:
        """What was read, in a few words."""
        high, wide = self.size
        return (
            f"{self.n:,} images {wide}×{high} · {len(self.concept_names)} concepts in "
            f"{counted(len(self.group_names), 'group')} · {counted(len(self.class_names), 'class')}"
        )

    def fingerprint(self) -> str:
        """SHA-256 over images, concepts, classes, split, names."""
        digest = hashlib.sha256(b"concept images 1")
        for part in (self.images, self.concepts, self.labels, self.groups, self.split, self.certainty):
            digest.update(b"-" if part is None else np.ascontiguousarray(part).tobytes())
        for text in (*self.concept_names, *self.group_names, *self.class_names):
            digest.update(f"{len(text)}:{text}".encode())
        return digest.hexdigest()


@dataclass(frozen=True, eq=False, kw_only=True)
class Experiment:
    """One scenario, split and seed: `inputs` float32 (n, D) of g, and places of its parts.

    `images` are what is shown, uint8; places count in the data set. Corrections are taken from `pool`, by
    default the validation images; `test_inputs` and `test_images` are those of `test`, shifted or not.
    """

    data: ConceptImages
    scenario: str
    seed: int
    images: NDArray[np.uint8]
    inputs: NDArray[np.float32]
    train: NDArray[np.int64]
    validation: NDArray[np.int64]
    test: NDArray[np.int64]
    pool: NDArray[np.int64]
    test_inputs: NDArray[np.float32]
    test_images: NDArray[np.uint8]


def counted(count: int, noun: str) -> str:
    """ "1 class", "8 classes"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}{'es' if noun.endswith('s') else 's'}"
