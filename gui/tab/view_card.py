"""A card with one view's drawing: keeps it up to date, passes on what the hand did, offers its tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from engine.core.views import View, ViewState
from gui.tab.control_strip import ControlStrip
from gui.views import make_drawing
from gui.views.selection import Selection
from gui.widgets.card import Card
from gui.widgets.option import Option
from gui.widgets.segmented_control import SegmentedControl


class ViewCard(Card):
    """One view. Where it shares its place with others, the title row offers them."""

    acted = Signal(str, object)
    """(action, arguments): a gesture or a control asks for an action."""
    raised = Signal(str)
    """The person wants another view of this place on top."""
    dropped = Signal(str, object)
    """(view, global position): the card was pulled there."""

    def __init__(self, view: View, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(view.title, parent=parent)
        self.view = view
        self.drawing = make_drawing(view)
        self.drawing.set_selection(selection)
        self.drawing.selected.connect(selection.pick)
        self.drawing.gesture.connect(self._on_gesture)
        self.drawing.control.connect(lambda pair: self.acted.emit(pair[0], pair[1]))
        self.strip = ControlStrip(self)
        self.strip.acted.connect(self.acted)
        self.add_tool(self.strip)
        self.set_body(self.drawing)
        self._siblings: SegmentedControl | None = None
        self.let_go.connect(lambda position: self.dropped.emit(view.name, position))
        self.copy_requested.connect(self.copy_image)
        self.reset_requested.connect(self.drawing.reset_view)

    def show_state(self, state: ViewState | None, *, live: bool = False) -> None:
        """Draw `state`; None shows what will appear here."""
        self.drawing.set_live(live)
        self.drawing.show_state(state)
        self.set_caption(state.caption if state is not None else "")
        if self.view.kind != "panel":
            self.strip.show_controls(state.controls if state is not None else ())

    def offer_siblings(self, views: Mapping[str, str]) -> None:
        """The views that share this place (name → title): a switch in the title row, if there are any."""
        if self._siblings is not None:
            self._siblings.setParent(None)
            self._siblings.deleteLater()
            self._siblings = None
        if len(views) < 2:
            return
        self._siblings = SegmentedControl(
            [Option(name, title) for name, title in views.items()],
            self.view.name,
            small=True,
            name=f"Views in the place of {self.view.title}",
        )
        self._siblings.value_changed.connect(self._on_sibling)
        self.add_tool(self._siblings)

    def copy_image(self) -> None:
        """The drawing as it is on the screen, to the clipboard."""
        QGuiApplication.clipboard().setPixmap(self.drawing.grab())

    def _on_sibling(self, name: object) -> None:
        if name != self.view.name and self._siblings is not None:
            self._siblings.set_value(self.view.name)
            self.raised.emit(str(name))

    def _on_gesture(self, pair: tuple[str, dict[str, Any]]) -> None:
        word, payload = pair
        action = self.view.gestures.get(word)
        if action is not None:
            self.acted.emit(action, payload)
