"""What the actions of the tab take."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import create_model

from engine.core.parameters import MethodParameters, field

MOST_SLIDERS = 64
"""So many tasks (or groups of equal tasks) have a slider of their own."""

MOST_TOGGLES = 80
"""So many irrelevant models have a switch of their own."""


class Metric(MethodParameters):
    """Which rank distance the trade-off, the sweep and the null show."""

    metric: Literal["τ-distance", "MRC"] = field("τ-distance", help="Which rank distance is shown")


class Open(MethodParameters):
    """A board of the trade-off."""

    id: int = field(0, ge=0, help="Number of the board in the trade-off")


class Pair(MethodParameters):
    """A pair of the overtake matrix, or (to take it back) the change that was there before."""

    row: int = field(-1, help="Row of the model that is to lie above")
    column: int = field(-1, help="Column of the model that is to lie below")
    change: str = field("", max_length=60_000, help="A change as JSON, in place of a pair")


class EditScore(MethodParameters):
    """A cell of the score table."""

    id: int = field(0, ge=0, help="Row of the model")
    column: str = field("", max_length=400, help="Name of the task")
    value: float | None = field(None, help="The new score; empty is missing")


class Flip(MethodParameters):
    """A row of the table of flips."""

    id: int = field(0, ge=0, help="Number of the flip")


class _Move(MethodParameters):
    to: Literal["", "worst τ-distance", "worst MRC", "original"] = field(
        "", help="Go to the worst change found, or back to the original"
    )
    change: str = field("", max_length=60_000, help="A change as JSON, in place of a single control")


def _fields() -> dict[str, Any]:
    sliders: dict[str, Any] = {
        f"task_{k}": (float | None, field(None, ge=0, le=1, help=f"Spread factor of slider {k}"))
        for k in range(MOST_SLIDERS)
    }
    toggles: dict[str, Any] = {
        f"model_{k}": (bool | None, field(None, help=f"Whether irrelevant model {k} is on the board"))
        for k in range(MOST_TOGGLES)
    }
    return sliders | toggles


Move: type[MethodParameters] = create_model(
    "Move", __base__=_Move, __doc__="A slider, a switch or a button of the weights.", **_fields()
)
