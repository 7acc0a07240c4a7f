"""The declaration of the random walk."""

from __future__ import annotations

from typing import Literal

from engine.core.data.embedded import IRIS
from engine.core.data.kinds import TableKind
from engine.core.method import (
    Action,
    Cell,
    Method,
    Paper,
    Preset,
    ResultTable,
    Row,
    Scalar,
)
from engine.core.parameters import MethodParameters, field, range_field
from engine.core.views import Axis, Lines, Scatter


class Parameters(MethodParameters):
    """Of a walk."""

    steps: int = field(50, ge=1, le=100_000, unit="steps", help="How long the walk is")
    scale: float = field(1.0, gt=0, le=100, help="Standard deviation of one step")
    kind: Literal["simple", "lazy"] = field("simple", help="Whether the walker may stay", title="Kind")
    window: tuple[int, int] = range_field((2, 10), ge=1, le=100, help="Steps summed up", group="advanced")
    ask: bool = field(False, help="Ask before the last step", group="advanced")


class Goal(MethodParameters):
    """Where the goal is moved to."""

    name: str = field("goal", help="Which level")
    value: float = field(1.0, help="Where to")


METHOD = Method(
    "walk",
    title="Random walk",
    area="Optimisation",
    sentence="A walk with independent steps.",
    paper=Paper(
        title="The problem of the random walk",
        authors="Karl Pearson",
        short="Pearson, Nature 1905",
        venue="Nature",
        year=1905,
        url="https://doi.org/10.1038/072294b0",
        bibtex="@article{pearson1905, title={The problem of the random walk}, year={1905}}",
    ),
    parameters=Parameters,
    presets=(Preset("quick"), Preset("default", {"steps": 200}), Preset("paper", {"steps": 5_000})),
    data=(TableKind(),),
    sets=(IRIS,),
    views=(
        Lines(
            "path",
            title="Path",
            entity="walker",
            x=Axis("step"),
            y=Axis("position", "cm"),
            empty="The path grows here",
            gestures={"drag-level": "move_goal"},
        ),
        Scatter("data", title="Data", entity="point", x=Axis("first"), y=Axis("second"), empty="The rows"),
    ),
    layout=(Row((Cell(("path",)), Cell(("data",)))),),
    scalars=(
        Scalar("final", "position after the last step", "cm"),
        Scalar("largest.{part}", "largest position within a part of the walk", "cm"),
    ),
    tables=(ResultTable("steps", "every tenth position", {"step": "number of the step", "position": "cm"}),),
    run="tests.example_methods.walk.run:run",
    preview="tests.example_methods.walk.run:preview",
    check="tests.example_methods.walk.run:check",
    actions=(
        Action(
            name="move_goal",
            title="Move the goal",
            help="Drag the goal to another height",
            edits=True,
            arguments=Goal,
            apply="tests.example_methods.walk.run:move_goal",
        ),
    ),
)
