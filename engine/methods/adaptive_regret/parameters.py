"""What a person sets for a run."""

from __future__ import annotations

from typing import Literal

from engine.core.parameters import MethodParameters, When, field

Name = Literal[
    "flhs",
    "usia",
    "ons",
    "sogd",
    "ogd",
    "psacs",
    "sacs",
    "flh",
    "saol",
    "cbce",
    "aflh",
    "uma",
    "eg",
    "ucrp",
    "scogd",
    "s2ogd",
]
LABELS = {
    "flhs": "FLHS",
    "usia": "USIA",
    "ons": "ONS",
    "sogd": "SOGD",
    "ogd": "OGD",
    "psacs": "PSACS",
    "sacs": "SACS",
    "flh": "FLH",
    "saol": "SAOL",
    "cbce": "CBCE",
    "aflh": "AFLH",
    "uma": "UMA",
    "eg": "EG",
    "ucrp": "UCRP",
    "scogd": "SC-OGD",
    "s2ogd": "S²OGD",
}
"""Word for each algorithm: forms, legends, tables."""
COLOURS = dict(zip(LABELS, (7, 3, 4, 5, 0, 1, 2, 6, 0, 1, 2, 6, 4, 5, 3, 7), strict=True))
"""Palette index for life; from the ninth on the line is dashed as well."""
FIRST_DASHED = 8
MAX_ROUNDS = 100_000
_SYNTHETIC = "Synthetic stream"
_REAL = "Real stream"
_CONSTANTS = "Constants"
_COVER = "Intervals"
_OUTPUT = "Output"


