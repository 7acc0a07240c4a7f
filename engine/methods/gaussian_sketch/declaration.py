"""The declaration of the tab Sketched gradient descent."""

from __future__ import annotations

from engine.core.method import Action, Cell, Method, Paper, Preset, ResultTable, Row, Scalar
from engine.core.views import Axis, Bars, HeatMap, Lines, Panel, Scatter, Table
from engine.methods.gaussian_sketch.data import SamplesKind
from engine.methods.gaussian_sketch.parameters import Bar, CellAt, Choose, Line, Number, Parameters
from engine.methods.gaussian_sketch.sets import SETS

_HERE = "engine.methods.gaussian_sketch"

VIEWS_NOT_IN_QUICK = ("image",)
"""The quick preset's features are no pixels."""

PAPER = Paper(
    title="Can Gaussian Sketching Converge Faster on a Preconditioned Landscape?",
    authors="Yilong Wang, Haishan Ye, Guang Dai, Ivor W. Tsang",
    short="Wang, Ye, Dai and Tsang, ICML 2024",
    venue="Proceedings of the 41st International Conference on Machine Learning, PMLR 235",
    year=2024,
    url="https://proceedings.mlr.press/v235/",
    bibtex="""@inproceedings{wang2024gaussian,
  title     = {Can {Gaussian} Sketching Converge Faster on a Preconditioned Landscape?},
  author    = {Wang, Yilong and Ye, Haishan and Dai, Guang and Tsang, Ivor W.},
  booktitle = {Proceedings of the 41st International Conference on Machine Learning},
  series    = {Proceedings of Machine Learning Research},
  volume    = {235},
  year      = {2024}
}""",
)

_COST = Axis("directional derivatives")
_COEFFICIENT = Axis("coefficient")

VIEWS = (
    Lines(
        "gap",
        title="Relative gap",
        entity="solver",
        x=_COST,
        y=Axis("(F − F*) / (F₀ − F*)", log=True),
        empty="How fast each method closes the gap to the optimum",
        reading="Straight lines are linear rates; dashed lines are (1 − ημ)ᵗ, predicted from M and μ alone",
    ),
    Lines(
        "variance",
        title="Distance of h",
        entity="solver",
        x=_COST,
        y=Axis("‖h − ∇f(x)‖", log=True),
        empty="How well the learnt gradient h follows the gradient",
        reading="Where h follows the gradient the variance of the step falls to 0",
    ),
    Lines(
        "path",
        title="Path of a coefficient",
        entity="solver",
        x=_COST,
        y=_COEFFICIENT,
        empty="One coefficient in every method; click a row of the map or a bar to choose it",
        reading="All methods end at the line of the optimum",
    ),
    Bars(
        "ranking",
        title="Predicted ranking",
        entity="solver",
        category=Axis("method"),
        value=Axis("derivatives to the target gap", log=True),
        horizontal=True,
        empty="Derivatives predicted from tr(M), L, the diagonal of M and μ",
        reading="Bars are predicted, marks are measured; predictions are for the slowest direction",
    ),
    Lines(
        "spectrum",
        title="Spectrum of M",
        x=Axis("place, largest first"),
        y=Axis("value", log=True),
        empty="Eigenvalues and diagonal of the smoothness matrix",
        reading="GSGD pays for the sum of the eigenvalues, uniform coordinates for d times the largest Mᵢᵢ",
    ),
    Lines(
        "rotation",
        title="Rotation",
        x=Axis("rotation of the coordinates"),
        y=Axis("derivatives to a gap of 10⁻⁴", log=True),
        empty="Derivatives needed as the coordinates are turned",
        reading="Marks are measured, dashed lines bounds; GSGD stays where it is, coordinate methods move",
        gestures={"drag-level": "drag_rotation"},
    ),
    HeatMap(
        "coefficients",
        title="Coefficient paths",
        x=Axis("epochs"),
        y=Axis("coefficient, largest first"),
        value=_COEFFICIENT,
        map="diverging",
        empty="Every coefficient as the run goes on",
        reading="A row is a coefficient; white is 0; click a row to follow it",
        gestures={"click": "pick_row"},
    ),
    Bars(
        "model",
        title="Model",
        entity="coefficient",
        category=Axis("feature"),
        value=_COEFFICIENT,
        horizontal=True,
        empty="The coefficients now, beside those of the optimum",
        reading="Bars are the method's coefficients, marks the optimum's; click a bar to follow it",
        gestures={"click": "pick_bar"},
    ),
    HeatMap(
        "image",
        title="Coefficient image",
        x=Axis("column"),
        y=Axis("row"),
        value=_COEFFICIENT,
        map="diverging",
        empty="The coefficients as an image, where features are pixels or φ is the nuclear norm",
        reading="A pixel is the weight of that pixel; click one to follow it",
        gestures={"click": "pick_pixel"},
    ),
    Scatter(
        "plane",
        title="Plane of the optimum",
        x=Axis("along the first axis"),
        y=Axis("along the second axis"),
        empty="Level lines of F and the iterates in a plane through the optimum",
        reading="Points are iterates of the first seed; the star is the optimum",
    ),
    Panel("steering", title="Steering", empty="What can be changed while the run goes on"),
    Table("results", title="Results", entity="solver", empty="One row per method"),
)

