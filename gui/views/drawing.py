"""What every drawing of a view offers, whatever its kind."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedLayout, QWidget

from engine.core.views import BarsState, LinesState, ScatterState, TableState, View, ViewState
from gui.theme.theme import theme
from gui.views.selection import NONE, Mode, Picked, Selection
from gui.widgets.empty_view import EmptyView

DataTable = tuple[list[str], list[list[Any]]]
"""Headers and columns of what a view shows."""
ICONS = {
    "lines": "chart-line",
    "scatter": "dots-nine",
    "bars": "chart-bar",
    "heat-map": "grid-four",
    "table": "table",
    "dendrogram": "tree-structure",
    "graph": "share-network",
    "panel": "sliders-horizontal",
    "image-grid": "squares-four",
}


class Drawing(QWidget):
    """One view on the screen: receives states and the selection, gives back what the hand did.

    A drawing knows its declaration and the last state and asks a method nothing. ``body`` of a subclass
    is shown once there is a state; before, the view says what will appear.
    """

    selected = Signal(object)
    """``Picked``: marks of the view's entity were chosen."""
    gesture = Signal(object)
    """(word, payload): a declared gesture was made; the payload is the kind's documented mapping."""
    control = Signal(object)
    """(action, arguments): one of the state's controls was used."""
    visibility = Signal(object)
    """Names hidden in this view by its legend, a frozenset."""
    inset = 2
    """Px left free at both sides."""

    def __init__(self, view: View, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = view
        self.state: ViewState | None = None
        self.live = False
        self._selection: Selection | None = None
        self._pages = QStackedLayout(self)
        self._pages.setContentsMargins(0, 0, 0, 0)
        self._empty = EmptyView(view.empty or view.title, view.reading, ICONS[view.kind], self)
        self._pages.addWidget(self._empty)
        self.setAccessibleName(view.title)
        self.setAccessibleDescription(view.reading or view.empty)
        theme().changed.connect(self._on_theme)

    def set_body(self, body: QWidget) -> None:
        """Give the widget that shows states."""
        # Square corners this far inside stay within the card's round ones.
        self._pages.setContentsMargins(self.inset, 0, self.inset, 2)
        self._pages.addWidget(body)
        self.setFocusProxy(body)

    def show_state(self, state: ViewState | None) -> None:
        """Show ``state``; None, or one without a mark, shows what will appear here.

        Raises:
            TypeError: the state is of another kind than the view.
        """
        if state is not None and state.kind != self.view.kind:
            raise TypeError(f"view {self.view.name} shows {self.view.kind}, not {state.kind}")
        # The page turns first: its resize still finds the last state with what was drawn of it.
        bare = state is None or (not self.view.gestures and holds_nothing(state))
        self._pages.setCurrentIndex(0 if bare else 1)
        self.state = state
        if state is not None:
            self.refresh()
        self.setAccessibleDescription(self.describe())

    def shown_state(self) -> ViewState | None:
        """The state as the hand arranged it; kinds that filter or sort by themselves override this."""
        return self.state

    def set_live(self, live: bool) -> None:
        """Whether the state is still growing: curves get a live end, axes room to grow."""
        if live != self.live:
            self.live = live
            if self.state is not None:
                self.refresh()

    def set_selection(self, selection: Selection | None) -> None:
        """Show what ``selection`` holds for the view's entity, now and after each of its changes."""
        if self._selection is not None:
            self._selection.changed.disconnect(self._on_selection)
        self._selection = selection
        if selection is not None:
            selection.changed.connect(self._on_selection)
        self.show_selection()

    def chosen(self) -> np.ndarray:
        """Selected ids of the view's entity."""
        if self._selection is None or not self.view.entity:
            return NONE
        return self._selection.ids(self.view.entity)

    def pick(self, ids: np.ndarray, mode: Mode = "replace") -> None:
        """Tell that marks of the view's entity were chosen; a view without entity selects nothing."""
        if self.view.entity:
            self.selected.emit(Picked(self.view.entity, ids, mode))

    def make_gesture(self, word: str, **payload: Any) -> None:
        """Tell a gesture if the view declares it."""
        if word in self.view.gestures:
            self.gesture.emit((word, payload))

    def refresh(self) -> None:
        """Draw the present state; subclasses do the work."""
        raise NotImplementedError

    def show_selection(self) -> None:
        """Draw the present selection; kinds that select override this."""

    def recolour(self) -> None:
        """Make pens, brushes and images anew after a change of theme."""
        if self.state is not None:
            self.refresh()

    def reset_view(self) -> None:
        """Show everything again after panning and zooming."""

    def view_range(self) -> tuple[float, float, float, float] | None:
        """Shown x and y limits in the data's units, None for kinds without axes."""
        return None

    def describe(self) -> str:
        """A sentence or two on what is shown, for those who cannot see it."""
        return self.view.empty or self.view.title

    def data_table(self) -> DataTable:
        """What is shown as a table: headers and equally long columns."""
        return [], []

    def hidden(self) -> frozenset[str]:
        """Names hidden by hand."""
        return frozenset()

    def _on_theme(self) -> None:
        self.recolour()
        self.update()

    def _on_selection(self, entity: str) -> None:
        if entity == self.view.entity:
            self.show_selection()


def holds_nothing(state: ViewState) -> bool:
    """Whether there is nothing to draw but axes: no curve, bar or mark, no column."""
    if isinstance(state, LinesState):
        return not (state.series or state.brackets or state.references or state.levels)
    if isinstance(state, ScatterState):
        return not (len(state.x) or state.polygons or state.segments or state.references)
    if isinstance(state, BarsState):
        return not state.series
    return isinstance(state, TableState) and not state.columns
