"""The declaration of the tab Small-loss adaptive regret."""

from __future__ import annotations

from engine.core.method import Action, Cell, Method, Paper, Preset, ResultTable, Row, Scalar
from engine.core.parameters import MethodParameters
from engine.core.views import Axis, HeatMap, Lines, Scatter, Table
from engine.methods.adaptive_regret import arguments
from engine.methods.adaptive_regret.data import StreamKind
from engine.methods.adaptive_regret.parameters import Parameters
from engine.methods.adaptive_regret.sets import SETS

_HERE = "engine.methods.adaptive_regret"

NOT_IN_QUICK = ("wealth.buy_and_hold", "wealth.best_stock", "wealth.best_rebalanced")
"""Results of portfolios alone."""
VIEWS_NOT_IN_QUICK = ("wealth", "expert", "noise")
"""For prices, for a clicked expert, for the noise sweep."""

PAPER = Paper(
    title="Small-loss Adaptive Regret for Online Convex Optimization",
    authors="Wenhao Yang, Wei Jiang, Yibo Wang, Ping Yang, Yao Hu, Lijun Zhang",
    short="Yang, Jiang, Wang, Yang, Hu and Zhang, ICML 2024",
    venue="Proceedings of the 41st International Conference on Machine Learning, PMLR 235",
    year=2024,
    url="https://proceedings.mlr.press/v235/",
    bibtex="""@inproceedings{yang2024smallloss,
  title     = {Small-loss Adaptive Regret for Online Convex Optimization},
  author    = {Yang, Wenhao and Jiang, Wei and Wang, Yibo and Yang, Ping and Hu, Yao and Zhang, Lijun},
  booktitle = {Proceedings of the 41st International Conference on Machine Learning},
  series    = {Proceedings of Machine Learning Research},
  volume    = {235},
  pages     = {56156--56195},
  year      = {2024}
}""",
)

_ROUND = Axis("round")

VIEWS = (
    Lines(
        "regret",
        title="Regret so far",
        entity="algorithm",
        x=_ROUND,
        y=Axis("regret"),
        empty="A curve per algorithm grows here as rounds are played",
        reading="Drag a stretch of rounds to compare the algorithms there",
        gestures={"span": "select_interval"},
    ),
    Lines(
        "wealth",
        title="Wealth",
        entity="algorithm",
        x=Axis("day"),
        y=Axis("wealth since the first day", "×", log=True),
        empty="For prices: the wealth of every portfolio",
        reading="Grey curves are the best of hindsight",
    ),
    Lines(
        "expert",
        title="One expert",
        entity="algorithm",
        x=_ROUND,
        y=Axis("loss since its birth"),
        empty="Click a bar of the lifelines to open its expert",
        reading="An expert, the algorithm it serves, and the best fixed point of its interval",
    ),
    HeatMap(
        "map",
        title="Regret on every interval",
        x=Axis("first round"),
        y=Axis("length", "rounds"),
        value=Axis("regret"),
        map="zero",
        empty="Regret over start and length of intervals, with exact minima",
        reading="Bright cells are intervals on which a fixed point did better; click one or drag a block",
        gestures={"click": "pick_cell", "brush": "pick_block"},
    ),
    Scatter(
        "small_loss",
        title="Small-loss effect",
        entity="algorithm",
        x=Axis("least loss of a fixed point on the window", log=True),
        y=Axis("regret on the window", log=True),
        empty="Windows of the run: their regret against their small loss",
        reading="Small-loss bounds grow like the square root of x: half as steep as the diagonal",
    ),
    Lines(
        "stream",
        title="Stream",
        x=_ROUND,
        y=Axis("coordinate of the best point"),
        empty="The stream: the model that fits each stretch best",
        reading="Drag a vertical line to move a change, drag a stretch to add a burst of noise",
        gestures={"drag-level": "move_switch", "span": "edit_burst"},
    ),
    HeatMap(
        "lifelines",
        title="Expert lifelines",
        x=_ROUND,
        y=Axis("interval", "markers"),
        value=Axis("weight"),
        map="sequential",
        empty="Experts wake, carry weight and sleep: a row for each length of interval",
        reading="A row is a length of interval, a bar an expert; click it to open it",
        gestures={"click": "open_expert"},
    ),
    Lines(
        "types",
        title="Weight by kind",
        x=_ROUND,
        y=Axis("share of the weight"),
        stacked=True,
        empty="For USIA and UMA: which kind of expert carries the weight",
    ),
    Lines(
        "adaptivity",
        title="Adaptive regret",
        entity="algorithm",
        x=Axis("window length τ", "rounds", log=True),
        y=Axis("largest regret on a window", log=True),
        empty="SA(τ): the largest regret on any window of τ rounds",
        reading="Low everywhere: near the best fixed point on windows of every length",
    ),
    Lines(
        "experts",
        title="Experts awake",
        entity="algorithm",
        x=_ROUND,
        y=Axis("number", log=True),
        empty="How many experts are awake, and the markers set",
        reading="Solid: experts awake; dotted: markers so far",
    ),
    Lines(
        "noise",
        title="Regret by noise",
        entity="algorithm",
        x=Axis("noise σ"),
        y=Axis("static regret"),
        empty="Switch “Noise sweep” on: regret of stationary streams of five noise levels",
        reading="Small-loss learners fall towards zero with the noise",
    ),
    Table("results", title="Results", entity="algorithm", empty="One row per algorithm"),
    Table("interval", title="Interval", entity="algorithm", empty="Regret on a chosen interval"),
    Table("changes", title="Change points", empty="Changes of the stream that the experts found"),
)

