"""The declaration of the tab Concept bottleneck memory."""

from __future__ import annotations

from engine.core.method import Action, Cell, Method, Paper, Preset, ResultTable, Row, Scalar
from engine.core.views import Axis, ImageGrid, Lines, Panel, Scatter, Table
from engine.methods.concept_memory.data_kind import ConceptImagesKind
from engine.methods.concept_memory.parameters import (
    At,
    Judge,
    KeepEntry,
    Mode,
    MoveTo,
    Parameters,
    SetConcept,
)
from engine.methods.concept_memory.sets import SETS

_HERE = "engine.methods.concept_memory"
NOT_IN_QUICK = ("review.images", "review.corrections", "review.gain")

PAPER = Paper(
    title="Learning to Intervene on Concept Bottlenecks",
    authors="David Steinmann, Wolfgang Stammer, Felix Friedrich, Kristian Kersting",
    short="Steinmann et al., ICML 2024",
    venue="Proceedings of the 41st International Conference on Machine Learning, PMLR 235",
    year=2024,
    url="https://arxiv.org/abs/2308.13453",
    bibtex="""@inproceedings{steinmann2024learning,
  title     = {Learning to Intervene on Concept Bottlenecks},
  author    = {Steinmann, David and Stammer, Wolfgang and Friedrich, Felix and Kersting, Kristian},
  booktitle = {Proceedings of the 41st International Conference on Machine Learning},
  series    = {Proceedings of Machine Learning Research},
  volume    = {235},
  year      = {2024}
}""",
)

_LOOK = {"click": "select_image"}
VIEWS = (
    ImageGrid(
        "images",
        title="Images",
        entity="image",
        empty="The test images, and what the memory does to each",
        reading="Click an image to see its concepts and why it was corrected",
        gestures=_LOOK,
    ),
    Table(
        "concepts",
        title="Concepts",
        entity="concept",
        empty="The concepts of the selected image",
        reading="Tick what the image shows, then Remember: similar images follow",
        gestures={"edit-cell": "set_concept"},
    ),
    ImageGrid(
        "why",
        title="Why corrected",
        entity="image",
        empty="The entries nearest to the selected image",
        reading="Under each entry its number and distance; accept or reject what it did",
        gestures=_LOOK,
    ),
    Scatter(
        "map",
        title="Memory map",
        entity="image",
        x=Axis("first principal component of the encodings"),
        y=Axis("second"),
        equal=True,
        empty="Test images and memory entries on a plane",
        reading="Stars are entries; lines lead from the selected entry to what it corrects",
        gestures=_LOOK,
    ),
    Table(
        "gain",
        title="Before and after",
        empty="Accuracy without and with the memory",
        reading="All test images, and those a correction reached",
    ),
    Table(
        "harm",
        title="Harm report",
        entity="image",
        empty="Images the memory made wrong",
        reading="The entries that harm most come first",
        gestures=_LOOK,
    ),
    Lines(
        "review",
        title="Review queue",
        entity="detector",
        x=Axis("images reviewed"),
        y=Axis("share of mistakes found"),
        empty="How many mistakes are found by reviewing first what a detector flags first",
        reading="The steeper, the fewer images a person must look at",
    ),
    Lines(
        "roc",
        title="ROC",
        entity="detector",
        x=Axis("share of right answers flagged"),
        y=Axis("share of mistakes found"),
        empty="All detectors of mistakes, with the point of the threshold",
        reading="Upper left is better; the diagonal is chance",
    ),
    Lines(
        "precision",
        title="Precision and recall",
        entity="detector",
        x=Axis("share of mistakes found"),
        y=Axis("share of mistakes among the flagged"),
        empty="Precision of each detector at every recall",
    ),
    Table(
        "detectors",
        title="Detectors",
        entity="detector",
        empty="AUROC and average precision of each detector",
    ),
    Lines(
        "budget",
        title="Budget",
        entity="memory",
        x=Axis("corrections remembered"),
        y=Axis("class accuracy"),
        empty="Accuracy against the number of corrections",
    ),
    Panel("thresholds", title="Thresholds", empty="What is flagged and what is corrected, by distance"),
    Lines(
        "training",
        title="Training",
        entity="curve",
        x=Axis("epoch"),
        y=Axis("validation accuracy"),
        right=Axis("concept loss"),
        empty="Accuracy and loss by epoch",
    ),
)
LAYOUT = (
    Row((Cell(("images", "harm"), 1.12), Cell(("concepts", "why"))), 1.2),
    Row(
        (
            Cell(("map", "review", "roc", "precision"), 1.2),
            Cell(("budget", "thresholds", "gain", "detectors", "training")),
        )
    ),
)


def _scalar(name: str, meaning: str, digits: int = 3, unit: str = "") -> Scalar:
    return Scalar("{scenario}." + name, meaning, unit, digits)


