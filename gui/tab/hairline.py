"""Hairlines between areas, and splitters whose gap is one."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QSplitter, QSplitterHandle, QWidget

from gui.theme.theme import theme


class Hairline(QWidget):
    """One logical pixel of the border's colour, lying or, if `upright`, standing."""

    def __init__(self, *, upright: bool = False) -> None:
        super().__init__()
        grows, fixed = QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed
        if upright:
            self.setFixedWidth(1)
            self.setSizePolicy(fixed, grows)
        else:
            self.setFixedHeight(1)
            self.setSizePolicy(grows, fixed)

    def paintEvent(self, event: QPaintEvent) -> None:
        _paint(self)


class _Handle(QSplitterHandle):
    """A hairline that can be pulled a few pixels to either side."""

    def paintEvent(self, event: QPaintEvent) -> None:
        _paint(self)


class HairlineSplitter(QSplitter):
    """A splitter whose handle is a hairline."""

    def __init__(self, orientation: Qt.Orientation = Qt.Orientation.Horizontal) -> None:
        super().__init__(orientation)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)

    def createHandle(self) -> QSplitterHandle:
        return _Handle(self.orientation(), self)


def _paint(widget: QWidget) -> None:
    painter = QPainter(widget)
    try:
        painter.fillRect(widget.rect(), theme().colour("border"))
    finally:
        painter.end()
