"""Best arm identification with a fixed budget (A/B testing): algorithms, exact errors, rates, planner.

``from engine.methods.best_arm import log_error_uniform`` loads only the module that defines it.
"""

from __future__ import annotations

from importlib import import_module

_EXPORTS = {
    "algorithms": ("ALGORITHMS", "Algorithm", "static_two_arms"),
    "rates": (
        "bernoulli_kl",
        "best_share",
        "complexity",
        "downfall",
        "log_bar",
        "sr_rate",
        "sr_rate_terms",
        "static_rate",
        "two_arm_rate",
        "uniform_rate",
    ),
    "static_optimum": ("best_static_weights",),
    "schedules": (
        "sequential_halving_schedule",
        "sr_lengths",
        "static_counts",
        "successive_rejects_schedule",
    ),
    "instances": ("FAMILIES", "mirrored"),
    "intervals": ("clopper_pearson", "wilson"),
    "exact_counts": (
        "log_error_fixed",
        "log_error_static",
        "log_error_uniform",
        "selection_probabilities",
    ),
    "exact_elimination": ("is_computable", "log_error_elimination"),
    "two_arm_exact": ("ForwardPass", "TwoArmLaw", "two_arm_law"),
    "two_arm_policies": ("function_policy", "policy_of", "static_policy", "table_policy"),
    "two_stage_exact": ("two_stage_error",),
    "expression": ("compile_rule",),
    "planner": ("log_error_exact", "smallest_budget"),
    "simulation": ("Simulator", "correct_arms", "simulate"),
    "tilting": ("tilted_error",),
    "procedures": ("History", "procedure_of"),
    "replay": ("bernoulli_source", "log_source", "trace"),
}
_MODULE_OF = {name: module for module, names in _EXPORTS.items() for name in names}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
