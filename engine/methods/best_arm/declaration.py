"""The declaration of the tab A/B testing."""

from __future__ import annotations

from engine.core.method import Action, Cell, Method, Paper, Preset, ResultTable, Row, Scalar
from engine.core.views import Axis, Bars, HeatMap, Lines, Scatter, Table
from engine.methods.best_arm.data import ArmsKind
from engine.methods.best_arm.parameters import (
    CellAt,
    CellValue,
    Choose,
    Line,
    MoveMean,
    Number,
    Parameters,
)
from engine.methods.best_arm.sets import SETS

_HERE = "engine.methods.best_arm"

PAPER = Paper(
    title="On Universally Optimal Algorithms for A/B Testing",
    authors="Po-An Wang, Kaito Ariu, Alexandre Proutiere",
    short="Wang, Ariu and Proutiere, ICML 2024",
    venue="Proceedings of the 41st International Conference on Machine Learning, PMLR 235",
    year=2024,
    url="https://arxiv.org/abs/2308.12000",
    bibtex="""@inproceedings{wang2024universally,
  title     = {On Universally Optimal Algorithms for {A/B} Testing},
  author    = {Wang, Po-An and Ariu, Kaito and Proutiere, Alexandre},
  booktitle = {Proceedings of the 41st International Conference on Machine Learning},
  series    = {Proceedings of Machine Learning Research},
  volume    = {235},
  year      = {2024}
}""",
)

_BUDGET = Axis("budget", "draws", log=True)
_MEAN_1, _MEAN_2 = Axis("mean of arm 1"), Axis("mean of arm 2")

VIEWS = (
    Lines(
        "error",
        title="Error probability",
        entity="algorithm",
        x=_BUDGET,
        y=Axis("P(error)", log=True),
        empty="Error against budget: exact lines, simulated points with intervals",
        reading="Lines are exact, points are simulated and carry their interval",
    ),
    Lines(
        "rate",
        title="Decay rate",
        entity="algorithm",
        x=_BUDGET,
        y=Axis("−ln P(error) / T", "per draw"),
        empty="How fast errors decay, with the theoretical limits",
        reading="Curves approach the horizontal limits as the budget grows",
    ),
    HeatMap(
        "map",
        title="Universality map",
        x=_MEAN_1,
        y=_MEAN_2,
        value=Axis("ln(error / uniform's)"),
        map="diverging",
        empty="Exact comparison with uniform over all pairs of means",
        reading="Blue: fewer errors than equal sampling; red: more; click a pair to open it",
        gestures={"click": "open_pair"},
    ),
    HeatMap(
        "region",
        title="Three arms",
        x=_MEAN_2,
        y=Axis("mean of arm 3"),
        value=Axis("ln(uniform / SR rate)"),
        map="diverging",
        empty="Where uniform sampling has the larger rate",
        reading="Above zero uniform has the larger rate; the contour is where they are equal",
    ),
    HeatMap(
        "table",
        title="Own policy",
        x=Axis("lead of arm 1"),
        y=Axis("budget used"),
        value=Axis("P(draw arm 1)"),
        map="diverging",
        empty="A policy to edit, compared exactly with uniform",
        reading="Edit a cell and the map answers",
        gestures={"edit-cell": "edit_policy"},
    ),
    Bars(
        "means",
        title="Instance",
        entity="arm",
        category=Axis("arm"),
        value=Axis("mean"),
        empty="The means of the arms",
        reading="Drag a bar to change a mean; rates and plan follow",
        gestures={"drag-bar": "move_mean"},
    ),
    Bars(
        "rates",
        title="Ways to fail",
        category=Axis("arms left when the best falls"),
        value=Axis("rate", "per draw"),
        empty="The rate of each way to fail, and that of uniform",
        reading="Successive Rejects is as good as its lowest bar; uniform is the last",
    ),
    Lines(
        "plan",
        title="Planner",
        x=_BUDGET,
        y=Axis("P(error)", log=True),
        empty="Exact error of equal sampling against the budget",
        reading="Drag the allowed error or your budget",
        gestures={"drag-level": "move_plan"},
    ),
    Table("answers", title="Plan", empty="Budget for an error, error at a budget"),
    Lines(
        "shares",
        title="Allocation",
        entity="arm",
        x=Axis("draws"),
        y=Axis("share of draws"),
        empty="Share of each arm over time",
    ),
    Bars(
        "split",
        title="Final shares",
        category=Axis("share of draws"),
        value=Axis("probability"),
        empty="Who was drawn how often in the end",
    ),
    Lines(
        "stability",
        title="Stability",
        entity="algorithm",
        x=Axis("common mean of both arms"),
        y=Axis("expected share of arm 2"),
        empty="Share of arm 2 when both arms are equal",
        reading="A stable rule approaches ½ everywhere",
    ),
    Lines(
        "trace",
        title="One run",
        entity="arm",
        x=Axis("draws"),
        y=Axis("empirical mean"),
        empty="Empirical means in a single run",
    ),
    Table("steps", title="Counts in one run", entity="arm", empty="Draws, successes and rejections"),
    Table("results", title="Results", empty="One row per instance, algorithm and budget"),
    Scatter(
        "trade_off",
        title="Regret and error",
        entity="algorithm",
        x=Axis("mean regret per draw"),
        y=Axis("P(error)", log=True),
        empty="What each algorithm gives up while it learns",
    ),
)

