"""The switches, sliders and buttons a view's state carries, in the card's title row."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QWidget

from engine.core.views import Button, Control, Slider, Switch, Toggle
from gui.tab.compact_switch import CompactSwitch
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.views.control_fields import slider_place, slider_steps, slider_value
from gui.widgets.button import Button as PushButton
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.label import Label
from gui.widgets.toggle_switch import ToggleSwitch


class ControlStrip(QWidget):
    """Shows controls; rebuilt only when which controls there are changes, so that a drag is not cut short."""

    acted = Signal(str, object)
    """(action, arguments)."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = FlowLayout(self, gap=8, row_gap=4)
        self.set_flowing(False)
        self._shape: tuple[Any, ...] = ()
        self.fields: list[QWidget] = []
        self.hide()

    def show_controls(self, controls: tuple[Control, ...]) -> None:
        """Show these controls with their present values."""
        shape = tuple(_shape(control) for control in controls)
        if shape != self._shape:
            self._rebuild(controls)
            self._shape = shape
        for control, widget in zip(controls, self.fields, strict=True):
            _set(control, widget)
        self.setVisible(bool(controls))

    def set_flowing(self, flowing: bool) -> None:
        """On a line of its own the controls may wrap; beside the title they stand in its middle."""
        grows = QSizePolicy.Policy.Minimum if flowing else QSizePolicy.Policy.Fixed
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, grows)
        policy.setHeightForWidth(flowing)
        self.setSizePolicy(policy)

    def full_width(self) -> int:
        """Width of all controls side by side."""
        widths = [
            _full_width(item.widget())
            for place in range(self._row.count())
            if (item := self._row.itemAt(place))
        ]
        return sum(widths) + 8 * max(0, len(widths) - 1)

    def set_room(self, width: int) -> None:
        """Show as lists the switches whose words do not fit in `width`."""
        for field in self.fields:
            if isinstance(field, CompactSwitch):
                field.set_compact(field.full_width() > width)

    def _rebuild(self, controls: tuple[Control, ...]) -> None:
        while self._row.count():
            item = self._row.takeAt(0)
            if item is not None and (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.fields = [self._field(control) for control in controls]

    def _field(self, control: Control) -> QWidget:
        if isinstance(control, Switch):
            return self._switch(control)
        if isinstance(control, Slider):
            return self._slider(control)
        if isinstance(control, Toggle):
            toggle = ToggleSwitch(control.label, control.value, name=control.label)
            toggle.setFixedHeight(theme().px(TOKENS.size.control))
            toggle.value_changed.connect(lambda on: self._send(control, control.argument, on))
            self._row.addWidget(toggle)
            return toggle
        button = PushButton(control.label)
        button.clicked.connect(lambda: self.acted.emit(control.action, dict(control.arguments)))
        self._row.addWidget(button)
        return button

    def _switch(self, control: Switch) -> QWidget:
        field = CompactSwitch(control.options, control.value, name=control.label)
        field.value_changed.connect(lambda option: self._send(control, control.argument, option))
        self._row.addWidget(field)
        return field

    def _slider(self, control: Slider) -> QWidget:
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setRange(0, slider_steps(control))
        slider.setFixedWidth(120)
        slider.setAccessibleName(control.label)
        slider.setToolTip(control.label)
        slider.valueChanged.connect(
            lambda place: self._send(control, control.argument, slider_value(control, place))
        )
        box = QWidget()
        box.setFixedHeight(theme().px(TOKENS.size.control))
        row = QHBoxLayout(box)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(Label(control.label, "small", "secondary"))
        row.addWidget(slider)
        self._row.addWidget(box)
        return slider

    def _send(self, control: Control, argument: str, value: object) -> None:
        if not self.signalsBlocked():
            self.acted.emit(control.action, {argument: value})


def _full_width(widget: QWidget | None) -> int:
    if isinstance(widget, CompactSwitch):
        return widget.full_width()
    return widget.sizeHint().width() if widget is not None else 0


def _set(control: Control, widget: QWidget) -> None:
    """Show the control's value without calling its action."""
    widget.blockSignals(True)
    try:
        if isinstance(control, Slider):
            if not widget.isSliderDown():  # type: ignore[attr-defined]
                widget.setValue(slider_place(control))  # type: ignore[attr-defined]
            widget.setToolTip(f"{control.label} {control.value:g} {control.unit}".strip())
        elif isinstance(control, Button):
            widget.set_blocked("" if control.enabled else control.reason)  # type: ignore[attr-defined]
        elif widget.value() != control.value:  # type: ignore[attr-defined]
            widget.set_value(control.value)  # type: ignore[attr-defined]
    finally:
        widget.blockSignals(False)


def _shape(control: Control) -> tuple[Any, ...]:
    if isinstance(control, Switch):
        return (control.action, control.argument, control.label, control.options)
    if isinstance(control, Slider):
        return (control.action, control.argument, control.label, control.low, control.high, control.step)
    return (control.action, control.label)
