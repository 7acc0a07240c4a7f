"""Ctrl+K: jump to anything by its name."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPropertyAnimation, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGraphicsOpacityEffect, QHBoxLayout, QListView, QVBoxLayout, QWidget

from gui.theme.sheet import repolish
from gui.theme.theme import EASING, theme
from gui.theme.tokens import TOKENS
from gui.widgets.announce import announce
from gui.widgets.box import paint_box
from gui.widgets.focus_ring import set_focus_ring
from gui.widgets.keycap import keycap_width, paint_keycap
from gui.widgets.label import Label
from gui.widgets.palette_items import Found, PaletteItem, find_items
from gui.widgets.palette_list import PaletteDelegate, PaletteModel
from gui.widgets.search_field import SearchField
from gui.widgets.toast import floating_shadow

_WIDTH, _TOP, _SEARCH, _FOOT, _TALLEST = 640, 128, 50, 36, 420
_MARGIN = 24


class _Keys(QWidget):
    """The keys of the palette at its foot."""

    _LINES = ((("↑", "↓"), "move"), (("↵",), "open"), (("Ctrl ↵",), "open in a second window"))

    def sizeHint(self) -> QSize:
        return QSize(theme().px(360), theme().px(_FOOT))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            left, middle = 0.0, self.height() / 2
            for keys, words in self._LINES:
                for key in keys:
                    left += keycap_width(key)
                    paint_keycap(painter, left, middle, key)
                    left += theme().px(4)
                painter.setFont(theme().font("small"))
                painter.setPen(theme().colour("text_tertiary"))
                width = painter.fontMetrics().horizontalAdvance(words)
                box = QRect(round(left), 0, width + 4, self.height())
                painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, words)
                left += width + theme().px(16)
        finally:
            painter.end()


class _Panel(QWidget):
    """The box that floats over the window."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            radius = theme().px(TOKENS.radius.popover)
            paint_box(painter, self.rect(), radius, "sunken")
            foot = theme().px(_FOOT)
            upper = self.rect().adjusted(0, 0, 0, -foot)
            painter.setClipRect(upper)
            paint_box(painter, self.rect(), radius, "raised")
            painter.setClipping(False)
            line = theme().colour("border")
            painter.fillRect(QRect(0, theme().px(_SEARCH), self.width(), 1), line)
            painter.fillRect(QRect(0, self.height() - foot, self.width(), 1), line)
            paint_box(painter, self.rect(), radius, "", theme().outline_colour())
        finally:
            painter.end()


