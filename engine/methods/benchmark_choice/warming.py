"""A short run, so that the kernels are compiled before the first press of Run."""

from __future__ import annotations

from engine.core.data.datasets import resolve
from engine.core.registry import method
from engine.core.warming import rehearse


def compile_kernels() -> None:
    """Compile (or load from the cache) what runs on both kinds of board use."""
    declared = method("benchmark_choice")
    short = {"companions": "quick", "draws": 20, "restarts": 2, "prove": False, "steps": 20, "sweep": False}
    for name in (declared.sets[0].name, "helm_lite"):
        data = resolve(name, declared.sets, declared.data).value
        rehearse("benchmark_choice", data, short)
