"""The declaration of the trial."""

from __future__ import annotations

from typing import Literal

from engine.core.data.datasets import DataSet
from engine.core.data.kinds import TableKind
from engine.core.method import Cell, Method, Paper, Preset, Row, Scalar
from engine.core.parameters import MethodParameters, When, field
from engine.core.views import Axis, Lines


class Parameters(MethodParameters):
    """Of a trial."""

    x: float = field(1.0, ge=-100, le=100, help="Where the parabola is looked at", unit="m")
    noise: float = field(0.1, ge=0, le=10, help="Standard deviation of the result")
    rows: int = field(3, ge=1, le=100_000, help="Rows taken")
    naps: int = field(0, ge=0, le=10_000, help="Hundredths of a second it takes")
    kind: Literal["plain", "faulty", "deadly"] = field("plain", help="What happens")
    cured: str = field(
        "",
        path=True,
        help="Once this file is there, nothing goes wrong",
        when=When("kind", ("faulty", "deadly")),
    )


SQUARES = DataSet(
    name="squares",
    title="Squares",
    description="150 numbers and their squares",
    kind=TableKind(),
    loader="tests.sweep_methods.trial.data:squares",
    origin="generated",
)

METHOD = Method(
    "trial",
    title="Trial",
    area="Optimisation",
    sentence="A parabola with noise.",
    paper=Paper(
        title="Parabola",
        authors="Apollonius",
        short="Apollonius",
        venue="Conics",
        year=-200,
        url="https://example.org",
        bibtex="@misc{a}",
    ),
    parameters=Parameters,
    presets=(Preset("quick"),),
    data=(TableKind(),),
    sets=(SQUARES,),
    views=(Lines("level", title="Level", x=Axis("nap"), y=Axis("height", "m"), empty="Naps"),),
    layout=(Row((Cell(("level",)),)),),
    scalars=(Scalar("height", "x² with noise", "m"), Scalar("side", "on which side x lies")),
    run="tests.sweep_methods.trial.run:run",
    check="tests.sweep_methods.trial.run:check",
    estimate="tests.sweep_methods.trial.run:estimate",
)
