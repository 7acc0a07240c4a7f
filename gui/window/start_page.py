"""The gallery: every method as a card with a figure from a real run, one sentence, its area."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPixmap
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from engine.core.method import Method
from engine.core.places import RESOURCES
from gui.theme.icons import paint_icon
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.widgets.box import paint_box
from gui.widgets.button import Button, IconButton
from gui.widgets.focus_ring import set_focus_ring
from gui.widgets.label import Label

GAP = 16
_COUNTS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven",
           "Twelve", "Thirteen", "Fourteen", "Fifteen", "Sixteen", "Seventeen", "Eighteen", "Nineteen",
           "Twenty")  # fmt: skip


class GalleryCard(QAbstractButton):
    """One method; the whole card is a button."""

    def __init__(self, method: Method) -> None:
        super().__init__()
        self.method = method
        self.note = ""
        self.setAccessibleName(f"{method.title}, {method.area}. {method.sentence}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        set_focus_ring(self, "around", TOKENS.radius.card)
        self._figure = _pictures(method.slug)

    def sizeHint(self) -> QSize:
        return QSize(*(theme().px(side) for side in TOKENS.size.gallery_card))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            self._paint(painter)
        finally:
            painter.end()

    def _paint(self, painter: QPainter) -> None:
        look = theme()
        outline = look.colour("accent" if self.underMouse() else "border")
        radius = look.px(TOKENS.radius.card)
        paint_box(painter, self.rect(), radius, "surface", outline)
        figure = QRect(1, 1, self.width() - 2, look.px(TOKENS.size.gallery_figure))
        painter.save()
        clip = QPainterPath()
        clip.addRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), radius, radius)
        painter.setClipPath(clip)
        self._paint_figure(painter, figure)
        painter.restore()
        painter.fillRect(0, figure.bottom() + 1, self.width(), 1, look.colour("border"))
        self._paint_words(painter, figure.bottom() + look.px(10))

    def _paint_figure(self, painter: QPainter, box: QRect) -> None:
        picture = self._figure.get(theme().name)
        if picture is None:
            side = theme().px(24)
            middle = QRectF(box.center().x() - side / 2, box.center().y() - side / 2, side, side)
            paint_icon(painter, middle, "chart-line", "text_tertiary")
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        size = picture.size().scaled(box.size(), Qt.AspectRatioMode.KeepAspectRatio)
        place = QRect(0, 0, size.width(), size.height())
        place.moveCenter(box.center())
        painter.drawPixmap(place, picture)

    def _paint_words(self, painter: QPainter, top: int) -> None:
        look = theme()
        left, width = look.px(12), self.width() - look.px(24)
        painter.setFont(look.font("caption"))
        painter.setPen(look.colour("text_tertiary"))
        line = QRect(left, top, width, look.px(16))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft, self.method.area)
        painter.drawText(line, Qt.AlignmentFlag.AlignRight, self.note)
        painter.setFont(look.font("section"))
        painter.setPen(look.colour("text"))
        title = painter.fontMetrics().elidedText(self.method.title, Qt.TextElideMode.ElideRight, width)
        painter.drawText(QRect(left, top + look.px(16), width, look.px(20)), 0, title)
        painter.setFont(look.font("small"))
        painter.setPen(look.colour("text_secondary"))
        sentence = QRect(left, top + look.px(37), width, look.px(36))
        painter.drawText(sentence, Qt.TextFlag.TextWordWrap, self.method.sentence)


class DropCard(QWidget):
    """The last card: files can be dropped anywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(*(theme().px(side) for side in TOKENS.size.gallery_card))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            look = theme()
            paint_box(
                painter,
                self.rect(),
                look.px(TOKENS.radius.card),
                "",
                look.colour("border_strong"),
                dashed=True,
            )
            middle = self.height() // 2
            side = look.px(20)
            paint_icon(
                painter,
                QRectF(self.width() / 2 - side / 2, middle - look.px(44), side, side),
                "file-arrow-down",
                "text_secondary",
            )
            painter.setFont(look.font("control"))
            painter.setPen(look.colour("text"))
            flags = Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(
                QRect(12, middle - look.px(14), self.width() - 24, 24), flags, "Drop a file anywhere"
            )
            painter.setFont(look.font("small"))
            painter.setPen(look.colour("text_tertiary"))
            text = "Papertab shows which methods can read it."
            painter.drawText(QRect(24, middle + look.px(10), self.width() - 48, 40), flags, text)
        finally:
            painter.end()


