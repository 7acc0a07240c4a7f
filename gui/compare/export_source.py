"""What the export dialog asks of a tab, answered for a comparison."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.core.comparison.overlay import Picture
from engine.core.views import ViewState
from gui.views import make_drawing
from gui.views.drawing import Drawing


@dataclass
class _Titled:
    text: str

    def title(self) -> str:
        return self.text


@dataclass
class _Subject:
    data: _Titled


@dataclass
class _Views:
    cards: dict[str, Drawing] = field(default_factory=dict)
    states: dict[str, ViewState] = field(default_factory=dict)

    def state_of(self, name: str) -> ViewState | None:
        return self.states.get(name)


class ExportSource:
    """`drawings` are those on the screen; pictures without one get a drawing that is never shown."""

    def __init__(self, title: str, pictures: list[Picture], drawings: dict[str, Drawing]) -> None:
        self.experiment: Any = _Subject(_Titled(title))
        self.views = _Views()
        for view, state in pictures:
            self.views.cards[view.name] = drawings.get(view.name) or make_drawing(view)
            self.views.states[view.name] = state

    def view(self, name: str) -> Drawing:
        """The drawing of a picture."""
        return self.views.cards[name]
