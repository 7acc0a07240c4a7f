"""What every view declaration and every view state has."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import ClassVar

from engine.core.encoding import word
from engine.core.views.controls import Control

NO_GESTURES: Mapping[str, str] = types.MappingProxyType({})


@word("axis")
@dataclass(frozen=True)
class Axis:
    """Title in words, unit, scale. `shown()` is the text beside the axis.

    In lines, `reversed` lets a y axis grow downwards (ranks), and `names` stand for the x 0, 1, 2, ….
    """

    title: str = ""
    unit: str = ""
    log: bool = False
    reversed: bool = False
    names: tuple[str, ...] = ()

    def shown(self) -> str:
        return f"{self.title} ({self.unit})" if self.unit else self.title


@dataclass(frozen=True)
class View:
    """A view, declared as plain data. Subclasses are the kinds; `kind` is the stable word.

    `entity` says what the marks stand for (point, cluster, linkage, arm …): marks of the same entity and
    id are selected together in every view of the tab. `gestures` maps what a hand does in this view
    (the words each kind lists) to the name of the action it triggers; the gesture's payload becomes the
    action's parameters.
    """

    kind: ClassVar[str] = ""
    gesture_words: ClassVar[tuple[str, ...]] = ()

    name: str
    _: KW_ONLY
    title: str
    entity: str = ""
    empty: str = ""
    reading: str = ""
    help: str = ""
    gestures: Mapping[str, str] = field(default_factory=lambda: NO_GESTURES)

    def __post_init__(self) -> None:
        unknown = set(self.gestures) - set(self.gesture_words)
        if unknown:
            raise ValueError(f"view {self.name}: a {self.kind} view knows no gesture {sorted(unknown)}")


@dataclass(frozen=True, eq=False, kw_only=True)
class ViewState:
    """What a view shows at one moment: arrays and words, complete in itself, never changed once yielded.

    `caption` stands beside the title (what, of how many, scale); `controls` are the view's own switches.
    """

    kind: ClassVar[str] = ""

    caption: str = ""
    controls: tuple[Control, ...] = ()
