"""The declaration of the tab Linkage clustering."""

from __future__ import annotations

from engine.core.data.kinds import LinkageMatrixKind
from engine.core.method import Action, Cell, Method, NoArguments, Paper, Preset, ResultTable, Row, Scalar
from engine.core.parameters import MethodParameters
from engine.core.views import Axis, Dendrogram, Graph, HeatMap, Lines, Scatter, Table
from engine.methods.linkage.parameters import (
    At,
    Choose,
    Chosen,
    Cut,
    EditDistance,
    Export,
    Flip,
    LabContent,
    MovePoint,
    NewPoint,
    Node,
    Number,
    Parameters,
    RemovePoint,
)
from engine.methods.linkage.sets import DISTANCES, SETS, TABLE

_HERE = "engine.methods.linkage"

PAPER = Paper(
    title="New Bounds on the Cohesion of Complete-link and Other Linkage Methods "
    "for Agglomerative Clustering",
    authors="Sanjoy Dasgupta, Eduardo S. Laber",
    short="Dasgupta & Laber, ICML 2024",
    venue="Proceedings of the 41st International Conference on Machine Learning, PMLR 235",
    year=2024,
    url="https://arxiv.org/abs/2405.00937",
    bibtex="""@inproceedings{dasgupta2024new,
  title     = {New Bounds on the Cohesion of Complete-link and Other Linkage Methods
               for Agglomerative Clustering},
  author    = {Dasgupta, Sanjoy and Laber, Eduardo S.},
  booktitle = {Proceedings of the 41st International Conference on Machine Learning},
  series    = {Proceedings of Machine Learning Research},
  volume    = {235},
  year      = {2024}
}""",
)

VIEWS = (
    Dendrogram(
        "tree",
        title="Dendrogram",
        entity="point",
        height=Axis("merge height"),
        empty="The merge tree of each linkage",
        reading="Grows from the leaves up while the run goes on. Drag the cut line to choose k.",
        gestures={"cut": "cut", "click": "mark_node", "collapse": "collapse"},
    ),
    Lines(
        "heights",
        title="Merge height",
        entity="linkage",
        x=Axis("merges done"),
        y=Axis("merge height"),
        empty="Height of each merge",
        reading="Merges in ascending order; a jump is a gap between clusters.",
    ),
    Scatter(
        "points",
        title="Points",
        entity="point",
        x=Axis("first"),
        y=Axis("second"),
        empty="The points, coloured by cluster at the cut",
        reading="Hulls and dashed diameters of the clusters; stars are prototypes of minimax.",
    ),
    Lines(
        "cohesion",
        title="Cohesion",
        entity="linkage",
        x=Axis("number of clusters k", log=True),
        y=Axis("largest diameter"),
        empty="Largest diameter for each k",
        reading="One curve per linkage, the bracket on the optimum, and the proven bound.",
        gestures={"click": "choose_k"},
    ),
    Table(
        "ratios",
        title="Ratio to the optimum",
        entity="linkage",
        empty="How far each linkage is from the best possible k-clustering",
        reading="A single number where the optimum is known exactly, an interval otherwise.",
        gestures={"click": "choose_linkage"},
    ),
    Graph(
        "families",
        title="Families",
        entity="family",
        empty="The families of the proof, merge by merge",
        reading="Columns are clusters of the best known k-clustering. Up to 500 points.",
    ),
    Scatter(
        "lab",
        title="Instance lab",
        entity="lab point",
        x=Axis("first"),
        y=Axis("second"),
        equal=True,
        empty="A small instance to edit",
        reading="Drag points, double-click to add one: every linkage is run again at once.",
        gestures={"drag-point": "move_point", "double-click": "add_point", "click": "pick_point"},
    ),
    HeatMap(
        "lab_distances",
        title="Lab distances",
        x=Axis("point"),
        y=Axis("point"),
        value=Axis("distance"),
        empty="The distances of the instance",
        reading="Change a cell: both ways, and every linkage is run again at once.",
        gestures={"edit-cell": "edit_distance"},
    ),
    Table(
        "groups",
        title="Groups of k",
        entity="group",
        empty="Averages over small, medium and large k",
        reading="Mean of best/own over a group of k: 1 for a linkage that is best throughout.",
    ),
)

LAYOUT = (
    Row((Cell(("tree", "heights", "families")),), 1.1),
    Row((Cell(("points", "lab")), Cell(("cohesion", "lab_distances"))), 1.35),
    Row((Cell(("ratios", "groups")),), 1.05),
)

