"""A small run, so that the kernels are compiled before the first press of Run."""

from __future__ import annotations

import numpy as np

from engine.core.data.values import number_table
from engine.core.warming import rehearse


def compile_kernels() -> None:
    """Compile (or load from the cache) what runs on tables use."""
    points = np.random.default_rng(0).normal(size=(40, 3))
    every = ("complete", "average", "minimax", "single", "weighted", "ward")
    table = number_table(points, ("a", "b", "c"))
    rehearse("linkage", table, {"linkages": every, "k": (2, 5), "colour_nodes": 1000})
    rehearse("linkage", table, {"linkages": ("complete", "single"), "k": (2, 5), "precision": "float32"})
