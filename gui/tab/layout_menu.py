"""The Layout menu: which views are shown, and back to how the method declares them."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QWidget

from gui.tab.views_area import ViewsArea
from gui.widgets.menu import Menu


def layout_menu(views: ViewsArea, parent: QWidget) -> Menu:
    """One entry per view (a tick: shown), then Reset."""
    menu = Menu(parent)
    for view in views.method.views:
        hidden = view.name in views.arrangement.hidden
        deed = views.raise_view if hidden else views.hide_view
        entry = menu.add(view.title, partial(deed, view.name))
        entry.setCheckable(True)
        entry.setChecked(not hidden)
    menu.addSeparator()
    menu.add("Reset", views.reset_arrangement, "arrow-counter-clockwise")
    return menu