SCALARS = (
    Scalar("rows", "number of things clustered", digits=0),
    Scalar("triangle_violations", "checked triples that violate the triangle inequality", digits=0),
    Scalar("root_height.{linkage}", "height of the last merge", "unit of the distances"),
    Scalar(
        "largest_diameter.{linkage}.k{k}", "largest diameter of the k clusters", "unit of the distances", 4
    ),
    Scalar("average_diameter.{linkage}.k{k}", "mean of the k diameters", "unit of the distances", 4),
    Scalar(
        "largest_average.{linkage}.k{k}", "largest mean distance within a cluster", "unit of the distances", 4
    ),
    Scalar(
        "sep_min.{linkage}.k{k}", "smallest mean distance between two clusters", "unit of the distances", 4
    ),
    Scalar("cs_ratio_av.{linkage}.k{k}", "largest mean distance within over smallest mean distance between"),
    Scalar("cs_ratio_dm.{linkage}.k{k}", "largest diameter over smallest mean distance between"),
    Scalar(
        "optimum_dm_low.k{k}", "no k-clustering has a smaller largest diameter", "unit of the distances", 4
    ),
    Scalar(
        "optimum_dm_high.k{k}",
        "a k-clustering with this largest diameter is known",
        "unit of the distances",
        4,
    ),
    Scalar("optimum_av_low.k{k}", "no k-clustering has a smaller mean diameter", "unit of the distances", 4),
    Scalar(
        "optimum_av_high.k{k}", "a k-clustering with this mean diameter is known", "unit of the distances", 4
    ),
    Scalar("ratio_low.{linkage}.k{k}", "largest diameter over OPT_DM, at least"),
    Scalar("ratio_high.{linkage}.k{k}", "largest diameter over OPT_DM, at most"),
    Scalar("ratio_av_low.{linkage}.k{k}", "largest diameter over OPT_AV, at least"),
    Scalar("ratio_av_high.{linkage}.k{k}", "largest diameter over OPT_AV, at most"),
    Scalar(
        "geometric_mean_ratio.{linkage}", "geometric mean over k of largest diameter over OPT_DM, at most"
    ),
    Scalar("geometric_mean_ratio_low.{linkage}", "the same, at least"),
    Scalar("family_violations", "violations of the invariants of the proof along the merges", digits=0),
    Scalar("family_bound_share", "largest diameter of a regular family over the bound of the proof"),
    Scalar("searched_ratio", "largest ratio to the optimum found by the adversary search"),
    Scalar("optima_exact", "k at which OPT_DM is known exactly", digits=0),
    *(
        Scalar(f"group_{criterion}.{{group}}.{{linkage}}", f"mean over a group of k of best/own {words}")
        for criterion, words in (
            ("sep_min", "smallest separation"),
            ("sep_av", "average separation"),
            ("max_diam", "largest diameter"),
            ("max_avg", "largest average distance"),
            ("cs_dm", "cs-ratio by diameter"),
            ("cs_av", "cs-ratio by average"),
        )
    ),
)

TABLES = (
    ResultTable(
        "criteria",
        "every criterion of every linkage at each k compared",
        {
            "linkage": "linkage",
            "k": "number of clusters",
            "max_diam": "largest diameter (unit of the distances)",
            "avg_diam": "mean of the diameters (unit of the distances)",
            "max_avg": "largest mean distance within a cluster (unit of the distances)",
            "sep_min": "smallest mean distance between two clusters (unit of the distances)",
            "sep_av": "mean over pairs of clusters of their mean distance (unit of the distances)",
            "cs_av": "max_avg / sep_min",
            "cs_dm": "max_diam / sep_min",
            "ratio_low": "max_diam / OPT_DM, at least",
            "ratio_high": "max_diam / OPT_DM, at most",
            "ratio_av_low": "max_diam / OPT_AV, at least",
            "ratio_av_high": "max_diam / OPT_AV, at most",
        },
    ),
    ResultTable(
        "optimum",
        "brackets on the optimum, and what each end rests on",
        {
            "optimum": "OPT_DM (largest diameter) or OPT_AV (average diameter)",
            "k": "number of clusters",
            "low": "lower end (unit of the distances)",
            "high": "upper end (unit of the distances)",
            "low_from": "argument for the lower end",
            "high_from": "clustering that attains the upper end",
            "exact": "whether both ends meet",
        },
    ),
    ResultTable(
        "companion",
        "the same for each of several tables run together",
        {
            "data": "name of the table",
            "group": "small, medium or large k",
            "criterion": "criterion",
            "linkage": "linkage",
            "share": "mean of best/own",
        },
    ),
    ResultTable(
        "groups",
        "mean of best/own over groups of k, as in Laber & Batista 2024, Table 1",
        {
            "group": "small {2..10}, medium {√n−4..√n+4}, large {n/i, i = 2..10}",
            "linkage": "linkage",
            "criterion": "criterion",
            "share": "mean of best/own, 1 for a linkage best at every k",
        },
    ),
)


