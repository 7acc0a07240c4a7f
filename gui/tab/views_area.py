"""The views of a tab: cards in rows, resized at the gaps, pulled to another place, maximised, hidden."""

from __future__ import annotations

import itertools

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QSplitter, QVBoxLayout, QWidget

from engine.core.board import Board
from engine.core.method import Method
from engine.core.views import ViewState
from gui.tab.arrangement import Arrangement, Place, Shelf
from gui.tab.view_card import ViewCard
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.views.selection import Selection

MARGIN = 12
_BADGE_STATES = {"Partial": "partial", "From history": "history"}


class ViewsArea(QScrollArea):
    """Holds one card per view and draws each from a board. Views out of sight are drawn when they appear."""

    acted = Signal(str, object)
    """(action, arguments)."""
    export_requested = Signal(str)
    data_requested = Signal(str)
    arrangement_changed = Signal()

    def __init__(self, method: Method, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.method = method
        self.selection = Selection(self)
        self.arrangement = Arrangement.declared(method.layout)
        self.cards = {view.name: self._card(view.name) for view in method.views}
        self.maximised = ""
        self._focused = method.views[0].name
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus)
        self._shown_beside = 0
        self._board: Board | None = None
        self._before: Board | None = None
        self._live = False
        self._dirty: set[str] = set(self.cards)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.rebuild()

    # ------------------------------------------------------------------ drawing

    def show_board(self, board: Board | None, *, live: bool = False, before: Board | None = None) -> None:
        """Draw everything from `board` from now on; what it does not show yet, as it was `before` the run."""
        self._board, self._live, self._before = board, live, before
        self._dirty = set(self.cards)
        self.draw()

    def set_live(self, live: bool) -> None:
        """Whether the board still grows."""
        if live != self._live:
            self._live = live
            self.set_badges("")
            self.touch(set(self.cards))

    def set_badges(self, word: str) -> None:
        """Say of every view that shows something: "Partial", "From history"; empty for nothing."""
        for name, card in self.cards.items():
            shown = self._board is not None and self._board.state(name) is not None
            card.set_badge(word if shown else "", _BADGE_STATES.get(word, "live"))

    def touch(self, views: set[str]) -> None:
        """These views changed on the board."""
        self._dirty |= views & set(self.cards)
        self.draw()

    def draw(self) -> None:
        """Draw what changed and can be seen."""
        for name in [name for name in self._dirty if self.cards[name].isVisibleTo(self)]:
            self._dirty.discard(name)
            state = self._board.state(name) if self._board is not None else None
            card = self.cards[name]
            if state is None and self._before is not None:
                card.show_state(self._before.state(name))
                continue
            card.show_state(state, live=self._live and state is not None)
            if self._live:
                card.set_badge("Live" if state is not None else "")

    def state_of(self, name: str) -> ViewState | None:
        """What a view shows, or would show if it were on top of its place."""
        for board in (self._board, self._before):
            if board is not None and (state := board.state(name)) is not None:
                return state
        return None

    # ------------------------------------------------------------------ arranging

    def set_arrangement(self, arrangement: Arrangement) -> None:
        """Put the cards where `arrangement` says."""
        self.arrangement = arrangement
        self.rebuild()

    def maximise(self, name: str) -> None:
        """One view alone, or all again if it already is."""
        self.maximised = "" if self.maximised == name else name
        self.rebuild()

    def restore_all(self) -> None:
        """Back from one maximised view to all."""
        if self.maximised:
            self.maximise(self.maximised)

    def hide_view(self, name: str) -> None:
        """Take a view away; Layout brings it back."""
        self.arrangement.hide(name)
        self._changed()

    def raise_view(self, name: str) -> None:
        """Put a view on top of its place, bringing it back if it was hidden."""
        self.arrangement.raise_view(name)
        self._changed()

    def reset_arrangement(self) -> None:
        """As the method declares it."""
        self.arrangement = Arrangement.declared(self.method.layout)
        self.maximised = ""
        self._changed()

    def focused(self) -> str:
        """The view that has the keyboard, or had it last; the first where none had."""
        shown = [name for name, card in self.cards.items() if card.isVisible()]
        return self._focused if self._focused in shown else shown[0] if shown else self._focused

    def focus_view(self, number: int) -> None:
        """Give the keyboard to the nth visible view."""
        shown = [name for name, card in self.cards.items() if card.isVisible()]
        if 0 <= number < len(shown):
            self.cards[shown[number]].drawing.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def rebuild(self) -> None:
        """Lay the cards out anew."""
        for card in self.cards.values():
            card.setParent(None)
            card.hide()
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        column.addWidget(self._alone() if self.maximised else self._all())
        old = self.takeWidget()
        self.setWidget(page)
        if old is not None:
            old.deleteLater()
        self.draw()

    def _alone(self) -> QWidget:
        card = self.cards[self.maximised]
        card.offer_siblings({})
        card.set_maximised(True)
        card.show()
        return card

    def _all(self) -> QWidget:
        rows = _splitter(Qt.Orientation.Vertical)
        self._shown_beside = self._beside()
        lines = [
            (shelf, line)
            for shelf in self.arrangement.shelves
            for line in broken(shelf.places, self._shown_beside)
        ]
        for _, line in lines:
            rows.addWidget(self._shelf(line))
        _divide(rows, [shelf.weight for shelf, _ in lines])
        rows.splitterMoved.connect(lambda: self._remember(rows, [shelf for shelf, _ in lines]))
        return rows

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._beside() != self._shown_beside:
            self.rebuild()

    def _beside(self) -> int:
        """How many cards of the smallest width fit side by side."""
        gap = TOKENS.size.gap_cards
        return max(1, (self.width() - 2 * MARGIN + gap) // (theme().px(TOKENS.size.view_min[0]) + gap))

    def _shelf(self, places: list[Place]) -> QWidget:
        row = _splitter(Qt.Orientation.Horizontal)
        for place in places:
            card = self.cards[place.top]
            card.offer_siblings({name: self.method.view(name).title for name in place.views})
            card.set_maximised(False)
            row.addWidget(card)
            card.show()
        _divide(row, [place.weight for place in places])
        row.splitterMoved.connect(lambda: self._remember_row(row, places))
        return row

    def _card(self, name: str) -> ViewCard:
        card = ViewCard(self.method.view(name), self.selection)
        card.setMinimumSize(*(theme().px(size) for size in TOKENS.size.view_min))
        card.acted.connect(self.acted)
        card.raised.connect(self.raise_view)
        card.dropped.connect(self._drop)
        card.maximise_requested.connect(lambda: self.maximise(name))
        card.hide_requested.connect(lambda: self.hide_view(name))
        card.export_requested.connect(lambda: self.export_requested.emit(name))
        card.data_requested.connect(lambda: self.data_requested.emit(name))
        return card

    def _drop(self, name: str, position: QPoint) -> None:
        for other, card in self.cards.items():
            inside = card.isVisible() and card.rect().contains(card.mapFromGlobal(position))
            if inside and other != name:
                self.arrangement.swap(name, other)
                self._changed()
                return

    def _on_focus(self, _old: QWidget | None, now: QWidget | None) -> None:
        for name, card in self.cards.items():
            if now is not None and card.isAncestorOf(now):
                self._focused = name

    def _changed(self) -> None:
        self.rebuild()
        self.arrangement_changed.emit()

    def _remember(self, rows: QSplitter, shelves: list[Shelf]) -> None:
        for shelf, size in zip(shelves, rows.sizes(), strict=True):
            shelf.weight = float(size)
        self.arrangement_changed.emit()

    def _remember_row(self, row: QSplitter, places: list[Place]) -> None:
        for place, size in zip(places, row.sizes(), strict=True):
            place.weight = float(size)
        self.arrangement_changed.emit()


def broken(places: list[Place], beside: int) -> list[list[Place]]:
    """The cells of a row in lines of at most `beside`, as evenly as they go."""
    lines = -(-len(places) // beside)
    length, longer = divmod(len(places), max(1, lines))
    ends = [0]
    for line in range(lines):
        ends.append(ends[-1] + length + (line < longer))
    return [places[start:stop] for start, stop in itertools.pairwise(ends)]


def _splitter(orientation: Qt.Orientation) -> QSplitter:
    splitter = QSplitter(orientation)
    splitter.setHandleWidth(TOKENS.size.gap_cards)
    splitter.setChildrenCollapsible(False)
    return splitter


def _divide(splitter: QSplitter, weights: list[float]) -> None:
    total = sum(weights) or 1.0
    splitter.setSizes([round(10_000 * weight / total) for weight in weights])
    for place, weight in enumerate(weights):
        splitter.setStretchFactor(place, max(1, round(100 * weight / total)))
