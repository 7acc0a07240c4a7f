"""LIBSVM text: "label index:value index:value …", indices ascending, "#" before a remark."""

from __future__ import annotations

import re

import numpy as np

from engine.core.data.assemble import assemble
from engine.core.data.cells import number_column, plain_text_column
from engine.core.data.encoding import read_text
from engine.core.data.kinds import TableKind
from engine.core.data.loaded import Loaded
from engine.core.data.notation import Notation, number_reader
from engine.core.data.options import ReadOptions
from engine.core.data.report import Report
from engine.core.data.source import Source
from engine.core.data.values import text_array
from engine.core.errors import Repair

_PAIR = re.compile(r"(\d+):(\S+)", re.ASCII)
_TO_NUMBER = number_reader(Notation())


def load(source: Source, options: ReadOptions, kind: TableKind) -> Loaded:
    """A dense table; features not named in a row are 0, the label is the column "label".

    The first feature has index 1 (`first_index` = 0 is a choice). Raises DataError naming the line:
    "not-a-pair", "not-a-number", "not-finite", "index-zero", "not-ascending", "too-large".
    """
    text = read_text(source, options)
    report = Report(file=source.name, format="LIBSVM", encoding=text.encoding, separator=" ", decimal=".")
    first = int(options.first_index)
    labels: list[str] = []
    lines: list[int] = []
    places: list[np.ndarray] = []
    numbers: list[np.ndarray] = []
    content = text.data.decode("utf-8").split("\n")
    for line, row in enumerate(content, 1):
        if line % 1000 == 0:
            source.tick(line / len(content), "Reading the rows")
        words = row.split("#", 1)[0].split()
        if not words:
            report.blank_lines += line < len(content)
            continue
        indices, values = _pairs(words[1:], line, first, source)
        labels.append(words[0])
        lines.append(line)
        places.append(np.array(indices, dtype=np.int64))
        numbers.append(np.array(values))
    if not lines:
        raise source.error("no-table", "the file has no row with values", "at least one row is needed")
    width = 1 + max((int(each[-1]) for each in places if len(each)), default=-1)
    source.check_table(len(lines), width)
    matrix = np.zeros((len(lines), width))
    for i, row_places in enumerate(places):
        matrix[i, row_places] = numbers[i]
    report.rows_in_file = len(lines)
    columns = [number_column(f"feature {j + first}", matrix[:, j], "LIBSVM features") for j in range(width)]
    found = [_TO_NUMBER(label) for label in labels]
    if all(number is not None for number in found):
        columns.append(
            number_column("label", np.array(found, dtype=np.float64), "the first value of each row")
        )
    else:
        columns.append(plain_text_column("label", text_array(labels), "the first value of each row"))
    if options.label_column == "auto":
        options = options.with_setting("label_column", "label")
    options = options.with_setting("encoding", text.encoding)
    return assemble(columns, np.array(lines), report, options, kind, source)


def _pairs(words: list[str], line: int, first: int, source: Source) -> tuple[list[int], list[float]]:
    """Feature places (from 0, ascending) and values of one row."""
    indices: list[int] = []
    values: list[float] = []
    for word in words:
        match = _PAIR.fullmatch(word)
        if match is None:
            if word.startswith("qid:"):
                continue
            raise source.error("not-a-pair", f"“{word}” is not index:value", "pairs such as 3:0.5", row=line)
        index, number = int(match.group(1)) - first, _TO_NUMBER(match.group(2))
        if index < 0:
            raise source.error(
                "index-zero",
                "there is a feature with index 0",
                "features are counted from 1",
                row=line,
                choices=(Repair("first_index", "0", "Count the features from 0", "The first feature is 0"),),
            )
        if indices and index <= indices[-1]:
            raise source.error(
                "not-ascending",
                f"index {index + first} follows index {indices[-1] + first}",
                "indices ascend within a row, each once",
                row=line,
            )
        if number is None or not np.isfinite(number):
            what = "is not a number" if number is None else "is not finite"
            raise source.error(
                "not-a-number" if number is None else "not-finite",
                f"“{match.group(2)}” {what}",
                "values are finite numbers with a decimal point",
                row=line,
                column=f"feature {index + first}",
            )
        indices.append(index)
        values.append(number)
    if indices:
        source.check_table(1, indices[-1] + 1)
    return indices, values
