"""The figure as it will be printed, drawn off the main thread, with what has to be said about it."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from engine.core.errors import PapertabError
from engine.core.figures import FigureStyle
from engine.core.figures.export import ExportReport, export
from gui.bridge import EngineBridge
from gui.export.figures_lane import FiguresLane
from gui.export.on_screen import Shown
from gui.theme.theme import theme
from gui.widgets.icon_label import IconLabel
from gui.widgets.label import Label

PIXELS_PER_INCH = 96
LARGEST = 2.0
PAUSE_MS = 120
SMALL_TEXT = 6.5


class FigurePreview(QWidget):
    """Draws again a moment after a change; shows the figure at its true size, or as large as it fits."""

    drawn = Signal(object)
    """The ``ExportReport`` of the figure on show."""

    def __init__(self, bridge: EngineBridge, lane: FiguresLane, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bridge = bridge
        self.lane = lane
        self.report: ExportReport | None = None
        self.true_size = False
        self.scale = 1.0
        self._shown: Shown | None = None
        self._style = FigureStyle()
        self._pixmap = QPixmap()
        self._folder = tempfile.TemporaryDirectory(prefix="papertab-preview-")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Preview of the figure")
        self.text_sign, self.text_words = IconLabel("check-circle"), Label("", "small", "secondary")
        self.grey_sign, self.grey_words = IconLabel("check-circle"), Label("", "small", "secondary")
        self.size_words = Label("", "small", "tertiary", tabular=True)
        self.notes = Label("", "small", "warning", wrap=True)
        self.notes.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._lay_out()
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._draw)

    def show_figure(self, shown: Shown, style: FigureStyle) -> None:
        """Draw this view in this style."""
        self._shown = shown
        self._style = dataclasses.replace(style, selection=shown.selection)
        self._pause.start()

    def set_true_size(self, true_size: bool) -> None:
        """Show an inch as an inch, or use the room there is."""
        self.true_size = true_size
        self._pause.start()

    def image(self) -> QImage:
        """The figure on show."""
        return self._pixmap.toImage()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(640), theme().px(480))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._pause.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.fillRect(self.rect(), theme().colour("sunken"))
            if not self._pixmap.isNull():
                size = self._pixmap.deviceIndependentSize().toSize()
                room = self._room()
                left = max(0, (self.width() - size.width()) // 2)
                top = max(theme().px(12), (room.height() + theme().px(24) - size.height()) // 2)
                painter.drawPixmap(left, top, self._pixmap)
                painter.setPen(theme().colour("border"))
                painter.drawRect(left - 1, top - 1, size.width() + 1, size.height() + 1)
        finally:
            painter.end()

    def _room(self) -> QSize:
        return QSize(self.width() - theme().px(48), self.height() - theme().px(24 + 64))

    def _draw(self) -> None:
        shown, style = self._shown, self._style
        if shown is None or not self.isVisible():
            return
        room = self._room()
        fitting = min(room.width() / style.width, room.height() / style.height) / PIXELS_PER_INCH
        self.scale = 1.0 if self.true_size else max(0.1, min(LARGEST, fitting))
        ratio = self.devicePixelRatioF()
        dpi = int(min(2400, max(36, round(PIXELS_PER_INCH * self.scale * ratio))))
        path = Path(self._folder.name) / "preview.png"
        drawn = dataclasses.replace(style, dpi=dpi)

        def draw() -> tuple[ExportReport, bytes]:
            report = export(shown.view, shown.state, path, drawn, "png")
            return report, path.read_bytes()

        future = self.lane.call(draw, key=(id(self), "preview"))
        self.bridge.then(future, lambda found: self._arrived(found, dpi), self._refused, self)

    def _arrived(self, found: tuple[ExportReport, bytes], dpi: int) -> None:
        self.report, data = found
        self._pixmap = QPixmap.fromImage(QImage.fromData(data))
        self._pixmap.setDevicePixelRatio(dpi / (PIXELS_PER_INCH * self.scale))
        self._say(self.report)
        self.update()
        self.drawn.emit(self.report)

    def _say(self, report: ExportReport) -> None:
        small = report.smallest_text and report.smallest_text < SMALL_TEXT
        self.text_words.setText(f"smallest text {report.smallest_text:.1f} pt")
        self.text_sign.set_icon("warning" if small else "check-circle", "warning" if small else "success")
        apart = report.told_apart
        self.grey_words.setText("told apart without colour" if apart else "not all told apart without colour")
        self.grey_sign.set_icon("check-circle" if apart else "warning", "success" if apart else "warning")
        self.size_words.setText("true size" if self.scale == 1 else f"shown at {self.scale:.0%}")
        notes = list(report.notes)
        notes += [f"{layer} is embedded as an image" for layer in report.rasterised]
        self.notes.setText(". ".join(notes))
        self.setAccessibleDescription(f"{self.text_words.text()}, {self.grey_words.text()}")

    def _refused(self, error: BaseException) -> None:
        if not isinstance(error, PapertabError):
            raise error
        self.notes.setText(str(error))

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addStretch(1)
        for sign, words in ((self.text_sign, self.text_words), (self.grey_sign, self.grey_words)):
            row.addWidget(sign)
            row.addWidget(words)
            row.addSpacing(10)
        row.addWidget(self.size_words)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 12, 24, 12)
        column.addStretch(1)
        column.addLayout(row)
        column.addWidget(self.notes)
