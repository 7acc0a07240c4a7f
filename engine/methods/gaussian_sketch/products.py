"""Products of the data matrix A (n, d) with few vectors, dense or sparse, for the compiled kernels.

A matrix travels as four arrays (dense, values, indices, starts): a dense one fills the first and leaves
the others empty, a sparse one the other way round. Rows: C order or CSR; columns: the same of Aᵀ.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

Vector = NDArray[np.float64]
Places = NDArray[np.int64]
Packed = tuple[Vector, Vector, Places, Places]


def packed(matrix: np.ndarray | sparse.csr_matrix) -> Packed:
    """The four arrays of a matrix by rows; give Aᵀ (`packed(matrix.T)`) for columns."""
    if isinstance(matrix, np.ndarray):
        none = np.empty(0, np.int64)
        return np.ascontiguousarray(matrix, np.float64), np.empty(0), none, none
    rows = matrix.tocsr()
    return (
        np.empty((0, 0)),
        np.ascontiguousarray(rows.data, np.float64),
        rows.indices.astype(np.int64),
        rows.indptr.astype(np.int64),
    )


@njit(nogil=True, cache=True, fastmath=True)
def row_products(
    dense: Vector, values: Vector, indices: Places, starts: Places, vectors: Vector, out: Vector
) -> None:
    """out[i, k] = a_i · v_k for `vectors` (K, d); every entry of A is read once for all K."""
    if dense.shape[0] > 0:
        dense_products(dense, vectors, out)
        return
    # transposed once, so that one index of the sparse row reads all K vectors from one place
    across = vectors.T.copy()
    for i in range(starts.shape[0] - 1):
        out[i, :] = 0.0
        for e in range(starts[i], starts[i + 1]):
            a = values[e]
            place = across[indices[e]]
            for k in range(vectors.shape[0]):
                out[i, k] += a * place[k]


@njit(nogil=True, cache=True, fastmath=True)
def dense_products(dense: Vector, vectors: Vector, out: Vector) -> None:
    """`row_products` of a dense matrix, two rows by four vectors at a time so that loads are shared."""
    rows, count = dense.shape[0], vectors.shape[0]
    for i in range(0, rows - 1, 2):
        for k in range(0, count - 3, 4):
            two_by_four(dense[i], dense[i + 1], vectors, k, out, i)
        for k in range(count - count % 4, count):
            out[i, k] = inner(dense[i], vectors[k])
            out[i + 1, k] = inner(dense[i + 1], vectors[k])
    if rows % 2:
        for k in range(count):
            out[rows - 1, k] = inner(dense[rows - 1], vectors[k])


@njit(nogil=True, cache=True, fastmath=True)
def two_by_four(first: Vector, second: Vector, vectors: Vector, k: int, out: Vector, i: int) -> None:
    """The products of rows i, i + 1 with vectors k … k + 3."""
    v0, v1, v2, v3 = vectors[k], vectors[k + 1], vectors[k + 2], vectors[k + 3]
    a0, a1, a2, a3 = 0.0, 0.0, 0.0, 0.0
    b0, b1, b2, b3 = 0.0, 0.0, 0.0, 0.0
    for j in range(first.shape[0]):
        x, y = first[j], second[j]
        a0 += x * v0[j]
        a1 += x * v1[j]
        a2 += x * v2[j]
        a3 += x * v3[j]
        b0 += y * v0[j]
        b1 += y * v1[j]
        b2 += y * v2[j]
        b3 += y * v3[j]
    out[i, k], out[i, k + 1], out[i, k + 2], out[i, k + 3] = a0, a1, a2, a3
    out[i + 1, k], out[i + 1, k + 1], out[i + 1, k + 2], out[i + 1, k + 3] = b0, b1, b2, b3


@njit(nogil=True, cache=True, fastmath=True)
def inner(a: Vector, b: Vector) -> float:
    """a · b."""
    total = 0.0
    for j in range(a.shape[0]):
        total += a[j] * b[j]
    return total


@njit(nogil=True, cache=True, fastmath=True)
def add_row(
    dense: Vector, values: Vector, indices: Places, starts: Places, i: int, factor: float, out: Vector
) -> None:
    """out += factor · a_i."""
    if dense.shape[0] > 0:
        row = dense[i]
        for j in range(row.shape[0]):
            out[j] += factor * row[j]
    else:
        for e in range(starts[i], starts[i + 1]):
            out[indices[e]] += factor * values[e]
