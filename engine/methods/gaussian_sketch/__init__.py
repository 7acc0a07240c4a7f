"""Gaussian sketched gradient descent (GSGD), coordinate and SEGA baselines, on sparse and dense problems.

``from engine.methods.gaussian_sketch import solve`` loads only the modules it needs.
"""

from __future__ import annotations

from importlib import import_module

_EXPORTS = {
    "objective": ("Objective", "quadratic"),
    "regularisers": ("Penalty", "REGULARISERS", "SEPARABLE", "prox_total_variation"),
    "constants": ("Smoothness", "smoothness", "hutchinson_trace", "largest_curvature"),
    "sketches": ("SKETCHES", "draw", "h_step", "kurtosis"),
    "rotation": ("cayley_rotation", "haar_rotation", "skew_generator"),
    "quadratics": ("SPECTRA", "least_squares", "spectrum"),
    "step_sizes": (
        "coordinate_step",
        "importance_probabilities",
        "lyapunov_factor",
        "minibatch_steps",
        "predicted",
        "provable_step",
        "trace_step",
        "uniform_probabilities",
    ),
    "solvers": ("Solver", "SolverSettings"),
    "catalogue": ("MAKERS", "make_solver", "why_not"),
    "reference": ("Optimum", "optimum"),
    "traces": ("Measured", "Trace", "solve", "solving"),
    "black_box": ("BlackBox",),
}
_MODULE_OF = {name: module for module, names in _EXPORTS.items() for name in names}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