LAYOUT = (
    Row((Cell(("error", "rate", "trade_off")), Cell(("map", "region", "table"))), 1.3),
    Row(
        (
            Cell(("means",)),
            Cell(("rates", "stability")),
            Cell(("plan", "shares", "split", "trace")),
        )
    ),
    Row((Cell(("results", "steps"), 1.6), Cell(("answers",)))),
)

SCALARS = (
    Scalar(
        "error.{instance}.{algorithm}.t{budget}",
        "probability of recommending an arm that is not best, exact or simulated",
        digits=4,
    ),
    Scalar("rate.{instance}.{algorithm}", "limit of −ln P(error) / T", "per draw", digits=6),
    Scalar("budget.{instance}", "smallest budget of equal sampling for the allowed error", "draws", digits=0),
    Scalar("map_better.{algorithm}", "share of pairs of means with fewer errors than uniform", digits=3),
    Scalar("map_worse.{algorithm}", "share of pairs of means with more errors than uniform", digits=3),
    Scalar("map_worst_factor.{algorithm}", "largest error relative to that of uniform on the map", digits=3),
)

TABLES = (
    ResultTable(
        "errors",
        "every point of the comparison",
        {
            "instance": "name of the instance",
            "algorithm": "short name of the algorithm",
            "budget": "budget T (draws)",
            "error": "probability of a wrong recommendation",
            "log10_error": "its decimal logarithm",
            "source": "exact, simulated, importance sampling, or no error seen",
            "low": "lower end of the simulation's interval",
            "high": "upper end of the simulation's interval",
            "errors": "errors seen (runs)",
            "runs": "simulated runs",
            "ratio_to_uniform": "error relative to that of uniform",
            "regret": "mean regret over the budget (rewards)",
        },
    ),
    ResultTable(
        "rates",
        "rates of the ways to fail",
        {"instance": "name of the instance", "term": "way to fail", "rate": "rate (per draw)"},
    ),
    ResultTable(
        "plan",
        "the planner's answer for equal sampling",
        {
            "instance": "name of the instance",
            "allowed_error": "allowed error",
            "budget": "smallest budget (draws)",
            "error": "exact error there",
        },
    ),
    ResultTable(
        "map",
        "universality maps at the largest budget",
        {
            "algorithm": "short name of the policy",
            "budget": "budget T (draws)",
            "mean_1": "mean of arm 1",
            "mean_2": "mean of arm 2",
            "log_ratio": "ln of its error over that of uniform",
        },
    ),
)


def _action(name: str, title: str, help: str, arguments: type, edits: bool = False) -> Action:
    return Action(
        name=name, title=title, help=help, apply=f"{_HERE}.actions:{name}", arguments=arguments, edits=edits
    )


ACTIONS = (
    _action("choose_instance", "Instance", "Look at another instance", Choose),
    _action("choose_algorithm", "Algorithm", "Look at another algorithm", Choose),
    _action("choose_map", "Policy of the map", "Show the map of another policy", Choose),
    _action("move_map_budget", "Budget of the map", "Show the map at another budget", Number),
    _action("open_pair", "Open a pair", "Look at a pair of means of the map", CellAt),
    _action("move_region", "Best mean of three", "Another best mean for the region", Number),
    _action("move_mean", "Move a mean", "Drag the mean of an arm", MoveMean, edits=True),
    _action("move_plan", "Replan", "Drag the allowed error or the budget", Line, edits=True),
    _action(
        "edit_policy", "Edit the own policy", "Change one probability of the table", CellValue, edits=True
    ),
    Action(
        name="another_run",
        title="Another run",
        help="Draw the single run shown again",
        apply=f"{_HERE}.actions:another_run",
        button="",
    ),
)

METHOD = Method(
    "best_arm",
    title="A/B testing",
    area="Decisions",
    sentence="Which allocation to trust for a fixed test budget.",
    paper=PAPER,
    parameters=Parameters,
    presets=(
        Preset(
            "quick",
            {
                "algorithms": ("uniform", "static", "tracking", "thompson", "own"),
                "budgets": "50, 100, 200, 400",
                "runs": 20_000,
                "map_budget": 80,
            },
            data="pair",
            help="Two variants, exact values, the universality map",
        ),
        Preset("default", {}, data="three_arms", help="Three instances of three arms, six algorithms"),
        Preset(
            "universality",
            {"algorithms": ("uniform", "static", "tracking", "ucbe", "cr_c"), "budgets": "50, 100, 150, 300"},
            data="two_arms",
            help="Where a fixed share helps, where it hurts, over all pairs of means",
        ),
        Preset(
            "planning",
            {"algorithms": ("uniform", "sr", "sh", "cr_a"), "budgets": "1000, 3000, 10000, 30000"},
            data="open_bandit_men",
            help="34 real ads with click rates below 1.5%, and their log",
        ),
        Preset(
            "paper",
            {
                "algorithms": ("uniform", "sr", "sh", "cr_c", "cr_a"),
                "budgets": "250, 500, 1000, 2000",
                "runs": 1_000_000,
            },
            data="families",
            help="Families of 10, 20 and 40 arms, a million runs",
        ),
    ),
    data=(ArmsKind(),),
    sets=SETS,
    views=VIEWS,
    layout=LAYOUT,
    scalars=SCALARS,
    tables=TABLES,
    run=f"{_HERE}.run:run",
    preview=f"{_HERE}.preview:preview",
    check=f"{_HERE}.check:check",
    actions=ACTIONS,
    warm=(f"{_HERE}.run", f"{_HERE}.warming:compile_kernels"),
    gallery="map",
)
