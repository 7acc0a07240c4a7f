"""What a person sets for a run, and what an action takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from pydantic import field_validator

from engine.core.parameters import MethodParameters, When, field

Name = Literal[
    "uniform",
    "static",
    "sr",
    "sh",
    "sh_fresh",
    "ucbe",
    "cr_c",
    "cr_a",
    "tracking",
    "two_stage",
    "ttts",
    "thompson",
    "own",
]
LABELS = {
    "uniform": "Uniform",
    "static": "Static share",
    "sr": "Successive Rejects",
    "sh": "Sequential Halving",
    "sh_fresh": "Halving, fresh samples",
    "ucbe": "UCB-E",
    "cr_c": "CR-C",
    "cr_a": "CR-A",
    "tracking": "Plug-in tracking",
    "two_stage": "Two-stage",
    "ttts": "Top-two Thompson",
    "thompson": "Thompson",
    "own": "Own policy",
}
MAX_BUDGET = 1_000_000
MAX_ARMS = 200


def parse_means(text: str) -> tuple[tuple[float, ...], ...]:
    """Instances typed as "0.5, 0.4; 0.5, 0.45, 0.3"; empty text gives none.

    Raises ValueError in words: not a number, outside [0, 1], fewer than two or more than 200 means.
    """
    instances = []
    for part in text.split(";"):
        if not part.strip():
            continue
        means = tuple(_number(word) for word in part.split(",") if word.strip())
        if any(not 0 <= m <= 1 for m in means):
            raise ValueError("means lie between 0 and 1 (5% is 0.05)")
        if not 2 <= len(means) <= MAX_ARMS:
            raise ValueError(f"an instance has 2 to {MAX_ARMS} means, separated by commas")
        instances.append(means)
    return tuple(instances)


def parse_budgets(text: str) -> tuple[int, ...]:
    """Budgets typed as "100, 200, 400", in rising order without repeats. Raises ValueError in words."""
    words = [word for word in text.replace(";", ",").split(",") if word.strip()]
    budgets = sorted({int(value) for value in map(_number, words) if value == int(value)})
    if not words or len(budgets) < len({_number(word) for word in words}):
        raise ValueError("whole numbers, separated by commas")
    if budgets[0] < 2 or budgets[-1] > MAX_BUDGET:
        raise ValueError(f"budgets are from 2 to {MAX_BUDGET:,} draws")
    return tuple(budgets)


def parse_table(text: str) -> tuple[tuple[float, ...], ...]:
    """A policy table typed as rows separated by semicolons, values by commas. Raises ValueError."""
    rows = tuple(
        tuple(_number(word) for word in row.split(",") if word.strip())
        for row in text.split(";")
        if row.strip()
    )
    if not rows or len({len(row) for row in rows}) != 1 or not all(0 <= v <= 1 for row in rows for v in row):
        raise ValueError("rows of equal length separated by semicolons, probabilities from 0 to 1")
    return rows


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"“{text.strip()}” is not a number") from None


def _only_if_parsed(parse: Callable[[str], Any], text: str) -> str:
    parse(text)
    return text


_TABLE_DEFAULT = "0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5; 0.3, 0.35, 0.4, 0.5, 0.6, 0.65, 0.7"
_HAS = "algorithms"


class Parameters(MethodParameters):
    """Of a comparison: instances, algorithms, budgets, precision."""

    means: str = field(
        "",
        max_length=20_000,
        help="Means typed here stand in for the data: commas between arms, semicolons between instances",
    )
    algorithms: tuple[Name, ...] = field(
        ("uniform", "sr", "sh", "cr_c", "cr_a", "ucbe"),
        min_length=1,
        labels=LABELS,
        help="What is compared; those for two arms only are left out on other instances",
    )
    budgets: str = field(
        "100, 200, 400, 800, 1600",
        max_length=400,
        unit="draws",
        help="Budgets T, separated by commas",
    )
    runs: int = field(
        100_000, ge=1_000, le=10_000_000, unit="runs", title="Replications", help="Simulated runs at most"
    )
    goal: float = field(
        0.05, gt=0, lt=0.5, title="Allowed error", help="Error probability the planner finds the budget for"
    )
    exact: bool = field(
        True,
        title="Exact values",
        help="Compute error probabilities exactly where a formula or a pass over all states can",
        group="advanced",
        section="Precision",
    )
    min_errors: int = field(
        200,
        ge=0,
        le=1_000_000,
        unit="errors",
        title="Stop after",
        help="Simulation of a point ends once it has seen so many errors; 0 always makes all runs",
        group="advanced",
        section="Precision",
    )
    level: float = field(
        0.95,
        ge=0.5,
        le=0.9999,
        title="Confidence level",
        help="Of the bands around simulated values",
        group="advanced",
        section="Precision",
    )
    tilted: bool = field(
        True,
        title="Rare errors",
        help="Errors not seen in a tenth of the runs are estimated by importance sampling instead",
        group="advanced",
        section="Precision",
    )
    common: bool = field(
        False,
        title="Common random numbers",
        help="Give all algorithms the same random numbers, which makes their differences less noisy",
        group="advanced",
        section="Precision",
    )
    estimate: Literal["ratio", "jeffreys"] = field(
        "ratio",
        title="Means from counts",
        labels={"ratio": "Successes / trials", "jeffreys": "Jeffreys"},
        help="How counts become means: s/n, or (s+½)/(n+1)",
        group="advanced",
        section="Instance",
    )
    mirror: bool = field(
        False,
        help="Exchange successes and failures: every mean becomes 1 − μ",
        group="advanced",
        section="Instance",
    )
    share: float = field(
        0.62,
        ge=0,
        le=1,
        title="Share of arm 2",
        help="Fixed share of draws the static rule gives the second arm; more arms share the rest equally",
        group="advanced",
        section="Algorithms",
        when=When(_HAS, ("static",)),
    )
    ucbe: Literal["adaptive", "oracle", "number"] = field(
        "adaptive",
        title="UCB-E a",
        labels={"adaptive": "Estimated", "oracle": "From the true means", "number": "Typed"},
        help="Exploration of UCB-E; from the true means is knowledge no test has",
        group="advanced",
        section="Algorithms",
        when=When(_HAS, ("ucbe",)),
    )
    ucbe_a: float = field(
        2.0,
        ge=0,
        le=1e6,
        title="UCB-E a, typed",
        help="The number a",
        group="advanced",
        section="Algorithms",
        when=When("ucbe", ("number",)),
    )
    theta: float = field(
        1e-6,
        gt=0,
        lt=1,
        title="CR θ0",
        help="Share of the budget before the first rejection test",
        group="advanced",
        section="Algorithms",
        when=When(_HAS, ("cr_c", "cr_a")),
    )
    keep_drawing: bool = field(
        False,
        title="CR draws on",
        help="Continue to draw the last candidate until the budget is used",
        group="advanced",
        section="Algorithms",
        when=When(_HAS, ("cr_c", "cr_a")),
    )
    forced: float = field(
        0.5,
        ge=0,
        le=5,
        title="Forced exploration",
        help="Tracking draws an arm with fewer than this times √(t+1) draws first",
        group="advanced",
        section="Algorithms",
        when=When(_HAS, ("tracking",)),
    )
    explore: float = field(
        0.5,
        ge=0.01,
        le=1,
        title="First stage",
        help="Share of the budget the two-stage rule splits equally",
        group="advanced",
        section="Algorithms",
        when=When(_HAS, ("two_stage",)),
    )
    leader: float = field(
        0.5,
        ge=0,
        le=1,
        title="Leader share β",
        help="How often top-two Thompson draws the leader",
        group="advanced",
        section="Algorithms",
        when=When(_HAS, ("ttts",)),
    )
    own: Literal["table", "rule"] = field(
        "table",
        title="Own policy",
        labels={"table": "Editable table", "rule": "Typed rule"},
        help="Whether the own two-arm policy is the table beside the map or the rule below",
        group="advanced",
        section="Own policy",
    )
    rule: str = field(
        "n1 <= n2",
        max_length=500,
        title="Rule",
        help="P(draw arm 1) from n1, n2, s1, s2, t, T, m1, m2, p1, p2, such as: n1 < (1-best_share(p1,p2))*t",
        group="advanced",
        section="Own policy",
        when=When("own", ("rule",)),
    )
    table: str = field(
        _TABLE_DEFAULT,
        max_length=4000,
        title="Table",
        help="P(draw arm 1): rows are equal parts of the budget, columns of the lead from −1 to 1",
        group="advanced",
        section="Own policy",
        when=When("own", ("table",)),
    )
    map: bool = field(
        True,
        title="Universality map",
        help="Compare two-arm policies with uniform over all pairs of means, exactly",
        group="advanced",
        section="Map",
    )
    map_budget: int = field(
        100,
        ge=20,
        le=300,
        unit="draws",
        help="Largest budget of the map",
        group="advanced",
        section="Map",
        when=When("map", (True,)),
    )
    map_grid: int = field(
        41,
        ge=11,
        le=101,
        unit="means",
        help="Means along each side of the map",
        group="advanced",
        section="Map",
        when=When("map", (True,)),
    )
    replay: bool = field(
        True,
        title="Replay the log",
        help="Take the rewards of the single run shown from the data's log, where it has one",
        group="advanced",
        section="One run",
    )

    @field_validator("means")
    @classmethod
    def _means(cls, text: str) -> str:
        return _only_if_parsed(parse_means, text)

    @field_validator("budgets")
    @classmethod
    def _budgets(cls, text: str) -> str:
        return _only_if_parsed(parse_budgets, text)

    @field_validator("table")
    @classmethod
    def _table(cls, text: str) -> str:
        return _only_if_parsed(parse_table, text)

    @property
    def budget_list(self) -> tuple[int, ...]:
        """The budgets as numbers."""
        return parse_budgets(self.budgets)


class MoveMean(MethodParameters):
    """A mean dragged to another value."""

    id: int = field(0, ge=0, le=MAX_ARMS, help="Which arm, from 0")
    value: float = field(0.5, ge=0, le=1, help="Its new mean")


class Choose(MethodParameters):
    """One of the names a view offers."""

    value: str = field("", max_length=200, help="The name chosen")


class Number(MethodParameters):
    """A number moved on a slider."""

    value: float = field(0.0, help="The new value")


class CellAt(MethodParameters):
    """A cell of a map."""

    row: int = field(0, ge=0, le=1000, help="Row")
    column: int = field(0, ge=0, le=1000, help="Column")


class CellValue(MethodParameters):
    """A cell of the policy table and its new probability."""

    row: int = field(0, ge=0, le=100, help="Row")
    column: int = field(0, ge=0, le=100, help="Column")
    value: float = field(0.5, ge=0, le=1, help="P(draw arm 1)")


class Line(MethodParameters):
    """A line dragged to another value."""

    name: str = field("", max_length=100, help="Which line")
    value: float = field(0.0, ge=0, help="Where to")
