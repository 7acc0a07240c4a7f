"""Distance matrices: square CSV or NPY, condensed NPY, lower triangle as R prints it."""

from __future__ import annotations

import math

import numpy as np

from engine.core.data.encoding import read_text
from engine.core.data.kinds import DistanceKind
from engine.core.data.loaded import Loaded
from engine.core.data.lower_triangle import find_triangle
from engine.core.data.matrix import MatrixFile, read_matrix
from engine.core.data.options import ReadOptions
from engine.core.data.report import Report
from engine.core.data.source import Source
from engine.core.data.values import Distances, read_only
from engine.core.errors import Repair

#: Allowed difference of d(i,j) and d(j,i), relative to the larger; below it the mean is taken.
SYMMETRY = 1e-8
_ROWS = 256


def load(source: Source, options: ReadOptions, kind: DistanceKind) -> Loaded:
    """Distances of n ≥ 2 things, square float64 (n, n) or condensed (n(n−1)/2,).

    Raises DataError: "not-square", "not-triangular", "missing-value", "not-finite", "negative",
    "nonzero-diagonal", "asymmetric", "too-few-rows", each with row and column, and those of the text or
    NPY reader.
    """
    report = Report(file=source.name, format="Distance matrix", reading="distances")
    if source.suffix != ".npy":
        text = read_text(source, options)
        triangle = find_triangle(text, options, source, report)
        if triangle:
            values, names, options = triangle
            return _finish(_check_condensed(values, source), names, report, options, kind, source)
    file = read_matrix(source, options, report)
    matrix, names, options = file.values, file.row_names or file.column_names, file.options
    if matrix.ndim == 1:
        return _finish(_check_condensed(matrix, source), None, report, options, kind, source)
    folded = _padded_triangle(matrix)
    if folded is not None:
        report.conversions.append("the lower triangle was read; the upper one is empty")
        names = _all_names(file, _count(len(folded)))
        return _finish(_check_condensed(folded, source), names, report, options, kind, source)
    _check_square(file, report, source)
    return _finish(matrix, names, report, options, kind, source)


def _finish(
    values: np.ndarray,
    names: tuple[str, ...] | None,
    report: Report,
    options: ReadOptions,
    kind: DistanceKind,
    source: Source,
) -> Loaded:
    n = len(values) if values.ndim == 2 else _count(len(values))
    if n < kind.min_rows:
        raise source.error("too-few-rows", f"distances of {n} points", f"at least {kind.min_rows} are needed")
    report.rows = report.rows_in_file = n
    names = tuple(names) if names is not None and len(names) == n else None
    options = options.with_setting("orientation", "distances")
    return Loaded(Distances(values=read_only(values), n=n, names=names), report, options, source.name)


def _all_names(file: MatrixFile, n: int) -> tuple[str, ...] | None:
    """Names of n points; when the triangle has n−1 rows the first point heads the first column."""
    rows, columns = file.row_names, file.column_names
    if rows is not None and columns and len(rows) == n - 1:
        return (columns[0], *rows)
    return rows or columns


def _count(length: int) -> int:
    """n for a condensed vector of n(n−1)/2 distances."""
    return (1 + math.isqrt(1 + 8 * length)) // 2


