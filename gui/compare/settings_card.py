"""Which settings differ: only those at first, all when asked; keys can be left out."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.core.comparison.comparison import Comparison
from engine.core.comparison.differences import SettingLine, only_differences
from gui.theme.theme import theme
from gui.widgets.button import Button
from gui.widgets.card import Card
from gui.widgets.data_table import DataTable
from gui.widgets.table_column import Column

_GROUPS = {"parameters": "", "data": "data", "environment": "environment"}


class SettingsCard(Card):
    """Parameters first, then what is of the data and of the environment; cells that differ are marked."""

    ignored_changed = Signal(object)
    """The keys left out from now on, a frozenset."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Differences", tools=(), parent=parent)
        self.comparison: Comparison | None = None
        self.lines: list[SettingLine] = []
        self.ignored: frozenset[str] = frozenset()
        self.marked = ""
        self.table = DataTable(name="Differences")
        self.all_button = Button("", "ghost", "caret-right")
        self.ignore_button = Button("Leave out", "ghost", "eye-slash")
        self.back_button = Button("", "ghost", "eye")
        self._everything = False
        self._fill()
        self.all_button.clicked.connect(self._toggle)
        self.ignore_button.clicked.connect(self.leave_out_chosen)
        self.back_button.clicked.connect(lambda: self.set_ignored(frozenset()))
        self.table.selection_changed.connect(lambda _: self._show_buttons())

    def show_comparison(self, comparison: Comparison) -> None:
        """Show the settings of these runs."""
        self.comparison = comparison
        self.refresh()

    def set_ignored(self, keys: frozenset[str]) -> None:
        """Leave these keys out, in this and in later comparisons."""
        self.ignored = keys
        self.ignored_changed.emit(keys)
        self.refresh()

    def leave_out_chosen(self) -> None:
        """Leave out the keys of the selected rows."""
        chosen = {self.lines[row].key for row in self.table.selection() if row < len(self.lines)}
        if chosen:
            self.set_ignored(self.ignored | chosen)

    def mark(self, letter: str) -> None:
        """The column of this side stands out; empty for none."""
        self.marked = letter
        self.refresh()

    def refresh(self) -> None:
        """Show the present state."""
        if self.comparison is None:
            return
        whole = self.comparison.settings(self.ignored)
        different = only_differences(whole)
        self.lines = whole if self._everything else different
        parameters = [line for line in whole if line.group == "parameters"]
        count = sum(line.differs for line in parameters)
        self.set_caption(f"{count} of {len(parameters)} parameters")
        self.table.set_columns(self._columns())
        equal = len(whole) - len(different)
        self.all_button.setText("Only what differs" if self._everything else f"{equal} equal")
        self.all_button.set_icon("caret-down" if self._everything else "caret-right")
        self._show_buttons()

    def _columns(self) -> list[Column]:
        assert self.comparison is not None
        lines = self.lines
        differing = frozenset(row for row, line in enumerate(lines) if line.differs)
        names = [_GROUPS[line.group] for line in lines]
        columns = [Column("Setting", [line.title for line in lines], bold=[line.differs for line in lines])]
        for place, side in enumerate(self.comparison.sides):
            marked = [side.letter == self.marked] * len(lines)
            values = [line.values[place] for line in lines]
            columns.append(Column(side.letter, values, noted=differing, bold=marked, tip=side.name))
        if any(names):
            columns.append(Column("Of", names, tone="text_tertiary"))
        return columns

    def _toggle(self) -> None:
        self._everything = not self._everything
        self.refresh()

    def _show_buttons(self) -> None:
        nothing = "" if self.table.selection() else "Choose rows of the table first."
        self.ignore_button.set_blocked(nothing)
        count = len(self.ignored)
        self.back_button.setVisible(bool(count))
        self.back_button.setText(f"{count} left out")

    def _fill(self) -> None:
        body = QWidget()
        row = QHBoxLayout()
        row.setContentsMargins(theme().px(4), 0, theme().px(4), 0)
        row.setSpacing(theme().px(4))
        row.addWidget(self.all_button)
        row.addStretch(1)
        row.addWidget(self.back_button)
        row.addWidget(self.ignore_button)
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, theme().px(4))
        column.setSpacing(0)
        column.addWidget(self.table, 1)
        column.addLayout(row)
        self.set_body(body)
