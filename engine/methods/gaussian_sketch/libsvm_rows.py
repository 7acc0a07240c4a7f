"""LIBSVM text read as a sparse matrix: "label index:value index:value …", ascending, "#" before a remark."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.core.data.encoding import read_text
from engine.core.data.loaded import Loaded
from engine.core.data.options import ReadOptions
from engine.core.data.report import Report
from engine.core.data.source import Source
from engine.core.errors import Repair

if TYPE_CHECKING:
    from engine.methods.gaussian_sketch.data import SamplesKind

_LINE = re.compile(rb"\s*[-+.\w]+(\s+(qid:)?\d+:\S+)+\s*(#.*)?")


def is_libsvm(source: Source) -> bool:
    """Whether the first line with content is a label followed by index:value pairs."""
    with source.open() as stream:
        head = stream.read(1 << 16).split(b"\n")
    first = next((line for line in head if line.strip() and not line.lstrip().startswith(b"#")), b"")
    return _LINE.fullmatch(first.rstrip(b"\r")) is not None


def load(source: Source, options: ReadOptions, kind: SamplesKind) -> Loaded:
    """Samples with a CSR matrix; features not named in a row are 0.

    The first feature has index 1 (`first_index` = 0 is a choice). Raises DataError naming the line:
    "not-a-pair", "not-a-number", "not-finite", "index-zero", "not-ascending" (also for a repeated index),
    "no-table".
    """
    from scipy import sparse

    from engine.methods.gaussian_sketch.data import Samples

    text = read_text(source, options)
    first = int(options.first_index)
    report = Report(file=source.name, format="LIBSVM", encoding=text.encoding, separator=" ", decimal=".")
    labels: list[str] = []
    lines: list[int] = []
    starts = [0]
    indices: list[int] = []
    values: list[float] = []
    content = text.data.decode("utf-8").split("\n")
    for line, row in enumerate(content, 1):
        if line % 500 == 0:
            source.tick(line / len(content), "Reading the rows")
        words = row.split("#", 1)[0].split()
        if not words:
            report.blank_lines += line < len(content)
            continue
        labels.append(words[0])
        lines.append(line)
        _read_pairs(words[1:], line, first, source, indices, values)
        starts.append(len(indices))
    if not labels:
        raise source.error("no-table", "the file has no row with values", "at least one row is needed")
    width = 1 + max(indices, default=-1)
    if width == 0:
        raise source.error("no-table", "no row has a feature", "pairs such as 3:0.5 follow the label")
    matrix = sparse.csr_matrix(
        (np.array(values), np.array(indices, np.int64), np.array(starts, np.int64)), (len(labels), width)
    )
    # dense rows are read faster than sparse ones from about a third of entries on
    filled = matrix.nnz / (len(labels) * width)
    held: Any = matrix
    if filled > 0.3:
        source.check_table(len(labels), width)
        held = matrix.toarray()
        report.conversions.append(f"kept as a dense table, {filled:.0%} of its cells are filled")
    target, classes = _target(labels, lines, source)
    report.rows = report.rows_in_file = len(labels)
    report.reading = "samples with a target"
    features = tuple(f"feature {j + first}" for j in range(width))
    samples = Samples(
        name=source.path.name.split(".")[0],
        matrix=held,
        target=target,
        classes=classes,
        features=features,
        target_name="label",
    )
    return Loaded(samples, report, options.with_setting("encoding", text.encoding), source.name)


def _target(
    labels: list[str], lines: list[int], source: Source
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """The target as numbers, or the classes as text where a label is not a number; the other is None."""
    numbers = [_number(label) for label in labels]
    if any(number is None for number in numbers):
        return None, np.array(labels, dtype=object)
    target = np.array(numbers, np.float64)
    if not np.isfinite(target).all():
        row = int(np.argmin(np.isfinite(target)))
        raise source.error(
            "not-finite",
            f"the label “{labels[row]}” is not finite",
            "labels are finite numbers",
            row=lines[row],
        )
    return target, None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _read_pairs(
    words: list[str], line: int, first: int, source: Source, indices: list[int], values: list[float]
) -> None:
    """Add the places (from 0) and values of one row."""
    last = -1
    for word in words:
        head, colon, tail = word.partition(":")
        if head == "qid":
            continue
        if not colon or not (head.isascii() and head.isdecimal()):
            raise source.error("not-a-pair", f"“{word}” is not index:value", "pairs such as 3:0.5", row=line)
        place, number = int(head) - first, _number(tail)
        if place < 0:
            raise source.error(
                "index-zero",
                "there is a feature with index 0",
                "features are counted from 1",
                row=line,
                choices=(Repair("first_index", "0", "Count the features from 0", "The first feature is 0"),),
            )
        if place <= last:
            what = "is there twice" if place == last else f"follows index {last + first}"
            raise source.error(
                "not-ascending",
                f"index {place + first} {what}",
                "indices ascend within a row, each once",
                row=line,
            )
        if number is None or not math.isfinite(number):
            what = "is not a number" if number is None else "is not finite"
            raise source.error(
                "not-a-number" if number is None else "not-finite",
                f"“{tail}” {what}",
                "values are finite numbers with a decimal point",
                row=line,
                column=f"feature {place + first}",
            )
        if place >= 1 << 31:
            raise source.error(
                "too-large", f"index {place + first:,}", "at most 2,147,483,647 features", row=line
            )
        last = place
        indices.append(place)
        values.append(number)
