"""NumPy arrays on disk. Never unpickled; the header is checked against the file before memory is taken."""

from __future__ import annotations

import math
from typing import BinaryIO

import numpy as np

from engine.core.data.assemble import assemble
from engine.core.data.cells import EXACT_LIMIT, RawColumn, number_column
from engine.core.data.kinds import TableKind
from engine.core.data.loaded import Loaded
from engine.core.data.options import ReadOptions
from engine.core.data.report import Report
from engine.core.data.source import Source

_CHUNK = 1 << 20


def load(source: Source, options: ReadOptions, kind: TableKind) -> Loaded:
    """A table from a 2-D array (n, d) of numbers; rows and columns are counted from 1.

    Raises DataError: "not-npy", "pickle", "truncated", "not-numbers", "not-2d", "not-exact", and those
    of `assemble`.
    """
    report = Report(file=source.name, format="NumPy array")
    matrix = numbers(read_array(source), source, report)
    if matrix.ndim != 2:
        raise source.error(
            "not-2d",
            f"the array has {matrix.ndim} dimensions (shape {shape_in_words(matrix.shape)})",
            "points are an array of two dimensions: rows and columns",
        )
    report.rows_in_file = len(matrix)
    return assemble(matrix_columns(matrix), np.arange(1, len(matrix) + 1), report, options, kind, source)


def matrix_columns(matrix: np.ndarray) -> list[RawColumn]:
    """The columns of float64 (n, d), named "column 1" …"""
    return [
        number_column(f"column {j + 1}", matrix[:, j], "an array of numbers") for j in range(matrix.shape[1])
    ]


def read_array(source: Source) -> np.ndarray:
    """The array of an .npy file."""
    size = source.check()
    with source.open() as stream:
        if source.is_packed:
            size = stream.seek(0, 2)
            stream.seek(0)
        return array_from(stream, size, source)


def array_from(stream: BinaryIO, size: int, source: Source, member: str = "") -> np.ndarray:
    """The array in a stream of `size` bytes. Raises DataError as told for `load`."""
    where = f" (array {member})" if member else ""
    shape, is_fortran, dtype = _header(stream, source, where)
    if dtype.hasobject:
        raise source.error(
            "pickle",
            f"the array holds Python objects{where}, which only running code could restore",
            "arrays of numbers are read; files are never executed",
        )
    expected = math.prod(shape) * dtype.itemsize
    left = size - stream.tell()
    if left < expected:
        raise source.error(
            "truncated",
            f"the header announces {expected:,} bytes of values{where} and {left:,} are there",
            "a whole file",
        )
    source.check_table(math.prod(shape), 1)
    array = np.empty(math.prod(shape), dtype=dtype)
    raw = array.view(np.uint8).reshape(-1) if expected else np.empty(0, np.uint8)
    for start in range(0, expected, _CHUNK):
        piece = stream.read(min(_CHUNK, expected - start))
        raw[start : start + len(piece)] = np.frombuffer(piece, dtype=np.uint8)
        source.tick(min((start + _CHUNK) / expected, 1.0), "Reading the array")
    return array.reshape(shape, order="F" if is_fortran else "C")


def numbers(array: np.ndarray, source: Source, report: Report, member: str = "") -> np.ndarray:
    """The array as float64 without any loss. Raises DataError "not-numbers" or "not-exact"."""
    where = f"array {member}: " if member else ""
    if array.dtype.kind not in "fiub":
        raise source.error(
            "not-numbers", f"{where}the values have the type {array.dtype}", "real numbers are needed"
        )
    if array.dtype.kind == "b":
        report.conversions.append(f"{where}false and true became 0 and 1")
    if array.dtype.itemsize == 8 and array.dtype.kind in "iu":
        too_large = (array > EXACT_LIMIT) | (array < -EXACT_LIMIT)
        if too_large.any():
            place = np.argwhere(too_large)[0]
            raise source.error(
                "not-exact",
                f"{where}{array[tuple(place)]} has more digits than a number keeps",
                "whole numbers up to 2^53",
                row=int(place[0]) + 1,
                column=int(place[1]) + 1 if len(place) > 1 else None,
            )
    if array.dtype.itemsize > 8 and array.dtype.kind == "f":
        report.conversions.append(f"{where}numbers of more than 64 bits were rounded to 64 bits")
    return np.ascontiguousarray(array, dtype=np.float64)


def shape_in_words(shape: tuple[int, ...]) -> str:
    """ "3 × 4 × 5"."""
    return " × ".join(f"{length:,}" for length in shape) or "a single number"


def _header(stream: BinaryIO, source: Source, where: str) -> tuple[tuple[int, ...], bool, np.dtype]:
    try:
        version = np.lib.format.read_magic(stream)
        if version == (1, 0):
            return np.lib.format.read_array_header_1_0(stream)
        return np.lib.format.read_array_header_2_0(stream)
    except (ValueError, EOFError, SyntaxError, TypeError) as error:
        raise source.error(
            "not-npy", f"this is not a NumPy array{where} ({str(error).splitlines()[0]})", "an .npy file"
        ) from None
