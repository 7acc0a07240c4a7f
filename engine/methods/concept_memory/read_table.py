"""``concepts.csv``: image, split, label and one column per concept; ``groups.csv`` beside it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.core.data.loaded import Loaded
from engine.core.data.options import ReadOptions
from engine.core.data.report import ColumnReport, Report
from engine.core.data.source import Source
from engine.core.errors import DataError, listing
from engine.methods.concept_memory.concept_images import OPEN, TEST, TRAIN, VALIDATION, ConceptImages
from engine.methods.concept_memory.data_kind import ConceptImagesKind
from engine.methods.concept_memory.pictures_of_files import read_pictures

FIXED = ("image", "split", "label")
CERTAINTY = "__certainty"
SPLITS = {
    "train": TRAIN,
    "training": TRAIN,
    "val": VALIDATION,
    "valid": VALIDATION,
    "validation": VALIDATION,
    "test": TEST,
    "": OPEN,
}


@dataclass(frozen=True)
class Rows:
    """A CSV file: its header, its rows and the line of each."""

    file: str
    header: list[str]
    rows: list[list[str]]
    lines: list[int]

    def refuse(
        self, code: str, row: int, column: str, found: str, allowed: str, further: int = 0
    ) -> DataError:
        """An error at a row (counted from 0) and column."""
        return DataError(
            code=code,
            file=self.file,
            found=found,
            allowed=allowed,
            row=self.lines[row],
            column=column,
            further=further,
        )

    def column(self, name: str) -> list[str]:
        at = self.header.index(name)
        return [row[at] for row in self.rows]


def load(source: Source, options: ReadOptions, kind: ConceptImagesKind) -> Loaded:
    """Read the table, its groups and its images.

    Raises:
        DataError: a column, cell, image or group that cannot be used, with its line.
    """
    table = read_rows(source)
    _check_header(table)
    names = [n for n in table.header if n not in FIXED and not n.endswith(CERTAINTY)]
    concepts = np.stack([_bits(table, name) for name in names], axis=1)
    certainty = _certainties(table, names)
    split = np.array([_split(table, row, text) for row, text in enumerate(table.column("split"))], np.int8)
    labels = table.column("label")
    classes = sorted(set(labels), key=_natural)
    numbers = np.array([classes.index(label) for label in labels], np.int64)
    groups, group_names = read_groups(source, names)
    check_training(
        concepts,
        numbers,
        split,
        names,
        classes,
        lambda name, found, allowed: DataError(
            code="constant", file=table.file, found=found, allowed=allowed, column=name
        ),
    )
    images, resampled = read_pictures(
        source.path.parent, table.column("image"), table.lines, table.file, source.tick
    )
    data = ConceptImages(
        name=source.path.parent.name or source.path.stem,
        images=images,
        concepts=concepts,
        labels=numbers,
        concept_names=tuple(names),
        groups=groups,
        group_names=group_names,
        class_names=tuple(classes),
        split=split,
        certainty=certainty,
        names=tuple(table.column("image")),
        paths=tuple(str(source.path.parent / name) for name in table.column("image")),
        smooth=resampled,
    )
    return Loaded(data, report_of(data, source.name, "table of concepts"), options, source.name)


def read_rows(source: Source) -> Rows:
    """Header and rows; every row must be as long as the header."""
    try:
        text = source.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise source.error(
            "encoding", f"byte {error.start:,} is not UTF-8", "the table is read as UTF-8"
        ) from None
    reader = csv.reader(io.StringIO(text, newline=""))
    rows, lines, header = [], [], None
    for cells in reader:
        if not any(cell.strip() for cell in cells):
            continue
        cells = [cell.strip() for cell in cells]
        if header is None:
            header = cells
            continue
        if len(cells) != len(header):
            raise source.error(
                "ragged-row",
                f"the row has {len(cells)} cells",
                f"the header has {len(header)}",
                row=reader.line_num,
            )
        rows.append(cells)
        lines.append(reader.line_num)
    if header is None or not rows:
        raise source.error("empty-table", "there is no row under the header", "at least one image is needed")
    return Rows(source.name, header, rows, lines)


def read_groups(source: Source, names: list[str]) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Group of each concept from ``groups.csv``; without it every concept is a group of its own."""
    path = source.path.parent / "groups.csv"
    if not path.is_file():
        return np.arange(len(names)), tuple(names)
    table = read_rows(Source(path, source.limits, source.tick))
    missing = [name for name in ("concept", "group") if name not in table.header]
    if missing:
        raise DataError(
            code="columns",
            file=table.file,
            found=f"column {missing[0]} is missing",
            allowed="concept,group are needed",
            row=1,
        )
    group_of: dict[str, str] = {}
    for row, (concept, group) in enumerate(zip(table.column("concept"), table.column("group"), strict=True)):
        if concept not in names:
            raise table.refuse(
                "unknown-concept",
                row,
                "concept",
                f"“{concept}” is no concept",
                f"concepts.csv has {listing(names[:6], 'and')}",
            )
        group_of[concept] = group
    left = [name for name in names if name not in group_of]
    if left:
        raise DataError(
            code="no-group",
            file=table.file,
            found=f"“{left[0]}” has no group",
            allowed="every concept has one",
            further=len(left) - 1,
        )
    groups = tuple(dict.fromkeys(group_of[name] for name in names))
    return np.array([groups.index(group_of[name]) for name in names], np.int64), groups