LAYOUT = (
    Row((Cell(("regret", "wealth", "expert"), 1.1), Cell(("map", "small_loss"))), 1.25),
    Row(
        (
            Cell(("stream",)),
            Cell(("lifelines", "types")),
            Cell(("adaptivity", "experts", "noise")),
        )
    ),
    Row((Cell(("results", "changes"), 1.5), Cell(("interval",))), 0.9),
)

SCALARS = (
    Scalar("loss.{algorithm}", "cumulative loss over all rounds", "loss", digits=3),
    Scalar(
        "stage_regret.{algorithm}", "loss above the best fixed point of each known stage", "loss", digits=3
    ),
    Scalar("static_regret.{algorithm}", "loss above the best fixed point of all rounds", "loss", digits=3),
    Scalar("sa.{algorithm}.{tau}", "largest regret on windows of τ rounds, stride τ/8", "loss", digits=3),
    Scalar("small_loss", "loss of the best fixed point of all rounds", "loss", digits=4),
    Scalar("markers.{algorithm}", "markers set", "", digits=0),
    Scalar("seconds.{algorithm}", "computing time of the rounds", "s", digits=2),
    Scalar("changes_found", "change points found by the first algorithm with intervals", "", digits=0),
    Scalar("wealth.{algorithm}", "wealth after the last day, from 1", "×", digits=4),
    Scalar("wealth.buy_and_hold", "wealth of an even split never traded", "×", digits=4),
    Scalar("wealth.best_stock", "wealth of the asset that grew most", "×", digits=4),
    Scalar("wealth.best_rebalanced", "wealth of the best constant rebalanced portfolio", "×", digits=3),
    Scalar(
        "small_loss_ratio.{algorithm}",
        "static regret at the largest noise over that without noise",
        "",
        digits=2,
    ),
    Scalar("constant.D", "diameter of the domain", "", digits=3),
    Scalar("constant.G", "bound of the gradients", "", digits=3),
    Scalar("constant.alpha", "exp-concavity used", "", digits=4),
    Scalar("constant.C", "threshold of the markers used", "", digits=3),
)

TABLES = (
    ResultTable(
        "adaptivity",
        "SA(τ) of every algorithm",
        {
            "algorithm": "short name of the algorithm",
            "tau": "window length τ (rounds)",
            "sa": "largest regret on windows of that length, mean over streams",
            "deviation": "standard deviation over streams",
            "streams": "streams drawn",
        },
    ),
    ResultTable(
        "summary",
        "one row per algorithm",
        {
            "algorithm": "short name of the algorithm",
            "loss": "cumulative loss, mean over streams",
            "static_regret": "loss above the best fixed point, mean over streams",
            "markers": "markers set on the first stream",
            "streams": "streams drawn",
        },
    ),
    ResultTable(
        "changes",
        "change points: the newest expert's loss rose",
        {
            "algorithm": "short name of the algorithm",
            "onset": "round from which the loss is higher",
            "detected": "round before which the marker stands",
            "sign": "what gave it away",
            "evidence": "log-likelihood ratio",
        },
    ),
)


