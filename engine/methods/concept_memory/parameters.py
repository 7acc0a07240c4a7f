"""Parameters of the tab and the arguments of its actions."""

from __future__ import annotations

from typing import Literal

from engine.core.parameters import MethodParameters, When, field

MANUAL = When("thresholds", ("manual",))


class Parameters(MethodParameters):
    """Of a study of concept bottleneck memory."""

    scenario: Literal["confounded", "unbalanced", "both", "plain"] = field(
        "confounded",
        help="What is wrong with the training digits; other data are used as they are",
        labels={"confounded": "colour tells the digit", "unbalanced": "few nines", "both": "both in turn"},
    )
    epochs: int = field(60, ge=1, le=2000, unit="epochs", help="Passes over the training images for g")
    criterion: Literal["ectp", "ucp", "lcp", "random"] = field(
        "ectp",
        help="Order of correcting concept groups: expected change of the class, uncertainty, error or chance",
        labels={"ectp": "ECTP", "ucp": "UCP", "lcp": "LCP (oracle)"},
    )
    groups: int | None = field(
        None,
        ge=1,
        le=1000,
        title="Groups applied",
        help="How many concept groups of a correction are applied; empty for all",
    )
    budget: int | None = field(
        None,
        ge=1,
        le=100_000,
        title="Memory budget",
        unit="entries",
        help="Most corrections taken from the pool; empty for all",
    )
    reviewer: Literal["nobody", "you", "simulated"] = field(
        "nobody",
        help="Who reviews flagged test images during the run; afterwards you can always correct",
        labels={"you": "you, asked one by one", "simulated": "simulated human"},
    )
    review_budget: int = field(
        10,
        ge=1,
        le=1000,
        unit="images",
        help="Most flagged images to review",
        when=When("reviewer", ("you", "simulated")),
    )
    thresholds: Literal["auto", "manual"] = field(
        "auto", section="Thresholds", help="Chosen on held-out data, or given below"
    )
    k_detect: int = field(
        1,
        ge=1,
        le=20,
        title="Neighbours k",
        section="Thresholds",
        help="An image is flagged by the distance to its k-th nearest entry",
    )
    t_d: float = field(
        3.0,
        ge=0,
        le=1e6,
        title="Flags within",
        section="Thresholds",
        when=MANUAL,
        help="Distance up to which an image is flagged",
    )
    t_a: float = field(
        2.5,
        ge=0,
        le=1e6,
        title="Applies within",
        section="Thresholds",
        when=MANUAL,
        help="Distance below which a correction is applied",
    )
    seeds: int = field(1, ge=1, le=20, group="advanced", help="Repeats with other splits and initial weights")
    nines: int = field(
        6,
        ge=0,
        le=200,
        group="advanced",
        title="Nines kept",
        help="Training nines of the scenario of few nines",
    )
    evaluation: Literal["disjoint", "shifted"] = field(
        "disjoint",
        group="advanced",
        help="Corrections from validation images, or from clean test images for distorted copies of them",
        labels={"disjoint": "other images", "shifted": "same images, shifted"},
    )
    search_k: bool = field(
        False, group="advanced", title="Search k", help="Choose k from 1 to 5 with the detection threshold"
    )
    grid: Literal["quantiles", "published"] = field(
        "quantiles",
        group="advanced",
        title="Threshold grid",
        help="Quantiles of observed distances, or the official grids made for CUB",
    )
    k_apply: int = field(
        1,
        ge=1,
        le=20,
        group="advanced",
        title="k to apply",
        help="Entries that must be near before a correction is applied",
    )
    conflict: Literal["closest", "vote"] = field(
        "closest",
        group="advanced",
        help="Take the closest correction, or let the k nearest vote and abstain on disagreement",
    )
    projection: bool = field(
        True,
        group="advanced",
        title="One-hot projection",
        help="Setting one concept of a one-hot group to 1 sets the others to 0",
    )
    metric: Literal["euclidean", "cosine"] = field(
        "euclidean", group="advanced", title="Distance", help="Between encodings"
    )
    concept_limit: float = field(
        1.0,
        ge=0,
        le=1,
        group="advanced",
        title="Concept limit t_s",
        help="A mistake enters the memory if its concept accuracy is below this",
    )
    memory: str = field(
        "",
        path=True,
        group="advanced",
        title="Saved memory",
        help="The memory.zip of an earlier run, used beside the new one",
    )
    hidden: int = field(
        120,
        ge=8,
        le=1024,
        group="advanced",
        section="Training",
        title="Hidden width",
        unit="units",
        help="Units of the hidden layer; its output is the encoding",
    )
    rate: float = field(
        0.05,
        ge=1e-5,
        le=1,
        group="advanced",
        section="Training",
        title="Learning rate",
        help="Of stochastic gradient descent for g",
    )
    momentum: float = field(
        0.9, ge=0, lt=1, group="advanced", section="Training", help="Of stochastic gradient descent"
    )
    decay: float = field(
        4e-5, ge=0, le=1, group="advanced", section="Training", title="Weight decay", help="Of g"
    )
    batch: int = field(
        64, ge=1, le=4096, group="advanced", section="Training", unit="images", help="Images of a minibatch"
    )
    weighting: Literal["published", "positive", "none"] = field(
        "published",
        group="advanced",
        section="Training",
        title="Concept weights",
        help="w = n/n_j − 1 on the whole term (official code), on positives only, or none",
        labels={"published": "as published", "positive": "positives only"},
    )
    keep: Literal["class", "concept", "last"] = field(
        "class",
        group="advanced",
        section="Training",
        title="Epoch kept",
        help="That of the best validation accuracy of classes or of concepts, or the last",
        labels={"class": "best class", "concept": "best concepts"},
    )
    patience: int = field(
        0,
        ge=0,
        le=1000,
        group="advanced",
        section="Training",
        unit="epochs",
        help="Stop after so many epochs without gain; 0 never",
    )
    head: Literal["full batch", "minibatches"] = field(
        "full batch",
        group="advanced",
        section="Training",
        title="Class predictor",
        help="How f is trained on true concepts",
    )
    head_steps: int = field(
        200,
        ge=1,
        le=5000,
        group="advanced",
        section="Training",
        title="Passes for f",
        help="Steps on all images, or passes in minibatches",
    )
    head_rate: float = field(
        0.5,
        ge=1e-5,
        le=10,
        group="advanced",
        section="Training",
        title="Rate for f",
        help="Learning rate of f",
    )


