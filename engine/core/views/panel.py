"""A card made of controls alone: toggles, sliders, buttons in groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.core.encoding import word
from engine.core.views.declaration import View, ViewState


@dataclass(frozen=True, kw_only=True)
class Panel(View):
    """Controls the person turns; each is an action, so this kind has no gestures of its own."""

    kind: ClassVar[str] = "panel"


@word("panel")
@dataclass(frozen=True, eq=False, kw_only=True)
class PanelState(ViewState):
    """The controls (in `controls`, grouped by their `group`), with a line of text under each group."""

    kind: ClassVar[str] = "panel"

    notes: tuple[tuple[str, str], ...] = ()