LAYOUT = (
    Row((Cell(("gap", "variance", "path"), 1.5), Cell(("ranking", "spectrum"))), 1.25),
    Row((Cell(("coefficients", "model", "image"), 1.2), Cell(("plane", "rotation")))),
    Row((Cell(("results",), 1.5), Cell(("steering",)))),
)

SCALARS = (
    Scalar("trace.{problem}", "trace of the smoothness matrix M", digits=6),
    Scalar("smoothness.{problem}", "largest eigenvalue L of M", digits=6),
    Scalar("convexity.{problem}", "strong convexity μ of the smooth part", digits=6),
    Scalar("optimum.{problem}", "smallest objective F*, by the reference solver", digits=9),
    Scalar("nonzeros.{problem}", "coefficients of the optimum that are not 0", digits=0),
    Scalar("gap.{problem}.{method}", "relative gap at the end, median over seeds", digits=9),
    Scalar(
        "derivatives.{problem}.{method}", "directional derivatives to the target gap, median over seeds",
        "derivatives", digits=0,
    ),
    Scalar(
        "predicted.{problem}.{method}", "directional derivatives to the target gap, predicted from M and μ",
        "derivatives", digits=0,
    ),
    Scalar("seconds.{problem}.{method}", "time of the steps of one seed", "s"),
    Scalar("ratio.{problem}.{method}", "derivatives of GSGD over those of the method", digits=3),
    Scalar(
        "rotation_change.{problem}.{method}",
        "largest over smallest count of derivatives among the rotations, without φ", digits=3,
    ),
)  # fmt: skip

TABLES = (
    ResultTable(
        "curves",
        "checkpoints of every method",
        {
            "problem": "short name of the problem",
            "method": "short name of the method",
            "derivatives": "directional derivatives so far",
            "iterations": "iterations so far",
            "seconds": "time so far (s per seed)",
            "operations": "floating point operations on the data so far",
            "gap": "relative gap, median over seeds",
            "low": "10% point over seeds",
            "high": "90% point over seeds",
            "h_distance": "distance of h from the gradient, median over seeds",
        },
    ),
    ResultTable(
        "summary",
        "one row a method",
        {
            "problem": "short name of the problem",
            "method": "short name of the method",
            "title": "name of the method",
            "gap": "relative gap at the end, median over seeds",
            "derivatives": "directional derivatives to the target gap, median over seeds",
            "predicted": "the same, predicted",
            "seconds": "time (s per seed)",
            "nonzeros": "coefficients that are not 0, median over seeds",
            "halvings": "times the step was halved after divergence",
        },
    ),
    ResultTable(
        "rotation",
        "derivatives to a gap of 1e−4 at several rotations, without φ",
        {
            "problem": "short name of the problem",
            "method": "short name of the method",
            "rotation": "amount from 0 to 1",
            "derivatives": "directional derivatives",
        },
    ),
    ResultTable(
        "coefficients",
        "coefficients of the optimum and of every method",
        {
            "problem": "short name of the problem",
            "method": "short name of the method, or optimum",
            "feature": "name of the feature",
            "coefficient": "median over seeds, in the units of the scaled data",
        },
    ),
)


