"""Benchmarks as elections: diversity against stability of multi-task benchmarks (Zhang and Hardt, ICML 2024).

The algorithm is importable from here without the application; importing the package loads no numeric library.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

_HOME = {
    "Board": "boards",
    "best_first": "boards",
    "catalogue": "boards",
    "constant_board": "boards",
    "imagenet_groups": "boards",
    "interpolated_board": "boards",
    "leaderboard": "boards",
    "random_board": "boards",
    "kendall_distance": "ranking",
    "max_rank_change": "ranking",
    "rank_distance": "ranking",
    "tolerant_ranks": "ranking",
    "Diversity": "agreement",
    "diversity": "agreement",
    "ordinal_diversity": "agreement",
    "pairwise_win_matrix": "win_rate",
    "winning_rates": "win_rate",
    "cardinal_certificate": "certificates",
    "cardinal_witness": "certificates",
    "minimal_witness": "certificates",
    "ordinal_certificate": "certificates",
    "cardinal_search_problem": "search",
    "ordinal_search_problem": "search",
    "search_worst_change": "search",
    "exact_tau": "exact",
    "rank_by": "baselines",
    "single_flips": "arrow",
    "fit_tradeoff": "tradeoff",
    "cardinal_sensitivity": "cardinal",
    "ordinal_sensitivity": "ordinal",
}
_NAMES = {"cardinal_sensitivity": "published_sensitivity", "ordinal_sensitivity": "published_sensitivity"}

__all__ = sorted(_HOME)

if TYPE_CHECKING:
    from typing import Any


def __getattr__(name: str) -> Any:
    """Load the room a public name lives in when it is first asked for."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME[name]}", __name__), _NAMES.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
