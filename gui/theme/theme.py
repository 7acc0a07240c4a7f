"""The theme of the running program: which colours hold now, and the switch from one to the other."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from PySide6.QtCore import QEasingCurve, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication
from PySide6.QtWidgets import QApplication, QToolTip

from gui.theme.fonts import font, load_fonts, retypeset
from gui.theme.palette import build_palette
from gui.theme.sheet import build_sheet
from gui.theme.tokens import TOKENS, Categories, Colours, ThemeName, TypeName

Mode = Literal["system", "light", "dark"]
EASING = QEasingCurve.Type.OutCubic
_TEN_POINTS = 40 / 3


class Theme(QObject):
    """Colours, type and motion now in force.

    Widgets that paint themselves read ``colour`` in their paint event and need nothing else: a switch
    sets the application's palette and sheet, which repaints all. What holds colours (pens of plots,
    images) listens to ``changed``.
    """

    changed = Signal()
    """Colours, zoom, outlines or motion are different now."""

    def __init__(self) -> None:
        super().__init__()
        self._app: QApplication | None = None
        self._mode: Mode = "system"
        self._name: ThemeName = "light"
        self._zoom = 1.0
        self._system_scale = 1.0
        self._strong_outlines = False
        self._reduce_motion = False

    @property
    def name(self) -> ThemeName:
        """Colours in force, light or dark."""
        return self._name

    @property
    def mode(self) -> Mode:
        """What the person chose: follow the system, or one of the two."""
        return self._mode

    @property
    def colours(self) -> Colours:
        """Colours in force as ``#RRGGBB``."""
        return TOKENS.colours(self._name)

    @property
    def categories(self) -> Categories:
        """Categorical colours in force."""
        return TOKENS.categories[self._name]

    @property
    def scale(self) -> float:
        """Text zoom: the system's text size times the window's own zoom."""
        return self._system_scale * self._zoom

    @property
    def zoom(self) -> float:
        """The window's own zoom, 0.9 to 2."""
        return self._zoom

    @property
    def outline(self) -> str:
        """Outline of fields and buttons; stronger when more contrast is asked for."""
        colours = self.colours
        return colours.control_border if self._strong_outlines else colours.border_strong

    @property
    def reduce_motion(self) -> bool:
        """Whether all durations are zero."""
        return self._reduce_motion

    def colour(self, token: str, opacity: float = 1.0) -> QColor:
        """Colour of a token in force.

        Raises:
            AttributeError: there is no such token.
        """
        result = _colour(getattr(self.colours, token))
        if opacity < 1.0:
            result = QColor(result)
            result.setAlphaF(opacity)
        return result

    def outline_colour(self) -> QColor:
        """Outline of fields and buttons as a colour."""
        return _colour(self.outline)

    def px(self, length: float) -> int:
        """A length in logical px at the zoom in force."""
        return round(length * self.scale)

    def font(self, role: TypeName = "body", *, tabular: bool = False, weight: int = 0) -> QFont:
        """Font of a role of the type scale at the zoom in force."""
        return font(role, scale=self.scale, tabular=tabular, weight=weight)

    def duration(self, milliseconds: int) -> int:
        """Length of an animation, zero when motion is reduced."""
        return 0 if self._reduce_motion else milliseconds

    def attach(self, app: QApplication) -> None:
        """Take charge of the looks of ``app``: fonts, Fusion style, palette, sheet; follow the system."""
        if self._app is app:
            return
        self._app = app
        load_fonts()
        pixels = app.font().pointSizeF() * 96 / 72 if app.font().pointSizeF() > 0 else app.font().pixelSize()
        # Ten points is the size the design was drawn for; smaller system sizes never shrink it.
        self._system_scale = round(min(1.5, max(1.0, pixels / _TEN_POINTS)) * 20) / 20
        app.setStyle("Fusion")
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._on_system_change)
        if hasattr(hints, "accessibility"):
            preference = hints.accessibility().contrastPreference()
            self._strong_outlines = preference == Qt.ContrastPreference.HighContrast
        self._name = self._wanted()
        self._apply()

    def set_mode(self, mode: Mode) -> None:
        """Follow the system, or hold to light or dark."""
        self._mode = mode
        if self._app is not None:
            schemes = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
            QGuiApplication.styleHints().setColorScheme(schemes.get(mode, Qt.ColorScheme.Unknown))
        self._refresh()

    def set_zoom(self, zoom: float) -> None:
        """Own zoom of the whole window, kept between 0.9 and 2."""
        zoom = min(2.0, max(0.9, zoom))
        if zoom != self._zoom:
            self._zoom = zoom
            self._apply()

    def set_strong_outlines(self, strong: bool) -> None:
        """Draw outlines of fields and buttons at 3:1 or more."""
        if strong != self._strong_outlines:
            self._strong_outlines = strong
            self._apply()

    def set_reduce_motion(self, reduce: bool) -> None:
        """Set all durations to zero, or back."""
        if reduce != self._reduce_motion:
            self._reduce_motion = reduce
            self.changed.emit()

    def _wanted(self) -> ThemeName:
        if self._mode != "system":
            return self._mode
        dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return "dark" if dark else "light"

    def _on_system_change(self, _scheme: object) -> None:
        if self._mode == "system":
            self._refresh()

    def _refresh(self) -> None:
        name = self._wanted()
        if name != self._name:
            self._name = name
            self._apply()

    def _apply(self) -> None:
        if self._app is not None:
            # The palette first: the sheet reads what it does not name itself from the palette.
            self._app.setPalette(build_palette(self.colours))
            self._app.setFont(self.font("body"))
            QToolTip.setFont(self.font("small"))
            self._app.setStyleSheet(build_sheet(self.colours, self._name, self.outline, self.scale))
            for widget in self._app.allWidgets():
                retypeset(widget, self.scale)
        self.changed.emit()


@lru_cache(maxsize=256)
def _colour(text: str) -> QColor:
    """Shared colour; who wants to change it makes a copy."""
    return QColor(text)


@lru_cache(maxsize=1)
def theme() -> Theme:
    """The program's one theme; usable before there is an application."""
    return Theme()
