"""Finished hierarchies in SciPy's form, (n−1) × 4, from CSV or NPY."""

from __future__ import annotations

import numpy as np

from engine.core.data.kinds import LinkageMatrixKind
from engine.core.data.loaded import Loaded
from engine.core.data.matrix import read_matrix
from engine.core.data.options import ReadOptions
from engine.core.data.report import Report
from engine.core.data.source import Source
from engine.core.data.values import LinkageMatrix, read_only


def load(source: Source, options: ReadOptions, kind: LinkageMatrixKind) -> Loaded:
    """A linkage matrix. Raises DataError "not-a-linkage" with the row and column that does not fit."""
    report = Report(file=source.name, format="Linkage matrix", reading="linkage")
    file = read_matrix(source, options, report)
    matrix = file.values
    if matrix.ndim != 2 or matrix.shape[1] != 4 or not len(matrix):
        shape = " × ".join(str(length) for length in matrix.shape)
        raise source.error(
            "not-a-linkage", f"the matrix is {shape}", "a linkage matrix of n points is (n−1) × 4"
        )
    fault = first_fault(matrix)
    if fault:
        row, column, found, allowed = fault
        raise source.error("not-a-linkage", found, allowed, row=int(file.lines[row]), column=column + 1)
    report.rows = report.rows_in_file = len(matrix)
    if (np.diff(matrix[:, 2]) < 0).any():
        report.warnings.append("heights fall somewhere: a merge lies below an earlier one")
    return Loaded(LinkageMatrix(merges=read_only(matrix)), report, file.options, source.name)


def first_fault(matrix: np.ndarray) -> tuple[int, int, str, str] | None:
    """The first row (from 0), column (from 0), what is there and what may be; None for a valid matrix.

    Row i makes cluster n+i from two clusters with smaller numbers, each merged once; its size is the
    sum of theirs; heights are finite and not negative (centroid linkage may let them fall).
    """
    n = len(matrix) + 1
    sizes = np.concatenate([np.ones(n), np.zeros(n - 1)])
    used = np.zeros(2 * n - 1, dtype=bool)
    for i, (left, right, height, size) in enumerate(matrix.tolist()):
        for column, child in enumerate((left, right)):
            if not (0 <= child < n + i and child == int(child)):
                return i, column, f"there is no cluster {child:g}", f"whole numbers from 0 to {n + i - 1}"
            if used[int(child)]:
                return i, column, f"cluster {child:g} was merged before", "each cluster is merged once"
            used[int(child)] = True
        if not 0 <= height < np.inf:
            return i, 2, f"the height is {height:g}", "heights are finite and not negative"
        expected = sizes[int(left)] + sizes[int(right)]
        if size != expected:
            return i, 3, f"the size is {size:g}", f"the parts have {expected:g} points together"
        sizes[n + i] = expected
    return None