SCALARS = (
    _scalar("class_before", "class accuracy on test images without the memory"),
    _scalar("class_after", "class accuracy on test images with the memory"),
    _scalar("class_gain", "rise of class accuracy by the memory"),
    _scalar("concept_before", "concept accuracy without the memory"),
    _scalar("concept_after", "concept accuracy with the memory"),
    _scalar("identified", "test images a correction was applied to", 1, "images"),
    _scalar("identified_before", "class accuracy of those images without the memory"),
    _scalar("identified_after", "class accuracy of those images with the memory"),
    _scalar("repaired", "test images repaired by the memory", 1, "images"),
    _scalar("made_wrong", "test images made wrong by the memory", 1, "images"),
    _scalar("entries", "corrections in the memory", 1, "entries"),
    _scalar("fine_tuned", "class accuracy after fine-tuning on the same corrections instead"),
    _scalar("t_a", "distance below which a correction is applied"),
    _scalar("t_d", "distance up to which an image is flagged"),
    _scalar("auroc.{detector}", "area under the ROC of telling right from wrong predictions"),
    _scalar("precision.{detector}", "average precision of finding wrong predictions"),
    Scalar("review.images", "flagged images reviewed during the run", "images", 0),
    Scalar("review.corrections", "corrections remembered in the review", "entries", 0),
    Scalar("review.gain", "rise of class accuracy of images not corrected by hand, by the review"),
)
TABLES = (
    ResultTable(
        "gains",
        "accuracy without and with the memory, one row per scenario and seed",
        {
            "scenario": "scenario",
            "seed": "seed",
            "class_before": "class accuracy without the memory",
            "class_after": "class accuracy with the memory",
            "concept_before": "concept accuracy without the memory",
            "concept_after": "concept accuracy with the memory",
            "identified": "test images a correction was applied to (images)",
            "identified_before": "their class accuracy without the memory",
            "identified_after": "their class accuracy with the memory",
            "repaired": "images repaired (images)",
            "made_wrong": "images made wrong (images)",
            "fine_tuned": "class accuracy after fine-tuning on the corrections instead",
            "entries": "corrections in the memory (entries)",
            "t_a": "application threshold",
            "t_d": "detection threshold",
            "k": "neighbours of the detection",
        },
    ),
    ResultTable(
        "detectors",
        "how well each detector finds mistakes, one row per scenario, seed and detector",
        {
            "scenario": "scenario",
            "seed": "seed",
            "detector": "detector",
            "auroc": "area under the ROC",
            "average_precision": "average precision of finding mistakes",
            "f1": "F1 of finding mistakes at the chosen threshold, where there is one",
        },
    ),
    ResultTable(
        "review",
        "the review, one row per image",
        {
            "number": "number in the review",
            "image": "image",
            "verdict": "remembered or right",
            "reached": "test images corrected by the memory afterwards (images)",
            "accuracy": "class accuracy afterwards, images corrected by hand left out",
        },
    ),
    ResultTable(
        "images",
        "every test image of the first scenario and seed",
        {
            "image": "image",
            "true_class": "true class",
            "before": "class without the memory",
            "with_memory": "class with the memory",
            "state": "right, still wrong, repaired, made wrong or corrected by hand",
            "distance": "distance to the k-th nearest entry",
            "softmax": "largest class probability without the memory",
            "flagged": "1 where the image is flagged",
            "entry": "number of the entry applied, 0 for none",
        },
    ),
)


def _action(name: str, title: str, help: str, arguments: type, edits: bool = True) -> Action:
    return Action(
        name=name, title=title, help=help, apply=f"{_HERE}.actions:{name}", arguments=arguments, edits=edits
    )


ACTIONS = (
    _action(
        "select_image", "Look at an image", "Show an image's concepts and its nearest entries", At, False
    ),
    _action("set_concept", "Set a concept", "Say what the selected image shows", SetConcept),
    _action("keep_entry", "Remember or forget", "Keep a correction, or take it out of the memory", KeepEntry),
    _action("judge", "Accept or reject", "Say whether a correction fits the image", Judge),
    _action("move_t_a", "Move t_a", "Apply corrections within another distance", MoveTo),
    _action("move_t_d", "Move t_d", "Flag images within another distance", MoveTo),
    _action("move_k", "Move k", "Flag by the distance to another neighbour", MoveTo),
    _action("move_groups", "Groups applied", "Apply more or fewer groups of a correction", MoveTo),
    _action("set_mode", "Thresholds", "Chosen on held-out data, or by hand", Mode),
    Action(
        name="save_memory",
        title="Save the memory",
        help="Write the memory as JSON and NPZ",
        apply=f"{_HERE}.actions:save_memory",
        button="Save memory",
        exports=True,
    ),
)

METHOD = Method(
    "concept_memory",
    title="Concept bottleneck memory",
    area="Trust",
    sentence="Correct a concept once; similar images follow.",
    paper=PAPER,
    parameters=Parameters,
    presets=(
        Preset("quick", {}, data="digits", help="Coloured digits, one seed, then correct what you like"),
        Preset("default", {"scenario": "both", "seeds": 5}, data="digits", help="Both scenarios, five seeds"),
        Preset(
            "review", {"reviewer": "you"}, data="digits", help="The run asks you about ten flagged images"
        ),
        Preset(
            "shapes",
            {"scenario": "plain", "epochs": 30},
            data="shapes_confounded",
            help="Five concept groups, a stripe that goes with warm colours",
        ),
        Preset(
            "paper",
            {
                "scenario": "both",
                "seeds": 5,
                "epochs": 20,
                "rate": 1e-3,
                "head": "minibatches",
                "head_steps": 20,
                "head_rate": 1e-3,
                "search_k": True,
            },
            help="Published step sizes and counts, for the full MNIST of your own",
        ),
    ),
    data=(ConceptImagesKind(),),
    sets=SETS,
    views=VIEWS,
    layout=LAYOUT,
    scalars=SCALARS,
    tables=TABLES,
    run=f"{_HERE}.run:run",
    preview=f"{_HERE}.preview:preview",
    check=f"{_HERE}.check:check",
    estimate=f"{_HERE}.check:estimate",
    oracle=f"{_HERE}.review:oracle",
    actions=ACTIONS,
    warm=(
        "torch",
        "scipy.spatial.distance",
        "sklearn.linear_model",
        "sklearn.metrics",
        "sklearn.pipeline",
        f"{_HERE}.run",
        f"{_HERE}.bottleneck:warm",
    ),
    gallery="map",
)