def check_training(
    concepts: NDArray[np.uint8],
    labels: NDArray[np.int64],
    split: NDArray[np.int8],
    names: list[str],
    classes: list[str],
    error: Callable[[str, str, str], DataError],
) -> None:
    """Every concept varies in training (w_j = n/n_j − 1 exists and is not 0), every class has a sample."""
    train = split == TRAIN if (split == TRAIN).any() else np.ones(len(split), bool)
    share = concepts[train].mean(axis=0)
    constant = np.flatnonzero((share == 0) | (share == 1))
    if len(constant):
        name = names[int(constant[0])]
        always = int(share[constant[0]])
        raise error(
            name,
            f"concept “{name}” is {always} in every training image",
            "both values are needed to learn it",
        )
    absent = np.setdiff1d(np.arange(len(classes)), labels[train])
    if len(absent):
        raise error(
            "label", f"class “{classes[int(absent[0])]}” has no training image", "every class needs one"
        )


def report_of(data: ConceptImages, file: str, format: str) -> Report:
    """The account of a reading."""
    counts = {
        name: int((data.split == value).sum())
        for name, value in (("training", 0), ("validation", 1), ("test", 2))
    }
    report = Report(file=file, format=format, reading="images with concepts")
    report.rows = report.rows_in_file = data.n
    shares = data.concepts.mean(axis=0)
    report.columns = [
        ColumnReport(name, "category", f"in {share:.0%} of the images, group {data.group_names[group]}")
        for name, share, group in zip(data.concept_names, shares.tolist(), data.groups.tolist(), strict=True)
    ]
    if data.smooth:
        report.conversions.append(f"the images were resampled to {data.size[1]} × {data.size[0]} pixels")
    absent = [name for name, count in counts.items() if not count]
    if absent:
        report.warnings.append(
            f"no image is marked for {listing(absent, 'or')}: it is drawn anew in each run"
        )
    return report


def _check_header(table: Rows) -> None:
    missing = [name for name in FIXED if name not in table.header]
    if missing:
        raise DataError(
            code="columns",
            file=table.file,
            found=f"column {listing(missing, 'and')} is missing",
            allowed="image,split,label and one column per concept are needed",
            row=1,
        )
    repeated = [name for name in table.header if table.header.count(name) > 1]
    if repeated:
        raise DataError(
            code="repeated-column",
            file=table.file,
            found=f"column {repeated[0]} is there twice",
            allowed="names differ",
            row=1,
        )
    if len(table.header) == len(FIXED):
        raise DataError(
            code="no-concepts",
            file=table.file,
            found="there is no concept column",
            allowed="at least one is needed",
            row=1,
        )


def _bits(table: Rows, name: str) -> NDArray[np.uint8]:
    cells = table.column(name)
    wrong = [row for row, cell in enumerate(cells) if cell not in ("0", "1")]
    if wrong:
        found = f"“{cells[wrong[0]]}” is neither 0 nor 1" if cells[wrong[0]] else "the cell is empty"
        raise table.refuse("not-a-bit", wrong[0], name, found, "a concept is 0 or 1", len(wrong) - 1)
    return np.array(cells, np.uint8)


def _certainties(table: Rows, names: list[str]) -> NDArray[np.uint8] | None:
    given = [name for name in names if name + CERTAINTY in table.header]
    if not given:
        return None
    result = np.full((len(table.rows), len(names)), 4, np.uint8)
    for name in given:
        cells = table.column(name + CERTAINTY)
        wrong = [row for row, cell in enumerate(cells) if cell not in ("1", "2", "3", "4")]
        if wrong:
            raise table.refuse(
                "certainty",
                wrong[0],
                name + CERTAINTY,
                f"“{cells[wrong[0]]}” is no certainty",
                "1 (not visible) to 4",
                len(wrong) - 1,
            )
        result[:, names.index(name)] = np.array(cells, np.uint8)
    return result


def _split(table: Rows, row: int, text: str) -> int:
    if text.lower() not in SPLITS:
        raise table.refuse("split", row, "split", f"“{text}” is no split", "train, val, test or empty")
    return SPLITS[text.lower()]


def _natural(text: str) -> tuple[int, float, str]:
    try:
        return 0, float(text), text
    except ValueError:
        return 1, 0.0, text
