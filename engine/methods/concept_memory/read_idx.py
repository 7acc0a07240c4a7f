"""IDX files of digits (MNIST and the like): images with magic 2051, labels with magic 2049."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.core.data.loaded import Loaded
from engine.core.data.options import ReadOptions
from engine.core.data.report import Report
from engine.core.data.source import Source
from engine.methods.concept_memory.concept_images import TEST, TRAIN
from engine.methods.concept_memory.data_kind import ConceptImagesKind
from engine.methods.concept_memory.scenarios import digit_images

IMAGES, LABELS = "images", "labels"
MAGIC_IMAGES, MAGIC_LABELS = 2051, 2049
LARGEST = 1 << 30


def load(source: Source, options: ReadOptions, kind: ConceptImagesKind) -> Loaded:
    """Read ``train-images-idx3-ubyte[.gz]`` with its labels, and the t10k files where they lie beside it.

    Raises:
        DataError: a magic number, a size or a label that is wrong, or a file that is missing.
    """
    if IMAGES not in source.path.name:
        raise source.error(
            "not-idx-images",
            "the file's name does not say “images”",
            "an IDX file of images, such as train-images-idx3-ubyte, is read here",
        )
    images, digits = _pair(source)
    split = np.full(len(images), -1, np.int8)
    report = Report(file=source.name, format="IDX", reading="digits: identity as concepts, parity as class")
    tests = _beside(source.path, "train", ("t10k", "test"))
    if tests is not None:
        later, later_digits = _pair(replace(source, path=tests))
        if later.shape[1:] != images.shape[1:]:
            raise replace(source, path=tests).error(
                "other-size",
                f"its images are {later.shape[2]}×{later.shape[1]}",
                f"those of training are {images.shape[2]}×{images.shape[1]}",
            )
        split = np.repeat(np.array([TRAIN, TEST], np.int8), [len(images), len(later)])
        images, digits = np.concatenate([images, later]), np.concatenate([digits, later_digits])
    else:
        report.warnings.append(
            "no test images lie beside the file: a quarter is kept for testing in each run"
        )
    report.rows = report.rows_in_file = len(images)
    data = replace(digit_images(source.path.stem, images, digits), split=split)
    return Loaded(data, report, options, source.name)


def _pair(source: Source) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    images = _array(source, MAGIC_IMAGES, 3)
    labels = _labels_of(source)
    digits = _array(labels, MAGIC_LABELS, 1).astype(np.int64)
    if len(digits) != len(images):
        raise labels.error(
            "other-count", f"it has {len(digits):,} labels", f"{source.name} has {len(images):,} images"
        )
    wrong = np.flatnonzero(digits > 9)
    if len(wrong):
        raise labels.error(
            "not-a-digit",
            f"label {digits[wrong[0]]} is no digit",
            "labels are 0 to 9",
            row=int(wrong[0]) + 1,
            further=len(wrong) - 1,
        )
    return images, digits


def _labels_of(source: Source) -> Source:
    name = source.path.name.replace(IMAGES, LABELS).replace("idx3", "idx1")
    stem = name.removesuffix(".gz")
    for candidate in (name, stem, f"{stem}.gz"):
        if (source.path.parent / candidate).is_file():
            return replace(source, path=source.path.parent / candidate)
    raise source.error("missing-labels", f"{stem} is not beside it", "the labels of the images are needed")


def _beside(path: Path, word: str, others: tuple[str, ...]) -> Path | None:
    if word not in path.name:
        return None
    names = [path.name.replace(word, other) for other in others]
    stems = [name.removesuffix(".gz") for name in names]
    found = [path.parent / name for stem in stems for name in (stem, f"{stem}.gz")]
    return next((one for one in found if one.is_file()), None)


def _array(source: Source, magic: int, axes: int) -> NDArray[np.uint8]:
    content = source.read_bytes()
    if len(content) < 4 + 4 * axes:
        raise source.error("too-short", f"it has {len(content)} bytes", "an IDX file begins with its sizes")
    found, *sizes = struct.unpack(f">{1 + axes}I", content[: 4 + 4 * axes])
    if found != magic:
        raise source.error("magic", f"the magic number is {found}", f"{magic} is that of this kind of file")
    wanted = int(np.prod([float(size) for size in sizes]))
    held = len(content) - 4 - 4 * axes
    if wanted > LARGEST or wanted != held or not wanted:
        shape = " × ".join(f"{size:,}" for size in sizes)
        raise source.error("sizes", f"{shape} values are announced, {held:,} follow", "as many must follow")
    return np.frombuffer(content, np.uint8, offset=4 + 4 * axes).reshape(sizes).copy()
