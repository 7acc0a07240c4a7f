"""Presets as one exclusive row of chips, with a way to keep the present values under a name."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.theme.typeset import typeset
from gui.widgets.box import paint_box
from gui.widgets.exclusive_button import ExclusiveButton
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.option import Option, as_options


def _chip_size(button: QAbstractButton) -> QSize:
    width = button.fontMetrics().horizontalAdvance(button.text()) + theme().px(20)
    return QSize(width, theme().px(TOKENS.size.chip))


def _paint_chip(button: QAbstractButton, *, chosen: bool, dashed: bool) -> None:
    painter = QPainter(button)
    try:
        pressed, over = button.isDown(), button.underMouse()
        ground = "accent_soft" if chosen else "pressed" if pressed else "hover" if over else "surface"
        outline = theme().colour("accent") if chosen else theme().outline_colour()
        token = "accent_text" if chosen else "text_secondary"
        if not button.isEnabled():
            ground, outline, token = "sunken", theme().colour("border"), "text_disabled"
        radius = button.height() / 2
        paint_box(painter, button.rect(), radius, ground, outline, 1.5 if chosen else 1.0, dashed)
        painter.setPen(theme().colour(token))
        painter.setFont(theme().font("small", weight=500 if chosen else 0))
        painter.drawText(button.rect(), Qt.AlignmentFlag.AlignCenter, button.text())
    finally:
        painter.end()


class _Chip(ExclusiveButton):
    """One preset."""

    def __init__(self, option: Option, parent: QWidget) -> None:
        super().__init__(option, parent)
        typeset(self, "small", weight=500)

    def sizeHint(self) -> QSize:
        return _chip_size(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        _paint_chip(self, chosen=self.isChecked(), dashed=False)


class _OwnChip(QAbstractButton):
    """Dashed chip that asks for a name."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setText("Own…")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setToolTip("Save the present values as a preset of your own")
        self.setAccessibleName("Save as own preset")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        typeset(self, "small", weight=500)

    def sizeHint(self) -> QSize:
        return _chip_size(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        _paint_chip(self, chosen=False, dashed=True)


class PresetChips(QWidget):
    """Exclusive row of presets; it wraps where there is no room."""

    chosen = Signal(object)
    """The person chose the preset with this value."""
    own_requested = Signal()
    """The person wants to keep the present values under a name."""

    def __init__(
        self,
        options: Iterable[Option | str],
        value: object = None,
        *,
        own: bool = True,
        name: str = "Presets",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._flow = FlowLayout(self, gap=4, row_gap=6)
        self._chips: list[_Chip] = []
        self._own = _OwnChip(self)
        self._own.setVisible(own)
        self._own.clicked.connect(self.own_requested)
        self.set_options(options, value)

    def set_options(self, options: Iterable[Option | str], value: object = None) -> None:
        """Offer other presets and choose the one with ``value``, without a signal."""
        while self._flow.takeAt(0) is not None:
            pass
        for chip in self._chips:
            # Out of the row at once: until it is deleted it would still take part in the exclusion.
            chip.setParent(None)
            chip.deleteLater()
        self._chips = [_Chip(option, self) for option in as_options(options)]
        for chip in self._chips:
            self._flow.addWidget(chip)
            chip.clicked.connect(self._on_click)
            chip.show()
        self._flow.addWidget(self._own)
        self.set_value(value)

    def value(self) -> object:
        """Value of the chosen preset, None if none is chosen."""
        return next((chip.option.value for chip in self._chips if chip.isChecked()), None)

    def set_value(self, value: object) -> None:
        """Choose the preset with this value without a signal; None chooses none."""
        for chip in self._chips:
            chip.setAutoExclusive(False)
            chip.setChecked(value is not None and chip.option.value == value)
            chip.setAutoExclusive(True)

    def _on_click(self) -> None:
        self.chosen.emit(self.value())
