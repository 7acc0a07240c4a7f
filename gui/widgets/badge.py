"""A state in one or two words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme.icons import paint_icon
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.widgets.box import paint_box

Tone = Literal["neutral", "accent", "success", "warning", "danger"]
_COLOURS: dict[Tone, tuple[str, str]] = {
    "neutral": ("sunken", "text_secondary"),
    "accent": ("accent_soft", "accent_text"),
    "success": ("success_soft", "success"),
    "warning": ("warning_soft", "warning"),
    "danger": ("danger_soft", "danger"),
}
_ICON = 12


@dataclass(frozen=True, slots=True)
class BadgeLook:
    """Tone and sign of a badge; a sign goes with every tone that says something good or bad."""

    tone: Tone
    icon: str = ""


LOOKS: dict[str, BadgeLook] = {
    "finished": BadgeLook("success", "check"),
    "running": BadgeLook("accent"),
    "queued": BadgeLook("neutral"),
    "stopped": BadgeLook("neutral"),
    "paused": BadgeLook("neutral", "pause-fill"),
    "interrupted": BadgeLook("warning", "warning"),
    "failed": BadgeLook("danger", "x"),
    "waiting": BadgeLook("accent", "hand-palm"),
    "exact": BadgeLook("success"),
    "bracket": BadgeLook("neutral"),
    "live": BadgeLook("accent"),
    "history": BadgeLook("neutral", "clock-counter-clockwise"),
    "partial": BadgeLook("warning", "warning"),
    "good": BadgeLook("success", "check"),
    "doubtful": BadgeLook("warning", "warning"),
    "bad": BadgeLook("danger", "x"),
    "neutral": BadgeLook("neutral"),
    "accent": BadgeLook("accent"),
}
"""States by name; the word on the badge is the caller's."""


def badge_width(text: str, state: str) -> int:
    """Width of a badge, logical px."""
    words = QFontMetrics(theme().font("caption", weight=500)).horizontalAdvance(text)
    return words + theme().px(12) + (theme().px(_ICON + 4) if LOOKS[state].icon else 0)


def paint_badge(painter: QPainter, left: float, middle: float, text: str, state: str) -> float:
    """Draw a badge with its left edge at ``left``, centred on the height ``middle``.

    Returns:
        The right edge of the badge.

    Raises:
        KeyError: no state has this name.
    """
    look = LOOKS[state]
    ground, token = _COLOURS[look.tone]
    width, height = badge_width(text, state), theme().px(TOKENS.size.badge)
    box = QRectF(left, middle - height / 2, width, height)
    painter.save()
    outline = theme().outline_colour() if look.tone == "neutral" else None
    paint_box(painter, box, theme().px(TOKENS.radius.badge), ground, outline)
    words = box.adjusted(theme().px(6), 0, 0, 0)
    if look.icon:
        side = theme().px(_ICON)
        paint_icon(painter, QRectF(words.left(), middle - side / 2, side, side), look.icon, token)
        words.setLeft(words.left() + side + theme().px(4))
    painter.setFont(theme().font("caption", weight=500, tabular=True))
    painter.setPen(theme().colour(token))
    painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, text)
    painter.restore()
    return box.right()


class Badge(QWidget):
    """A badge that stands by itself."""

    def __init__(self, text: str = "", state: str = "neutral", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._state = text, state
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_badge(text, state)

    def set_badge(self, text: str, state: str) -> None:
        """Show ``text`` in the look of ``state``; an empty text hides the badge.

        Raises:
            KeyError: no state has this name.
        """
        if state not in LOOKS:
            raise KeyError(f"no badge is called {state!r}")
        self._text, self._state = text, state
        if not text:
            self.hide()
        elif self.isHidden() and self.parentWidget() is not None:
            self.show()
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def text(self) -> str:
        """Word on the badge."""
        return self._text

    def state(self) -> str:
        """Name of the state."""
        return self._state

    def sizeHint(self) -> QSize:
        return QSize(badge_width(self._text, self._state), theme().px(TOKENS.size.badge))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            paint_badge(painter, 0, self.height() / 2, self._text, self._state)
        finally:
            painter.end()
