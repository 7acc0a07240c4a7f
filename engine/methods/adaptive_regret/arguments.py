"""What the actions of the tab take."""

from __future__ import annotations

from engine.core.parameters import MethodParameters, field


class Choose(MethodParameters):
    """One of the options of a switch."""

    value: str = field("", help="The option", max_length=200)


class Number(MethodParameters):
    """A number from a slider."""

    value: float = field(0.0, help="The number")


class Span(MethodParameters):
    """A dragged stretch of rounds."""

    low: float = field(0.0, help="First round")
    high: float = field(0.0, help="Last round")


class Burst(MethodParameters):
    """A burst of noise put into, or taken out of, the stream."""

    low: float = field(0.0, help="First round")
    high: float = field(0.0, help="Last round")
    size: float = field(0.0, ge=0, le=10, help="Standard deviation; 0 takes the slider's")
    remove: bool = field(False, help="Take this burst out again")


class Line(MethodParameters):
    """A line dragged to another round."""

    name: str = field("", help="Which line", max_length=200)
    value: float = field(0.0, help="Round")


class CellAt(MethodParameters):
    """A clicked cell of a map."""

    row: int = field(0, ge=0, help="Row from the top or bottom, from 0")
    column: int = field(0, ge=0, help="Column from the left, from 0")


class Block(MethodParameters):
    """A dragged block of cells, ends included."""

    row_low: int = field(0, ge=0, help="First row")
    row_high: int = field(0, ge=0, help="Last row")
    column_low: int = field(0, ge=0, help="First column")
    column_high: int = field(0, ge=0, help="Last column")
