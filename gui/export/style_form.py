"""The fields of the export dialog: size, type, palette, legend, files."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.core.errors import FieldError
from engine.core.figures import PRESETS, FigureStyle
from engine.core.figures.style import MM_PER_INCH
from gui.export.settings import OWN_SIZE, ExportSettings
from gui.tab.hairline import Hairline
from gui.widgets.choice_field import ChoiceField
from gui.widgets.field_row import FieldRow
from gui.widgets.label import Label
from gui.widgets.number_field import NumberField
from gui.widgets.option import Option
from gui.widgets.path_field import PathField
from gui.widgets.segmented_control import SegmentedControl
from gui.widgets.several_field import SeveralField
from gui.widgets.text_field import TextField
from gui.widgets.wheel_guard import guard_wheel

FILES = (Option("pdf", "PDF"), Option("svg", "SVG"), Option("png", "PNG"), Option("csv", "data CSV"))
EXTRAS = (Option("title", "title"), Option("grid", "grid"))


class StyleForm(QWidget):
    """Shows ``ExportSettings`` and gives them back changed."""

    changed = Signal()

    def __init__(self, settings: ExportSettings, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        style = settings.style
        sizes = [Option(each, each) for each in (*PRESETS, OWN_SIZE)]
        self._unit = settings.unit
        self._filling = False
        self.preset = ChoiceField(sizes, settings.preset, name="Size")
        self.width_field = NumberField(1.0, arrows=False, name="Width")
        self.height_field = NumberField(1.0, arrows=False, name="Height")
        self.unit = SegmentedControl(["in", "mm"], settings.unit, small=True, name="Unit of the size")
        self.font_size = NumberField(style.font_size, minimum=7, maximum=72, unit="pt", name="Text")
        self.line_width = NumberField(style.line_width, minimum=0.1, maximum=20, unit="pt", name="Lines")
        self.marker_size = NumberField(style.marker_size, minimum=0.5, maximum=40, unit="pt", name="Marks")
        self.theme = SegmentedControl(["light", "dark", "print"], style.theme, name="Palette")
        self.legend = SegmentedControl(["none", "top", "right", "inside"], style.legend, name="Legend")
        extras = tuple(each for each in ("title", "grid") if getattr(style, each))
        self.extras = SeveralField(EXTRAS, extras, name="Also show")
        self.files = SeveralField(FILES, settings.formats, name="Files")
        self.dpi = NumberField(style.dpi, whole=True, minimum=36, maximum=2400, unit="dpi", name="PNG at")
        self.folder = PathField(settings.folder, "folder", needed=True, name="Folder")
        self.name = TextField(name, name="Name")
        self._show_size(style)
        self._lay_out()
        self._connect()
        guard_wheel(self)

    def settings(self) -> ExportSettings:
        """What the fields say.

        Raises:
            FieldError: a size or width that cannot be printed.
        """
        per_inch = 1.0 if self._unit == "in" else MM_PER_INCH
        extras: Any = self.extras.value()
        style = FigureStyle(
            width=float(self.width_field.value()) / per_inch,
            height=float(self.height_field.value()) / per_inch,
            dpi=int(self.dpi.value()),
            font_size=float(self.font_size.value()),
            line_width=float(self.line_width.value()),
            marker_size=float(self.marker_size.value()),
            theme=self.theme.value(),  # type: ignore[arg-type]
            legend=self.legend.value(),  # type: ignore[arg-type]
            title="title" in extras,
            grid="grid" in extras,
        )
        return ExportSettings(
            preset=str(self.preset.value()),
            unit=self._unit,
            style=style,
            formats=tuple(str(each) for each in self.files.value()),
            folder=self.folder.value(),
        )

    def _show_size(self, style: FigureStyle) -> None:
        per_inch = 1.0 if self._unit == "in" else MM_PER_INCH
        digits = 3 if self._unit == "in" else 1
        self._filling = True
        self.width_field.set_value(round(style.width * per_inch, digits))
        self.height_field.set_value(round(style.height * per_inch, digits))
        self._filling = False

    def _take_preset(self, preset: object) -> None:
        style = PRESETS.get(str(preset))
        if style is None:
            self.width_field.setFocus()
            return
        self._show_size(style)
        self._filling = True
        for field, value in (
            (self.font_size, style.font_size),
            (self.line_width, style.line_width),
            (self.marker_size, style.marker_size),
            (self.theme, style.theme),
            (self.dpi, style.dpi),
        ):
            field.set_value(value)
        self._filling = False
        self.changed.emit()

    def _take_unit(self, unit: object) -> None:
        try:
            style = self.settings().style
        except FieldError:
            style = FigureStyle()
        self._unit = str(unit)
        self._show_size(style)
        self.changed.emit()

    def _take_size(self, _: object) -> None:
        if not self._filling:
            self.preset.set_value(OWN_SIZE)
            self._tell()

    def _tell(self, _: object = None) -> None:
        if self._filling:
            return
        formats: Any = self.files.value()
        self.dpi.setEnabled("png" in formats)
        self.dpi.setToolTip("" if "png" in formats else "No PNG is chosen")
        self.changed.emit()

    def _connect(self) -> None:
        self.preset.value_changed.connect(self._take_preset)
        self.unit.value_changed.connect(self._take_unit)
        for field in (self.width_field, self.height_field):
            field.value_changed.connect(self._take_size)
        for each in (self.font_size, self.line_width, self.marker_size, self.theme, self.legend, self.extras,
                     self.files, self.dpi, self.folder, self.name):  # fmt: skip
            each.value_changed.connect(self._tell)
        self.dpi.setEnabled("png" in tuple(self.files.value()))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(8)
        column.addWidget(FieldRow("Size", self.preset))
        column.addLayout(self._size_row())
        for label, field in (
            ("Text", self.font_size),
            ("Lines", self.line_width),
            ("Marks", self.marker_size),
            ("Palette", self.theme),
            ("Legend", self.legend),
            ("Also show", self.extras),
        ):
            column.addWidget(FieldRow(label, field))
        column.addWidget(Hairline())
        column.addWidget(FieldRow("Files", self.files))
        column.addWidget(FieldRow("PNG at", self.dpi))
        column.addWidget(Hairline())
        column.addWidget(FieldRow("Folder", self.folder))
        column.addWidget(FieldRow("Name", self.name))
        column.addStretch(1)

    def _size_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addSpacing(96)
        row.addWidget(self.width_field, 1)
        row.addWidget(Label("×", "body", "secondary"))
        row.addWidget(self.height_field, 1)
        row.addWidget(self.unit)
        return row