def _action(
    name: str, title: str, help: str, arguments: type[MethodParameters] = NoArguments, room: str = "actions",
    *, edits: bool = False, exports: bool = False, button: str = "",
) -> Action:  # fmt: skip
    return Action(
        name=name, title=title, help=help, apply=f"{_HERE}.{room}:{name}", arguments=arguments, edits=edits,
        exports=exports, button=button,
    )  # fmt: skip


_LAB = "lab_actions"
ACTIONS = (
    _action("cut", "Cut", "Cut the tree at a height or into k clusters", Cut),
    _action("show_linkage", "Linkage", "Look at the tree of another linkage", Choose),
    _action("choose_linkage", "Linkage of a row", "Look at the tree of this row's linkage", Chosen),
    _action("choose_k", "Cut at this k", "Cut the tree into the k pointed at", At),
    _action("choose_criterion", "Criterion", "Compare by another criterion", Choose),
    _action("choose_optimum", "Ratio", "Hold the linkages against another optimum", Choose),
    _action("toggle_log", "Log heights", "Heights on a logarithmic axis", Flip),
    _action("mark_node", "Select a subtree", "Select the leaves below a merge", Node),
    _action("collapse", "Close a subtree", "Draw a subtree as a triangle, or open it", Node),
    _action("open_all", "Open all", "Open every closed subtree"),
    _action("family_step", "Merge of the families", "Show the families at another merge", Number),
    _action("families_here", "Families here", "Follow the families of the tree and k looked at"),
    _action("move_point", "Move a point", "Drag a point of the lab", MovePoint, _LAB, edits=True),
    _action("add_point", "Add a point", "Add a point to the lab", NewPoint, _LAB, edits=True),
    _action("remove_point", "Remove a point", "Take a point out of the lab", RemovePoint, _LAB,
            edits=True),
    _action("pick_point", "Pick a point", "Choose the point that Remove takes away", Chosen, _LAB),
    _action("edit_distance", "Edit a distance", "Set one distance of the lab", EditDistance, _LAB,
            edits=True),
    _action("fill_lab", "Fill the lab", "Put an instance into the lab", LabContent, _LAB, edits=True),
    _action("reset_lab", "Reset the lab", "What the lab began with", LabContent, _LAB, edits=True),
    _action("worsen", "Search worse", "Search distances on which the linkage does worse", LabContent, _LAB,
            edits=True),
    _action("lab_linkage", "Linkage of the lab", "Look at another linkage of the lab", Choose, _LAB),
    _action("lab_k", "Clusters of the lab", "Cut the lab into another number of clusters", Number, _LAB),
    _action("export", "Export results", "Labels, trees and tables as files", Export, "exports",
            exports=True, button="Export results"),
)  # fmt: skip

METHOD = Method(
    "linkage",
    title="Linkage clustering",
    area="Clustering and graphs",
    sentence="Hierarchies, and how far they are from the best.",
    paper=PAPER,
    parameters=Parameters,
    presets=(
        Preset(
            "quick",
            {"effort": "exact"},
            data="iris",
            help="150 flowers, four linkages, k from 2 to 10, the optimum known exactly",
        ),
        Preset("default", {"k": (2, 60)}, data="digits", help="1,797 digits, four linkages, k from 2 to 60"),
        Preset(
            "adversarial",
            {"k": (2, 7), "linkages": ("single", "complete", "average", "minimax")},
            data="sl-chain",
            help="The chain that single linkage falls for: ratio 35 at k = 7",
        ),
        Preset(
            "companion",
            {"effort": "off", "linkages": ("complete", "average", "single")},
            data="companion",
            help="Four tables, and the averages of the companion paper's Table 1 over them",
        ),
        Preset(
            "search",
            {"search": True, "k": (2, 7), "linkages": ("complete", "average", "minimax", "single")},
            data="sl-chain",
            help="Simulated annealing for an instance on which complete linkage does badly",
        ),
        Preset(
            "large",
            {"metric": "haversine", "linkages": ("complete", "single"), "k": (2, 100)},
            data="cities15000",
            help="34,006 cities on the sphere, complete and single linkage",
        ),
    ),
    data=(TABLE, DISTANCES, LinkageMatrixKind()),
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
    warm=(f"{_HERE}.run", f"{_HERE}.actions", f"{_HERE}.warming:compile_kernels"),
    gallery="tree",
)

#: Results the quick preset does not reach: only a distance matrix is checked, nothing searched.
NOT_IN_QUICK = ("triangle_violations", "searched_ratio")
