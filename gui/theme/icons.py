"""Phosphor icons that follow the theme by themselves.

The font and its character map are read from the files of the ``qtawesome`` package, without importing
it: the import takes half a second, opening two files a few milliseconds. An icon is drawn anew at each
paint by its engine, in the colours then in force and at the resolution of the screen, so that nothing
has to be rebuilt when the theme changes.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPixmap

from gui.theme.theme import theme
from gui.theme.tokens import RESOURCES

_PREFIX = "ph."


@lru_cache(maxsize=1)
def _characters() -> dict[str, str]:
    """Names of the icon font to their characters."""
    (path,) = _font_folder().glob("phosphor-charmap-*.json")
    return {name: chr(int(code, 16)) for name, code in json.loads(path.read_text(encoding="utf-8")).items()}


@lru_cache(maxsize=1)
def _family() -> str:
    (path,) = _font_folder().glob("phosphor-*.ttf")
    number = QFontDatabase.addApplicationFont(str(path))
    return QFontDatabase.applicationFontFamilies(number)[0]


def _font_folder() -> Path:
    spec = find_spec("qtawesome")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("qtawesome, which brings the icon font, is not installed")
    return Path(spec.origin).parent / "fonts"


def icon_names() -> frozenset[str]:
    """Names that ``icon`` takes, without the prefix."""
    return frozenset(_characters())


def paint_icon(painter: QPainter, rect: QRect | QRectF, name: str, token: str) -> None:
    """Draw the icon ``name`` centred in ``rect`` in the colour of ``token``; the painter keeps its state.

    Raises:
        KeyError: there is no such icon.
    """
    box = QRectF(rect)
    glyph = QFont(_family())
    glyph.setPixelSize(max(1, round(min(box.width(), box.height()))))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    painter.setFont(glyph)
    painter.setPen(theme().colour(token))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, _characters()[name.removeprefix(_PREFIX)])
    painter.restore()


class _ThemedEngine(QIconEngine):
    """Draws one glyph in the colours of the theme in force."""

    def __init__(self, name: str, normal: str, active: str, disabled: str) -> None:
        super().__init__()
        self._name = name
        self._tokens = {
            QIcon.Mode.Normal: normal,
            QIcon.Mode.Active: active,
            QIcon.Mode.Selected: active,
            QIcon.Mode.Disabled: disabled,
        }

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        # A box wider than tall leaves its right part empty: that is the gap before a button's word.
        side = min(rect.width(), rect.height())
        box = QRect(rect.left(), rect.top() + (rect.height() - side) // 2, side, side)
        paint_icon(painter, box, self._name, self._tokens[mode])

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        # The size is logical since Qt 6.8; the pixmap has the device's own.
        pixmap = QPixmap(size * scale)
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        try:
            self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        finally:
            painter.end()
        return pixmap


def icon(
    name: str, token: str = "text_secondary", *, active: str = "", disabled: str = "text_disabled"
) -> QIcon:
    """Icon ``name`` ("ph.export" or "export") that follows the theme.

    Args:
        name: name in Phosphor 1.3, with or without the prefix ``ph.``.
        token: colour at rest.
        active: colour under the pointer or selected; ``token`` if empty.
        disabled: colour when the control is disabled.

    Raises:
        KeyError: there is no such icon.
    """
    bare = name.removeprefix(_PREFIX)
    if bare not in _characters():
        raise KeyError(f"no Phosphor icon is called {bare!r}")
    return QIcon(_ThemedEngine(bare, token, active or token, disabled))


@lru_cache(maxsize=1)
def application_icon() -> QIcon:
    """Icon of the program, for windows and the task bar."""
    return QIcon(str(RESOURCES / "icons" / "papertab.svg"))
