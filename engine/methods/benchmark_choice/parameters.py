"""What a person sets for a run."""

from __future__ import annotations

from typing import Literal

from engine.core.parameters import MethodParameters, When, field

from .boards import ALL_CARDINAL, PAPER_ORDINAL

Companions = Literal["none", "quick", "cardinal", "ordinal", "paper"]
Rule = Literal[
    "mean",
    "win rate",
    "median",
    "geometric mean",
    "mean rank",
    "z-score mean",
    "Copeland",
    "Bradley–Terry",
]

_CARDINAL = When("kind", ("auto", "cardinal"))
_ORDINAL = When("kind", ("auto", "ordinal"))
_PUBLISHED = When("solver", ("both", "published"))
_SEARCH = When("solver", ("both", "vertex"))

COMPANIONS: dict[str, tuple[str, ...]] = {
    "none": (),
    "quick": ("vtab", "superglue"),
    "cardinal": (*ALL_CARDINAL, "constant", "random"),
    "ordinal": (*PAPER_ORDINAL, "constant_ordinal", "random_ordinal"),
    "paper": (*ALL_CARDINAL, "imagenet", "constant", "random"),
}
"""The boards that are analysed beside the person's own, by the value of `companions`."""


class Parameters(MethodParameters):
    """Of an analysis: which changes count as irrelevant, how the worst is sought, what is drawn beside."""

    kind: Literal["auto", "cardinal", "ordinal"] = field(
        "auto",
        help="Rank by mean score (cardinal) or by mean win rate (ordinal); auto takes the board's own way",
        labels={"auto": "Auto", "cardinal": "Mean score (cardinal)", "ordinal": "Mean win rate (ordinal)"},
    )
    epsilon: float = field(
        0.01,
        ge=0,
        le=0.99,
        title="Least spread ε",
        help="How far label noise may shrink a task's spread: to this share of the full one",
        when=_CARDINAL,
    )
    solver: Literal["both", "published", "vertex"] = field(
        "both",
        help="The published gradient solver, the exact search of corners and lines, or both",
        labels={"both": "Both", "published": "Published", "vertex": "Corner and line search"},
    )
    companions: Companions = field(
        "cardinal",
        title="Boards beside",
        help="Other boards drawn beside this one in the trade-off",
        labels={
            "none": "None",
            "quick": "VTAB and SuperGLUE",
            "cardinal": "Eight cardinal, Constant, Random",
            "ordinal": "Eleven ordinal, Constant, Random",
            "paper": "Cardinal with ImageNet and dummies",
        },
    )
    gaps: Literal["refuse", "drop-tasks", "drop-models", "impute"] = field(
        "refuse",
        title="Missing scores",
        help="What to do with missing scores when ranking by mean score, which needs a full table",
        labels={
            "refuse": "Refuse",
            "drop-tasks": "Leave out the tasks",
            "drop-models": "Leave out the models",
            "impute": "Impute from nearest models",
        },
        when=_CARDINAL,
    )
    normalise: bool = field(
        True,
        title="Divide by σ",
        help="Let the factors act on standardised scores, as published",
        group="advanced",
        section="Irrelevant changes",
        when=_CARDINAL,
    )
    fixed_tasks: str = field(
        "",
        max_length=4000,
        title="Tasks that stay",
        help="Tasks whose spread may not shrink, by name, separated by semicolons",
        group="advanced",
        section="Irrelevant changes",
        when=_CARDINAL,
    )
    flipped_tasks: str = field(
        "",
        max_length=4000,
        title="Tasks to flip",
        help="Tasks in which lower is better after all, by name, separated by semicolons",
        group="advanced",
        section="Irrelevant changes",
    )
    relevant_share: float = field(
        0.2,
        ge=0.05,
        le=0.9,
        title="Relevant share",
        help="Share of the best models that are always on the board; the others may come and go",
        group="advanced",
        section="Irrelevant changes",
        when=_ORDINAL,
    )
    restarts: int = field(
        40,
        ge=1,
        le=20_000,
        unit="restarts",
        help="How often the search begins anew",
        group="advanced",
        section="Search",
        when=_SEARCH,
    )
    prove: bool = field(
        True,
        title="Prove small boards",
        help="Find the optimum of small boards by integer programming, in a process of its own",
        group="advanced",
        section="Search",
    )
    nodes: int = field(
        5_000,
        ge=1,
        le=1_000_000,
        unit="nodes",
        title="Proof nodes",
        help="Most branch-and-bound nodes of the proof",
        group="advanced",
        section="Search",
        when=When("prove", (True,)),
    )
    steps: int = field(
        1000,
        ge=1,
        le=5000,
        unit="steps",
        title="Solver steps",
        help="Most steps of the published solver",
        group="advanced",
        section="Published solver",
        when=_PUBLISHED,
    )
    rate: float = field(
        1.0,
        gt=0,
        le=100,
        title="Learning rate",
        help="Step size of the published cardinal solver",
        group="advanced",
        section="Published solver",
        when=_CARDINAL,
    )
    ordinal_rate: float = field(
        0.01,
        gt=0,
        le=1,
        title="Learning rate (ordinal)",
        help="Step size of the published ordinal solver",
        group="advanced",
        section="Published solver",
        when=_ORDINAL,
    )
    threshold: float = field(
        1e-5,
        ge=0,
        le=1,
        title="Stop threshold",
        help="The published cardinal solver stops when its loss changes by less",
        group="advanced",
        section="Published solver",
        when=_CARDINAL,
    )
    sampling_seed: int = field(
        0,
        ge=0,
        le=2**31 - 1,
        title="Sampling seed",
        help="Seed of the published ordinal solver, 0 as published",
        group="advanced",
        section="Published solver",
        when=_ORDINAL,
    )
    w_mode: Literal["published", "corrected"] = field(
        "published",
        title="Kendall's W",
        help="With half ranks cut to integers as published, or kept and corrected for ties",
        labels={"published": "As published", "corrected": "Corrected for ties"},
        group="advanced",
        section="Diversity",
    )
    neighbours: int = field(
        5,
        ge=1,
        le=50,
        unit="models",
        help="Nearest models a missing score is imputed from",
        group="advanced",
        section="Diversity",
    )
    sweep: bool = field(
        True,
        title="Sweep ε",
        help="Repeat the analysis for other least spreads, or other relevant shares",
        group="advanced",
        section="Beside",
    )
    rule: Rule = field(
        "mean",
        title="Ranking rule",
        help="Rule whose ranks get bootstrap intervals",
        group="advanced",
        section="Beside",
    )
    draws: int = field(
        500,
        ge=20,
        le=10_000,
        unit="draws",
        help="Random weightings, bootstrap samples and random task sets drawn",
        group="advanced",
        section="Beside",
    )
    reference_seeds: int = field(
        1,
        ge=1,
        le=20,
        unit="seeds",
        title="Reference seeds",
        help="Seeds over which Random, Constant and ImageNet are averaged",
        group="advanced",
        section="Beside",
    )

    def named(self, names: str) -> tuple[str, ...]:
        """The task names in one of the text fields."""
        return tuple(part.strip() for part in names.split(";") if part.strip())
