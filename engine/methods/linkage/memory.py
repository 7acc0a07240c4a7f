"""Which engine, layout and precision a linkage gets, from the bytes it needs and the memory allowed.

Imports nothing heavy, so that a form may ask before any run. Sizes: square n²·itemsize, condensed
n(n-1)/2·itemsize; every engine needs besides some vectors of length n, counted as 200 bytes a point.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

GIB = 1 << 30
GREEDY_LIMIT = 2000
FLOAT32_ABOVE = 5000
FEW_DIMENSIONS = 8
BYTES_PER_POINT = 200

Precision = Literal["auto", "float32", "float64"]
Engine = Literal["greedy", "chain", "minimax", "prim", "prim-points", "spanning-tree", "ward-points"]

CHAIN = ("complete", "average", "weighted", "ward")
GREEDY_ONLY = ("centroid", "median")


@dataclass(frozen=True)
class LinkagePlan:
    """How one linkage will be computed, or why not.

    `bytes` is the peak of the engine (distances and working copies; the points themselves not counted).
    `refusal` is None or a sentence with the figure; `alternatives` are then the ways out.
    """

    linkage: str
    engine: Engine
    layout: Literal["square", "condensed", "none"]
    dtype: Literal["float32", "float64"]
    bytes: int
    refusal: str | None = None
    alternatives: tuple[str, ...] = ()


def memory_cap(share: float = 0.6) -> int:
    """Bytes a run may use: a share of the machine's memory."""
    import psutil

    return int(share * psutil.virtual_memory().total)


def needed(n: int, layout: str, dtype: str, copies: int = 1) -> int:
    """Bytes of `copies` distance arrays of n points in a layout, and the vectors beside them."""
    item = 4 if dtype == "float32" else 8
    entries = {"square": n * n, "condensed": n * (n - 1) // 2, "none": 0}[layout]
    return copies * entries * item + BYTES_PER_POINT * n


def plan(
    linkage: str,
    n: int,
    d: int,
    *,
    cap: int,
    metric: str = "euclidean",
    stored: bool = False,
    ties: str = "index",
    precision: Precision = "auto",
) -> LinkagePlan:
    """Choose for one linkage of n points in d dimensions.

    `stored`: the input is a distance matrix, so that point engines are out. Chains take the condensed
    layout, which is about as fast as the square one at half the memory; beyond `cap` bytes the linkage is
    refused with the figure. Up to 2,000 points the greedy engine runs, which obeys every tie policy.
    """
    if n <= GREEDY_LIMIT:
        copies = 2 + (linkage in ("average", "minimax")) + (ties == "adversarial")
        size = needed(n, "square", "float64", copies)
        return _within(LinkagePlan(linkage, "greedy", "square", "float64", size), cap, n)
    if linkage in GREEDY_ONLY or ties != "index":
        return _greedy_refused(linkage, n, ties)
    if linkage == "single":
        return _single(n, d, cap, metric, stored, precision)
    if linkage == "ward" and not stored:
        return LinkagePlan(
            linkage, "ward-points", "none", "float64", needed(n, "none", "float64") + 8 * n * d
        )
    dtype = _dtype(n, precision)
    if linkage == "minimax":
        return _within(
            LinkagePlan(linkage, "minimax", "square", dtype, needed(n, "square", dtype, 2)), cap, n
        )
    return _within(LinkagePlan(linkage, "chain", "condensed", dtype, needed(n, "condensed", dtype)), cap, n)


def _dtype(n: int, precision: Precision) -> Literal["float32", "float64"]:
    if precision == "auto":
        return "float32" if n > FLOAT32_ABOVE else "float64"
    return precision


def _single(n: int, d: int, cap: int, metric: str, stored: bool, precision: Precision) -> LinkagePlan:
    if stored:
        dtype = _dtype(n, precision)
        return _within(
            LinkagePlan("single", "prim", "condensed", dtype, needed(n, "condensed", dtype)), cap, n
        )
    engine: Engine = "spanning-tree" if metric == "euclidean" and d <= FEW_DIMENSIONS else "prim-points"
    return LinkagePlan("single", engine, "none", "float64", needed(n, "none", "float64") + 16 * n * d)


def _within(chosen: LinkagePlan, cap: int, n: int) -> LinkagePlan:
    if chosen.bytes <= cap:
        return chosen
    most = _largest_n(chosen, cap)
    return LinkagePlan(
        chosen.linkage, chosen.engine, chosen.layout, chosen.dtype, chosen.bytes,
        f"{chosen.linkage} linkage of {n:,} points needs {chosen.bytes / GIB:.2f} GiB in its leanest form; "
        f"{cap / GIB:.2f} GiB are allowed",
        (
            "single or Ward linkage of points, which store no distances",
            "Genie",
            f"exact {chosen.linkage} linkage of {most:,} farthest-first representatives, "
            "every point within a known radius of one",
        ),
    )  # fmt: skip


def _largest_n(chosen: LinkagePlan, cap: int) -> int:
    """Largest number of points that fits `cap` with the same engine."""
    low, high = 2, 1 << 22
    copies = 2 if chosen.engine in ("minimax", "greedy") else 1
    while high - low > 1:
        middle = (low + high) // 2
        fits = needed(middle, chosen.layout, chosen.dtype, copies) <= cap
        low, high = (middle, high) if fits else (low, middle)
    return low


def _greedy_refused(linkage: str, n: int, ties: str) -> LinkagePlan:
    why = f"{linkage} linkage" if linkage in GREEDY_ONLY else f"the tie policy '{ties}'"
    ways = ("Ward linkage",) if linkage in GREEDY_ONLY else ("tie policy 'index'",)
    size = needed(n, "square", "float64", 2)
    return LinkagePlan(
        linkage, "greedy", "square", "float64", size,
        f"{why} needs the plain greedy engine, which takes at most {GREEDY_LIMIT:,} points, not {n:,}",
        (*ways, f"{GREEDY_LIMIT:,} farthest-first representatives"),
    )  # fmt: skip