class Gallery(QWidget):
    """As many equal columns as fit."""

    def __init__(self, cards: list[QWidget]) -> None:
        super().__init__()
        self.cards = cards
        for card in cards:
            card.setParent(self)

    def columns(self) -> int:
        """How many cards stand side by side."""
        width = theme().px(TOKENS.size.gallery_card[0])
        return max(1, (self.width() + GAP) // (width + GAP))

    def resizeEvent(self, event: object) -> None:
        columns = self.columns()
        width = (self.width() - GAP * (columns - 1)) // columns
        height = theme().px(TOKENS.size.gallery_card[1])
        for place, card in enumerate(self.cards):
            row, column = divmod(place, columns)
            card.setGeometry(column * (width + GAP), row * (height + GAP), width, height)
        rows = -(-len(self.cards) // columns)
        self.setFixedHeight(rows * (height + GAP))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Down: self.columns(),
            Qt.Key.Key_Up: -self.columns(),
        }
        focused = self.focusWidget()
        step = steps.get(Qt.Key(event.key()))
        if step is None or focused not in self.cards:
            super().keyPressEvent(event)
            return
        place = self.cards.index(focused) + step
        if 0 <= place < len(self.cards):
            self.cards[place].setFocus(Qt.FocusReason.TabFocusReason)


class StartPage(QScrollArea):
    """Opens methods and files."""

    method_chosen = Signal(str)
    open_requested = Signal()
    palette_requested = Signal()

    def __init__(self, methods: list[Method], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards = {method.slug: GalleryCard(method) for method in methods}
        for slug, card in self.cards.items():
            card.clicked.connect(lambda _=False, slug=slug: self.method_chosen.emit(slug))
        self.list_button = IconButton("list", "Show the methods", "Ctrl+B", bind=False)
        self.list_button.hide()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(GAP)
        column.addLayout(self._top(len(methods)))
        column.addWidget(Gallery([*self.cards.values(), DropCard()]))
        column.addStretch(1)
        self.setWidget(page)

    def set_runs(self, counts: dict[str, int]) -> None:
        """How many runs of each method there are."""
        for slug, card in self.cards.items():
            count = counts.get(slug, 0)
            card.note = f"{count} run{'s' * (count != 1)}" if count else ""
            card.update()

    def _top(self, count: int) -> QHBoxLayout:
        words = QVBoxLayout()
        words.setSpacing(2)
        number = _COUNTS[count] if count < len(_COUNTS) else f"{count}"
        words.addWidget(Label(f"{number} method{'s' * (count != 1)} from ICML 2024", "display"))
        line = "Open one, press Run. Each starts with real data and finishes in about a minute."
        words.addWidget(Label(line, "body", "secondary"))
        opening = Button("Open data…", icon_name="folder-open")
        opening.clicked.connect(self.open_requested)
        anything = Button("Go to anything", icon_name="magnifying-glass", tip="Ctrl+K")
        anything.clicked.connect(self.palette_requested)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.list_button)
        row.addLayout(words, 1)
        row.addWidget(opening)
        row.addWidget(anything)
        return row


def _pictures(slug: str) -> dict[str, QPixmap]:
    """The figures of a method, made from a real run (resources/gallery/make.py), by theme."""
    paths = {name: RESOURCES / "gallery" / f"{slug}-{name}.png" for name in ("light", "dark")}
    return {name: QPixmap(str(path)) for name, path in paths.items() if path.is_file()}
