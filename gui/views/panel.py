"""Switches, sliders and buttons in groups."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLayout, QScrollArea, QVBoxLayout, QWidget

from engine.core.views import Button, Panel, PanelState, Slider, Switch, Toggle
from gui.views.control_fields import ButtonFieldRow, Field, SliderFieldRow, identity, make_field
from gui.views.drawing import DataTable, Drawing
from gui.views.ticks import value_words
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.label import Label

_COLUMN = 240


class PanelDrawing(Drawing):
    """Controls by group, in as many columns as fit. Fields stay while their values change."""

    view: Panel
    state: PanelState

    def __init__(self, view: Panel, parent: QWidget | None = None) -> None:
        super().__init__(view, parent)
        self.fields: list[Field] = []
        self._shape: tuple[Any, ...] = ()
        self._columns = 1
        self._notes: dict[str, Label] = {}
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.viewport().setProperty("ground", "surface")
        self.set_body(self._area)

    def refresh(self) -> None:
        """Show the values; fields are made again only for other controls."""
        controls = self.state.controls
        shape = tuple(identity(control) for control in controls)
        if shape != self._shape:
            self._shape = shape
            self._rebuild()
        for field, control in zip(self.fields, controls, strict=True):
            field.show_control(control)  # type: ignore[arg-type]
        said = dict(self.state.notes)
        for name, label in self._notes.items():
            label.setText(said.get(name, ""))
            label.setVisible(bool(said.get(name)))

    def _rebuild(self) -> None:
        page = QWidget()
        page.setProperty("ground", "surface")
        column = QVBoxLayout(page)
        column.setContentsMargins(12, 4, 12, 12)
        column.setSpacing(12)
        self.fields = self._fields(self.fields)
        self._notes = {}
        groups: dict[str, list[Field]] = {}
        for control, field in zip(self.state.controls, self.fields, strict=True):
            groups.setdefault(getattr(control, "group", ""), []).append(field)
        for name, fields in groups.items():
            if name:
                column.addWidget(Label(name, "small", "tertiary"))
            column.addLayout(self._arranged(fields))
            self._notes[name] = Label("", "caption", "tertiary", wrap=True)
            column.addWidget(self._notes[name])
        column.addStretch(1)
        self._area.setWidget(page)

    def _fields(self, before: list[Field]) -> list[Field]:
        """A field for every control; sliders that were there before stand for the new ones."""
        free = [field for field in before if isinstance(field, SliderFieldRow)]
        fields: list[Field] = []
        for control in self.state.controls:
            if isinstance(control, Slider) and free:
                slider = free.pop(0)
                slider.become(control)
                fields.append(slider)
            else:
                fields.append(make_field(control, self._tell))
        return fields

    def _arranged(self, fields: list[Field]) -> QLayout:
        """Buttons one after another, other fields in columns."""
        if all(isinstance(field, ButtonFieldRow) for field in fields):
            row = FlowLayout(gap=8, row_gap=8)
            for field in fields:
                row.addWidget(field)
            return row
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(8)
        for place, field in enumerate(fields):
            grid.addWidget(field, place // self._columns, place % self._columns)
        for place in range(self._columns):
            grid.setColumnStretch(place, 1)
        return grid

    def _tell(self, action: str, arguments: dict[str, Any]) -> None:
        self.control.emit((action, arguments))

    def resizeEvent(self, event: Any) -> None:
        """More columns where there is room."""
        super().resizeEvent(event)
        columns = max(1, self.width() // _COLUMN)
        if columns != self._columns:
            self._columns = columns
            if self.state is not None:
                self._rebuild()
                self.refresh()

    def describe(self) -> str:
        """Every control with its value."""
        if self.state is None:
            return super().describe()
        return f"{self.view.title}: " + "; ".join(
            f"{label} {value}".rstrip() for label, value in zip(*self.data_table()[1], strict=True)
        )

    def data_table(self) -> DataTable:
        """Labels and values."""
        labels, values = [], []
        for control in self.state.controls if self.state else ():
            labels.append(control.label)
            if isinstance(control, Slider):
                values.append(f"{value_words(control.value)} {control.unit}".rstrip())
            elif isinstance(control, Toggle):
                values.append("on" if control.value else "off")
            elif isinstance(control, Switch):
                values.append(control.value)
            elif isinstance(control, Button):
                values.append("" if control.enabled else f"not available: {control.reason}".rstrip(": "))
        return ["control", "value"], [labels, values]
