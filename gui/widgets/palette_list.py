"""The list inside the command palette: headings and items with their matched letters in bold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from gui.theme.icons import paint_icon
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.widgets.box import paint_box
from gui.widgets.button import shortcut_text
from gui.widgets.keycap import paint_keycap
from gui.widgets.palette_items import Found
from gui.widgets.table_model import Index

Row = str | Found
"""A heading, or an item."""
_HEADING = 26
_SIDE = 8


class PaletteModel(QAbstractListModel):
    """Headings and found items in one list."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Row] = []

    def set_groups(self, groups: Sequence[tuple[str, Sequence[Found]]]) -> None:
        """Show these groups."""
        self.beginResetModel()
        self.rows = []
        for name, found in groups:
            self.rows += [name, *found]
        self.endResetModel()

    def items(self) -> list[int]:
        """Places of the rows that can be chosen."""
        return [place for place, row in enumerate(self.rows) if isinstance(row, Found)]

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if isinstance(self.rows[index.row()], Found):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.item.title if isinstance(row, Found) else row
        if role == Qt.ItemDataRole.AccessibleTextRole and isinstance(row, Found):
            item = row.item
            said = (item.title, item.note, item.effect, item.shortcut)
            return ", ".join(words for words in said if words)
        return None


class PaletteDelegate(QStyledItemDelegate):
    """Draws headings at 26 px and items at 36 px."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        model = index.model()
        assert isinstance(model, PaletteModel)
        item = isinstance(model.rows[index.row()], Found)
        return QSize(100, theme().px(TOKENS.size.palette_item if item else _HEADING))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        assert isinstance(model, PaletteModel)
        row = model.rows[index.row()]
        rect: QRect = option.rect.adjusted(theme().px(_SIDE), 0, -theme().px(_SIDE), 0)  # type: ignore[attr-defined]
        painter.save()
        if isinstance(row, str):
            painter.setFont(theme().font("caption"))
            painter.setPen(theme().colour("text_tertiary"))
            words = rect.adjusted(theme().px(12), 0, 0, -theme().px(4))
            painter.drawText(words, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, row)
        else:
            current = index.row() == option.widget.currentIndex().row()  # type: ignore[attr-defined]
            if current:
                paint_box(painter, rect, theme().px(TOKENS.radius.control), "accent_soft")
            self._paint_item(painter, rect, row, current=current)
        painter.restore()

    def _paint_item(self, painter: QPainter, rect: QRect, found: Found, *, current: bool) -> None:
        look, item = theme(), found.item
        side, middle = look.px(TOKENS.size.icon), rect.center().y() + 0.5
        paint_icon(
            painter,
            QRectF(rect.left() + look.px(12), middle - side / 2, side, side),
            item.icon,
            "text_secondary",
        )
        right = rect.right() - look.px(12)
        right = self._paint_end(painter, rect, right, item.shortcut, item.effect, current=current)
        left = rect.left() + look.px(12) + side + look.px(10)
        left = _paint_matched(painter, rect, left, found)
        painter.setFont(look.font("small"))
        painter.setPen(look.colour("text_tertiary" if not current else "text_secondary"))
        room = QRect(left + look.px(8), rect.top(), max(0, right - left - look.px(20)), rect.height())
        shown = painter.fontMetrics().elidedText(item.note, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)

    def _paint_end(
        self, painter: QPainter, rect: QRect, right: int, shortcut: str, effect: str, *, current: bool
    ) -> int:
        """Draw what stands at the right and return its left edge."""
        look = theme()
        middle = rect.center().y() + 0.5
        if shortcut:
            return round(paint_keycap(painter, right, middle, shortcut_text(shortcut)))
        if current:
            right = round(paint_keycap(painter, right, middle, "↵")) - look.px(6)
        painter.setFont(look.font("small"))
        painter.setPen(look.colour("text_secondary"))
        width = painter.fontMetrics().horizontalAdvance(effect)
        words = QRect(right - width, rect.top(), width + 2, rect.height())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, effect)
        return right - width


def _paint_matched(painter: QPainter, rect: QRect, left: int, found: Found) -> int:
    """Draw the title with its matched letters in bold accent and return its right edge."""
    plain, bold = theme().font("body"), theme().font("body", weight=600)
    text, matched = found.item.title, set(found.match.positions)
    start = 0
    while start < len(text):
        end, hit = start, start in matched
        while end < len(text) and (end in matched) == hit:
            end += 1
        part = text[start:end]
        painter.setFont(bold if hit else plain)
        painter.setPen(theme().colour("accent_text" if hit else "text"))
        width = QFontMetrics(bold if hit else plain).horizontalAdvance(part)
        painter.drawText(
            QRect(left, rect.top(), width + 4, rect.height()), Qt.AlignmentFlag.AlignVCenter, part
        )
        left += width
        start = end
    return left
