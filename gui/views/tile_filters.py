"""The row over an image grid: chips that filter, with counts, and the order to choose."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.core.views import ImageGridState
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.views.tile_delegate import TONES
from gui.widgets.box import paint_box
from gui.widgets.choice_field import ChoiceField
from gui.widgets.exclusive_button import ExclusiveButton
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.option import Option

ALL = "all"
_DOT = 8
_ORDERS = 150


class FilterChip(ExclusiveButton):
    """A filter's name, its count, and the dot of the state its images share."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(Option(name, name), parent)
        self.count, self.tone = 0, ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_count(self, count: int, tone: str) -> None:
        """Another number of images, another state."""
        self.count, self.tone = count, tone
        self.setText(self.words())
        self.setAccessibleName(f"{self.option.label}, {count:,} images")
        self.updateGeometry()
        self.update()

    def words(self) -> str:
        """Name and count."""
        return f"{self.option.label} {self.count:,}"

    def sizeHint(self) -> QSize:
        dot = theme().px(_DOT + 6) if self.tone else 0
        metrics = QFontMetrics(theme().font("small", tabular=True, weight=500))
        return QSize(
            metrics.horizontalAdvance(self.words()) + dot + theme().px(20), theme().px(TOKENS.size.chip)
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Chip, dot, words."""
        painter = QPainter(self)
        try:
            chosen = self.isChecked()
            ground = "accent_soft" if chosen else "hover" if self.underMouse() else "surface"
            outline = theme().colour("accent") if chosen else theme().outline_colour()
            paint_box(painter, self.rect(), self.height() / 2, ground, outline, 1.5 if chosen else 1.0)
            left = theme().px(10)
            if self.tone:
                size = theme().px(_DOT)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme().colour(self.tone))
                painter.drawEllipse(QPointF(left + size / 2, self.height() / 2), size / 2, size / 2)
                left += size + theme().px(6)
            painter.setPen(theme().colour("accent_text" if chosen else "text_secondary"))
            painter.setFont(theme().font("small", tabular=True, weight=500 if chosen else 0))
            painter.drawText(
                self.rect().adjusted(left, 0, 0, 0),
                Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft,
                self.words(),
            )
        finally:
            painter.end()


class TileFilters(QWidget):
    """Chips and orders; hidden where a state has neither."""

    changed = Signal()
    """Another filter or order was chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chips: list[FilterChip] = []
        self._flow = FlowLayout(self, gap=6, row_gap=4)
        self._flow.setContentsMargins(12, 0, 12, 6)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.orders = ChoiceField([], name="Order of the images")
        self.orders.setFixedWidth(theme().px(_ORDERS))
        self.orders.setToolTip("Order of the images")
        self._flow.addWidget(self.orders)
        self.orders.value_changed.connect(lambda _: self.changed.emit())
        self._shape: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self.hide()

    def filter(self) -> str:
        """Name of the chosen filter; empty for all."""
        chosen = next((chip.option.label for chip in self.chips if chip.isChecked()), ALL)
        return "" if chosen == ALL else chosen

    def order(self) -> str:
        """Name of the chosen order; empty for the state's own."""
        return str(self.orders.value() or "")

    def show_state(self, state: ImageGridState) -> None:
        """Offer the state's filters and orders; what was chosen stays chosen while it is offered."""
        shape = (tuple(one.name for one in state.filters), tuple(one.name for one in state.orders))
        if shape != self._shape:
            self._rebuild(state, shape)
        counts = {one.name: (len(one.places), one.mark) for one in state.filters}
        for chip in self.chips:
            count, mark = counts.get(chip.option.label, (state.count, None))
            chip.show_count(count, "" if mark is None else TONES[state.marks[mark].tone])
        self.setVisible(bool(state.filters or state.orders))
        self.orders.setVisible(bool(state.orders))

    def choose(self, filter: str) -> None:
        """Choose a filter by name, as a click does."""
        for chip in self.chips:
            if chip.option.label == (filter or ALL) and not chip.isChecked():
                chip.click()

    def _rebuild(self, state: ImageGridState, shape: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
        fresh = shape[0] != self._shape[0] and not self._shape[0]
        wanted = (state.filter if fresh else self.filter()) or ALL
        order = self.order() if self.order() in shape[1] else state.order
        self._shape = shape
        while self._flow.takeAt(0) is not None:
            pass
        for chip in self.chips:
            chip.setParent(None)
            chip.deleteLater()
        names = (ALL, *shape[0]) if shape[0] else ()
        self.chips = [FilterChip(name, self) for name in names]
        for chip in self.chips:
            self._flow.addWidget(chip)
            chip.setChecked(chip.option.label == wanted)
            chip.clicked.connect(self.changed)
            chip.show()
        self._flow.addWidget(self.orders)
        if self.chips and not any(chip.isChecked() for chip in self.chips):
            self.chips[0].setChecked(True)
        self.orders.set_options(shape[1], order if order in shape[1] else None)
