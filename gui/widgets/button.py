"""Buttons with a word, and icons that act alone."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QToolButton,
    QWidget,
)

from gui.theme.icons import icon, paint_icon
from gui.theme.sheet import repolish
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.theme.typeset import typeset

Kind = Literal["primary", "secondary", "ghost", "danger"]
_ICON_TOKEN: dict[Kind, str] = {
    "primary": "on_accent",
    "secondary": "text_secondary",
    "ghost": "text_secondary",
    "danger": "danger",
}


class Button(QPushButton):
    """Button with a word and, if wanted, an icon before it.

    ``set_blocked`` disables it and says why; a disabled button without a reason is not offered.
    """

    def __init__(
        self,
        text: str,
        kind: Kind = "secondary",
        icon_name: str = "",
        *,
        large: bool = False,
        tip: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._kind: Kind = kind
        self._tip = tip
        self.setToolTip(tip)
        self.setAccessibleName(text.rstrip("…"))
        self.setAccessibleDescription(tip)
        self.setAutoDefault(False)
        typeset(self, "control")
        self.set_icon(icon_name)
        if large:
            self.setProperty("tall", "true")
        repolish(self, "kind", kind)

    @property
    def kind(self) -> Kind:
        """Primary, secondary, ghost or danger."""
        return self._kind

    def set_kind(self, kind: Kind) -> None:
        """Change the kind; the icon keeps its own colour until set again."""
        self._kind = kind
        repolish(self, "kind", kind)

    def set_icon(self, name: str) -> None:
        """Show the Phosphor icon ``name`` before the word; empty for none."""
        if name:
            self.setIcon(icon(name, _ICON_TOKEN[self._kind]))
            side = theme().px(TOKENS.size.icon)
            # Qt puts the word 4 px behind the icon, the design 7.
            self.setIconSize(QSize(side + theme().px(3), side))

    def set_blocked(self, reason: str) -> None:
        """Disable with a reason in the tooltip, or enable again with an empty one."""
        self.setEnabled(not reason)
        self.setToolTip(reason or self._tip)
        self.setAccessibleDescription(reason or self._tip)


class RunButton(Button):
    """Large primary button whose shortcut stands beside the word."""

    def __init__(
        self, text: str = "Run", icon_name: str = "play-fill", shortcut: str = "Ctrl+Return"
    ) -> None:
        self._glyph = icon_name
        self._hint = ""
        if shortcut:
            self._hint = shortcut_text(shortcut)
        super().__init__(text, "primary", large=True, tip=f"{text} ({self._hint})" if shortcut else "")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if shortcut:
            self.setShortcut(QKeySequence(shortcut))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        try:
            option = QStyleOptionButton()
            self.initStyleOption(option)
            option.text = ""
            painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
            self._paint_contents(painter)
        finally:
            painter.end()

    def _paint_contents(self, painter: QPainter) -> None:
        enabled = self.isEnabled()
        token = "on_accent" if enabled else "text_disabled"
        metrics, small = self.fontMetrics(), theme().font("caption")
        side, gap = theme().px(TOKENS.size.icon), theme().px(6)
        word = metrics.horizontalAdvance(self.text())
        painter.setFont(small)
        hint = painter.fontMetrics().horizontalAdvance(self._hint)
        total = side + gap + word + (theme().px(10) + hint if self._hint else 0)
        left = (self.width() - total) // 2
        box = QRect(left, (self.height() - side) // 2, side, side)
        paint_icon(painter, box, self._glyph, token)
        left += side + gap
        middle = Qt.AlignmentFlag.AlignVCenter
        if self._hint:
            painter.setPen(theme().colour(token, 0.85 if enabled else 1.0))
            painter.drawText(
                QRect(left + word + theme().px(10), 0, hint + 4, self.height()), middle, self._hint
            )
        painter.setFont(self.font())
        painter.setPen(theme().colour(token))
        painter.drawText(QRect(left, 0, word + 4, self.height()), middle, self.text())


class IconButton(QToolButton):
    """Icon that acts alone: it has a tooltip, which names the shortcut, and an accessible name.

    ``outlined`` makes it as high as the large button it stands beside.
    """

    def __init__(
        self,
        icon_name: str,
        name: str,
        shortcut: str = "",
        *,
        checkable: bool = False,
        small: bool = False,
        bind: bool = True,
        outlined: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._name = name
        self._size = TOKENS.size.icon_small if small else TOKENS.size.icon
        self.setProperty("kind", "outlined" if outlined else "icon")
        self.setCheckable(checkable)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # Unbound where many buttons name one key and the window decides which of them it means.
        if shortcut and bind:
            self.setShortcut(QKeySequence(shortcut))
        self._shortcut = shortcut_text(shortcut) if shortcut else ""
        self.setToolTip(f"{name} ({self._shortcut})" if shortcut else name)
        self.set_icon(icon_name)

    def set_icon(self, icon_name: str) -> None:
        """Show another icon."""
        self.setIcon(icon(icon_name, "text_secondary", active="text"))
        side = theme().px(self._size)
        self.setIconSize(QSize(side, side))

    def set_name(self, name: str) -> None:
        """Change what the button is called, as a play button that becomes a pause button."""
        self._name = name
        self.setAccessibleName(name)
        self.setToolTip(f"{name} ({self._shortcut})" if self._shortcut else name)

    def set_blocked(self, reason: str) -> None:
        """Disable with a reason in the tooltip, or enable again with an empty one."""
        self.setEnabled(not reason)
        self.setAccessibleDescription(reason)
        if reason:
            self.setToolTip(reason)
        else:
            self.set_name(self._name)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            side = theme().px(self._size)
            self.setIconSize(QSize(side, side))


def shortcut_text(shortcut: str) -> str:
    """Shortcut as the window writes it: ``Ctrl+Shift+E`` as "Ctrl Shift E", Return as "↵"."""
    native = QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)
    return native.replace("Return", "↵").replace("+", " ") if len(native) > 1 else native
