"""Give widgets a font of the type scale that follows the zoom."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gui.theme.fonts import ROLE_PROPERTY
from gui.theme.theme import theme
from gui.theme.tokens import TypeName


def typeset(widget: QWidget, role: TypeName, *, tabular: bool = False, weight: int = 0) -> None:
    """Give ``widget`` the font of a role and remember it, so that a change of zoom reaches it."""
    widget.setProperty(ROLE_PROPERTY, (role, tabular, weight))
    widget.setFont(theme().font(role, tabular=tabular, weight=weight))