def _action(
    name: str,
    title: str,
    help: str,
    takes: type[MethodParameters],
    edits: bool = False,
) -> Action:
    return Action(
        name=name, title=title, help=help, apply=f"{_HERE}.actions:{name}", arguments=takes, edits=edits
    )


ACTIONS = (
    _action("choose_map", "Algorithm of the map", "Show another algorithm's regret map", arguments.Choose),
    _action(
        "choose_life", "Algorithm of the lifelines", "Show another algorithm's experts", arguments.Choose
    ),
    _action("choose_types", "Algorithm of the kinds", "Show another algorithm's kinds", arguments.Choose),
    _action("choose_against", "Comparator", "Measure regret against another comparator", arguments.Choose),
    _action("select_interval", "Interval", "Compare the algorithms on a stretch of rounds", arguments.Span),
    _action(
        "pick_cell", "Interval of a cell", "Compare the algorithms on a cell of the map", arguments.CellAt
    ),
    _action("pick_block", "Worst of a block", "Take the worst interval of a block of cells", arguments.Block),
    _action("open_expert", "Open an expert", "Follow one expert from birth to end", arguments.CellAt),
    _action(
        "move_switch", "Move a change", "Move a change of the synthetic stream", arguments.Line, edits=True
    ),
    _action("edit_burst", "Noise burst", "Add a burst of noise to the stream", arguments.Burst, edits=True),
    _action("set_burst_size", "Burst size", "Deviation of the next burst", arguments.Number),
    Action(
        name="clear_bursts",
        title="Clear bursts",
        help="Take every burst out of the stream",
        apply=f"{_HERE}.actions:clear_bursts",
    ),
    Action(
        name="force_marker",
        title="Marker now",
        help="Wake a new expert before the next round",
        apply=f"{_HERE}.actions:force_marker",
        replaces=False,
    ),
    _action(
        "change_threshold", "Threshold C", "Another C from the next round on", arguments.Number, edits=True
    ),
    _action("change_cost", "Trading cost", "Show wealth after another trading cost", arguments.Number),
)

METHOD = Method(
    "adaptive_regret",
    title="Small-loss adaptive regret",
    area="Optimisation",
    sentence="Learners that adapt fast when a stream changes.",
    paper=PAPER,
    parameters=Parameters,
    presets=(
        Preset(
            "quick",
            {"algorithms": ("flhs", "usia", "ons", "ogd", "psacs"), "rounds": 1000, "threshold": 0.7},
            data="switching",
            help="A stream with three changes, five algorithms",
        ),
        Preset(
            "default",
            {"threshold": 1.0},
            data="switching",
            help="Eight algorithms on a stream with three changes",
        ),
        Preset(
            "small_loss",
            {"sweep": True, "threshold": 1.0, "algorithms": ("flhs", "usia", "ons", "sogd", "ogd", "psacs")},
            data="switching",
            help="Easy streams, small regret: five noise levels",
            title="Small loss",
        ),
        Preset(
            "portfolio",
            {
                "algorithms": ("flhs", "psacs", "sacs", "ons", "sogd", "eg", "ucrp"),
                "rounds": 5651,
                "constants": "theory",
            },
            data="nyse_o",
            help="22 years of New York stocks, against the best rebalanced portfolio",
        ),
        Preset(
            "drift",
            {"rounds": 509, "marker_rate": 4.0, "algorithms": ("flhs", "ons", "sogd", "psacs")},
            data="occupancy",
            help="Sensors of a room whose use changes",
        ),
        Preset(
            "paper",
            {"rounds": 50_000, "repeats": 10, "stages": 10},
            data="switching",
            help="50,000 rounds, ten streams, eight algorithms",
        ),
    ),
    data=(StreamKind(),),
    sets=SETS,
    views=VIEWS,
    layout=LAYOUT,
    scalars=SCALARS,
    tables=TABLES,
    run=f"{_HERE}.run:run",
    preview=f"{_HERE}.preview:preview",
    check=f"{_HERE}.check:check",
    estimate=f"{_HERE}.check:estimate",
    actions=ACTIONS,
    warm=(f"{_HERE}.run", f"{_HERE}.warming:compile_kernels"),
    gallery="map",
)
