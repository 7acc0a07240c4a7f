"""The field of a form for each kind of parameter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QWidget

from engine.core.parameters import FieldSpec
from gui.widgets.choice_field import ChoiceField
from gui.widgets.number_field import NumberField
from gui.widgets.option import Option
from gui.widgets.path_field import PathField
from gui.widgets.range_field import RangeField
from gui.widgets.segmented_control import SegmentedControl
from gui.widgets.several_field import SeveralField
from gui.widgets.text_field import TextField
from gui.widgets.toggle_switch import ToggleSwitch

SEGMENTS = 3
SEGMENT_LETTERS = 22
"""Up to three short words are segments; more are a drop-down list."""


COLUMN_LETTERS = 16
"""Longer labels stand in one column."""


def editor(spec: FieldSpec, value: Any) -> QWidget:
    """The widget that edits `spec`, showing `value`."""
    if spec.optional:
        return _optional(spec, value)
    return _EDITORS[spec.kind](spec, value)


def options(spec: FieldSpec) -> list[Option]:
    """The choices of a field in words."""
    return [Option(choice, spec.label(choice)) for choice in spec.choices]


def shown(spec: FieldSpec, value: Any) -> Any:
    """A parameter's value as its field holds it."""
    if spec.optional:
        return "" if value is None else f"{value}"
    return tuple(value) if spec.kind in ("several", "range") else value


def meant(spec: FieldSpec, held: Any) -> Any:
    """The parameter's value for what the field holds."""
    if spec.optional or spec.kind in ("text", "path"):
        return spec.parse(held)
    return held


def _number(spec: FieldSpec, value: Any) -> QWidget:
    return NumberField(
        value, whole=spec.integer, minimum=spec.low, maximum=spec.high, unit=spec.unit, name=spec.title
    )


def _choice(spec: FieldSpec, value: Any) -> QWidget:
    offered = options(spec)
    letters = sum(len(option.label) for option in offered)
    if len(offered) <= SEGMENTS and letters <= SEGMENT_LETTERS:
        return SegmentedControl(offered, value, name=spec.title)
    return ChoiceField(offered, value, name=spec.title)


def _several(spec: FieldSpec, value: Any) -> QWidget:
    offered = options(spec)
    longest = max((len(option.label) for option in offered), default=0)
    return SeveralField(offered, value, columns=1 if longest > COLUMN_LETTERS else 2, name=spec.title)


def _range(spec: FieldSpec, value: Any) -> QWidget:
    low, high = value
    return RangeField(
        low, high, whole=spec.integer, minimum=spec.low, maximum=spec.high, unit=spec.unit, name=spec.title
    )


def _toggle(spec: FieldSpec, value: Any) -> QWidget:
    return ToggleSwitch("", bool(value), name=spec.title)


def _text(spec: FieldSpec, value: Any) -> QWidget:
    return TextField(value, name=spec.title)


def _path(spec: FieldSpec, value: Any) -> QWidget:
    return PathField(value, name=spec.title)


def _optional(spec: FieldSpec, value: Any) -> QWidget:
    def check(text: str) -> str:
        found = spec.parse(text)
        return f"“{text}” is not {spec.allowed()}." if isinstance(found, str) else ""

    return TextField(shown(spec, value), placeholder="no limit", check=check, name=spec.title)


_EDITORS: dict[str, Callable[[FieldSpec, Any], QWidget]] = {
    "integer": _number,
    "number": _number,
    "toggle": _toggle,
    "choice": _choice,
    "several": _several,
    "range": _range,
    "text": _text,
    "path": _path,
}