def _action(name: str, title: str, help: str, arguments: type, edits: bool = False) -> Action:
    return Action(
        name=name, title=title, help=help, apply=f"{_HERE}.actions:{name}", arguments=arguments, edits=edits
    )


ACTIONS = (
    _action("choose_problem", "Problem", "Look at another problem", Choose),
    _action("choose_axis", "Cost", "Count derivatives, seconds, iterations or operations", Choose),
    _action("choose_method", "Method", "Look at the coefficients of another method", Choose),
    _action("pick_row", "Follow a row", "Follow the coefficient of a row", CellAt),
    _action("pick_bar", "Follow a bar", "Follow the coefficient of a bar", Bar),
    _action("pick_pixel", "Follow a pixel", "Follow the coefficient of a pixel", CellAt),
    _action("set_size", "Directions ℓ", "Directions of a sketch from the next step on", Number, edits=True),
    _action("set_c", "Step factor c", "Factor of the step from the next step on", Number, edits=True),
    _action("rotate", "Rotate", "Turn the coordinates of the problem", Number, edits=True),
    _action("drag_rotation", "Rotate by the line", "Drag the line of the rotation", Line, edits=True),
    _action("set_regulariser", "Regulariser φ", "Change φ of the problem", Choose, edits=True),
    _action("set_strength", "Strength of φ", "Change the strength of φ", Number, edits=True),
)

_MANY = (
    "gsgd", "rcd_uniform", "rcd_importance", "sega_uniform", "sega_importance", "sega_gaussian", "minibatch",
    "fista",
)  # fmt: skip

METHOD = Method(
    "gaussian_sketch",
    title="Sketched gradient descent",
    area="Optimisation",
    sentence="How many directional derivatives a problem needs.",
    paper=PAPER,
    parameters=Parameters,
    presets=(
        Preset(
            "quick",
            {"epochs": 400},
            data="breast_cancer",
            help="Sparse logistic regression on 30 measures, six methods",
        ),
        Preset(
            "default",
            {"epochs": 300, "companion": "decay"},
            data="digits",
            help="Odd or even digits, and a rotated quadratic of 200 coordinates",
        ),
        Preset(
            "rotation",
            {
                "regulariser": "none",
                "methods": ("gsgd_plain", "rcd_uniform", "rcd_importance", "sega_uniform", "acd", "gd"),
                "c": 1.0,
                "epochs": 200,
                "target": 1e-4,
            },
            data="quadratic_decay",
            help="A quadratic along its axes: turn the coordinates and see who minds",
        ),
        Preset(
            "plane",
            {
                "regulariser": "none",
                "methods": ("gsgd", "rcd_uniform", "sega_uniform", "gd", "fista"),
                "epochs": 300,
                "rotation": 0.4,
            },
            data="plane",
            help="Two coordinates: every iterate can be seen",
        ),
        Preset(
            "derivative-free",
            {
                "methods": ("gsgd", "sega_gaussian", "fista"),
                "oracle": "central",
                "size": 4,
                "epochs": 800,
                "c": 1.0,
            },
            data="phishing",
            help="Values of f alone: differences along four random directions a step",
        ),
        Preset(
            "paper",
            {"epochs": 30, "seeds": 10, "methods": _MANY, "strength": 1e-3, "c": 1.0},
            data="mnist_5k",
            help="5,000 images of 784 pixels, ten seeds, eight methods",
        ),
    ),
    data=(SamplesKind(),),
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
    gallery="gap",
)