class Parameters(MethodParameters):
    """Of a comparison on one stream."""

    loss: Literal["auto", "square", "logistic", "log", "hinge", "absolute"] = field(
        "auto",
        labels={
            "auto": "By the data",
            "square": "Square",
            "logistic": "Logistic",
            "log": "Log (portfolio)",
            "hinge": "Hinge",
            "absolute": "Absolute",
        },
        help="By the data: log for prices, logistic for a target of two values, else square",
    )
    algorithms: tuple[Name, ...] = field(
        ("flhs", "usia", "ons", "sogd", "ogd", "psacs", "sacs", "flh"),
        min_length=1,
        labels=LABELS,
        help="What is compared; FLHS and USIA are the paper's",
    )
    rounds: int = field(
        4000, ge=2, le=MAX_ROUNDS, unit="rounds", title="Rounds T", help="How long the stream is played"
    )
    stages: int = field(
        4, ge=1, le=50, title="Stages S", help="Stages of a synthetic stream, or of flipped real labels"
    )
    noise: float = field(
        0.05, ge=0, le=1, title="Noise σ", help="Standard deviation of the noise in a synthetic target"
    )
    dimension: int = field(6, ge=2, le=100, title="Dimension d", help="Coordinates of a synthetic stream")
    repeats: int = field(
        1, ge=1, le=20, unit="streams", help="Synthetic streams drawn; tables give mean and spread over them"
    )
    threshold: float = field(
        3.0,
        gt=0,
        le=1e9,
        title="Threshold C",
        help="A marker is set once the newest expert has lost more than this, losses counted in [0, 1]",
        group="advanced",
        section=_COVER,
    )
    marker_rate: float = field(
        0.0,
        ge=0,
        le=50,
        title="Markers wanted",
        unit="per 100 rounds",
        help="0 uses C as it is; else C is chosen on the first 2,000 rounds to set so many markers",
        group="advanced",
        section=_COVER,
    )
    shortest: int = field(
        1,
        ge=1,
        le=10_000,
        title="Shortest interval",
        unit="rounds",
        help="Least distance of two markers, for every algorithm with intervals",
        group="advanced",
        section=_COVER,
    )
    constants: Literal["theory", "tight"] = field(
        "tight",
        labels={"theory": "Theory", "tight": "Tight"},
        help="Newton step with β = ½ min(1/(4GD), α), or with β = α (exact for the square loss)",
        group="advanced",
        section=_CONSTANTS,
    )
    scale: Literal["bound", "running"] = field(
        "running",
        labels={"bound": "2GD", "running": "Running maximum"},
        title="Scale of USIA",
        help="What linear regrets are divided by in its meta-algorithm",
        group="advanced",
        section=_CONSTANTS,
    )
    gradients: Literal["each", "one"] = field(
        "each",
        labels={"each": "One per expert", "one": "One per round"},
        help="Experts see the loss at their own points, or surrogates from the gradient at the played point",
        group="advanced",
        section=_CONSTANTS,
    )
    alpha: float = field(
        0.0,
        ge=0,
        le=1e6,
        title="Exp-concavity α",
        help="0 takes what holds by the data (1/ρ² for the square loss, 1 for the log-loss)",
        group="advanced",
        section=_CONSTANTS,
    )
    beta: float = field(
        0.0,
        ge=0,
        le=1e6,
        title="Newton step β",
        help="Of ONS, FLH and FLHS; 0 takes it from the constants",
        group="advanced",
        section=_CONSTANTS,
    )
    lam: float = field(
        0.0,
        ge=0,
        le=1e6,
        title="Strong convexity λ",
        help="For SC-OGD and S²OGD; 0 takes 1",
        group="advanced",
        section=_CONSTANTS,
        when=When("algorithms", ("scogd", "s2ogd")),
    )
    grid: int = field(
        6,
        ge=1,
        le=20,
        title="Grid size",
        help="Values of α̂ and of λ̂ in a bundle of USIA, rates in one of UMA: 1, ½, ¼, …",
        group="advanced",
        section=_CONSTANTS,
        when=When("algorithms", ("usia", "uma")),
    )
    radius: float = field(
        0.0,
        ge=0,
        le=1e4,
        title="Radius of the ball",
        help="Of the domain; 0 takes 1 for synthetic streams, else the largest norm of a scaled row",
        group="advanced",
        section=_CONSTANTS,
    )
    gradient_bound: float = field(
        0.0,
        ge=0,
        le=1e9,
        title="Gradient bound G",
        help="0 takes it from the data",
        group="advanced",
        section=_CONSTANTS,
    )
    diagonal: bool = field(
        False,
        title="Diagonal Newton",
        help="Newton experts keep the diagonal of A alone: memory d instead of d² for each",
        group="advanced",
        section=_CONSTANTS,
    )
    features: Literal["signs", "ball"] = field(
        "signs",
        labels={"signs": "Signs of falling size", "ball": "Uniform in the ball"},
        help="How the features of a synthetic stream are drawn",
        group="advanced",
        section=_SYNTHETIC,
    )
    change: Literal["flip", "random"] = field(
        "flip",
        labels={"flip": "Negated, then new", "random": "Always new"},
        title="Change at a switch",
        help="The model is negated at every even stage, or drawn anew at every stage with a random length",
        group="advanced",
        section=_SYNTHETIC,
    )
    size: float = field(
        1.0,
        gt=0,
        le=10,
        title="Size of the model",
        help="Norm of the model of a stage (largest norm where it is always new)",
        group="advanced",
        section=_SYNTHETIC,
    )
    target: str = field(
        "",
        max_length=200,
        title="Target column",
        help="Empty: the label column, else one named target, y, label or class, else the last column",
        group="advanced",
        section=_REAL,
    )
    prices: Literal["auto", "relatives", "cumulative", "prices"] = field(
        "auto",
        labels={
            "auto": "By the values",
            "relatives": "Relatives (today/yesterday)",
            "cumulative": "Cumulative relatives",
            "prices": "Prices",
        },
        help="What the numbers of a price file are",
        group="advanced",
        section=_REAL,
    )
    gaps: Literal["refuse", "forward"] = field(
        "refuse",
        labels={"refuse": "Refuse", "forward": "Fill forward"},
        title="Missing values",
        help="Refuse the stream, or repeat the value of the row before",
        group="advanced",
        section=_REAL,
    )
    scaling: Literal["range", "standard", "none"] = field(
        "range",
        labels={"range": "To [−1, 1]", "standard": "Mean 0, deviation 1", "none": "As it is"},
        help="How the columns of a real stream are scaled, by their values over all rounds",
        group="advanced",
        section=_REAL,
    )
    intercept: bool = field(
        True,
        help="Add a constant column to the features of a real stream",
        group="advanced",
        section=_REAL,
    )
    flip: bool = field(
        False,
        title="Flip labels",
        help="Negate the target of a real stream in every second of its stages",
        group="advanced",
        section=_REAL,
    )
    beyond: Literal["stop", "loop"] = field(
        "stop",
        labels={"stop": "Stop there", "loop": "Begin again"},
        title="End of the data",
        help="What happens where more rounds are wanted than a real stream has",
        group="advanced",
        section=_REAL,
    )
    cost: float = field(
        0.0,
        ge=0,
        le=0.1,
        title="Trading cost",
        help="Loss per unit of turnover ‖w − held‖₁ in a portfolio; 0.001 is ten basis points",
        group="advanced",
        section=_REAL,
    )
    intervals: Literal["grid", "cover"] = field(
        "grid",
        labels={"grid": "All starts and lengths", "cover": "Geometric cover"},
        title="Regret map",
        help="Intervals of the map: any start and length on a grid, or those of the geometric cover",
        group="advanced",
        section=_OUTPUT,
    )
    cells: int = field(
        48,
        ge=8,
        le=200,
        title="Map resolution",
        unit="starts",
        help="Starts across the regret map; half as many lengths on the grid",
        group="advanced",
        section=_OUTPUT,
    )
    sweep: bool = field(
        False,
        title="Noise sweep",
        help="Also play stationary synthetic streams of five noise levels: the small-loss effect",
        group="advanced",
        section=_OUTPUT,
    )
    evidence: float = field(
        20.0,
        gt=0,
        le=1e6,
        title="Evidence of a change",
        help="Log-likelihood ratio from which a rise of the newest expert's loss counts as a change point",
        group="advanced",
        section=_OUTPUT,
    )


def dashed(name: str) -> bool:
    """Whether an algorithm's line is dashed, its colour being used by another."""
    return list(LABELS).index(name) >= FIRST_DASHED
