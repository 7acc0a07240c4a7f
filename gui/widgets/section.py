"""A titled group of a form that may close up."""

from __future__ import annotations

from PySide6.QtCore import QPropertyAnimation, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.theme.icons import paint_icon
from gui.theme.theme import EASING, theme
from gui.theme.tokens import TOKENS
from gui.theme.typeset import typeset
from gui.widgets.button import IconButton
from gui.widgets.label import Label

_UNBOUND = 16_777_215


class _Title(QAbstractButton):
    """Title with its icon, or with a caret if the section may close."""

    def __init__(self, text: str, icon_name: str, *, collapsible: bool) -> None:
        super().__init__()
        self.setText(text)
        self._icon = icon_name
        self._collapsible = collapsible
        self.setCheckable(collapsible)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if collapsible else Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        typeset(self, "body" if collapsible else "section")

    def sizeHint(self) -> QSize:
        icon = TOKENS.size.icon_small + 6 if self._icon or self._collapsible else 0
        return QSize(theme().px(icon) + self.fontMetrics().horizontalAdvance(self.text()) + 2, theme().px(24))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            name = ("caret-down" if self.isChecked() else "caret-right") if self._collapsible else self._icon
            left = 0
            if name:
                side = theme().px(TOKENS.size.icon_small)
                box = QRectF(0, (self.height() - side) / 2, side, side)
                paint_icon(painter, box, name, "text_secondary")
                left = side + theme().px(6)
            painter.setFont(self.font())
            painter.setPen(theme().colour("text_secondary" if self._collapsible else "text"))
            words = self.rect().adjusted(left, 0, 2, 0)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.text())
        finally:
            painter.end()


class Section(QWidget):
    """Title at left; at right what is out of the ordinary and, if there is one, Reset.

    A section that may close keeps what it holds, closed or open; its title is then quieter, with a caret.
    """

    toggled = Signal(bool)
    """It was opened (True) or closed."""
    reset_requested = Signal()

    def __init__(
        self,
        title: str,
        icon_name: str = "",
        *,
        collapsible: bool = False,
        opened: bool = True,
        resettable: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._title = _Title(title, icon_name, collapsible=collapsible)
        self._note = Label("", "caption", "tertiary")
        self._reset = IconButton("arrow-counter-clockwise", f"Reset {title.lower()}", small=True)
        if not resettable:
            self._reset.hide()
        self._reset.set_blocked("Nothing is changed")
        self._reset.clicked.connect(self.reset_requested)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(theme().px(8))
        head.addWidget(self._title)
        if collapsible:
            head.addWidget(self._note)
        head.addStretch(1)
        if not collapsible:
            head.addWidget(self._note)
        head.addWidget(self._reset)
        self._body = QWidget()
        self._rows = QVBoxLayout(self._body)
        self._rows.setContentsMargins(0, theme().px(4), 0, 0)
        self._rows.setSpacing(theme().px(8))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._body)
        self._motion = QPropertyAnimation(self._body, b"maximumHeight", self)
        self._motion.setEasingCurve(EASING)
        self._motion.finished.connect(self._settle)
        if collapsible:
            self._title.setChecked(opened)
            self._body.setVisible(opened)
            self._title.toggled.connect(self._on_toggle)

    def add(self, widget: QWidget) -> None:
        """Put a row at the end."""
        self._rows.addWidget(widget)

    def set_note(self, text: str) -> None:
        """Say what is out of the ordinary, as "changed: 1"; empty for nothing."""
        self._note.setText(text)
        self._title.setAccessibleDescription(text)

    def set_reset_blocked(self, reason: str) -> None:
        """Disable Reset with a reason, or enable it with an empty one."""
        self._reset.set_blocked(reason)

    def is_open(self) -> bool:
        """Whether the rows can be seen."""
        return not self._title.isCheckable() or self._title.isChecked()

    def set_open(self, opened: bool) -> None:
        """Open or close; nothing happens if the section cannot close."""
        if self._title.isCheckable():
            self._title.setChecked(opened)

    def _on_toggle(self, opened: bool) -> None:
        duration = theme().duration(TOKENS.motion.collapse_ms) if self.isVisible() else 0
        self._motion.stop()
        if opened:
            self._body.setMaximumHeight(0 if duration else _UNBOUND)
            self._body.show()
        if duration:
            full = self._body.sizeHint().height()
            self._motion.setDuration(duration)
            self._motion.setStartValue(0 if opened else self._body.height())
            self._motion.setEndValue(full if opened else 0)
            self._motion.start()
        else:
            self._settle()
        self.toggled.emit(opened)

    def _settle(self) -> None:
        self._body.setMaximumHeight(_UNBOUND)
        self._body.setVisible(self._title.isChecked())
