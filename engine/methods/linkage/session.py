"""What a tab holds: what is measured, the trees grown, brackets, and what is looked at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.core.views import Axis
from engine.methods.linkage.measured import Measured, measured, place
from engine.methods.linkage.parameters import LINKAGE_LABELS, Parameters

if TYPE_CHECKING:
    from engine.methods.linkage.criteria import Cohesion, Separation
    from engine.methods.linkage.families_walk import FamilyWalk
    from engine.methods.linkage.lab import Lab
    from engine.methods.linkage.numbering import Clusters, Forest
    from engine.methods.linkage.optimum import Brackets

ALL_KS_UP_TO = 20
MOST_KS = 64
MOST_COLUMNS = 6
MOST_RESULTS = 12
#: Numbers of clusters a table shows, the first that fit.
ROUND_KS = (10, 5, 20, 3, 50, 100, 30, 4, 8, 6, 200, 500, 1000, 2000, 40, 15, 60, 80, 150, 300, 12)


@dataclass
class Grown:
    """A finished linkage. `numbers` (2n-1,) names clusters at every k; `order` (n,) leaves as drawn."""

    name: str
    tree: NDArray[np.float64]
    numbers: NDArray[np.int64]
    order: NDArray[np.int64]
    prototypes: NDArray[np.int64] | None = None
    cohesion: Cohesion | None = None
    separation: Separation | None = None
    seconds: float = 0.0
    held: Clusters | None = field(default=None, repr=False)

    @property
    def n(self) -> int:
        """Number of leaves."""
        return len(self.tree) + 1

    @property
    def inverted(self) -> bool:
        """Whether some merge is lower than one before it (centroid and median)."""
        return bool(np.any(np.diff(self.tree[:, 2]) < 0))

    def clusters(self, k: int) -> Clusters:
        """The k-clustering; the last one asked for is kept."""
        from engine.methods.linkage.numbering import clusters_at

        if self.held is None or self.held.k != k:
            self.held = clusters_at(self.tree, self.numbers, k)
        return self.held

    def k_below(self, height: float) -> int:
        """Clusters left by the merges up to `height`."""
        top = np.maximum.accumulate(self.tree[:, 2])
        return self.n - int(np.searchsorted(top, height, side="right"))

    def height_for(self, k: int) -> float:
        """A height whose cut gives k clusters: half-way between the two merges."""
        top = np.maximum.accumulate(self.tree[:, 2])
        high = float(top[self.n - k]) if k > 1 else 1.06 * float(top[-1])
        low = float(top[self.n - k - 1]) if k < self.n else 0.0
        return 0.5 * (low + high)

    def by_k(self, criterion: str) -> NDArray[np.float64] | None:
        """A criterion at every k, (n+1,); None where it was not computed."""
        if criterion in ("max_diam", "avg_diam", "max_avg"):
            return None if self.cohesion is None else getattr(self.cohesion, criterion)
        if self.separation is None or self.cohesion is None:
            return None
        from engine.methods.linkage.criteria import Criteria

        tight, apart = self.cohesion, self.separation
        whole = Criteria(tight.max_diam, tight.avg_diam, tight.max_avg, apart.sep_min, apart.sep_av)
        names = {"cs_av": "cs_ratio_av", "cs_dm": "cs_ratio_dm"}
        return getattr(whole, names.get(criterion, criterion))


@dataclass
class Flat:
    """A baseline: its criteria at some k. Values (len(ks),)."""

    name: str
    ks: tuple[int, ...]
    values: dict[str, NDArray[np.float64]]


@dataclass
class Session:
    """The state of a tab: `shown` is the linkage looked at, `k` where its tree is cut."""

    parameters: Parameters
    data: Any
    measured: Measured
    ks: tuple[int, ...]
    k: int
    shown: str
    criterion: str
    optimum: str = "DM"
    height: float | None = None
    log: bool = False
    collapsed: tuple[int, ...] = ()
    trees: dict[str, Grown] = field(default_factory=dict)
    baselines: dict[str, Flat] = field(default_factory=dict)
    brackets: Brackets | None = None
    merging: str = ""
    forest: Forest | None = None
    heights: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    walk: FamilyWalk | None = None
    lab: Lab | None = None
    marked: int | None = None
    companion: dict[tuple[str, str, str], float] | None = None
    square: NDArray[np.float64] | None = field(default=None, repr=False)

    @property
    def n(self) -> int:
        """Number of things clustered."""
        return self.measured.n

    @property
    def tree(self) -> Grown | None:
        """The tree looked at, once it is grown."""
        return self.trees.get(self.shown)

    @property
    def columns(self) -> tuple[int, ...]:
        """The k that the table of ratios shows."""
        return chosen_ks(self.ks, MOST_COLUMNS)

    @property
    def reported(self) -> tuple[int, ...]:
        """The k whose numbers are named results; every k stands in the tables of the record."""
        return chosen_ks(self.ks, MOST_RESULTS)

    @property
    def height_axis(self) -> Axis:
        """Merge heights, in the unit of the distances."""
        return Axis("merge height", self.measured.unit)

    def names_of_trees(self) -> tuple[str, ...]:
        """Finished linkages, in the order of the form."""
        order = [*self.parameters.linkages, "given"]
        return tuple(name for name in order if name in self.trees)


def label(name: str) -> str:
    """The word a person reads for a linkage."""
    return LINKAGE_LABELS.get(name, name)


def named(text: str) -> str:
    """The linkage behind a word."""
    return next((name for name, word in LINKAGE_LABELS.items() if word == text), text)


def ks_of(parameters: Parameters, n: int) -> tuple[int, ...]:
    """The k compared: all of the range up to 64 values; else all to 20, then evenly on a log scale."""
    low, high = (min(max(k, 1), n) for k in parameters.k)
    if high - low < MOST_KS:
        return tuple(range(low, high + 1))
    first = list(range(low, max(low, ALL_KS_UP_TO) + 1))
    rest = np.geomspace(first[-1], high, MOST_KS - len(first)).round().astype(int).tolist()
    return tuple(sorted({*first, *(k for k in ROUND_KS if low <= k <= high), *rest}))


def chosen_ks(ks: tuple[int, ...], most: int) -> tuple[int, ...]:
    """At most so many of `ks`: round ones first, the ends always."""
    if len(ks) <= most:
        return ks
    inside = [k for k in ROUND_KS if k in ks and ks[0] < k < ks[-1]]
    return (ks[0], *sorted(inside[: most - 2]), ks[-1])


def open_session(parameters: Parameters, data: Any) -> Session:
    """A session with nothing computed yet. Raises DataError where metric and data do not fit."""
    found = measured(parameters, data)
    place(parameters, data, found)
    ks = ks_of(parameters, found.n)
    looked_at = found.look_at or 3
    k = min(max(looked_at, ks[0]), ks[-1])
    shown = "given" if found.merges is not None else parameters.linkages[0]
    return Session(parameters, data, found, ks, k, shown, parameters.criterion)
