"""Switches, sliders and buttons a view carries. Each triggers an action with one argument set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.core.encoding import word


@word("control.switch")
@dataclass(frozen=True, kw_only=True)
class Switch:
    """One of a few options; choosing one calls `action` with `argument` = the option."""

    action: str
    argument: str
    label: str
    options: tuple[str, ...]
    value: str


@word("control.slider")
@dataclass(frozen=True, kw_only=True)
class Slider:
    """A number between `low` and `high`; moving it calls `action` with `argument` = the number."""

    action: str
    argument: str
    label: str
    low: float
    high: float
    value: float
    step: float = 0.0
    log: bool = False
    unit: str = ""
    group: str = ""


@word("control.toggle")
@dataclass(frozen=True, kw_only=True)
class Toggle:
    """On or off; flipping it calls `action` with `argument` = the new state."""

    action: str
    argument: str
    label: str
    value: bool
    group: str = ""


@word("control.button")
@dataclass(frozen=True, kw_only=True)
class Button:
    """A deed; pressing it calls `action` with `arguments`."""

    action: str
    label: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    enabled: bool = True
    reason: str = ""
    group: str = ""


Control = Switch | Slider | Toggle | Button
