"""What a person sets before a run, and the arguments of what they do in the tab."""

from __future__ import annotations

from typing import Literal

from engine.core.parameters import Group, MethodParameters, When, field, range_field

LinkageName = Literal["complete", "average", "minimax", "single", "weighted", "ward", "centroid", "median"]
MetricName = Literal["euclidean", "cityblock", "chebyshev", "cosine", "haversine", "precomputed"]
Criterion = Literal["max_diam", "avg_diam", "max_avg", "cs_av", "cs_dm", "sep_min", "sep_av"]
Baseline = Literal["gonzalez", "kmeans", "kmedoids", "random", "genie", "sklearn"]
Optimum = Literal["OPT_DM", "OPT_AV"]
ExportFile = Literal["labels", "matrix", "matrix_csv", "newick", "criteria", "instance"]

LINKAGE_LABELS: dict[str, str] = {"ward": "Ward"}
METRIC_LABELS = {"cosine": "cosine *", "haversine": "haversine (latitude, longitude)"}
CRITERIA: dict[str, str] = {
    "max_diam": "largest diameter",
    "avg_diam": "average diameter",
    "max_avg": "largest average distance",
    "cs_av": "cohesion/separation, average",
    "cs_dm": "cohesion/separation, diameter",
    "sep_min": "smallest separation",
    "sep_av": "average separation",
}
BASELINES: dict[str, str] = {
    "gonzalez": "k-centre",
    "kmeans": "k-means",
    "kmedoids": "k-medoids",
    "random": "random hierarchy",
    "genie": "Genie",
    "sklearn": "scikit-learn, complete",
}

EXPORTS: dict[str, str] = {
    "labels": "labels (CSV)",
    "matrix": "linkage matrix (NPY)",
    "matrix_csv": "linkage matrix (CSV)",
    "newick": "tree (Newick)",
    "criteria": "criteria (CSV)",
    "instance": "lab instance (JSON)",
}

#: Compared things count from the far end of the palette; the method of the paper is ink.
COLOURS: dict[str, int] = {
    "complete": 7,
    "average": 3,
    "minimax": 4,
    "single": 5,
    "weighted": 0,
    "ward": 1,
    "centroid": 2,
    "median": 6,
    "given": 7,
}
EUCLIDEAN_ONLY = ("ward", "centroid", "median")
MINIMAX_LIMIT = 3000
MOST_K = 1_000_000
_ADVANCED: Group = "advanced"
_SEARCH = "Adversary search"
_SEARCHING = When("search", (True,))
_LINES = ("euclidean", "cityblock", "chebyshev", "cosine")


class Parameters(MethodParameters):
    """Of a run."""

    linkages: tuple[LinkageName, ...] = field(
        ("complete", "average", "minimax", "single"),
        help="Which linkages are run on the same distances and compared",
        labels=LINKAGE_LABELS,
        min_length=1,
    )
    metric: MetricName = field(
        "euclidean",
        help="How rows are compared; * is no metric: no bound is proven. A distance matrix is used as it is",
        labels=METRIC_LABELS,
    )
    standardise: Literal["none", "z-score", "min-max"] = field(
        "none",
        help="Bring columns to one scale before distances are taken",
        labels={"min-max": "min–max"},
        when=When("metric", _LINES),
    )
    k: tuple[int, int] = range_field(
        (2, 10),
        title="Clusters k",
        ge=1,
        le=MOST_K,
        help="For which numbers of clusters criteria are compared",
    )
    criterion: Criterion = field(
        "max_diam", help="Which criterion the chart of cohesion opens with", labels=CRITERIA
    )
    ties: Literal["index", "reversed", "random", "adversarial"] = field(
        "index",
        title="Tie policy",
        group=_ADVANCED,
        help="Which of equally near pairs is merged first; all but index need at most 2,000 rows",
        labels={"index": "by index", "adversarial": "widest union"},
    )
    precision: Literal["auto", "float32", "float64"] = field(
        "auto",
        group=_ADVANCED,
        help="Numbers that hold the distances; auto: float32 above 5,000 rows, float64 up to there",
    )
    memory: float | None = field(
        None, group=_ADVANCED, gt=0, le=4096, unit="GiB", title="Memory cap",
        help="Most memory the distances may take; empty: 60% of this machine's",
    )  # fmt: skip
    effort: Literal["off", "fast", "exact"] = field(
        "fast",
        title="Optimum",
        group=_ADVANCED,
        help="How hard the optimum is bracketed; exact also colours graphs of up to 150 points",
    )
    exact_limit: int = field(
        13, ge=4, le=16, unit="points", title="Exact up to", group=_ADVANCED,
        when=When("effort", ("fast", "exact")),
        help="Largest set, and largest subset of a larger one, whose optimum is computed exactly",
    )  # fmt: skip
    colour_nodes: int = field(
        200_000, ge=0, le=100_000_000, unit="nodes", title="Colouring budget", group=_ADVANCED,
        when=When("effort", ("exact",)),
        help="Search nodes of the colouring for each threshold; a budget that runs out leaves a bracket",
    )  # fmt: skip
    triangles: Literal["auto", "full", "off"] = field(
        "auto",
        title="Triangle check",
        group=_ADVANCED,
        help="Check of a distance matrix; auto: all triples up to 400 points, 200,000 drawn ones beyond",
    )
    optimal_order: bool = field(
        False, group=_ADVANCED, title="Optimal leaf order",
        help="Turn branches so that neighbouring leaves are alike, up to 2,000 rows",
    )  # fmt: skip
    baselines: tuple[Baseline, ...] = field(
        (), group=_ADVANCED, help="What the linkages are compared with", labels=BASELINES
    )
    bounds: bool = field(
        True, group=_ADVANCED, title="Proven bounds", help="Draw what is proven for the linkage shown"
    )
    search: bool = field(
        False, section=_SEARCH, group=_ADVANCED, title="Search",
        help="Search a small instance on which a linkage does badly, and put it into the lab",
    )  # fmt: skip
    search_linkage: LinkageName = field(
        "complete", section=_SEARCH, group=_ADVANCED, title="Linkage", labels=LINKAGE_LABELS, when=_SEARCHING,
        help="The linkage that is to do badly",
    )  # fmt: skip
    search_k: int = field(
        4, ge=2, le=8, section=_SEARCH, group=_ADVANCED, title="Clusters", when=_SEARCHING,
        help="Number of clusters of the instance searched for; below its number of points",
    )  # fmt: skip
    search_points: int = field(
        8, ge=3, le=9, unit="points", section=_SEARCH, group=_ADVANCED, title="Points", when=_SEARCHING,
        help="Number of points of the instance searched for",
    )  # fmt: skip
    search_steps: int = field(
        20_000, ge=20, le=1_000_000, unit="steps", section=_SEARCH, group=_ADVANCED, title="Steps",
        when=_SEARCHING, help="Steps of the simulated annealing",
    )  # fmt: skip
    search_optimum: Optimum = field(
        "OPT_DM", section=_SEARCH, group=_ADVANCED, title="Against", when=_SEARCHING,
        help="Which optimum the linkage is held against: of the largest or of the average diameter",
    )  # fmt: skip


