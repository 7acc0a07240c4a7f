"""Proven bounds on the cohesion of linkage methods in a metric space, as data to draw and to test.

[DL] Dasgupta & Laber, New Bounds on the Cohesion of Complete-link and Other Linkage Methods, ICML 2024.
[LB] Laber & Batista, On the Cohesion and Separability of Average-link, NeurIPS 2024.
[A] Arutyunova, Großwendt, Röglin, Schmidt & Wargalla 2023.
[derived] follows in a line or two from the statements above; the help page gives the argument.

The class M of linkages: min dist(a, b) <= f(A, B) <= diam(A∪B) over a in A, b in B. It holds single,
complete, average, weighted and minimax, and not Ward, centroid or median.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

L = math.log2(3)

CLASS_M = ("single", "complete", "average", "weighted", "minimax")
NO_GUARANTEE = "no guarantee from this paper"

Measured = Literal["max_diam", "max_avg", "max_height", "cs_ratio_av", "cs_ratio_dm"]
Optimum = Literal["OPT_AV", "OPT_DM", "1"]


@dataclass(frozen=True)
class Bound:
    """`measured`(k-clustering of `linkage`) <= factor(k, n) * `optimum`(k).

    `max_height` is the largest height of the first n-k merges; optimum '1' means the bound is absolute.
    `exponent` is the power of k it grows with (None if it depends on n as well). `metric_only` is False
    where the triangle inequality is not used.
    """

    key: str
    linkage: str
    measured: Measured
    optimum: Optimum
    statement: str
    source: str
    exponent: float | None
    factor: Callable[[int, int], float]
    metric_only: bool = True


def _opt_dm_factor(k: int, n: int) -> float:
    """Complete linkage against OPT_DM: 1, then 2k-2 for k <= 4, then k^1.30."""
    if k == 1:
        return 1.0
    return 2.0 * k - 2.0 if k <= 4 else k**1.30


def _average_diam_factor(k: int, n: int) -> float:
    return min(k, 1.0 + 4.0 * math.log(n)) * k**L


def _harmonic(n: int) -> float:
    return sum(1.0 / i for i in range(1, n + 1))


_OWN = (
    Bound(
        "complete-av", "complete", "max_diam", "OPT_AV", "max-diam ≤ k^1.585 · OPT_AV(k)",
        "[DL]", L, lambda k, n: k**L,
    ),
    Bound(
        "complete-dm", "complete", "max_diam", "OPT_DM",
        "max-diam ≤ (2k−2) · OPT_DM(k) for 2 ≤ k ≤ 4, ≤ k^1.30 · OPT_DM(k) for k > 4",
        "[DL]", 1.30, _opt_dm_factor,
    ),
    Bound(
        "single-dm", "single", "max_diam", "OPT_DM", "max-diam ≤ (2k−1) · OPT_DM(k)",
        "[DL] order Θ(k), constant [derived]", 1.0, lambda k, n: 2.0 * k - 1.0,
    ),
    Bound(
        "single-av", "single", "max_diam", "OPT_AV", "max-diam ≤ k² · OPT_AV(k)",
        "[DL] order, constant [derived]", 2.0, lambda k, n: float(k * k),
    ),
    Bound(
        "average-avg", "average", "max_avg", "OPT_AV", "max-avg ≤ k^1.585 · OPT_AV(k)",
        "[DL]", L, lambda k, n: k**L,
    ),
    Bound(
        "average-diam", "average", "max_diam", "OPT_AV",
        "max-diam ≤ min{k, 1 + 4 ln n} · k^1.585 · OPT_AV(k)", "[LB]", None, _average_diam_factor,
    ),
    Bound(
        "average-cs-av", "average", "cs_ratio_av", "1", "cs-ratio_AV ≤ 1", "[LB]", 0.0,
        lambda k, n: 1.0, metric_only=False,
    ),
    Bound(
        "average-cs-dm", "average", "cs_ratio_dm", "1", "cs-ratio_DM ≤ 2 H_n", "[LB]", None,
        lambda k, n: 2.0 * _harmonic(n),
    ),
    Bound(
        "minimax-av", "minimax", "max_diam", "OPT_AV", "max-diam ≤ 2 k^1.585 · OPT_AV(k)",
        "[derived] from the heights", L, lambda k, n: 2.0 * k**L,
    ),
)  # fmt: skip


def _height_bound(linkage: str) -> Bound:
    return Bound(
        f"{linkage}-height", linkage, "max_height", "OPT_AV",
        "each of the first n−k merges has height ≤ k^1.585 · OPT_AV(k)",
        "[LB] inside the proof of Theorem 5.3, every linkage of class M", L, lambda k, n: k**L,
    )  # fmt: skip


BOUNDS: tuple[Bound, ...] = _OWN + tuple(_height_bound(linkage) for linkage in CLASS_M)


@dataclass(frozen=True)
class WorstCase:
    """What some instance reaches: a lower bound on any guarantee, with the instance if one is built here."""

    linkage: str
    statement: str
    source: str
    instance: str | None


WORST_CASES = (
    WorstCase("complete", "max-diam = Ω(k) · OPT_DM(k)", "[A]", None),
    WorstCase(
        "single", "max-diam = Ω(k²) · OPT_AV(k), n = 2k−2", "[DL] order, instance [derived]", "sl_chain"
    ),
    WorstCase("average", "max-diam = Ω(k) · OPT_DM(k)", "[LB]", "al_stairs"),
    WorstCase("single", "cs-ratio_AV = Ω(n−k)", "[LB]", "line_shrinking"),
    WorstCase("complete", "cs-ratio_AV = Ω(√n)", "[LB]", "cl_sqrt"),
)


def bounds_for(linkage: str, is_metric: bool | None = True) -> tuple[Bound, ...]:
    """Bounds that hold for a linkage on this kind of data; empty means `NO_GUARANTEE`.

    `is_metric` False or None (not known) leaves those that do not use the triangle inequality.
    """
    return tuple(b for b in BOUNDS if b.linkage == linkage and (is_metric or not b.metric_only))