def _check_condensed(values: np.ndarray, source: Source) -> np.ndarray:
    n = _count(len(values))
    if n * (n - 1) // 2 != len(values) or not len(values):
        below, above = n * (n - 1) // 2, n * (n + 1) // 2
        raise source.error(
            "not-triangular",
            f"the vector has {len(values):,} values",
            f"n points have n(n−1)/2 distances; {below:,} for n = {n:,}, {above:,} for n = {n + 1:,}",
        )
    for start in range(0, len(values), 1 << 20):
        part = values[start : start + (1 << 20)]
        bad = ~((part >= 0) & np.isfinite(part))
        if bad.any():
            k = start + int(np.argmax(bad))
            i = n - 2 - int((math.isqrt(8 * (len(values) - 1 - k) + 1) - 1) // 2)
            j = k - (i * n - i * (i + 1) // 2) + i + 1
            _refuse(float(values[k]), f"entry {k + 1:,}, the distance of {i + 1:,} and {j + 1:,}", source)
        source.tick(start / len(values), "Checking the distances")
    return values + 0.0


def _refuse(value: float, place: str, source: Source, **parts: object) -> None:
    """Raise the DataError for a distance that is missing, infinite or negative."""
    where = f" ({place})" if place else ""
    if math.isnan(value):
        raise source.error(
            "missing-value", f"the distance is missing{where}", "every distance is needed", **parts
        )
    if math.isinf(value):
        raise source.error("not-finite", f"the distance is {value}{where}", "distances are finite", **parts)
    raise source.error("negative", f"the distance is {value:g}{where}", "distances are not negative", **parts)


def _padded_triangle(matrix: np.ndarray) -> np.ndarray | None:
    """Condensed distances when only the cells above a diagonal are empty; None otherwise.

    Either n × n with an empty or zero diagonal, or (n−1) × (n−1) whose diagonal holds d(i, i+1).
    """
    m = len(matrix)
    if matrix.shape != (m, m) or m < 2:
        return None
    empty = np.isnan(matrix)
    above = np.triu(np.ones((m, m), dtype=bool), 1)
    if not empty[above].all() or empty[np.tril(~above, -1)].any():
        return None
    diagonal = np.diagonal(matrix)
    if np.isnan(diagonal).all() or not diagonal.any():
        return np.concatenate([matrix[i + 1 :, i] for i in range(m)])
    if np.isnan(diagonal).any():
        return None
    return np.concatenate([matrix[i:, i] for i in range(m)])


def _check_square(file: MatrixFile, report: Report, source: Source) -> None:
    """Check, and make exactly symmetric with an exactly zero diagonal, in place."""
    matrix, n = file.values, len(file.values)
    if matrix.shape != (n, n):
        raise source.error(
            "not-square",
            f"the matrix has {n:,} rows and {matrix.shape[1]:,} columns of numbers",
            "a distance matrix has as many rows as columns",
        )
    for start in range(0, n, _ROWS):
        bad = ~((matrix[start : start + _ROWS] >= 0) & np.isfinite(matrix[start : start + _ROWS]))
        if bad.any():
            i, j = np.argwhere(bad)[0] + (start, 0)
            _refuse(
                float(matrix[i, j]), "", source, row=int(file.lines[i]), column=int(j) + file.first_column
            )
        source.tick(start / n, "Checking the distances")
    scale = float(matrix.max())
    _check_diagonal(file, scale, report, source)
    _check_symmetry(file, scale, report, source)


def _check_diagonal(file: MatrixFile, scale: float, report: Report, source: Source) -> None:
    matrix = file.values
    diagonal = np.diagonal(matrix)
    if not diagonal.any():
        return
    bad = diagonal > SYMMETRY * scale
    if bad.any():
        i = int(np.argmax(bad))
        raise source.error(
            "nonzero-diagonal",
            f"the distance to itself is {diagonal[i]:g}",
            "the diagonal of a distance matrix is zero; similarities must be turned into distances first",
            row=int(file.lines[i]),
            column=i + file.first_column,
            further=int(bad.sum()) - 1,
        )
    report.conversions.append(f"the diagonal (up to {diagonal.max():.1e}) was set to zero")
    np.fill_diagonal(matrix, 0.0)


def _check_symmetry(file: MatrixFile, scale: float, report: Report, source: Source) -> None:
    """The largest |d(i,j) − d(j,i)| relative to the larger of the two, allowing rounding of the scale."""
    matrix = file.values
    n, worst, largest, count = len(matrix), (0.0, 0, 0), 0.0, 0
    for start in range(0, n, _ROWS):
        rows, turned = matrix[start : start + _ROWS], matrix[:, start : start + _ROWS].T
        difference = np.abs(rows - turned)
        largest = max(largest, float(difference.max()))
        larger = np.maximum(rows, turned)
        off = difference > SYMMETRY * larger + 1e-14 * scale
        if off.any():
            count += int(off.sum())
            relative = np.where(off, difference / np.where(larger > 0, larger, 1.0), 0.0)
            row, column = divmod(int(np.argmax(relative)), n)
            worst = max(worst, (float(relative[row, column]), -(row + start), -column))
        source.tick(start / n, "Checking the symmetry")
    if count and file.options.asymmetry == "ask":
        i, j = -worst[1], -worst[2]
        raise source.error(
            "asymmetric",
            f"the distance is {matrix[i, j]:.10g} here and {matrix[j, i]:.10g} in row {file.lines[j]:,}, "
            f"column {i + file.first_column:,}: the largest asymmetry, {worst[0]:.3g} relative",
            f"both directions agree to {SYMMETRY:g} relative",
            row=int(file.lines[i]),
            column=j + file.first_column,
            further=count // 2 - 1,
            choices=(Repair("asymmetry", "mean", "Take the mean of both", f"{count // 2:,} pairs change"),),
        )
    if largest > 0:
        report.conversions.append(
            f"each distance is the mean of both directions (differing by up to {largest:.1e})"
        )
        for start in range(0, n, _ROWS):
            rows = 0.5 * (matrix[start : start + _ROWS, start:] + matrix[start:, start : start + _ROWS].T)
            matrix[start : start + _ROWS, start:] = rows
            matrix[start:, start : start + _ROWS] = rows.T
