"""A switch that is a row of words where there is room, and a drop-down list where there is none."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.widgets.choice_field import ChoiceField
from gui.widgets.option import Option, as_options
from gui.widgets.segmented_control import SegmentedControl

MOST_SEGMENTS = 5
NARROW, NARROWEST = 112, 48
ARROW = 44
"""Room of a list's arrow and edges beside its words."""


class CompactSwitch(QWidget):
    """One of several words; the same value in both forms."""

    value_changed = Signal(object)

    def __init__(self, options: Iterable[Option | str], value: object, *, name: str = "") -> None:
        super().__init__()
        offered = as_options(options)
        self.segments = SegmentedControl(offered, value, small=True, name=name)
        self.list = ChoiceField(offered, value, name=name)
        self.list.setFixedWidth(theme().px(NARROW))
        # Its words are as high as it likes to be itself: without two more they hide its lower edge.
        self.segments.setFixedHeight(self.segments.sizeHint().height() + 2)
        self._words = [option.label for option in offered]
        self._always_list = len(offered) > MOST_SEGMENTS
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.segments)
        row.addWidget(self.list)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(theme().px(TOKENS.size.control))
        self.segments.value_changed.connect(self._take)
        self.list.value_changed.connect(self._take)
        self.set_compact(False)

    def value(self) -> object:
        """The chosen word's value."""
        return self.segments.value()

    def set_value(self, value: object) -> None:
        """Choose without a signal."""
        self.segments.set_value(value)
        self.list.set_value(value)

    def full_width(self) -> int:
        """Width of the row of words."""
        return self.list.width() if self._always_list else self.segments.sizeHint().width()

    def list_width(self) -> int:
        """Width that the list needs for its longest word."""
        metrics = QFontMetrics(theme().font("body"))
        longest = max((metrics.horizontalAdvance(word) for word in self._words), default=0)
        return max(theme().px(NARROW), longest + theme().px(ARROW))

    def set_compact(self, compact: bool, room: int = 10_000) -> None:
        """Show the list, in `room` where that is less than it likes to have, or the row of words."""
        compact = compact or self._always_list
        self.list.setFixedWidth(max(theme().px(NARROWEST), min(self.list_width(), room)))
        self.segments.setVisible(not compact)
        self.list.setVisible(compact)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        # Whichever form is on show, also while the card is hidden.
        shown = self.list if self.segments.isHidden() else self.segments
        return QSize(
            shown.width() if shown is self.list else shown.sizeHint().width(), theme().px(TOKENS.size.control)
        )

    def _take(self, value: object) -> None:
        self.set_value(value)
        self.value_changed.emit(value)
