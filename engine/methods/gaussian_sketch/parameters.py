"""What a person sets for a run, and what an action takes."""

from __future__ import annotations

from typing import Literal

from pydantic import field_validator

from engine.core.parameters import MethodParameters, When, field

Name = Literal[
    "gsgd", "gsgd_plain", "rcd_uniform", "rcd_importance", "rcd_own", "minibatch", "sega_uniform",
    "sega_importance", "sega_gaussian", "acd", "gd", "fista",
]  # fmt: skip
LABELS = {
    "gsgd": "GSGD",
    "gsgd_plain": "GSGD, h = 0",
    "rcd_uniform": "RCD uniform",
    "rcd_importance": "RCD importance",
    "rcd_own": "RCD own steps",
    "minibatch": "RCD minibatch",
    "sega_uniform": "SEGA uniform",
    "sega_importance": "SEGA importance",
    "sega_gaussian": "SEGA Gaussian",
    "acd": "Accelerated RCD",
    "gd": "Gradient descent",
    "fista": "FISTA",
}
Regulariser = Literal["none", "l1", "elastic", "group", "box", "simplex", "ball", "tv", "nuclear"]
REGULARISER_LABELS = {
    "none": "None",
    "l1": "ℓ1",
    "elastic": "Elastic net",
    "group": "Group ℓ2",
    "box": "Box",
    "simplex": "Simplex",
    "ball": "ℓ2 ball",
    "tv": "Total variation",
    "nuclear": "Nuclear norm",
}
Sketch = Literal["gaussian", "rademacher", "sparse", "orthogonal", "srht"]
LARGEST_SIZE = 4096


def parse_diagonal(text: str) -> tuple[float, ...]:
    """Positive numbers separated by commas; empty text gives none. Raises ValueError in words."""
    numbers = []
    for word in text.replace(";", ",").split(","):
        if not word.strip():
            continue
        try:
            value = float(word)
        except ValueError:
            raise ValueError(f"“{word.strip()}” is not a number") from None
        if not 0 < value < float("inf"):
            raise ValueError("positive numbers separated by commas, one for each feature")
        numbers.append(value)
    return tuple(numbers)


_SKETCHED = ("gsgd", "gsgd_plain")


