"""Recorded walks to compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.core.comparison.comparison import Comparison
from engine.core.method import Method
from engine.core.records.reader import RunRecord
from engine.core.scripting import repeat

Walked = Callable[..., RunRecord]


@pytest.fixture
def walked(walk: Method, tmp_path: Path) -> Iterator[Walked]:
    """Runs the walk and opens its record."""
    records: list[RunRecord] = []

    def run(seed: int = 0, **parameters: Any) -> RunRecord:
        folder = tmp_path / f"Lauf {len(records)}"
        repeat("walk", out=folder, seed=seed, parameters=parameters, threads=1)
        records.append(RunRecord(folder))
        return records[-1]

    yield run
    for record in records:
        record.close()


@pytest.fixture
def compared(walk: Method) -> Callable[..., Comparison]:
    def compare(*records: RunRecord, over_seeds: bool = True) -> Comparison:
        comparison = Comparison(records, walk, over_seeds)
        comparison.seek()
        return comparison

    return compare
