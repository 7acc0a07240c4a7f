"""The field for the values of one varied parameter: typed as a list or range, or chosen."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from engine.core.errors import PapertabError
from engine.core.method import Method
from engine.core.parameters import FieldSpec
from engine.core.sweeps.grid import parse_values
from gui.tab.editors import options
from gui.widgets.option import Option
from gui.widgets.several_field import SeveralField
from gui.widgets.text_field import TextField

CHOSEN = ("choice", "toggle")
"""Kinds whose values are ticked, not typed."""


def values_field(method: Method, spec: FieldSpec, values: tuple[Any, ...]) -> QWidget:
    """The field of `spec`, showing `values`."""
    if spec.kind in CHOSEN:
        offered = options(spec) if spec.kind == "choice" else [Option(True, "yes"), Option(False, "no")]
        return SeveralField(offered, values, at_least=1, name=f"Values of {spec.title}")

    def check(text: str) -> str:
        return problem_of(method, spec, text)

    name = f"Values of {spec.title}"
    return TextField(as_text(spec, values), placeholder=hint(spec), check=check, name=name)


def values_of(spec: FieldSpec, held: Any) -> tuple[Any, ...]:
    """The values a valid field holds."""
    return tuple(held) if spec.kind in CHOSEN else parse_values(spec, str(held))


def problem_of(method: Method, spec: FieldSpec, text: str) -> str:
    """What is wrong with the typed values; empty if nothing."""
    try:
        values = parse_values(spec, text)
    except PapertabError as error:
        return str(error)
    wrong = (found for value in values for found in method.parameters.problems({spec.name: value}))
    return next((str(found) for found in wrong), "")


def hint(spec: FieldSpec) -> str:
    """How values are typed."""
    if spec.kind in ("integer", "number"):
        return "1, 2, 5 or low:high:count"
    return "values separated by semicolons"


def as_text(spec: FieldSpec, values: tuple[Any, ...]) -> str:
    """Values as they are typed."""
    separator = ", " if spec.kind in ("integer", "number") else "; "
    return separator.join(_typed(value) for value in values)


def _typed(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(_typed(item) for item in value)
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)