class Parameters(MethodParameters):
    """Of a comparison: problem, methods, budget, sketch."""

    objective: Literal["auto", "logistic", "square", "huber"] = field(
        "auto",
        labels={"auto": "By the target", "logistic": "Logistic", "square": "Least squares", "huber": "Huber"},
        help="Loss of a sample; by the target: logistic for two classes, least squares for numbers",
    )
    mu: float = field(
        1e-2, ge=0, le=10, title="Ridge μ", help="Added to the Hessian: ½μ‖x‖²; 0 leaves the rate not linear"
    )
    regulariser: Regulariser = field(
        "l1", title="Regulariser φ", labels=REGULARISER_LABELS, help="The part handled by its proximal map"
    )
    strength: float = field(
        1e-2,
        ge=0,
        le=1e6,
        title="Strength",
        help="Weight λ of the regulariser; the radius of a simplex or ball",
        when=When("regulariser", ("l1", "elastic", "group", "simplex", "ball", "tv", "nuclear")),
    )
    methods: tuple[Name, ...] = field(
        ("gsgd", "rcd_uniform", "rcd_importance", "sega_uniform", "sega_importance", "fista"),
        min_length=1,
        labels=LABELS,
        help="What is compared; those that cannot use the regulariser are left out",
    )
    size: int = field(
        1, ge=1, le=LARGEST_SIZE, title="Directions ℓ", help="Directional derivatives of one sketch"
    )
    epochs: int = field(
        200, ge=1, le=100_000, unit="epochs", title="Budget", help="One epoch is d directional derivatives"
    )
    seeds: int = field(
        3, ge=1, le=100, unit="seeds", title="Seeds", help="Independent repetitions of every method"
    )
    rule: Literal["trace", "provable", "manual", "armijo"] = field(
        "trace",
        title="Step rule",
        labels={
            "trace": "Trace",
            "provable": "Provable",
            "manual": "Typed",
            "armijo": "Armijo on the sketch",
        },
        help="Trace: c/((1+1/ℓ)L + tr(M)/ℓ); provable: ℓ/(6(d+ℓ+1)L); Armijo: found along the same sketch",
        group="advanced",
        section="Step",
    )
    c: float = field(
        0.5,
        gt=0,
        le=4,
        title="Factor c",
        help="Of the trace step, and of SEGA's; 1, ½ and ¼ are usual",
        group="advanced",
        section="Step",
        when=When("rule", ("trace", "armijo")),
    )
    eta: float = field(
        0.05,
        gt=0,
        le=1e6,
        title="Step η",
        help="The step itself",
        group="advanced",
        section="Step",
        when=When("rule", ("manual",)),
    )
    h_start: Literal["zero", "exact"] = field(
        "zero",
        title="Start of h",
        labels={"zero": "Zero", "exact": "One exact gradient"},
        help="The exact gradient costs d derivatives at once",
        group="advanced",
        section="Step",
    )
    sketch: Sketch = field(
        "gaussian",
        labels={
            "gaussian": "Gaussian",
            "rademacher": "Signs",
            "sparse": "Sparse signs",
            "orthogonal": "Orthogonal block",
            "srht": "Hadamard block",
        },
        help="Distribution of the directions of GSGD",
        group="advanced",
        section="Sketch",
    )
    oracle: Literal["exact", "central", "forward"] = field(
        "exact",
        labels={
            "exact": "Exact derivatives",
            "central": "Central differences",
            "forward": "Forward differences",
        },
        help="Where GSGD's derivatives come from; differences cost 2ℓ or 1 + ℓ values of f a step",
        group="advanced",
        section="Sketch",
        when=When("methods", _SKETCHED),
    )
    epsilon: float = field(
        0.0,
        ge=0,
        le=1,
        title="Difference ε",
        help="Length of a difference; 0 chooses by machine precision and the size of x",
        group="advanced",
        section="Sketch",
        when=When("oracle", ("central", "forward")),
    )
    preconditioner: Literal["none", "diagonal", "typed"] = field(
        "none",
        labels={"none": "None", "diagonal": "diag(M)", "typed": "Typed"},
        help="Sketch with S ~ N(0, P⁻¹) for a diagonal P; for φ that are sums over coordinates",
        group="advanced",
        section="Problem",
    )
    diagonal: str = field(
        "",
        max_length=50_000,
        title="Diagonal of P",
        help="Positive numbers separated by commas, one for each feature",
        group="advanced",
        section="Problem",
        when=When("preconditioner", ("typed",)),
    )
    rotation: float = field(
        0.0,
        ge=0,
        le=1,
        help="Turns the coordinates: 0 leaves them, 1 mixes all of them",
        group="advanced",
        section="Problem",
    )
    scaling: Literal["standardise", "rows", "none"] = field(
        "standardise",
        labels={"standardise": "Standardise", "rows": "Unit rows", "none": "None"},
        help="Columns to mean 0, deviation 1 (sparse data: deviation only); rows to length 1; or as they are",
        group="advanced",
        section="Problem",
    )
    intercept: bool = field(
        False, help="Add a constant feature that is not regularised", group="advanced", section="Problem"
    )
    positive: str = field(
        "",
        max_length=200,
        title="Positive class",
        help="With more than two classes: this one against all others",
        group="advanced",
        section="Problem",
    )
    delta: float = field(
        1.0,
        gt=0,
        le=1e6,
        title="Huber δ",
        help="Residuals beyond δ count linearly",
        group="advanced",
        section="Problem",
        when=When("objective", ("huber",)),
    )
    share: float = field(
        0.5,
        ge=0,
        le=1,
        title="Share of ℓ1",
        help="Of the elastic net; the rest is ½‖x‖²",
        group="advanced",
        section="Regulariser",
        when=When("regulariser", ("elastic",)),
    )
    low: float = field(
        -1.0,
        ge=-1e9,
        le=1e9,
        title="Box from",
        help="Smallest coefficient",
        group="advanced",
        section="Regulariser",
        when=When("regulariser", ("box",)),
    )
    high: float = field(
        1.0,
        ge=-1e9,
        le=1e9,
        title="Box to",
        help="Largest coefficient",
        group="advanced",
        section="Regulariser",
        when=When("regulariser", ("box",)),
    )
    group_size: int = field(
        2,
        ge=1,
        le=100_000,
        title="Group or rows",
        help="Features in a group, or rows of the matrix of the nuclear norm",
        group="advanced",
        section="Regulariser",
        when=When("regulariser", ("group", "nuclear")),
    )
    companion: Literal["none", "decay", "spike", "flat"] = field(
        "none",
        title="Also run on",
        labels={
            "none": "Nothing else",
            "decay": "Decaying quadratic",
            "spike": "Quadratic with a spike",
            "flat": "Flat quadratic",
        },
        help="A second problem: a randomly rotated synthetic quadratic of 200 coordinates",
        group="advanced",
        section="Comparison",
    )
    target: float = field(
        1e-6,
        gt=0,
        lt=1,
        title="Target gap",
        help="Relative gap that predictions and counts are made for",
        group="advanced",
        section="Comparison",
    )
    tolerance: float = field(
        1e-8,
        ge=0,
        lt=1,
        help="A method ends when all its seeds are so near",
        group="advanced",
        section="Comparison",
    )
    sweep: bool = field(
        True,
        title="Rotation sweep",
        help="At the end, count the derivatives to a gap of 1e−4 at several rotations, without φ",
        group="advanced",
        section="Comparison",
    )

    @field_validator("diagonal")
    @classmethod
    def _diagonal(cls, text: str) -> str:
        parse_diagonal(text)
        return text


class Choose(MethodParameters):
    """One of the names a view offers."""

    value: str = field("", max_length=200, help="The name chosen")


class Number(MethodParameters):
    """A number moved on a slider."""

    value: float = field(0.0, help="The new value")


class Line(MethodParameters):
    """A line dragged to another value."""

    name: str = field("", max_length=100, help="Which line")
    value: float = field(0.0, help="Where to")


class CellAt(MethodParameters):
    """A cell of a map."""

    row: int = field(0, ge=0, le=1_000_000, help="Row")
    column: int = field(0, ge=0, le=1_000_000, help="Column")


class Bar(MethodParameters):
    """A bar clicked."""

    id: int = field(0, ge=0, le=1_000_000, help="Which bar, from 0")
