"""The tab: benchmarks as elections."""

from __future__ import annotations

from engine.core.data.datasets import DataSet
from engine.core.method import Action, Cell, Method, Paper, Preset, ResultTable, Row, Scalar
from engine.core.views import Axis, Bars, Dendrogram, HeatMap, Lines, Panel, Scatter, Table

from .arguments import EditScore, Flip, Metric, Move, Open, Pair
from .boards import catalogue
from .data import LeaderboardKind
from .parameters import Parameters

_HERE = "engine.methods.benchmark_choice"
_KIND = LeaderboardKind()
_FIRST = ("vtab", "openllm", "superglue", "glue", "mmlu", "bbh", "mteb", "helm_capability", "bigcode")

PAPER = Paper(
    title="Inherent Trade-Offs between Diversity and Stability in Multi-Task Benchmarks",
    authors="Guanhua Zhang, Moritz Hardt",
    short="Zhang and Hardt, ICML 2024",
    venue="ICML 2024 (PMLR 235)",
    year=2024,
    url="https://arxiv.org/abs/2405.01719",
    bibtex=(
        "@inproceedings{zhang2024inherent,\n"
        "  title={Inherent Trade-Offs between Diversity and Stability in Multi-Task Benchmarks},\n"
        "  author={Zhang, Guanhua and Hardt, Moritz},\n"
        "  booktitle={Proceedings of the 41st International Conference on Machine Learning},\n"
        "  series={Proceedings of Machine Learning Research},\n"
        "  volume={235},\n"
        "  year={2024}\n"
        "}"
    ),
)


def _kept_set(name: str) -> DataSet:
    entry = catalogue()[name]
    rule = "mean score" if entry.kind == "cardinal" else "mean win rate"
    return DataSet(
        name=name,
        title=entry.title,
        description=f"{entry.models:,} models × {entry.tasks:,} tasks, ranked by {rule}",
        kind=_KIND,
        loader=f"{_HERE}.data:load_kept",
        source="Public leaderboards, collected by Zhang and Hardt (benchbench 1.0.1)",
        licence="MIT (collection)",
        arguments={"name": name},
    )


def _reference_set(form: str, title: str, description: str) -> DataSet:
    embedded = form == "imagenet"
    return DataSet(
        name=form,
        title=title,
        description=description,
        kind=_KIND,
        loader=f"{_HERE}.data:load_reference",
        source="torchvision models, collected by Zhang and Hardt (benchbench 1.0.1)" if embedded else "",
        licence="MIT (collection)" if embedded else "",
        origin="embedded" if embedded else "generated",
        arguments={"form": form},
    )


SETS = (
    *(_kept_set(name) for name in _FIRST),
    *(_kept_set(name) for name in catalogue() if name not in (*_FIRST, "imagenet")),
    _reference_set("imagenet", "ImageNet", "112 models × 20 groups of 50 classes, drawn at random"),
    _reference_set("random", "Random", "100 models × 100 tasks of independent uniform scores"),
    _reference_set("constant", "Constant", "100 models × one task repeated 100 times"),
    _reference_set("interpolated", "Interpolated", "100 models, half of 100 tasks random, half repeated"),
)

