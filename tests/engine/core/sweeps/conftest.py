"""The trial method, found during one test; a way to carry a sweep out on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.core import registry
from engine.core.method import Method
from engine.core.sweeps.folder import SweepFolder
from engine.core.sweeps.local import LocalWorkers
from engine.core.sweeps.plan import SweepPlan
from engine.core.sweeps.preparing import prepare_sweep
from engine.core.sweeps.runner import SweepRunner

METHODS = Path(__file__).parents[3] / "sweep_methods"


@pytest.fixture
def trial() -> Iterator[Method]:
    registry.add_folder(METHODS, "tests.sweep_methods")
    yield registry.method("trial")
    registry.remove_folder(METHODS)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "Zoës Reihe 数据"


@pytest.fixture
def planned(trial: Method) -> Callable[..., SweepPlan]:
    def plan(grid: Mapping[str, tuple[Any, ...]], seeds: int = 1, **settings: Any) -> SweepPlan:
        return prepare_sweep("trial", grid=grid, seeds=range(seeds), **settings)[0]

    return plan


@pytest.fixture
def runner(place: Path) -> Callable[..., SweepRunner]:
    def make(plan: SweepPlan, workers: int = 2) -> SweepRunner:
        return SweepRunner(SweepFolder(place), plan, LocalWorkers(workers))

    return make
