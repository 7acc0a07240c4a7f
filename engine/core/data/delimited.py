"""CSV, TSV and other tables of separated values. Every number equals its text to the last digit."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.core.data.assemble import assemble
from engine.core.data.cells import EXACT_LIMIT, RawColumn, classify, number_column
from engine.core.data.encoding import Text, read_text
from engine.core.data.kinds import TableKind
from engine.core.data.layout import Layout, find_layout
from engine.core.data.loaded import Loaded
from engine.core.data.notation import Notation, detect_notation
from engine.core.data.options import ReadOptions
from engine.core.data.report import Report
from engine.core.data.source import Source

if TYPE_CHECKING:
    import pandas

#: Cells parsed at a time: short enough that other threads and `tick` get their turn.
_CELLS_AT_A_TIME = 200_000
_BYTES_AT_A_TIME = 1 << 20


def load(source: Source, options: ReadOptions, kind: TableKind) -> Loaded:
    """Read a table of separated values.

    Raises DataError at the first row that does not fit, with the choices; see `find_layout`,
    `detect_notation` and `assemble` for the codes.
    """
    text = read_text(source, options)
    layout, notation = find_table(text, options, source)
    source.check_table(len(layout.lines), layout.columns)
    columns = read_columns(layout, notation, options, source)
    report = delimited_report(source, text, layout, notation)
    found = found_options(options, text, layout, notation)
    if layout.row_names_first and options.id_column == "auto":
        found = found.with_setting("id_column", layout.names[0])
    return assemble(columns, layout.lines, report, found, kind, source)


def find_table(text: Text, options: ReadOptions, source: Source) -> tuple[Layout, Notation]:
    """Separator and decimal sign, decided together over the whole file."""
    layout = find_layout(text.data, options, source)
    cells = [cell for row in layout.sample for cell in row]
    separator = layout.separator or "\x1f"
    return layout, detect_notation(layout.body, separator, layout.lines, cells, options, source)


def read_columns(layout: Layout, notation: Notation, options: ReadOptions, source: Source) -> list[RawColumn]:
    """All columns of the table, each in the type proposed or chosen for it.

    Columns that look like plain numbers are parsed at once; every column in which anything else turns
    up (text, gaps, leading zeros, long identifiers) is read again as text and looked at cell by cell.
    """
    numeric = _plain_columns(layout, notation, options, source)
    matrix, plain = _parse_numbers(layout, notation, numeric, source)
    textual = [j for j in range(layout.columns) if j not in plain]
    texts = _parse_texts(layout, textual, source)
    columns: dict[int, RawColumn] = {}
    for done, j in enumerate(textual):
        columns[j] = classify(layout.names[j], texts.pop(j), notation, options, source.tick)
        source.tick(done / len(textual), "Finding the types")
    for j in plain:
        columns[j] = number_column(layout.names[j], matrix[:, numeric.index(j)], "all cells are numbers")
    return [columns[j] for j in range(layout.columns)]


def delimited_report(source: Source, text: Text, layout: Layout, notation: Notation) -> Report:
    """The report of a text table, as far as the layout goes."""
    report = Report(
        file=source.name,
        format="Separated values",
        encoding=text.encoding,
        separator=layout.separator,
        decimal=notation.decimal,
        thousands=notation.thousands,
        header_line=layout.header_line,
        comment=layout.comment,
        lines_before_table=layout.lines_before,
        comment_lines=layout.comment_lines,
        blank_lines=layout.blank_lines,
        rows_in_file=len(layout.lines) + sum(len(each.lines) for each in layout.dropped),
        dropped=list(layout.dropped),
        warnings=list(layout.warnings),
    )
    if text.guessed:
        report.warnings.append(
            f"the encoding {text.encoding} was inferred; choose another if letters look wrong"
        )
    if notation.thousands:
        report.conversions.append(f"“{notation.thousands}” between groups of three digits was left out")
    if layout.columns == 1:
        report.warnings.append("the table has one column; check the separator if there should be more")
    return report


def found_options(options: ReadOptions, text: Text, layout: Layout, notation: Notation) -> ReadOptions:
    """The options with what was found in place of "auto": the recipe that reads the file so again."""
    return options.with_settings(
        {
            "encoding": text.encoding,
            "separator": layout.separator or "none",
            "decimal": notation.decimal,
            "thousands": notation.thousands or "none",
            "comment": layout.comment or "none" if options.comment == "auto" else options.comment,
        }
    )


def _plain_columns(layout: Layout, notation: Notation, options: ReadOptions, source: Source) -> list[int]:
    """Columns worth parsing as numbers at once."""
    # Groups of thousands, and digits a float64 may not keep, are looked at cell by cell.
    if notation.thousands or not layout.columns or _has_awkward_digits(layout, source):
        return []
    candidates = []
    for j, name in enumerate(layout.names):
        sample = np.array([row[j] for row in layout.sample if len(row) == layout.columns], dtype=object)
        proposed = classify(name, sample, notation, options) if len(sample) else None
        if (
            proposed is not None
            and proposed.type == "number"
            and not proposed.odd
            and not proposed.missing.any()
        ):
            candidates.append(j)
        source.tick(j / layout.columns, "Looking at the columns")
    return candidates


def _has_awkward_digits(layout: Layout, source: Source) -> bool:
    """Whether any cell is a whole number with a leading zero, or of more than fifteen digits."""
    edges = ((layout.separator or "\x1f") + '\n"' + ("\t" if layout.separator == " " else "")).encode()
    cell = re.compile(rb"[+-]?(?:0\d+|\d{16,}) *(?:[" + re.escape(edges) + rb"]|\Z)")
    is_edge = np.zeros(256, dtype=bool)
    is_edge[list(edges + b" ")] = True
    whole, start = np.frombuffer(layout.body, dtype=np.uint8), 0
    while start < len(whole):
        end = layout.body.find(b"\n", start + _BYTES_AT_A_TIME) + 1 or len(whole)
        block = np.concatenate([[10], whole[start:end]])
        digit = (block >= 48) & (block <= 57)
        no_digit = np.flatnonzero(~digit)
        long_runs = no_digit[:-1][np.diff(no_digit) > 16]
        zeros = np.flatnonzero((block[1:-1] == 48) & digit[2:] & ~digit[:-2])
        before = np.concatenate([long_runs, zeros])
        sign = (block[before] == 43) | (block[before] == 45)
        # A sign counts only at the cell's beginning: "1e-07" has no leading zero.
        for place in before[is_edge[block[before - sign]] & (sign | is_edge[block[before]])]:
            if cell.match(layout.body, start + int(place)):
                return True
        source.tick(end / len(whole), "Looking for leading zeros")
        start = end
    return False


def _parse_numbers(
    layout: Layout, notation: Notation, wanted: list[int], source: Source
) -> tuple[np.ndarray, list[int]]:
    """float64 (n, len(wanted)) and those of `wanted` in which every cell is a finite plain number."""
    matrix = np.empty((len(layout.lines), len(wanted)))
    plain = set(wanted)
    row = 0
    options = {"decimal": notation.decimal, "na_values": [""], **_exact_parsing()}
    for chunk in _chunks(layout, wanted, options, source) if wanted else ():
        for place, j in enumerate(wanted):
            if j in plain:
                values = chunk[j].to_numpy()
                if not _is_plain(values):
                    plain.discard(j)
                else:
                    matrix[row : row + len(values), place] = values
        row += len(chunk)
        source.tick(row / len(layout.lines), "Reading the numbers")
    if wanted and row != len(layout.lines):
        raise _rows_differ(layout, row, source)
    return matrix, sorted(plain)


def _exact_parsing() -> dict[str, str]:
    """From pandas 3.1 on the nearest float64 is the default; before, it had to be asked for."""
    import pandas

    major, minor = (int(part) for part in pandas.__version__.split(".")[:2])
    return {} if (major, minor) >= (3, 1) else {"float_precision": "round_trip"}


def _is_plain(values: np.ndarray) -> bool:
    if values.dtype.kind == "i":
        return bool(np.abs(values).max(initial=0) <= EXACT_LIMIT)
    return values.dtype.kind == "f" and bool(np.isfinite(values).all())


def _parse_texts(layout: Layout, wanted: list[int], source: Source) -> dict[int, np.ndarray]:
    """The columns `wanted` as object (n,) of str, exactly as written (quotes removed)."""
    parts: dict[int, list[np.ndarray]] = {j: [] for j in wanted}
    row = 0
    for chunk in _chunks(layout, wanted, {"dtype": str, "na_filter": False}, source) if wanted else ():
        for j in wanted:
            parts[j].append(chunk[j].to_numpy(dtype=object))
        row += len(chunk)
        source.tick(row / len(layout.lines), "Reading the text")
    if wanted and row != len(layout.lines):
        raise _rows_differ(layout, row, source)
    return {j: np.concatenate(parts[j]) for j in wanted}


def _chunks(
    layout: Layout, wanted: list[int], options: dict[str, Any], source: Source
) -> Iterator[pandas.DataFrame]:
    """Pieces of the columns `wanted`, in order. Raises DataError for quotes that fit no reading."""
    import pandas

    separator = {None: "\x1f", " ": r"\s+"}.get(layout.separator, layout.separator)
    try:
        yield from pandas.read_csv(
            io.BytesIO(layout.body),
            sep=separator,
            header=None,
            names=list(range(layout.columns)),
            usecols=wanted,
            index_col=False,
            skipinitialspace=True,
            skip_blank_lines=False,
            keep_default_na=False,
            chunksize=max(_CELLS_AT_A_TIME // layout.columns, 1),
            low_memory=False,
            encoding="utf-8",
            engine="c",
            **options,
        )
    except pandas.errors.ParserError:
        raise _rows_differ(layout, 0, source) from None


def _rows_differ(layout: Layout, rows: int, source: Source) -> Exception:
    return source.error(
        "unequal-rows",
        f"{len(layout.lines):,} rows were found and {rows:,} could be split into values",
        "quotes stand around whole values and are closed",
    )
