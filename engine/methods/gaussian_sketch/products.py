"""Products of the data matrix A (n, d) with few vectors, dense or sparse, for the compiled kernels.

A matrix travels as four arrays (dense, values, indices, starts): a dense one fills the first and leaves
the others empty, a sparse one the other way round. Rows: C order or CSR; columns: the same of Aᵀ.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from scipy import sparse

Packed = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def packed(matrix: np.ndarray | sparse.csr_matrix) -> Packed:
    """The four arrays of a matrix by rows; give Aᵀ (`packed(matrix.T)`) for columns."""
    if sparse.issparse(matrix):
        rows = matrix.tocsr()
        return (
            np.empty((0, 0)),
            np.ascontiguousarray(rows.data, np.float64),
            rows.indices.astype(np.int64),
            rows.indptr.astype(np.int64),
        )
    none = np.empty(0, np.int64)
    return np.ascontiguousarray(matrix, np.float64), np.empty(0), none, none


@njit(nogil=True, cache=True, fastmath=True)
def row_products(dense, values, indices, starts, vectors, out):
    """out[i, k] = a_i · v_k for `vectors` (K, d); every entry of A is read once for all K."""
    count, width = vectors.shape
    if dense.shape[0] > 0:
        for i in range(dense.shape[0]):
            row = dense[i]
            k = 0
            while k + 4 <= count:
                v0, v1, v2, v3 = vectors[k], vectors[k + 1], vectors[k + 2], vectors[k + 3]
                s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
                for j in range(width):
                    a = row[j]
                    s0 += a * v0[j]
                    s1 += a * v1[j]
                    s2 += a * v2[j]
                    s3 += a * v3[j]
                out[i, k], out[i, k + 1], out[i, k + 2], out[i, k + 3] = s0, s1, s2, s3
                k += 4
            while k < count:
                v0 = vectors[k]
                s0 = 0.0
                for j in range(width):
                    s0 += row[j] * v0[j]
                out[i, k] = s0
                k += 1
        return
    # transposed once, so that one index of the sparse row reads all K vectors from one place
    across = vectors.T.copy()
    for i in range(starts.shape[0] - 1):
        out[i, :] = 0.0
        for e in range(starts[i], starts[i + 1]):
            a = values[e]
            place = across[indices[e]]
            for k in range(count):
                out[i, k] += a * place[k]


@njit(nogil=True, cache=True, fastmath=True)
def add_row(dense, values, indices, starts, i, factor, out):
    """out += factor · a_i."""
    if dense.shape[0] > 0:
        row = dense[i]
        for j in range(row.shape[0]):
            out[j] += factor * row[j]
    else:
        for e in range(starts[i], starts[i + 1]):
            out[indices[e]] += factor * values[e]
