"""Linkage methods for agglomerative clustering and their cohesion (Dasgupta & Laber, ICML 2024).

The algorithm for a notebook: `from engine.methods.linkage import distances, greedy_hierarchy, criteria_of`.
Names are loaded when first used; listing the package compiles nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_ROOMS: dict[str, tuple[str, ...]] = {
    "storage": ("Distances",),
    "metrics": ("METRICS", "Metric", "distances", "filling", "metric_named", "prepare_points"),
    "dissimilarities": (
        "TriangleCheck", "check_triangles", "looks_like_distances", "read_dissimilarities",
    ),
    "memory": ("LinkagePlan", "memory_cap", "plan"),
    "greedy": ("Hierarchy", "LINKAGES", "POLICIES", "greedy_hierarchy", "greedy_linkage"),
    "nn_chain": ("CHAIN_LINKAGES", "MergesSoFar", "chain_linkage", "chain_tree"),
    "minimax": ("minimax_hierarchy", "minimax_linkage"),
    "single": (
        "single_linkage", "single_linkage_of_points", "single_tree", "single_tree_euclidean",
        "single_tree_of_points",
    ),
    "ward": ("ward_linkage_of_points", "ward_tree_of_points"),
    "criteria": (
        "Cohesion", "Criteria", "Separation", "cohesion_steps", "cohesion_steps_of_points", "criteria_of",
        "separation_steps",
    ),
    "tree": (
        "TreeLayout", "check_linkage", "cut_at_height", "cut_at_k", "cut_between", "cuts_at", "layout",
        "newick", "optimally_ordered",
    ),
    "bounds": ("BOUNDS", "Bound", "CLASS_M", "NO_GUARANTEE", "WORST_CASES", "bounds_for"),
    "exact": ("ExactOptimum", "colouring", "exact_optimum", "subset_optimum", "two_diameter_optimum"),
    "optimum": ("Bracket", "Brackets", "bracket_steps", "brackets_of"),
    "traversal": (
        "Representatives", "Traversal", "farthest_first", "k_center_labels", "representatives",
        "rows_of_points",
    ),
    "local_search": ("Outliers", "improved", "outlier_singletons"),
    "families": ("Family", "FamilyStep", "check_families", "family_bound", "family_steps"),
    "instances": (
        "INSTANCES", "Instance", "al_stairs", "cl_sqrt", "gaussian_blobs", "line_shrinking",
        "ring_with_noise", "sl_chain", "two_moons", "uniform_cube",
    ),
    "adversary": ("adversary_steps", "cohesion_ratio", "shortest_paths", "worst_instance"),
    "baselines": (
        "genie_tree", "gonzalez_labels", "kmeans_labels", "kmedoids_labels", "random_hierarchy",
        "sklearn_labels",
    ),
    "k_groups": ("relative_to_best",),
    "pacing": ("result_of",),
}  # fmt: skip

_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = sorted(_ROOM_OF)


def __getattr__(name: str) -> Any:
    if name not in _ROOM_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_ROOM_OF[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
