"""The list of tabs under their headings, with the state of each run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QListView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui.theme.icons import paint_icon
from gui.theme.sheet import repolish
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.widgets.box import paint_box
from gui.widgets.focus_ring import set_focus_ring
from gui.widgets.progress import paint_ring
from gui.widgets.table_model import Index

Status = Literal["", "running", "paused", "waiting", "queued", "finished", "failed", "missing"]
_RINGS: dict[Status, str] = {"running": "accent", "paused": "control_border", "waiting": "warning"}
_DOTS: dict[Status, str] = {"finished": "success", "failed": "danger"}
_SIDE, _PAD, _RING, _DOT = 8, 8, 14, 6


@dataclass(frozen=True, slots=True)
class SidebarEntry:
    """One line of the list.

    Attributes:
        key: what is sent back; None for a heading.
        text: title of the tab, or the heading.
        icon: Phosphor icon before the text.
        count: number at the right.
        status: state of the tab's run.
        share: what is done of it, 0 to 1, for the ring.
        tip: tooltip; for a missing extra the command that installs it.
    """

    key: object
    text: str
    icon: str = ""
    count: str = ""
    status: Status = ""
    share: float = 0.0
    tip: str = ""


def heading(text: str) -> SidebarEntry:
    """A line that names a group."""
    return SidebarEntry(None, text)


class SidebarModel(QAbstractListModel):
    """Entries that pass the filter, with the headings that still have one."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[SidebarEntry] = []
        self._filter = ""
        self.shown: list[SidebarEntry] = []

    def set_entries(self, entries: Sequence[SidebarEntry]) -> None:
        """Show other entries."""
        self._entries = list(entries)
        self._arrange()

    def set_filter(self, text: str) -> None:
        """Show only entries whose text contains ``text``, whatever the case."""
        self._filter = text.casefold().strip()
        self._arrange()

    def set_status(self, key: object, status: Status, share: float, count: str | None) -> None:
        """Change the state of one entry; the number at right too unless None."""
        for number, entry in enumerate(self._entries):
            if entry.key == key and key is not None:
                fresh = replace(
                    entry, status=status, share=share, count=entry.count if count is None else count
                )
                self._entries[number] = fresh
                if entry in self.shown:
                    place = self.shown.index(entry)
                    self.shown[place] = fresh
                    self.dataChanged.emit(self.index(place), self.index(place))

    def place_of(self, key: object) -> int:
        """Row of the entry with this key, -1 if it is not on show."""
        return next((n for n, e in enumerate(self.shown) if e.key == key and key is not None), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.shown)

    def flags(self, index: Index) -> Qt.ItemFlag:
        entry = self.shown[index.row()]
        if entry.key is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry = self.shown[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.text
        if role == Qt.ItemDataRole.ToolTipRole:
            return entry.tip or None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = f"{entry.status} {entry.share:.0%}" if entry.status == "running" else entry.status
            return ", ".join(part for part in (entry.text, entry.count, state) if part)
        return None

    def _arrange(self) -> None:
        self.beginResetModel()
        self.shown = []
        pending: SidebarEntry | None = None
        for entry in self._entries:
            if entry.key is None:
                pending = entry
            elif self._filter in entry.text.casefold():
                if pending is not None:
                    self.shown.append(pending)
                    pending = None
                self.shown.append(entry)
        self.endResetModel()


class SidebarDelegate(QStyledItemDelegate):
    """Draws headings and entries with their sign at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        model = index.model()
        assert isinstance(model, SidebarModel)
        if model.shown[index.row()].key is None:
            return QSize(80, theme().px(TOKENS.size.list_header + 4))
        return QSize(80, theme().px(TOKENS.size.list_item))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model, view = index.model(), option.widget  # type: ignore[attr-defined]
        assert isinstance(model, SidebarModel)
        assert isinstance(view, SidebarList)
        entry, look = model.shown[index.row()], theme()
        rect: QRect = option.rect.adjusted(look.px(_SIDE), 0, -look.px(_SIDE), 0)  # type: ignore[attr-defined]
        painter.save()
        if entry.key is None:
            painter.setFont(look.font("caption"))
            painter.setPen(look.colour("text_tertiary"))
            words = rect.adjusted(look.px(_PAD), 0, 0, -look.px(4))
            painter.drawText(words, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, entry.text)
        else:
            current = entry.key == view.current()
            if current or index.row() == view.hovered:
                ground = "accent_soft" if current else "hover"
                paint_box(painter, rect, look.px(TOKENS.radius.control), ground)
            if index.row() == view.ringed():
                half = TOKENS.line.focus / 2
                ring = QRectF(rect).adjusted(half, half, -half, -half)
                paint_box(
                    painter, ring, look.px(TOKENS.radius.control), "", look.colour("focus"), TOKENS.line.focus
                )
            self._paint_entry(painter, rect, entry, current=current)
        painter.restore()

    def _paint_entry(self, painter: QPainter, rect: QRect, entry: SidebarEntry, *, current: bool) -> None:
        look = theme()
        inner = rect.adjusted(look.px(_PAD), 0, -look.px(_PAD), 0)
        token = "text" if current else "text_secondary"
        if entry.status == "missing":
            token = "text_disabled"
        if entry.icon:
            side = look.px(TOKENS.size.icon_small)
            box = QRectF(inner.left(), inner.center().y() - side / 2 + 0.5, side, side)
            paint_icon(painter, box, entry.icon, token)
            inner.setLeft(inner.left() + side + look.px(8))
        inner.setRight(self._paint_sign(painter, inner, entry))
        painter.setFont(look.font("body", weight=500 if current else 0))
        painter.setPen(look.colour(token))
        shown = painter.fontMetrics().elidedText(entry.text, Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, shown)

    def _paint_sign(self, painter: QPainter, inner: QRect, entry: SidebarEntry) -> int:
        """Draw what stands at the right and return where the text must end."""
        look = theme()
        middle = inner.center().y() + 0.5
        if entry.status in _RINGS:
            side = look.px(_RING)
            box = QRectF(inner.right() - side, middle - side / 2, side, side)
            paint_ring(painter, box, entry.share, _RINGS[entry.status])
            return inner.right() - side - look.px(6)
        if entry.status in _DOTS:
            reach = look.px(_DOT) / 2
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.colour(_DOTS[entry.status]))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.drawEllipse(QPointF(inner.right() - reach, middle), reach, reach)
            return inner.right() - look.px(_DOT + 6)
        words = "queued" if entry.status == "queued" else entry.count
        if not words:
            return inner.right()
        painter.setFont(look.font("caption", tabular=True))
        painter.setPen(look.colour("text_tertiary"))
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, words)
        return inner.right() - painter.fontMetrics().horizontalAdvance(words) - look.px(6)


class SidebarList(QListView):
    """Arrows move, Enter or a click opens; headings are passed over."""

    opened = Signal(object)
    """The person opened the entry with this key."""

    def __init__(self, *, name: str = "Methods", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = SidebarModel()
        self._current: object = None
        self.hovered = -1
        self.setModel(self._model)
        self.setItemDelegate(SidebarDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.setAccessibleName(name)
        repolish(self, "ground", "sidebar")
        set_focus_ring(self, "none")
        self.entered.connect(self._on_enter)
        self.clicked.connect(self._open)
        self.activated.connect(self._open)

    def set_entries(self, entries: Sequence[SidebarEntry]) -> None:
        """Show these entries; ``heading`` makes the lines between them."""
        self._model.set_entries(entries)

    def set_filter(self, text: str) -> None:
        """Show only entries whose text contains ``text``."""
        self._model.set_filter(text)

    def set_status(self, key: object, status: Status, share: float = 0.0, count: str | None = None) -> None:
        """Show the state of the run of one entry."""
        self._model.set_status(key, status, share, count)

    def current(self) -> object:
        """Key of the entry that is open."""
        return self._current

    def set_current(self, key: object) -> None:
        """Mark an entry as open, without a signal."""
        self._current = key
        place = self._model.place_of(key)
        if place >= 0:
            self.setCurrentIndex(self._model.index(place))
        self.viewport().update()

    def ringed(self) -> int:
        """Row with the keyboard, -1 if the list has not got it by keyboard."""
        keyboard = self.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
        return self.currentIndex().row() if keyboard and self.hasFocus() else -1

    def shown_keys(self) -> list[object]:
        """Keys on show, headings left out."""
        return [entry.key for entry in self._model.shown if entry.key is not None]

    def leaveEvent(self, event: object) -> None:
        super().leaveEvent(event)  # type: ignore[arg-type]
        self._set_hovered(-1)

    def _on_enter(self, index: QModelIndex) -> None:
        self._set_hovered(index.row())

    def _set_hovered(self, place: int) -> None:
        if place != self.hovered:
            self.hovered = place
            self.viewport().update()

    def _open(self, index: QModelIndex) -> None:
        entry = self._model.shown[index.row()]
        if entry.key is not None and entry.key != self._current:
            self._current = entry.key
            self.viewport().update()
            self.opened.emit(entry.key)