class CommandPalette(QWidget):
    """Lies over its window with a scrim; closes on Escape, on a click beside it, and on a choice."""

    chosen = Signal(object, bool)
    """The item with this key was chosen; True if it should open in a second window."""
    closed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._items: tuple[PaletteItem, ...] = ()
        self._before: QWidget | None = None
        self.setAccessibleName("Command palette")
        self._panel = _Panel(self)
        self._search = SearchField("Method, data set, run or action", bare=True)
        self._search.set_hint("Esc")
        self._model = PaletteModel()
        self._list = QListView()
        self._list.setModel(self._model)
        self._list.setItemDelegate(PaletteDelegate(self._list))
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setMouseTracking(True)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setAccessibleName("Matches")
        repolish(self._list, "ground", "raised")
        set_focus_ring(self._search, "none")
        self._count = Label("", "small", "tertiary", tabular=True)
        self._lay_out()
        floating_shadow(self._panel)
        self._search.textChanged.connect(self._on_text)
        self._search.moved.connect(self._move)
        self._search.installEventFilter(self)
        self._list.entered.connect(self._list.setCurrentIndex)
        self._list.clicked.connect(lambda index: self._choose(index, second=False))
        window.installEventFilter(self)
        self.hide()

    def open(self, items: Iterable[PaletteItem], text: str = "") -> None:
        """Show the palette over these items."""
        self._items = tuple(items)
        self._before = self._window.focusWidget()
        self.setGeometry(self._window.rect())
        self._search.setText(text)
        self._on_text(text)
        self.show()
        self.raise_()
        self._search.setFocus(Qt.FocusReason.PopupFocusReason)
        self._fade_in()

    def close_palette(self) -> None:
        """Close without a choice; the focus goes back to where it was."""
        self.hide()
        if self._before is not None:
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)
            self._before = None
        self.closed.emit()

    def found(self) -> list[PaletteItem]:
        """Items on show, from top to bottom."""
        return [row.item for row in self._model.rows if isinstance(row, Found)]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Resize and self.isVisible():
            self.setGeometry(self._window.rect())
            self._fit()
        if watched is self._search and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._on_key(event)
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._panel.geometry().contains(event.position().toPoint()):
            self.close_palette()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.fillRect(self.rect(), QColor(theme().colours.scrim))
        finally:
            painter.end()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self._panel)
        column.setContentsMargins(1, 0, 1, 0)
        column.setSpacing(0)
        top = QHBoxLayout()
        top.setContentsMargins(theme().px(15), 0, theme().px(9), 0)
        top.addWidget(self._search)
        foot = QHBoxLayout()
        foot.setContentsMargins(theme().px(16), 0, theme().px(16), 0)
        foot.addWidget(_Keys(), 1)
        foot.addWidget(self._count)
        column.addLayout(top)
        column.addSpacing(theme().px(4))
        column.addWidget(self._list, 1)
        column.addSpacing(theme().px(4))
        column.addLayout(foot)

    def _on_key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape:
            self.close_palette()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            second = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            self._choose(self._list.currentIndex(), second=second)
        else:
            return False
        return True

    def _on_text(self, text: str) -> None:
        groups = find_items(self._items, text)
        self._model.set_groups(groups)
        places = self._model.items()
        if places:
            self._list.setCurrentIndex(self._model.index(places[0]))
        self._count.setText(f"{len(places)} of {len(self._items)}")
        announce(self, f"{len(places)} matches")
        self._fit()

    def _move(self, way: int) -> None:
        places = self._model.items()
        if not places:
            return
        now = self._list.currentIndex().row()
        place = places.index(now) if now in places else -way
        index = self._model.index(places[(place + way) % len(places)])
        self._list.setCurrentIndex(index)
        self._list.scrollTo(index)
        announce(self, str(self._model.data(index, Qt.ItemDataRole.AccessibleTextRole)))

    def _choose(self, index: QModelIndex, *, second: bool) -> None:
        row = self._model.rows[index.row()] if index.isValid() else None
        if isinstance(row, Found):
            self.close_palette()
            self.chosen.emit(row.item.key, second)

    def _fit(self) -> None:
        """Give the panel the height of what it shows, within the window."""
        rows = sum(self._list.sizeHintForRow(place) for place in range(self._model.rowCount()))
        rows = min(max(rows, theme().px(TOKENS.size.palette_item)), theme().px(_TALLEST))
        height = theme().px(_SEARCH + _FOOT + 8) + rows
        width = min(theme().px(_WIDTH), self.width() - 2 * theme().px(_MARGIN))
        top = min(theme().px(_TOP), max(theme().px(_MARGIN), self.height() - height - theme().px(_MARGIN)))
        height = min(height, self.height() - top - theme().px(_MARGIN))
        self._panel.setGeometry((self.width() - width) // 2, top, width, height)

    def _fade_in(self) -> None:
        duration = theme().duration(TOKENS.motion.popover_ms)
        if not duration:
            return
        veil = QGraphicsOpacityEffect(self)
        self.setGraphicsEffect(veil)
        motion = QPropertyAnimation(veil, b"opacity", self)
        motion.setEasingCurve(EASING)
        motion.setDuration(duration)
        motion.setStartValue(0.0)
        motion.setEndValue(1.0)
        # The effect costs a copy of the window at each paint: it goes as soon as it is not needed.
        motion.finished.connect(lambda: self.setGraphicsEffect(None))  # type: ignore[arg-type]
        motion.start(QPropertyAnimation.DeletionPolicy.DeleteWhenStopped)
