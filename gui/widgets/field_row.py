"""A field with its label, its sign of change, and the line below it."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.widgets.announce import announce
from gui.widgets.field import Field
from gui.widgets.label import Label

Note = Literal["error", "warning", "info"]
TYPING_PAUSE_MS = 600
"""Time without typing after which an error is shown while the field still has focus."""
_TONES: dict[Note, str] = {"error": "danger", "warning": "warning", "info": "tertiary"}
_DOT, _DOT_ROOM = 6, 12
_GAP = 8


class _ChangedDot(QAbstractButton):
    """Accent dot; a click sets the field back."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(24), theme().px(24))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().colour("accent_hover" if self.underMouse() else "accent"))
            reach = theme().px(_DOT) / 2
            painter.drawEllipse(QPointF(reach, self.height() / 2), reach, reach)
        finally:
            painter.end()


class FieldRow(QWidget):
    """Label at left, field at right; a label that does not fit stands above.

    Errors of the field show when it is left or after a pause in typing, and vanish at once when mended.
    What the form finds is given by ``set_note``; the field's own error goes before it.
    """

    reset_requested = Signal()
    """The person wants the preset's value back."""

    def __init__(
        self, label: str, field: QWidget, *, help_text: str = "", above: bool = False, width: int = 0
    ) -> None:
        """Make the row.

        Args:
            label: noun, two words if possible.
            field: a ``Field``.
            help_text: shown on hover and read out.
            above: label above the field, as for check boxes and long text.
            width: fixed width of the field in logical px, 0 to fill the row.
        """
        super().__init__()
        assert isinstance(field, Field)
        self.field = field
        self._widget = field
        self._name = label
        self._help = help_text
        self._note: tuple[str, Note] = ("", "info")
        self._reason = ""
        self._shown_problem = ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._label = Label(label, "body", "secondary")
        self._above = above or self._label.sizeHint().width() > theme().px(TOKENS.size.form_label)
        if self._above:
            self._label = Label(label, "small", "secondary")
        self._label.setBuddy(field)
        self._below = Label("", "caption", wrap=True)
        self._below.hide()
        self._dot = _ChangedDot(self)
        self._dot.hide()
        self._dot.setAccessibleName(f"Reset {label}")
        self._lay_out(width)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TYPING_PAUSE_MS)
        self._pause.timeout.connect(self._show_problem)
        self._dot.clicked.connect(self.reset_requested)
        field.problem_changed.connect(self._on_problem)
        field.left.connect(self._show_problem)
        if not field.accessibleName():
            field.setAccessibleName(label)
        self._show_problem()
        self._describe()

    def set_changed(self, changed: bool, preset: str = "") -> None:
        """Show that the value differs from the preset's, ``preset`` in words."""
        self._dot.setVisible(changed)
        self._dot.setToolTip(f"Changed from {preset}. Click to set it back." if preset else "Set it back")
        self._label.setIndent(theme().px(_DOT_ROOM) if changed else 0)
        self._dot.raise_()
        self._place_dot()

    def set_note(self, text: str, kind: Note = "error") -> None:
        """Show what the form found about this field: an error, a warning, or a remark; empty removes it."""
        self._note = (text, kind)
        self._refresh()

    def set_blocked(self, reason: str) -> None:
        """Disable the field and say why below it, or enable it with an empty reason."""
        self._reason = reason
        self._widget.setEnabled(not reason)
        self._label.setEnabled(True)
        self._refresh()
        self._describe()

    def message(self) -> str:
        """The line below the field."""
        return self._below.text() if not self._below.isHidden() else ""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_dot()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._size_label()

    def _lay_out(self, width: int) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme().px(4))
        direction = QBoxLayout.Direction.TopToBottom if self._above else QBoxLayout.Direction.LeftToRight
        row = QBoxLayout(direction)
        row.setSpacing(theme().px(4 if self._above else _GAP))
        top = Qt.AlignmentFlag.AlignTop
        row.addWidget(self._label, 0, Qt.AlignmentFlag(0) if self._above else top)
        if width:
            self._widget.setFixedWidth(theme().px(width))
            row.addWidget(self._widget, 0, Qt.AlignmentFlag.AlignLeft)
        else:
            row.addWidget(self._widget, 1)
        column.addLayout(row)
        column.addWidget(self._below)
        self._size_label()

    def _size_label(self) -> None:
        if not self._above:
            self._label.setFixedSize(theme().px(TOKENS.size.form_label), theme().px(TOKENS.size.control))
            indent = theme().px(TOKENS.size.form_label + _GAP)
            self._below.setContentsMargins(indent, 0, 0, 0)

    def _place_dot(self) -> None:
        side = self._dot.sizeHint()
        middle = self._label.geometry().center().y()
        self._dot.setGeometry(self._label.x(), middle - side.height() // 2, side.width(), side.height())

    def _on_problem(self, problem: str) -> None:
        if not problem:
            self._pause.stop()
            self._shown_problem = ""
            self._refresh()
        elif self._shown_problem:
            self._shown_problem = problem
            self._refresh()
        else:
            self._pause.start()

    def _show_problem(self) -> None:
        self._pause.stop()
        problem = self.field.problem()
        if problem != self._shown_problem:
            self._shown_problem = problem
            self._refresh()
            announce(self, f"{self._name}: {problem}" if problem else "")

    def _refresh(self) -> None:
        text, kind = self._note
        if self._shown_problem:
            text, kind = self._shown_problem, "error"
        elif self._reason:
            text, kind = self._reason, "info"
        self._below.setText(text)
        self._below.set_tone(_TONES[kind])
        self._below.setVisible(bool(text))
        self.field.set_state(kind if text and kind != "info" else "")
        self._describe()

    def _describe(self) -> None:
        said = " ".join(part for part in (self._help, self._below.text()) if part)
        self._label.setToolTip(self._help)
        if self._reason or self._help:
            self._widget.setToolTip(self._reason or self._help)
        self._widget.setAccessibleDescription(said)
