"""How a file of text is taken apart: separator, decimal sign, header, encoding; a change reads at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.core.data.kinds import TEXT_SUFFIXES
from engine.core.errors import PapertabError
from gui.tab.experiment import Experiment
from gui.widgets.choice_field import ChoiceField
from gui.widgets.label import Label
from gui.widgets.option import Option

SETTINGS: tuple[tuple[str, str, tuple[Option, ...]], ...] = (
    (
        "separator",
        "Separator",
        (
            Option("auto", "found"),
            Option(",", "comma"),
            Option(";", "semicolon"),
            Option("\t", "tab"),
            Option(" ", "blank"),
            Option("|", "bar"),
        ),
    ),
    ("decimal", "Decimal", (Option("auto", "found"), Option(".", "point"), Option(",", "comma"))),
    (
        "header",
        "Header",
        (
            Option("auto", "found"),
            Option("none", "no header"),
            *(Option(line, f"line {line}") for line in range(1, 11)),
        ),
    ),
    (
        "encoding",
        "Encoding",
        (
            Option("auto", "found"),
            *(Option(name, name) for name in ("utf-8", "utf-16", "cp1252", "iso8859-15", "cp1251", "cp932")),
        ),
    ),
)


class ReadingLine(QWidget):
    """One field per setting; shown for files of text only."""

    told = Signal(str)

    def __init__(self, experiment: Experiment, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.experiment = experiment
        self.fields: dict[str, ChoiceField] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        for key, title, options in SETTINGS:
            field = ChoiceField(options, "auto", name=title)
            field.value_changed.connect(lambda value, key=key: self._set(key, value))
            self.fields[key] = field
            label = Label(title, "small", "secondary")
            label.setBuddy(field)
            place = QVBoxLayout()
            place.setSpacing(2)
            place.addWidget(label)
            place.addWidget(field)
            row.addLayout(place, 1)

    def fill(self) -> None:
        """Show what is set; what was found stands beside "found"."""
        data = self.experiment.data
        suffix = Path(data.source).suffix.lower()
        self.setVisible(data.is_file and suffix in (*TEXT_SUFFIXES, ""))
        for key, _, options in SETTINGS:
            present: Any = getattr(data.options, key)
            offered = [self._found(option, key) if option.value == "auto" else option for option in options]
            if present not in [option.value for option in offered]:
                offered.append(Option(present, str(present)))
            self.fields[key].set_options(offered, present)

    def _found(self, option: Option, key: str) -> Option:
        loaded = self.experiment.data.loaded
        if self.experiment.data.error is not None or loaded is None:
            return option
        report = loaded.report
        found = {
            "separator": report.separator,
            "decimal": report.decimal,
            "header": report.header_line,
            "encoding": report.encoding,
        }[key]
        words = {each.value: each.label for each in self._options_of(key)}
        if key == "header" and not found:
            found = "none"
        named = words.get(found, f"{found}") if found else ""
        return Option("auto", f"found: {named}") if named else option

    def _options_of(self, key: str) -> tuple[Option, ...]:
        return next(options for name, _, options in SETTINGS if name == key)

    def _set(self, key: str, value: object) -> None:
        try:
            self.experiment.data.set_option(key, value)
        except PapertabError as error:
            self.told.emit(str(error))