class Cut(MethodParameters):
    """Where the tree is cut: by a height, or by a number of clusters."""

    height: float | None = field(None, ge=0, help="Height of the cut")
    k: float | None = field(None, ge=1, le=MOST_K, help="Number of clusters")


class Choose(MethodParameters):
    """One of the options of a switch."""

    value: str = field(..., help="The option", max_length=200)


class Flip(MethodParameters):
    """On or off."""

    value: bool = field(..., help="On or off")


class Node(MethodParameters):
    """A node of the tree: leaves first, then merges."""

    node: int = field(..., ge=0, help="The node")


class Chosen(MethodParameters):
    """A row or mark by its id."""

    id: int | str = field(..., help="The row")


class At(MethodParameters):
    """A place on a curve."""

    series: str = field("", max_length=200, help="The curve")
    x: float = field(..., help="The number of clusters")


class Number(MethodParameters):
    """A number from a slider."""

    value: float = field(..., help="The number")


class MovePoint(MethodParameters):
    """A point of the lab and its new place."""

    id: int = field(..., ge=0, help="The point")
    x: float = field(..., help="Where to, first coordinate")
    y: float = field(..., help="Where to, second coordinate")


class NewPoint(MethodParameters):
    """A place for another point; `take_back` removes it again."""

    x: float = field(..., help="First coordinate")
    y: float = field(..., help="Second coordinate")
    take_back: bool = field(False, help="Remove the last point instead")


class RemovePoint(MethodParameters):
    """A point to take away (empty: the last), or what was taken away and is put back."""

    id: int | None = field(None, ge=0, help="The point")
    row: str = field("", help="Its place and its distances as JSON, where it is put back")


class EditDistance(MethodParameters):
    """A cell of the lab's distance matrix and its new value."""

    row: int = field(..., ge=0, help="First point")
    column: int = field(..., ge=0, help="Second point")
    value: float = field(..., ge=0, le=1e9, help="Their distance")
    as_points: bool = field(False, help="Go back to distances measured between the places")


class LabContent(MethodParameters):
    """What the lab is filled with: a generated instance, the run's data, or (undo) what it held before."""

    source: str = field("data", max_length=200, help="Name of an instance, or data")
    points: str = field("", help="Points as JSON, where they are given")
    matrix: str = field("", help="Distances as JSON, where they are given")
    name: str = field("", max_length=200, help="What it is called")


class Export(MethodParameters):
    """Which files are written."""

    files: tuple[ExportFile, ...] = field(
        ("labels", "matrix"), help="Which files are written", labels=EXPORTS, min_length=1
    )
    k: str = field(
        "", title="Labels for k", max_length=400, pattern=r"^[0-9 ,]*$",
        help="Numbers of clusters, such as 3, 5, 10; empty: the present cut",
    )  # fmt: skip
    linkages: Literal["shown", "all"] = field("shown", help="The tree looked at, or every tree grown")
