"""A card with one view's drawing: keeps it up to date, passes on what the hand did, offers its tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.core.views import View, ViewState
from gui.tab.compact_switch import NARROW, CompactSwitch
from gui.tab.control_strip import ControlStrip
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.views import make_drawing
from gui.views.selection import Selection
from gui.widgets.card import Card
from gui.widgets.option import Option

ALWAYS = 176
"""Width in logical px of what the title row always holds: badge, three tools, margins."""

LONG_BADGE = 24
"""By how much the longest badge is longer than the shortest, logical px."""

STRIP = 32
"""Height of the line of controls, given to the card on top of its smallest."""


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
        self._strip_below = False
        self._told = ""
        self.drawing = make_drawing(view)
        self.drawing.set_selection(selection)
        self.drawing.selected.connect(selection.pick)
        self.drawing.gesture.connect(self._on_gesture)
        self.drawing.control.connect(lambda pair: self.acted.emit(pair[0], pair[1]))
        self.strip = ControlStrip(self)
        self.strip.acted.connect(self.acted)
        self.add_tool(self.strip)
        self.set_body(self._with_strip())
        self._siblings: CompactSwitch | None = None
        self._list_heads = False
        self.let_go.connect(lambda position: self.dropped.emit(view.name, position))
        self.copy_requested.connect(self.copy_image)
        self.reset_requested.connect(self.drawing.reset_view)

    def show_state(self, state: ViewState | None, *, live: bool = False) -> None:
        """Draw `state`; None shows what will appear here."""
        self.drawing.set_live(live)
        self.drawing.show_state(state)
        self._told = state.caption if state is not None else ""
        self.set_caption(self._told)
        if self.view.kind != "panel":
            self.strip.show_controls(state.controls if state is not None else ())
            self._make_room()

    def offer_siblings(self, views: Mapping[str, str]) -> None:
        """The views that share this place (name → title): a switch in the title row, if there are any."""
        self._list_heads = False
        self.set_heading(None)
        if self._siblings is not None:
            self._siblings.setParent(None)
            self._siblings.deleteLater()
            self._siblings = None
        if len(views) < 2:
            return
        self._siblings = CompactSwitch(
            [Option(name, title) for name, title in views.items()],
            self.view.name,
            name=f"Views in the place of {self.view.title}",
        )
        self._siblings.value_changed.connect(self._on_sibling)
        self.add_tool(self._siblings)
        self._make_room()

    def copy_image(self) -> None:
        """The drawing as it is on the screen, to the clipboard."""
        QGuiApplication.clipboard().setPixmap(self.drawing.grab())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _with_strip(self) -> QWidget:
        """The drawing under a line for the controls that the title row has no room for."""
        body = QWidget()
        self._below = QVBoxLayout()
        self._below.setContentsMargins(theme().px(11), 0, theme().px(6), theme().px(4))
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._below)
        column.addWidget(self.drawing, 1)
        return body

    def _make_room(self) -> None:
        """Words where they fit, lists where they do not; many controls on a line of their own."""
        title = QFontMetrics(theme().font("section")).horizontalAdvance(self.title())
        free = self.width() - title - theme().px(ALWAYS)
        siblings = self._siblings.full_width() + 6 if self._siblings is not None else 0
        controls = self.strip.full_width() if not self.strip.isHidden() else 0
        beside = controls + siblings <= free
        tight = False
        if self._siblings is not None:
            left = free - (controls if beside else 0)
            compact = siblings > left
            # The list names the view on top, so it takes the title's place.
            room = left + title - theme().px(LONG_BADGE)
            self._siblings.set_compact(compact, room)
            tight = compact and room - self._siblings.list.width() < theme().px(NARROW)
            if compact != self._list_heads:
                self._list_heads = compact
                self.set_heading(self._siblings if compact else None)
                if not compact:
                    self.add_tool(self._siblings)
        self.set_caption("" if tight else self._told)
        self.setToolTip(self._told if tight else "")
        self.strip.set_room(self.width() - theme().px(24))
        if controls and beside == self._strip_below:
            self._strip_below = not beside
            self.strip.set_flowing(not beside)
            width, height = TOKENS.size.view_min
            self.setMinimumSize(theme().px(width), theme().px(height + (0 if beside else STRIP)))
            if beside:
                self.add_tool(self.strip)
            else:
                self._below.addWidget(self.strip)
            self.strip.show()

    def _on_sibling(self, name: object) -> None:
        if name != self.view.name and self._siblings is not None:
            self._siblings.set_value(self.view.name)
            self.raised.emit(str(name))

    def _on_gesture(self, pair: tuple[str, dict[str, Any]]) -> None:
        word, payload = pair
        action = self.view.gestures.get(word)
        if action is not None:
            self.acted.emit(action, payload)
