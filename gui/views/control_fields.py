"""One field per control of a panel: shows its value, tells what the hand did."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSlider, QVBoxLayout, QWidget

from engine.core.views import Button, Control, Slider, Switch, Toggle
from gui.views.ticks import value_words
from gui.widgets.button import Button as PushButton
from gui.widgets.choice_field import ChoiceField
from gui.widgets.label import Label
from gui.widgets.segmented_control import SegmentedControl
from gui.widgets.toggle_switch import ToggleSwitch
from gui.widgets.wheel_guard import guard_wheel

Tell = Callable[[str, dict[str, Any]], None]
_STEPS = 200
_SEGMENTS = 4


class ToggleFieldRow(QWidget):
    """On or off, with its word."""

    def __init__(self, control: Toggle, tell: Tell) -> None:
        super().__init__()
        self.control = control
        self.switch = ToggleSwitch(control.label, control.value, name=control.label)
        self.switch.value_changed.connect(lambda on: tell(self.control.action, {self.control.argument: on}))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.switch)
        row.addStretch(1)

    def show_control(self, control: Toggle) -> None:
        """Show the value without telling."""
        self.control = control
        self.switch.set_value(control.value)


class SliderFieldRow(QWidget):
    """A number between two ends: label and value above, slider below."""

    def __init__(self, control: Slider, tell: Tell) -> None:
        super().__init__()
        self.control = control
        self._tell = tell
        self.label = Label("", "small", "secondary")
        self.value = Label("", "small", tabular=True)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        guard_wheel(self.slider)
        self.slider.valueChanged.connect(self._on_moved)
        head = QHBoxLayout()
        head.addWidget(self.label)
        head.addStretch(1)
        head.addWidget(self.value)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self.slider)
        self.become(control)

    def become(self, control: Slider) -> None:
        """Stand for another slider: making widgets anew costs milliseconds each."""
        self.slider.blockSignals(True)
        self.slider.setRange(0, slider_steps(control))
        self.slider.blockSignals(False)
        self.slider.setAccessibleName(control.label)
        self.label.setText(control.label)
        self.show_control(control)

    def show_control(self, control: Slider) -> None:
        """Show the value without telling; a slider in the hand stays where it is."""
        self.control = control
        if not self.slider.isSliderDown():
            self.slider.blockSignals(True)
            self.slider.setValue(slider_place(control))
            self.slider.blockSignals(False)
            self._write(control.value)

    def _on_moved(self, place: int) -> None:
        value = slider_value(self.control, place)
        self._write(value)
        self._tell(self.control.action, {self.control.argument: value})

    def _write(self, value: float) -> None:
        self.value.setText(f"{value_words(value)} {self.control.unit}".rstrip())
        self.slider.setAccessibleDescription(self.value.text())


class SwitchFieldRow(QWidget):
    """One of a few options."""

    def __init__(self, control: Switch, tell: Tell) -> None:
        super().__init__()
        self.control = control
        few = len(control.options) <= _SEGMENTS
        kind: Any = SegmentedControl if few else ChoiceField
        self.field = kind(control.options, control.value, name=control.label)
        self.field.value_changed.connect(
            lambda option: tell(self.control.action, {self.control.argument: option})
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(Label(control.label, "small", "secondary"))
        column.addWidget(self.field)

    def show_control(self, control: Switch) -> None:
        """Show the value without telling."""
        self.control = control
        self.field.set_value(control.value)


class ButtonFieldRow(QWidget):
    """A deed."""

    def __init__(self, control: Button, tell: Tell) -> None:
        super().__init__()
        self.control = control
        self.button = PushButton(control.label)
        self.button.clicked.connect(lambda: tell(self.control.action, dict(self.control.arguments)))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.button)
        row.addStretch(1)
        self.show_control(control)

    def show_control(self, control: Button) -> None:
        """Enabled, or why not."""
        self.control = control
        self.button.set_blocked("" if control.enabled else control.reason or "Not available now")


Field = ToggleFieldRow | SliderFieldRow | SwitchFieldRow | ButtonFieldRow
FIELDS: dict[type, type] = {
    Toggle: ToggleFieldRow,
    Slider: SliderFieldRow,
    Switch: SwitchFieldRow,
    Button: ButtonFieldRow,
}


def make_field(control: Control, tell: Tell) -> Field:
    """The field for a control; ``tell`` gets the action and its arguments."""
    return FIELDS[type(control)](control, tell)  # type: ignore[no-any-return]


def identity(control: Control) -> tuple[Any, ...]:
    """What must be equal for a field to be kept: all but the value."""
    group = getattr(control, "group", "")
    if isinstance(control, Button):
        return (Button, control.action, control.label, group)
    head = (type(control), control.action, control.argument, control.label, group)
    if isinstance(control, Slider):
        return (*head, control.low, control.high, control.step, control.log)
    return (*head, control.options) if isinstance(control, Switch) else head


def slider_steps(control: Slider) -> int:
    """Number of places of a slider."""
    if control.step and not control.log:
        return max(1, round((control.high - control.low) / control.step))
    return _STEPS


def slider_value(control: Slider, place: int) -> float:
    """The number at a place."""
    if control.step and not control.log:
        # Whole steps from the low end: a slider of integers gives integers, without a rounding error.
        return float(min(control.low + place * control.step, control.high))
    share = place / slider_steps(control)
    if control.log:
        return float(control.low * (control.high / control.low) ** share)
    return float(control.low + share * (control.high - control.low))


def slider_place(control: Slider) -> int:
    """The place nearest to the control's number."""
    if control.log:
        share = math.log(control.value / control.low) / math.log(control.high / control.low)
    else:
        share = (control.value - control.low) / ((control.high - control.low) or 1.0)
    return round(min(max(share, 0.0), 1.0) * slider_steps(control))
