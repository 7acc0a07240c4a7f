"""Compared views as cards, as many beside each other as have room."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QWidget

from engine.core.comparison.overlay import Picture
from engine.core.views import View, ViewState
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.views import make_drawing
from gui.views.selection import Picked, Selection
from gui.widgets.card import Card

HEIGHT = 300
"""Height of a card where there are several rows."""


class PictureCard(Card):
    """One compared view."""

    def __init__(self, view: View, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(view.title, parent=parent)
        self.view = view
        self.drawing = make_drawing(view)
        self.drawing.set_selection(selection)
        self.drawing.selected.connect(selection.pick)
        self.set_body(self.drawing)
        self.copy_requested.connect(self._copy)
        self.reset_requested.connect(self.drawing.reset_view)
        self.setMinimumSize(*(theme().px(side) for side in TOKENS.size.view_min))

    def show_state(self, state: ViewState | None) -> None:
        """Draw `state`; None shows what will appear here."""
        self.drawing.show_state(state)
        self.set_caption(state.caption if state is not None else "")

    def _copy(self) -> None:
        QGuiApplication.clipboard().setPixmap(self.drawing.grab())


class PictureGrid(QScrollArea):
    """Cards are made once for the pictures at the end of the runs, and follow the histories."""

    export_requested = Signal(str)
    """The picture of this name is to be exported."""
    picked = Signal(object)
    """``Picked``: marks were chosen in a picture."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.selection = Selection(self)
        self.cards: dict[str, PictureCard] = {}
        self.hidden_cards: set[str] = set()
        self.large = ""
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(TOKENS.size.gap_cards)
        inside = QWidget()
        inside.setLayout(self._grid)
        self.setWidget(inside)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)

    def make_cards(self, pictures: Sequence[Picture]) -> None:
        """Cards for these pictures in place of those before."""
        for card in self.cards.values():
            card.setParent(None)
            card.deleteLater()
        self.cards, self.large = {}, ""
        self.hidden_cards.clear()
        self.selection.clear()
        for view, _ in pictures:
            card = PictureCard(view, self.selection)
            card.export_requested.connect(lambda name=view.name: self.export_requested.emit(name))
            card.maximise_requested.connect(lambda name=view.name: self.enlarge(name))
            card.hide_requested.connect(lambda name=view.name: self.hide_card(name))
            card.drawing.selected.connect(self._tell)
            self.cards[view.name] = card
        self._arrange()
        # Drawn once they have their size, by which names at the ends of curves get their room.
        QTimer.singleShot(0, self, lambda: self.show_pictures(pictures))

    def show_pictures(self, pictures: Sequence[Picture]) -> None:
        """The cards show these; a card without a picture says what will appear."""
        states = {view.name: state for view, state in pictures}
        for name, card in self.cards.items():
            card.show_state(states.get(name))

    def set_badges(self, text: str) -> None:
        """Say of every card that it shows history; empty for nothing."""
        for card in self.cards.values():
            card.set_badge(text, "history")

    def enlarge(self, name: str) -> None:
        """One picture alone, or all again."""
        self.large = "" if self.large == name else name
        self._arrange()

    def hide_card(self, name: str) -> None:
        """Leave a picture out until other runs are compared."""
        self.hidden_cards.add(name)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _tell(self, picked: Picked) -> None:
        self.picked.emit(picked)

    def _arrange(self) -> None:
        shown = [name for name in self.cards if name not in self.hidden_cards]
        if self.large in shown:
            shown = [self.large]
        beside = max(1, min(len(shown), self.viewport().width() // theme().px(TOKENS.size.view_min[0] + 40)))
        while self._grid.count():
            self._grid.takeAt(0)
        rows = -(-len(shown) // beside) if shown else 0
        for place, name in enumerate(shown):
            card = self.cards[name]
            card.setMinimumHeight(theme().px(HEIGHT) if rows > 1 else theme().px(TOKENS.size.view_min[1]))
            card.set_maximised(name == self.large)
            row, column = divmod(place, beside)
            last = place == len(shown) - 1
            self._grid.addWidget(card, row, column, 1, beside - column if last else 1)
        for name, card in self.cards.items():
            card.setVisible(name in shown)
