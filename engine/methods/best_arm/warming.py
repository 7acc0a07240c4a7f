"""A short run, so that the kernels are compiled before the first press of Run."""

from __future__ import annotations

from engine.core.data.datasets import resolve
from engine.core.registry import method
from engine.core.warming import rehearse


def compile_kernels() -> None:
    """Compile (or load from the cache) what quick and default runs use."""
    declared = method("best_arm")
    data = resolve(declared.sets[0].name, declared.sets, declared.data).value
    simulated = ("uniform", "sr", "sh", "cr_c", "cr_a", "ucbe", "static")
    short = {"algorithms": simulated, "budgets": "40, 60", "runs": 1000, "map_budget": 20, "map_grid": 11}
    rehearse("best_arm", data, {**short, "means": "0.5, 0.45, 0.3"})
    two_arms = (*simulated, "tracking", "thompson", "own")
    rehearse("best_arm", data, {**short, "means": "0.6, 0.5", "algorithms": two_arms})
