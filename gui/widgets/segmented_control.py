"""A choice among up to about four short words, all visible."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.theme.typeset import typeset
from gui.widgets.box import one_sided, paint_box
from gui.widgets.exclusive_button import ExclusiveButton
from gui.widgets.option import Option, as_options

_SMALL_HEIGHT = 24


class _Segment(ExclusiveButton):
    """One word of the control."""

    def __init__(self, option: Option, parent: SegmentedControl, *, first: bool, last: bool) -> None:
        super().__init__(option, parent)
        self._first, self._last = first, last
        typeset(self, "small", weight=500)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + theme().px(16), theme().px(22))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + theme().px(8), theme().px(22))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            ground = "accent_soft" if self.isChecked() else "hover" if self.underMouse() else ""
            if self.isChecked() and not self.isEnabled():
                ground = "hover"
            if ground and (self.isEnabled() or self.isChecked()):
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                radius = theme().px(TOKENS.radius.control) - 1
                shape = one_sided(self.rect(), radius, left=self._first, right=self._last)
                painter.fillPath(shape, theme().colour(ground))
            if not self._last:
                line = QRectF(self.width() - 1, 0, 1, self.height())
                painter.fillRect(line, theme().colour("border"))
            token = "accent_text" if self.isChecked() else "text_secondary"
            painter.setFont(theme().font("small", weight=500 if self.isChecked() else 0))
            painter.setPen(theme().colour(token if self.isEnabled() else "text_disabled"))
            words = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width() - 4)
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, words)
        finally:
            painter.end()


class SegmentedControl(QWidget):
    """Row of words of which exactly one holds; a field of a form, or a view's own switch if ``small``."""

    value_changed = Signal(object)
    problem_changed = Signal(str)
    left = Signal()

    def __init__(
        self,
        options: Iterable[Option | str],
        value: object = None,
        *,
        name: str = "",
        small: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._small = small
        self._state = ""
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(1, 1, 1, 1)
        row.setSpacing(0)
        offered = as_options(options)
        self._segments = [
            _Segment(o, self, first=i == 0, last=i == len(offered) - 1) for i, o in enumerate(offered)
        ]
        for segment in self._segments:
            row.addWidget(segment)
            segment.clicked.connect(self._on_click)
            segment.left.connect(self.left)
        self._value = offered[0].value if value is None else value
        self.set_value(self._value)

    def value(self) -> object:
        """Value of the chosen word."""
        return self._value

    def set_value(self, value: object) -> None:
        """Choose the word with this value, without a signal.

        Raises:
            ValueError: no word has this value.
        """
        for segment in self._segments:
            if segment.option.value == value:
                segment.setChecked(True)
                self._value = value
                return
        raise ValueError(f"none of the words stands for {value!r}")

    def set_blocked(self, value: object, reason: str) -> None:
        """Make the word with this value unavailable, with the reason, or available with an empty one."""
        for segment in self._segments:
            if segment.option.value == value:
                segment.set_blocked(reason)

    def problem(self) -> str:
        """Always empty: one of the words holds."""
        return ""

    def set_state(self, state: str) -> None:
        """Outline: empty, ``error`` or ``warning``."""
        self._state = state
        self.update()

    def sizeHint(self) -> QSize:
        width = self._row.sizeHint().width()
        return QSize(width, theme().px(_SMALL_HEIGHT if self._small else TOKENS.size.control))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._row.minimumSize().width(), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            outline = {"error": theme().colour("danger"), "warning": theme().colour("warning")}.get(
                self._state
            )
            if outline is None:
                enabled = self.isEnabled()
                outline = theme().outline_colour() if enabled else theme().colour("border")
            width = 2 if self._state else 1
            ground = "surface" if self.isEnabled() else "sunken"
            paint_box(painter, self.rect(), theme().px(TOKENS.radius.control), ground, outline, width)
        finally:
            painter.end()

    def _on_click(self) -> None:
        chosen = next(s.option.value for s in self._segments if s.isChecked())
        if chosen != self._value:
            self._value = chosen
            self.value_changed.emit(chosen)