VIEWS = (
    Scatter(
        "tradeoff",
        title="Trade-off",
        entity="board",
        x=Axis("diversity, 1 − W"),
        y=Axis("sensitivity (τ-distance)"),
        empty="One mark per benchmark appears here",
        help="Click a board to look at it in the other views",
        gestures={"click": "open_board"},
    ),
    HeatMap(
        "overtake",
        title="Overtake",
        entity="model",
        x=Axis("below"),
        y=Axis("above"),
        value=Axis("−1 never, 0 possibly, 1 always"),
        map="diverging",
        empty="Who can lie above whom, certified, appears here",
        help="0 and 1: some irrelevant change puts the row's model above the column's; click to see it",
        gestures={"click": "show_witness"},
    ),
    Lines(
        "slope",
        title="Slope",
        entity="model",
        x=Axis(names=("original", "changed")),
        y=Axis("rank", reversed=True),
        empty="The ranking before and after the change appears here",
        help="The thirteen best models and those that move the most have lines of their own",
    ),
    Panel(
        "weights",
        title="Weights",
        empty="A slider for every task, or a switch for every irrelevant model, appears here",
        help="Turn a task's spread down, or add models, and see the ranks follow",
    ),
    Table(
        "ranks",
        title="Ranks",
        entity="model",
        empty="The live ranking appears here",
        help="Possible ranks are certified: no irrelevant change takes a model out of them",
    ),
    HeatMap(
        "agreement",
        title="Agreement",
        x=Axis("task"),
        y=Axis("task"),
        value=Axis("Kendall's τ"),
        map="diverging",
        empty="Kendall's τ between every two tasks appears here",
    ),
    Dendrogram(
        "tree",
        title="Tree",
        height=Axis("mean τ-distance"),
        empty="Tasks that rank alike join early, here",
    ),
    Table(
        "scores",
        title="Scores",
        entity="model",
        empty="The score table appears here",
        help="Edit a cell and the certificates follow at once; an empty cell is a missing score",
        gestures={"edit-cell": "edit_score"},
    ),
    Table(
        "rules",
        title="Rules",
        entity="rule",
        empty="The distance of other rules' rankings appears here",
    ),
    Table(
        "flips",
        title="Flips",
        entity="flip",
        empty="Pairs whose order under mean win rate a third model decides appear here",
        help="Click a row to see the tasks as voters",
        gestures={"click": "show_flip"},
    ),
    HeatMap(
        "votes",
        title="Voters",
        x=Axis("task"),
        y=Axis("model"),
        value=Axis("rank among the three"),
        empty="The ranks of three models on every task appear here",
    ),
    Lines(
        "search",
        title="Search",
        x=Axis("restart"),
        y=Axis("largest distance found"),
        empty="The best distances found climb towards their certificates here",
    ),
    Lines(
        "loss",
        title="Descent",
        x=Axis("step"),
        y=Axis("loss"),
        empty="The loss of the published solver appears here",
    ),
    Lines(
        "sweep",
        title="Sweep",
        x=Axis("least spread ε"),
        y=Axis("sensitivity (τ-distance)"),
        empty="Sensitivity for other ε, or other relevant shares, appears here",
    ),
    Lines(
        "subsets",
        title="Task sets",
        x=Axis("tasks in the set"),
        y=Axis("τ-distance to the full ranking"),
        empty="How well few tasks stand for all appears here, for boards ranked by mean score",
    ),
    Bars(
        "null",
        title="Null",
        category=Axis("sensitivity (τ-distance)"),
        value=Axis("draws"),
        empty="Distances under random irrelevant changes appear here",
    ),
)

SCALARS = (
    Scalar("one_minus_w.{board}", "diversity, 1 − Kendall's W (0 all tasks agree)", digits=4),
    Scalar("one_minus_w_corrected.{board}", "1 − W with half ranks kept, corrected for ties", digits=4),
    Scalar("mean_mrc.{board}", "diversity, mean over task pairs of the largest rank change", digits=4),
    Scalar("max_mrc.{board}", "largest over task pairs of the largest rank change", digits=4),
    Scalar("published_tau.{board}", "sensitivity (τ-distance) by the published solver", digits=4),
    Scalar("published_mrc.{board}", "sensitivity (MRC) by the published solver", digits=4),
    Scalar("found_tau.{board}", "largest τ-distance found by any solver", digits=4),
    Scalar("found_mrc.{board}", "largest MRC found by any solver", digits=4),
    Scalar("tau_bound.{board}", "certificate: no irrelevant change exceeds this τ-distance", digits=4),
    Scalar("mrc_bound.{board}", "certificate: no irrelevant change exceeds this MRC", digits=4),
    Scalar("tau_optimal.{board}", "whether the τ-distance found is proved to be the largest"),
    Scalar("mrc_optimal.{board}", "whether the MRC found is proved to be the largest"),
    Scalar("flippable_pairs.{board}", "ordered pairs that some irrelevant change turns over", "pairs", 0),
    Scalar("ordered_pairs.{board}", "pairs of models that are not tied at first", "pairs", 0),
    Scalar("correlation_tau", "correlation of 1 − W and sensitivity (τ-distance) over boards", digits=2),
    Scalar("correlation_mrc", "correlation of 1 − W and sensitivity (MRC) over boards", digits=2),
    Scalar("slope_tau", "slope of sensitivity (τ-distance) on 1 − W, through the origin", digits=2),
    Scalar("slope_mrc", "slope of sensitivity (MRC) on 1 − W, through the origin", digits=2),
)

NOT_IN_QUICK = ("correlation_tau", "correlation_mrc", "slope_tau", "slope_mrc")
"""Two boards have no correlation."""

_DISTANCES = {"tau": "τ-distance", "mrc": "largest rank change over m − 1"}

