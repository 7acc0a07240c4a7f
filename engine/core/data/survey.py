"""What stands out in a table that was read: constant and repeated columns, repeated rows."""

from __future__ import annotations

import hashlib

import numpy as np

from engine.core.data.report import Report
from engine.core.data.values import Column, Table

_MIX = np.uint64(0x9E3779B97F4A7C15)


def survey(table: Table, report: Report) -> None:
    """Complete the report's columns and its count of rows that repeat an earlier one."""
    seen: dict[bytes, str] = {}
    by_name = {column.name: column for column in report.columns}
    for column in table.columns:
        entry = by_name[column.name]
        entry.constant = table.n > 1 and _is_constant(column)
        first = seen.setdefault(_digest(column), column.name)
        entry.duplicate_of = first if first != column.name and not entry.constant else None
    report.duplicate_rows = duplicate_rows(table)


def duplicate_rows(table: Table) -> int:
    """How many rows equal an earlier one in every column but the id."""
    if not table.columns:
        return 0
    mixed = np.zeros(table.n, dtype=np.uint64)
    for column in (*table.columns, *([table.label] if table.label else [])):
        # A 64-bit mix per row: equal rows agree; unequal ones collide with chance n²/2^65.
        mixed = (mixed ^ (mixed >> np.uint64(29))) * _MIX + _codes(column)
        mixed ^= mixed >> np.uint64(32)
    return table.n - len(np.unique(mixed))


def _codes(column: Column) -> np.ndarray:
    if column.type == "number":
        return (np.ascontiguousarray(column.values) + 0.0).view(np.uint64)
    hashed = np.fromiter((hash(text) for text in column.values), dtype=np.int64, count=len(column.values))
    return hashed.view(np.uint64)


def _is_constant(column: Column) -> bool:
    if column.type != "number":
        return len(set(column.values)) == 1
    return bool((column.values == column.values[0]).all()) or bool(np.isnan(column.values).all())


def _digest(column: Column) -> bytes:
    digest = hashlib.blake2b(column.type.encode(), digest_size=16)
    if column.type == "number":
        digest.update(np.ascontiguousarray(column.values).tobytes())
    else:
        digest.update("\x1f".join(column.values).encode("utf-8", "surrogatepass"))
    return digest.digest()