class At(MethodParameters):
    """An image, by its place in the data set."""

    id: int = field(0, ge=0, help="Place of the image in the data")


class SetConcept(MethodParameters):
    """A concept of the selected image set to 0 or 1; `restore` brings back a whole draft."""

    id: int = field(0, ge=0, help="Number of the concept")
    column: str = field("wanted", help="Column of the table")
    value: bool = field(True, help="Present or not")
    image: int = field(-1, ge=-1, help="Place of the image; −1 is the selected one")
    restore: str = field("", help="A draft to bring back: concept=value, separated by blanks")


class KeepEntry(MethodParameters):
    """An entry that is remembered or forgotten; number 0 makes a new one from the draft."""

    number: int = field(0, ge=0, help="Number of the entry")
    kept: bool = field(True, help="Remembered or forgotten")


class Judge(MethodParameters):
    """A person's verdict on a correction that was applied to an image."""

    id: int = field(0, ge=0, help="Place of the image in the data")
    number: int = field(0, ge=0, help="Number of the entry")
    verdict: Literal["accept", "reject", "none"] = field("accept", help="Whether the correction fits")


class MoveTo(MethodParameters):
    """A threshold moved to a number."""

    value: float = field(0.0, ge=0, help="Where to")


class Mode(MethodParameters):
    """Thresholds chosen on held-out data, or by hand."""

    value: Literal["auto", "manual"] = field("auto", help="Which")
