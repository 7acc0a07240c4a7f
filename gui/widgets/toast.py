"""Short reports at the bottom right of the window: what happened, what was kept, one action."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import (
    QEasingCurve,
    QEvent,
    QObject,
    QPoint,
    QPropertyAnimation,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QEnterEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QGraphicsDropShadowEffect, QHBoxLayout, QWidget

from gui.theme.theme import EASING, theme
from gui.theme.tokens import TOKENS
from gui.widgets.announce import announce
from gui.widgets.box import paint_box
from gui.widgets.button import Button, IconButton
from gui.widgets.icon_label import IconLabel
from gui.widgets.label import Label

MOST_TOASTS = 3
_MARGIN, _GAP, _WIDEST = 16, 8, 560


def floating_shadow(widget: QWidget) -> None:
    """Give a floating widget its shadow; slow over live plots, so for floating things only."""
    shadow = QGraphicsDropShadowEffect(widget)
    shadow.setBlurRadius(24)
    shadow.setOffset(0, 6)
    shadow.setColor(QColor(theme().colours.shadow))
    widget.setGraphicsEffect(shadow)


class Toast(QWidget):
    """One report. It goes by itself after six seconds, held by the pointer, unless it carries an error."""

    closed = Signal()

    def __init__(
        self,
        headline: str,
        detail: str = "",
        *,
        icon_name: str = "check-circle",
        error: bool = False,
        action_word: str = "",
        action: Callable[[], object] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._error = error
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground, False)
        self.setAccessibleName(f"{headline} {detail}".strip())
        row = QHBoxLayout(self)
        row.setContentsMargins(theme().px(14), theme().px(8), theme().px(8), theme().px(8))
        row.setSpacing(theme().px(10))
        name, token = ("warning-circle-fill", "danger") if error else (icon_name, "text_secondary")
        words = QHBoxLayout()
        words.setSpacing(theme().px(5))
        words.addWidget(Label(headline, "control"))
        self._detail = Label(detail, "body", "secondary")
        words.addWidget(self._detail)
        row.addWidget(IconLabel(name, token))
        row.addLayout(words)
        row.addSpacing(theme().px(32))
        row.addStretch(1)
        if action_word and action is not None:
            button = Button(action_word)
            button.clicked.connect(lambda _=False: action())
            button.clicked.connect(self.closed)
            row.addWidget(button)
        close = IconButton("x", "Close", small=True)
        close.clicked.connect(self.closed)
        row.addWidget(close)
        self.setMinimumHeight(theme().px(TOKENS.size.toast) - 4)
        self._life = QTimer(self)
        self._life.setSingleShot(True)
        self._life.setInterval(TOKENS.motion.toast_visible_ms)
        self._life.timeout.connect(self.closed)

    def start(self) -> None:
        """Begin to count down, unless it carries an error."""
        if not self._error:
            self._life.start()
        announce(self, self.accessibleName(), urgent=self._error)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._life.stop()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            outline = theme().colour("danger") if self._error else theme().outline_colour()
            paint_box(painter, self.rect(), theme().px(TOKENS.radius.menu), "raised", outline)
        finally:
            painter.end()


class ToastStack(QObject):
    """Keeps up to three toasts in the corner of a window; more push the oldest without an error out."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._toasts: list[Toast] = []
        window.installEventFilter(self)

    def show(
        self,
        headline: str,
        detail: str = "",
        *,
        icon_name: str = "check-circle",
        error: bool = False,
        action_word: str = "",
        action: Callable[[], object] | None = None,
    ) -> Toast:
        """Show a report, newest at the bottom."""
        while len(self._toasts) >= MOST_TOASTS:
            self._close(next((t for t in self._toasts if not t._error), self._toasts[0]))
        toast = Toast(
            headline,
            detail,
            icon_name=icon_name,
            error=error,
            action_word=action_word,
            action=action,
            parent=self._window,
        )
        floating_shadow(toast)
        toast.closed.connect(lambda: self._close(toast))
        self._toasts.append(toast)
        toast.show()
        self._place(entering=toast)
        toast.start()
        return toast

    def toasts(self) -> tuple[Toast, ...]:
        """Toasts on show, oldest first."""
        return tuple(self._toasts)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _close(self, toast: Toast) -> None:
        if toast in self._toasts:
            self._toasts.remove(toast)
            toast.hide()
            toast.deleteLater()
            self._place()

    def _place(self, entering: Toast | None = None) -> None:
        bottom = self._window.height() - theme().px(_MARGIN)
        for toast in reversed(self._toasts):
            room = self._window.width() - 2 * theme().px(_MARGIN)
            width = min(toast.sizeHint().width(), theme().px(_WIDEST), room)
            toast.resize(width, toast.sizeHint().height())
            place = QPoint(self._window.width() - theme().px(_MARGIN) - width, bottom - toast.height())
            duration = theme().duration(TOKENS.motion.toast_ms)
            if toast is entering and duration:
                self._slide(toast, place, duration)
            else:
                toast.move(place)
            toast.raise_()
            bottom -= toast.height() + theme().px(_GAP)

    def _slide(self, toast: Toast, place: QPoint, duration: int) -> None:
        motion = QPropertyAnimation(toast, b"pos", toast)
        motion.setEasingCurve(QEasingCurve(EASING))
        motion.setDuration(duration)
        motion.setStartValue(place + QPoint(0, theme().px(_MARGIN)))
        motion.setEndValue(place)
        motion.start(QPropertyAnimation.DeletionPolicy.DeleteWhenStopped)
