"""Fonts shipped with the program, and the type scale as ``QFont``."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QWidget

from gui.theme.tokens import RESOURCES, TOKENS, TypeName

_FOLDER = RESOURCES / "fonts"
_FILES = ("Inter-Regular.ttf", "Inter-Medium.ttf", "Inter-SemiBold.ttf", "JetBrainsMono-Regular.ttf")
_SINGLE_STOREY_A = QFont.Tag("cv11")
_TABULAR = QFont.Tag("tnum")
ROLE_PROPERTY = "typeRole"
"""Dynamic property in which a widget keeps its role, see ``gui.theme.typeset``."""
_loaded: dict[str, list[str]] = {}


def load_fonts() -> dict[str, list[str]]:
    """Register the shipped fonts with Qt, once; needs a QApplication.

    Returns:
        File name to the families it brought; an empty list where a file could not be read, in which
        case the system's font stands in.
    """
    for name in _FILES:
        if name not in _loaded:
            number = QFontDatabase.addApplicationFont(str(_FOLDER / name))
            _loaded[name] = QFontDatabase.applicationFontFamilies(number) if number >= 0 else []
    return dict(_loaded)


def font(role: TypeName = "body", *, scale: float = 1.0, tabular: bool = False, weight: int = 0) -> QFont:
    """Font of a role of the type scale.

    Args:
        role: name in the type scale.
        scale: text zoom, 1 = the sizes of the tokens.
        tabular: figures of equal width, for numbers that stand under each other.
        weight: replaces the role's weight if not 0.
    """
    style = TOKENS.type[role]
    mono = role == "code"
    result = QFont(TOKENS.mono if mono else TOKENS.family)
    result.setStyleHint(QFont.StyleHint.Monospace if mono else QFont.StyleHint.SansSerif)
    result.setPixelSize(max(11, round(style.size * scale)))
    result.setWeight(QFont.Weight(weight or style.weight))
    if not mono:
        result.setFeature(_SINGLE_STOREY_A, 1)
        if tabular:
            result.setFeature(_TABULAR, 1)
    return result


def retypeset(widget: QWidget, scale: float) -> None:
    """Set the remembered font of ``widget`` again at ``scale``; widgets never typeset are left alone."""
    remembered = widget.property(ROLE_PROPERTY)
    if remembered is not None:
        role, tabular, weight = remembered
        widget.setFont(font(role, scale=scale, tabular=bool(tabular), weight=int(weight)))
