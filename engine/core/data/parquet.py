"""Parquet files. Types come from the file; what a number would alter stays text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.core.data.assemble import assemble
from engine.core.data.cells import EXACT_LIMIT, RawColumn, classify, number_column, plain_text_column
from engine.core.data.kinds import TableKind
from engine.core.data.limits import size_in_words
from engine.core.data.loaded import Loaded
from engine.core.data.notation import Notation
from engine.core.data.options import ReadOptions
from engine.core.data.report import Report
from engine.core.data.source import Source

if TYPE_CHECKING:
    import pyarrow


def load(source: Source, options: ReadOptions, kind: TableKind) -> Loaded:
    """A table from a Parquet file; rows are counted from 1.

    Raises DataError: "not-parquet", "nested-column", "too-large", and those of `assemble`.
    """
    import pyarrow
    from pyarrow import parquet

    source.check()
    report = Report(file=source.name, format="Parquet")
    try:
        with source.open() as stream:
            file = parquet.ParquetFile(stream)
            _check_size(file, source)
            groups = []
            for i in range(file.num_row_groups):
                groups.append(file.read_row_group(i))
                source.tick((i + 1) / file.num_row_groups, "Reading the file")
            table = pyarrow.concat_tables(groups) if groups else file.schema_arrow.empty_table()
    except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError, OSError) as error:
        reason = str(error).splitlines()[0]
        raise source.error(
            "not-parquet", f"this is no readable Parquet file ({reason})", "a whole file"
        ) from None
    report.rows_in_file = table.num_rows
    columns = []
    for j, name in enumerate(table.column_names):
        columns.append(_column(name, table.column(j).combine_chunks(), options, source))
        source.tick((j + 1) / table.num_columns, "Converting the columns")
    return assemble(columns, np.arange(1, table.num_rows + 1), report, options, kind, source)


def _check_size(file: pyarrow.parquet.ParquetFile, source: Source) -> None:
    meta = file.metadata
    unpacked = sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups))
    if unpacked > source.limits.unpacked_bytes:
        raise source.error(
            "unpacks-too-large",
            f"the columns unpack to {size_in_words(unpacked)}",
            f"at most {size_in_words(source.limits.unpacked_bytes)} are unpacked",
        )
    source.check_table(meta.num_rows, meta.num_columns)


def _column(name: str, array: pyarrow.Array, options: ReadOptions, source: Source) -> RawColumn:
    from pyarrow import compute, types

    kind = array.type
    if types.is_dictionary(kind):
        array, kind = array.dictionary_decode(), kind.value_type
    wanted = options.types.get(name)
    if types.is_boolean(kind):
        column = _number(name, array.cast("int8"), "true and false")
        column.conversions.append(f"column “{name}”: false and true became 0 and 1")
    elif types.is_floating(kind) or (types.is_integer(kind) and _is_exact(array)):
        column = _number(name, array, f"stored as {kind}")
    elif types.is_null(kind):
        column = plain_text_column(name, _texts(array.cast("string")), "no value in any row")
    elif types.is_nested(kind) or types.is_binary(kind) or types.is_large_binary(kind):
        raise source.error(
            "nested-column", f"the column holds {kind}", "each cell is one number or text", column=name
        )
    else:
        # Text, dates, decimals and long identifiers keep every character.
        column = plain_text_column(name, _texts(array.cast("string")), f"stored as {kind}")
        if types.is_integer(kind):
            column.warnings.append(f"column “{name}” was read as text: it has whole numbers above 2^53")
        elif types.is_temporal(kind):
            column.warnings.append(f"column “{name}” holds dates or times and was read as text")
    if wanted == "number" and column.type != "number":
        return classify(name, _texts(array.cast("string")), Notation(), options)
    if wanted in ("text", "category") and column.type == "number":
        text = plain_text_column(name, _texts(compute.cast(array, "string")), "chosen", wanted)
        return text
    if wanted is not None:
        column.type, column.reason = wanted, "chosen"
    return column


def _number(name: str, array: pyarrow.Array, reason: str) -> RawColumn:
    """Nulls become NaN and are counted apart from a stored NaN."""
    empty = array.is_null().to_numpy(zero_copy_only=False)
    values = array.to_numpy(zero_copy_only=False).astype(np.float64)
    column = number_column(name, values, reason)
    nulls, gaps = int(empty.sum()), int(column.missing.sum())
    column.codes = {code: count for code, count in (("", nulls), ("nan", gaps - nulls)) if count}
    return column


def _is_exact(array: pyarrow.Array) -> bool:
    from pyarrow import compute

    if not len(array) or array.type.bit_width < 64:
        return True
    extent = compute.min_max(array).as_py()
    return extent["min"] is None or (extent["min"] >= -EXACT_LIMIT and extent["max"] <= EXACT_LIMIT)


def _texts(array: pyarrow.Array) -> np.ndarray:
    return array.fill_null("").to_numpy(zero_copy_only=False).astype(object)
