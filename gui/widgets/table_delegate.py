"""Draws the cells and headings of a table."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui.theme.categories import entity_style
from gui.theme.icons import paint_icon
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.widgets.badge import paint_badge
from gui.widgets.box import paint_box, paint_shape
from gui.widgets.table_column import Column
from gui.widgets.table_model import Index, TableModel

PAD = 10
_MARK, _BAR, _TICK = 9, 6, 16
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class TableDelegate(QStyledItemDelegate):
    """Cell: ground, hairline below, then mark, bar, badge, tick or text."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.hovered = -1
        self._plain, self._bold = QFont(), QFont()
        self.refresh()

    def refresh(self) -> None:
        """Read the fonts anew after a change of zoom."""
        self._plain = theme().font("small", tabular=True)
        self._bold = theme().font("small", tabular=True, weight=600)

    def font(self, *, bold: bool = False) -> QFont:
        """Font of the cells."""
        return self._bold if bold else self._plain

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme().px(48), theme().px(TOKENS.size.table_row))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        assert isinstance(model, TableModel)
        column, row = model.columns[index.column()], int(model.order[index.row()])
        rect: QRect = option.rect  # type: ignore[attr-defined]
        look = theme()
        painter.save()
        if model.selected[row]:
            painter.fillRect(rect, look.colour("accent_soft"))
        elif index.row() == self.hovered:
            painter.fillRect(rect, look.colour("hover"))
        elif row in column.noted:
            painter.fillRect(rect, look.colour("warning_soft"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), look.colour("border"))
        inner = rect.adjusted(look.px(PAD), 0, -look.px(PAD), -1)
        if row in column.wrong:
            self._paint_wrong(painter, rect, inner, column, row)
        elif column.kind == "check":
            _paint_tick(painter, inner, bool(column.values[row]))
        elif column.kind == "badge":
            state = column.states[row] if column.states is not None else "neutral"
            if column.text(row):
                paint_badge(painter, inner.left(), inner.center().y() + 0.5, column.text(row), state)
        else:
            self._paint_text(painter, inner, column, row)
        painter.restore()

    def _paint_text(self, painter: QPainter, inner: QRect, column: Column, row: int) -> None:
        look = theme()
        if column.marks is not None and column.marks[row] is not None:
            index, shape = column.marks[row]  # type: ignore[misc]
            size = look.px(_MARK)
            style = entity_style(index, look.name)
            painter.setPen(QColor(style.edge))
            painter.setBrush(QColor(style.fill))
            paint_shape(painter, QPointF(inner.left() + size / 2, inner.center().y() + 0.5), size, shape)
            inner = inner.adjusted(size + look.px(9), 0, 0, 0)
        text = column.text(row)
        best = bool(column.best_rows[row])
        painter.setFont(self._bold if best else self._plain)
        missing = text == column.missing and not isinstance(column.values[row], str)
        painter.setPen(look.colour("text_tertiary" if missing else column.tone))
        if column.bar:
            inner = self._paint_bar(painter, inner, column, row)
        if column.kind == "number":
            painter.drawText(inner, _RIGHT, text)
        else:
            shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
            painter.drawText(inner, _LEFT, shown)

    def _paint_bar(self, painter: QPainter, inner: QRect, column: Column, row: int) -> QRect:
        """Draw the bar at left and return what is left for the number."""
        look = theme()
        words = max(
            painter.fontMetrics().horizontalAdvance(column.text(row)),
            painter.fontMetrics().horizontalAdvance("0.000"),
        )
        room = QRectF(inner.left(), 0, max(0, inner.width() - words - look.px(8)), look.px(_BAR))
        room.moveTop(inner.center().y() - room.height() / 2 + 0.5)
        painter.save()
        paint_box(painter, room, room.height() / 2, "hover")
        share = column.numbers[row] / column.ceiling
        if share > 0:
            filled = QRectF(room)
            filled.setWidth(max(room.height(), room.width() * min(1.0, share)))
            painter.setBrush(QColor(look.categories.fill[0]))
            painter.drawRoundedRect(filled, room.height() / 2, room.height() / 2)
        painter.restore()
        return inner

    def _paint_wrong(self, painter: QPainter, rect: QRect, inner: QRect, column: Column, row: int) -> None:
        paint_box(
            painter, QRectF(rect).adjusted(0, 0, 0, -1), 0, "danger_soft", theme().colour("danger"), 1.5
        )
        painter.setFont(self._bold)
        painter.setPen(theme().colour("danger"))
        painter.drawText(inner, _RIGHT if column.kind == "number" else _LEFT, column.text(row))


def _paint_tick(painter: QPainter, inner: QRect, ticked: bool) -> None:
    side = theme().px(_TICK)
    box = QRectF(inner.left(), inner.center().y() - side / 2 + 0.5, side, side)
    radius = theme().px(TOKENS.radius.badge)
    if ticked:
        paint_box(painter, box, radius, "accent")
        inset = side / 8
        paint_icon(painter, box.adjusted(inset, inset, -inset, -inset), "check-bold", "on_accent")
    else:
        paint_box(painter, box, radius, "surface", theme().colour("control_border"))


class TableHeader(QHeaderView):
    """Small headings over a rule; the one sorted by has a caret."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(theme().px(28))
        self.setAccessibleName("Column headings")

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme().px(TOKENS.size.table_row))

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        model = self.model()
        assert isinstance(model, TableModel)
        look = theme()
        painter.save()
        painter.fillRect(rect, look.colour("surface"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), look.colour("border_strong"))
        column = model.columns[section]
        font = look.font("small")
        painter.setFont(font)
        painter.setPen(look.colour("text_tertiary"))
        inner = rect.adjusted(look.px(PAD), 0, -look.px(PAD), -1)
        right = column.kind == "number"
        caret = look.px(12)
        sorted_here = model.sorted_by is not None and model.sorted_by[0] == section
        room = inner.width() - (caret + look.px(4) if sorted_here else 0)
        shown = painter.fontMetrics().elidedText(column.title, Qt.TextElideMode.ElideRight, room)
        words = painter.fontMetrics().horizontalAdvance(shown)
        painter.drawText(inner, _RIGHT if right else _LEFT, shown)
        if sorted_here and model.sorted_by is not None:
            x = inner.right() - words - caret - look.px(4) if right else inner.left() + words + look.px(4)
            box = QRectF(x, inner.center().y() - caret / 2 + 0.5, caret, caret)
            paint_icon(painter, box, "caret-down" if model.sorted_by[1] else "caret-up", "text_tertiary")
        painter.restore()
