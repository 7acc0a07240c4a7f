"""Small-loss adaptive regret: online learners for changing streams, exact comparators, interval regret.

``from engine.methods.adaptive_regret import play_all`` loads only the module that defines it.
"""

from __future__ import annotations

from importlib import import_module

_EXPORTS = {
    "problems": ("Problem",),
    "streams": ("Burst", "SwitchingStream", "switching_stream"),
    "covers": ("alive_at", "chain", "lifelines"),
    "learners": ("Design", "Learner", "Settings", "design", "play_all"),
    "comparators": ("Best", "Comparator"),
    "regret": (
        "IntervalGrid",
        "Windows",
        "cover_intervals",
        "grid_intervals",
        "solve_intervals",
        "static_regret",
        "window_lengths",
    ),
    "portfolios": ("best_stock", "buy_and_hold", "portfolio_problem", "wealth"),
    "change_points": ("ChangePoint", "change_points"),
    "thresholds": ("calibrated_threshold",),
}
_MODULE_OF = {name: module for module, names in _EXPORTS.items() for name in names}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
