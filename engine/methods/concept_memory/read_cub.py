"""The layout of CUB-200-2011: images.txt, classes, split, attributes with certainty, photographs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.core.data.loaded import Loaded
from engine.core.data.options import ReadOptions
from engine.core.data.source import Source
from engine.core.errors import DataError
from engine.methods.concept_memory.concept_images import TEST, TRAIN, ConceptImages
from engine.methods.concept_memory.data_kind import ConceptImagesKind
from engine.methods.concept_memory.pictures_of_files import read_pictures
from engine.methods.concept_memory.read_table import check_training, report_of

LABELS_FILE = "image_attribute_labels.txt"
CLASSES_NEEDED, ALL_CLASSES = 10, 200
"""A concept is kept if its majority value is 1 in so many of the 200 classes, in proportion of fewer."""
_COLUMNS = 8
"""Most values on a line of the attribute labels; a few lines of the original file have six or seven."""


def load(source: Source, options: ReadOptions, kind: ConceptImagesKind) -> Loaded:
    """Read the folder in which ``images.txt`` lies.

    Raises:
        DataError: a file that is missing, or a line that cannot be used, with its number.
    """
    folder = source.path.parent
    if source.path.name != "images.txt":
        raise source.error("not-cub", "this is not images.txt", "images.txt of a CUB folder is read here")
    ids, names, lines = _images(source)
    place = {ident: number for number, ident in enumerate(ids)}
    classes = _classes(folder)
    labels = _per_image(folder / "image_class_labels.txt", place, classes)
    split = np.where(_per_image(folder / "train_test_split.txt", place, {0: 0, 1: 1}) == 1, TRAIN, TEST)
    attributes = _attributes(folder)
    source.tick(0.0, "Reading the attributes")
    concepts, certainty = _labels(folder / "attributes" / LABELS_FILE, place, attributes)
    numbers = np.array([list(classes).index(label) for label in labels.tolist()], np.int64)
    kept = kept_concepts(concepts[split == TRAIN], numbers[split == TRAIN])
    texts = list(attributes.values())
    chosen = [texts[at] for at in kept.tolist()]
    heads = [text.partition("::")[0] for text in chosen]
    groups = tuple(dict.fromkeys(heads))
    if not chosen:
        raise source.error("no-concept", "no attribute is common to enough classes", "at least one is needed")

    def refuse(name: str, found: str, allowed: str) -> DataError:
        return DataError(code="constant", file=LABELS_FILE, found=found, allowed=allowed)

    check_training(concepts[:, kept], numbers, split.astype(np.int8), chosen, list(classes.values()), refuse)
    images, resampled = read_pictures(folder / "images", names, lines, source.name, source.tick)
    data = ConceptImages(
        name=folder.name,
        images=images,
        concepts=concepts[:, kept],
        labels=numbers,
        concept_names=tuple(
            text.replace("has_", "").replace("::", ": ").replace("_", " ") for text in chosen
        ),
        groups=np.array([groups.index(head) for head in heads], np.int64),
        group_names=tuple(group.replace("has_", "").replace("_", " ") for group in groups),
        class_names=tuple(name.partition(".")[2].replace("_", " ") or name for name in classes.values()),
        split=split.astype(np.int8),
        certainty=certainty[:, kept],
        names=tuple(names),
        paths=tuple(str(folder / "images" / name) for name in names),
        smooth=resampled,
    )
    report = report_of(data, source.name, "CUB-200-2011 folder")
    report.conversions.append(
        f"{len(kept)} of {len(attributes)} attributes are kept: those that hold for most images of "
        f"{needed(len(classes))} or more classes"
    )
    return Loaded(data, report, options, source.name)


def needed(classes: int) -> int:
    """Classes in which a kept concept's majority is 1: 10 of 200, in proportion of fewer."""
    return max(1, CLASSES_NEEDED * classes // ALL_CLASSES)


def kept_concepts(concepts: NDArray[np.uint8], labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """The reduced set: concepts whose majority value within the class is 1 in enough classes."""
    found = np.unique(labels)
    majority = np.stack([concepts[labels == label].mean(axis=0) > 0.5 for label in found])
    return np.flatnonzero(majority.sum(axis=0) >= needed(len(found)))


def _fields(path: Path, least: int) -> Iterator[tuple[int, list[str]]]:
    """Line numbers from 1 and the words of each line."""
    if not path.is_file():
        raise DataError(
            code="missing-file",
            file=path.name,
            found="there is no such file",
            allowed=f"Looked for it in {path.parent}",
        )
    with open(path, encoding="utf-8", errors="replace") as stream:
        for number, line in enumerate(stream, 1):
            words = line.split()
            if not words:
                continue
            if len(words) < least:
                raise DataError(
                    code="ragged-row",
                    file=path.name,
                    found=f"“{line.strip()}” has {len(words)} of {least} values",
                    allowed="an id and its value on each line",
                    row=number,
                )
            yield number, words


def _whole(path: Path, number: int, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise DataError(
            code="not-a-number",
            file=path.name,
            found=f"“{text}” is not a whole number",
            allowed="ids are whole numbers",
            row=number,
        ) from None


def _images(source: Source) -> tuple[list[int], list[str], list[int]]:
    ids, names, lines = [], [], []
    for number, words in _fields(source.path, 2):
        ids.append(_whole(source.path, number, words[0]))
        names.append(" ".join(words[1:]))
        lines.append(number)
    if not ids:
        raise source.error("empty-file", "no image is named", "at least one is needed")
    return ids, names, lines


def _classes(folder: Path) -> dict[int, str]:
    path = folder / "classes.txt"
    return {_whole(path, number, words[0]): words[1] for number, words in _fields(path, 2)}


def _attributes(folder: Path) -> dict[int, str]:
    path = folder / "attributes" / "attributes.txt"
    if not path.is_file():
        path = folder / "attributes.txt" if (folder / "attributes.txt").is_file() else path
    return {_whole(path, number, words[0]): words[1] for number, words in _fields(path, 2)}


def _per_image(path: Path, place: dict[int, int], allowed: Mapping[int, object]) -> NDArray[np.int64]:
    """One value per image; every id must be known and every image named."""
    values = np.full(len(place), -1, np.int64)
    for number, words in _fields(path, 2):
        ident, value = _whole(path, number, words[0]), _whole(path, number, words[1])
        if ident not in place:
            raise DataError(
                code="unknown-image",
                file=path.name,
                found=f"image {ident} is not in images.txt",
                allowed="ids are those of images.txt",
                row=number,
            )
        if value not in allowed:
            raise DataError(
                code="unknown-value",
                file=path.name,
                found=f"{value} is not allowed",
                allowed=f"one of {len(allowed)} known values",
                row=number,
            )
        values[place[ident]] = value
    left = np.flatnonzero(values < 0)
    if len(left):
        ident = next(ident for ident, at in place.items() if at == left[0])
        raise DataError(
            code="image-left-out",
            file=path.name,
            found=f"image {ident} is not there",
            allowed="every image needs a line",
            further=len(left) - 1,
        )
    return values


def _labels(
    path: Path, place: dict[int, int], attributes: dict[int, str]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Concepts and certainties (n, A); the first four columns of each line, whatever follows."""
    if not path.is_file():
        raise DataError(
            code="missing-file",
            file=path.name,
            found="there is no such file",
            allowed=f"Looked for it in {path.parent}",
        )
    table = _first_four(path)
    numbers = table.apply(pd.to_numeric, errors="coerce").to_numpy(float)
    known = [np.isin(numbers[:, 0], list(place)), np.isin(numbers[:, 1], list(attributes))]
    checks = (
        ("unknown-image", ~known[0], 0, "is no image of images.txt", "ids are those of images.txt"),
        ("unknown-attribute", ~known[1], 1, "is no attribute", "ids are those of attributes.txt"),
        ("not-a-bit", ~np.isin(numbers[:, 2], (0, 1)), 2, "is neither 0 nor 1", "a concept is 0 or 1"),
        ("certainty", ~np.isin(numbers[:, 3], (1, 2, 3, 4)), 3, "is no certainty", "1 to 4"),
    )
    for code, wrong, column, found, allowed in checks:
        if wrong.any():
            row = int(np.argmax(wrong))
            raise DataError(
                code=code,
                file=path.name,
                found=f"“{table.iloc[row, column]}” {found}",
                allowed=allowed,
                row=row + 1,
                column=column + 1,
                further=int(wrong.sum()) - 1,
            )
    order = {ident: at for at, ident in enumerate(attributes)}
    rows = np.fromiter(map(place.__getitem__, numbers[:, 0].astype(int)), np.int64, len(numbers))
    columns = np.fromiter(map(order.__getitem__, numbers[:, 1].astype(int)), np.int64, len(numbers))
    concepts = np.zeros((len(place), len(attributes)), np.uint8)
    certainty = np.ones((len(place), len(attributes)), np.uint8)
    concepts[rows, columns] = numbers[:, 2]
    certainty[rows, columns] = numbers[:, 3]
    return concepts, certainty


def _first_four(path: Path) -> pd.DataFrame:
    """The first four values of every line; millions of lines, so that a compiled reader takes them."""
    try:
        table = pd.read_csv(
            path,
            sep=r"\s+",
            header=None,
            names=range(_COLUMNS),
            skip_blank_lines=False,
            engine="c",
            low_memory=False,
        )
    except pd.errors.ParserError as error:
        raise DataError(
            code="ragged-row",
            file=path.name,
            found=f"a line has more than {_COLUMNS} values ({error})",
            allowed="image, attribute, 0 or 1, certainty",
        ) from None
    return table.iloc[:, :4]