TABLES = (
    ResultTable(
        "boards",
        "every board of the study",
        {
            "board": "name",
            "kind": "cardinal (mean score) or ordinal (mean win rate)",
            "models": "number of models",
            "tasks": "number of tasks",
            "one_minus_w": "diversity, 1 − W",
            "mean_mrc": "diversity, mean MRC over task pairs",
            "published_tau": "published solver, τ-distance",
            "published_mrc": "published solver, MRC",
            "found_tau": "largest τ-distance found",
            "found_mrc": "largest MRC found",
            "tau_bound": "certificate of the τ-distance",
            "mrc_bound": "certificate of the MRC",
            "tau_optimal": "whether the τ-distance is proved the largest",
            "mrc_optimal": "whether the MRC is proved the largest",
        },
    ),
    ResultTable(
        "ranks",
        "the ranking before and after the worst change by τ-distance",
        {
            "model": "name",
            "rank": "original rank",
            "worst": "rank under the worst change",
            "best_possible": "best rank any irrelevant change can give",
            "worst_possible": "worst rank any irrelevant change can give",
        },
    ),
    ResultTable(
        "weights",
        "the worst change of a cardinal board",
        {"task": "name", "alpha": "share of the spread kept"},
    ),
    ResultTable("members", "irrelevant models of the worst change of an ordinal board", {"model": "name"}),
    ResultTable(
        "rules",
        "other ranking rules against the board's own",
        {"rule": "name", **_DISTANCES, "first": "model ranked first"},
    ),
    ResultTable(
        "subsets",
        "small task sets that rank nearly as all tasks do",
        {"size": "number of tasks", "method": "greedy or exact", **_DISTANCES, "tasks": "names"},
    ),
)

ACTIONS = (
    Action(
        name="move",
        title="Change the weights",
        help="Turn a task's spread down, add or remove a model, or go to the worst change found",
        edits=True,
        arguments=Move,
        apply=f"{_HERE}.actions:move",
    ),
    Action(
        name="show_witness",
        title="Show the witness",
        help="Go to the change under which one model lies above another",
        edits=True,
        arguments=Pair,
        apply=f"{_HERE}.actions:show_witness",
    ),
    Action(
        name="open_board",
        title="Open the board",
        help="Look at another board of the trade-off",
        arguments=Open,
        apply=f"{_HERE}.actions:open_board",
    ),
    Action(
        name="choose_metric",
        title="Choose the distance",
        help="Show the τ-distance or the largest rank change",
        arguments=Metric,
        apply=f"{_HERE}.actions:choose_metric",
    ),
    Action(
        name="edit_score",
        title="Edit a score",
        help="Put another score into the table; certificates and ranks follow",
        edits=True,
        arguments=EditScore,
        apply=f"{_HERE}.actions:edit_score",
        replaces=False,
    ),
    Action(
        name="show_flip",
        title="Show the voters",
        help="Show the ranks of three models on every task",
        arguments=Flip,
        apply=f"{_HERE}.actions:show_flip",
    ),
    Action(
        name="export_change",
        title="Export the change",
        help="Weights or model set as JSON and the changed table as CSV",
        button="Export change",
        exports=True,
        apply=f"{_HERE}.actions:export_change",
    ),
)

METHOD = Method(
    "benchmark_choice",
    title="Benchmarks as elections",
    area="Decisions",
    sentence="How far can irrelevant changes reorder a leaderboard?",
    paper=PAPER,
    parameters=Parameters,
    presets=(
        Preset(
            "quick",
            {"companions": "quick", "draws": 200},
            data="vtab",
            help="VTAB beside SuperGLUE, in a few seconds",
        ),
        Preset(
            "default",
            {"companions": "cardinal"},
            data="openllm",
            help="Open LLM among the eight cardinal boards, Constant and Random",
        ),
        Preset(
            "ordinal",
            {"companions": "ordinal"},
            data="helm_accuracy",
            help="HELM-accuracy among the eleven boards ranked by win rate",
        ),
        Preset(
            "paper",
            {"companions": "paper", "reference_seeds": 5, "restarts": 400, "draws": 1000},
            data="mmlu",
            help="All cardinal boards with ImageNet, five seeds for the reference boards, ε sweep",
        ),
    ),
    data=(_KIND,),
    sets=SETS,
    views=VIEWS,
    layout=(
        Row(
            (
                Cell(("tradeoff", "slope", "search", "loss", "sweep", "subsets", "null")),
                Cell(("overtake", "votes", "agreement", "tree")),
            )
        ),
        Row((Cell(("weights",), 0.8), Cell(("ranks", "scores", "rules", "flips"), 1.2))),
    ),
    scalars=SCALARS,
    tables=TABLES,
    run=f"{_HERE}.run:run",
    preview=f"{_HERE}.preview:preview",
    check=f"{_HERE}.preview:check",
    estimate=f"{_HERE}.preview:estimate",
    actions=ACTIONS,
    warm=(f"{_HERE}.run", f"{_HERE}.warming:compile_kernels"),
    gallery="slope",
)
