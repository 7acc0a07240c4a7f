"""Images side by side, each with its state and caption."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from engine.core.encoding import word
from engine.core.views.declaration import View, ViewState

Tone = Literal["good", "bad", "warning", "info", "neutral"]
Sign = Literal["check", "cross", "down", "up", "flag", "star", "dot"]


@dataclass(frozen=True, kw_only=True)
class ImageGrid(View):
    """Tiles of one entity, in reading order.

    Gestures and payloads: ``click`` {id}; ``select`` {ids} (two or more, by Ctrl, Shift or keys);
    ``activate`` {id} (double click or Enter).
    """

    kind: ClassVar[str] = "image-grid"
    gesture_words: ClassVar[tuple[str, ...]] = ("click", "select", "activate")


@word("image-grid.mark")
@dataclass(frozen=True, kw_only=True)
class TileMark:
    """What can be said of an image: a frame in the colour of `tone` and the `sign` in its corner."""

    name: str
    tone: Tone = "neutral"
    sign: Sign = "dot"


@word("image-grid.filter")
@dataclass(frozen=True, eq=False, kw_only=True)
class TileFilter:
    """Some of the images: `places` int64 (m,) in the order they are shown; `mark` the state they share."""

    name: str
    places: np.ndarray
    mark: int | None = None


@word("image-grid.order")
@dataclass(frozen=True, eq=False, kw_only=True)
class TileOrder:
    """An order to choose: `places` int64 (n,), the first image first."""

    name: str
    places: np.ndarray


@word("image-grid")
@dataclass(frozen=True, eq=False, kw_only=True)
class ImageGridState(ViewState):
    """`images` uint8 (n, h, w) grey or (n, h, w, 3) RGB; `ids` int64 (n,) or 0…n−1.

    `captions` n texts under the images, `struck` n texts before them, crossed out (what held before);
    `notes` are for hover. `mark` int (n,) into `marks`, −1 none. The person chooses one of `filters` and
    of `orders` in the view itself; `filter` and `order` name those shown at first (empty: all, as given).
    `focus` is the id the run speaks of: when it changes that image is selected and brought into sight.
    `smooth` is for photographs; pixel data grow by whole factors. `note` is a line below.
    """

    kind: ClassVar[str] = "image-grid"

    images: np.ndarray
    ids: np.ndarray | None = None
    captions: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    marks: tuple[TileMark, ...] = ()
    mark: np.ndarray | None = None
    filters: tuple[TileFilter, ...] = ()
    filter: str = ""
    orders: tuple[TileOrder, ...] = ()
    order: str = ""
    focus: int | None = None
    smooth: bool = False
    note: str = ""

    @property
    def count(self) -> int:
        """n."""
        return len(self.images)

    def places(self, filter: str = "", order: str = "") -> np.ndarray:
        """Places int64 of the images shown under a filter and an order; unknown names stand for all."""
        ordered = next((one.places for one in self.orders if one.name == order), None)
        chosen = next((one.places for one in self.filters if one.name == filter), None)
        if chosen is None:
            return np.arange(self.count) if ordered is None else np.asarray(ordered, np.int64)
        if ordered is None:
            return np.asarray(chosen, np.int64)
        return np.asarray(ordered, np.int64)[np.isin(ordered, chosen)]

    def arranged(self, filter: str = "", order: str = "") -> ImageGridState:
        """What is seen under a filter and an order, as a state of its own."""
        places = self.places(filter, order)
        ids = np.arange(self.count) if self.ids is None else np.asarray(self.ids)
        part = f"{filter}, {len(places):,} of {self.count:,}" if filter and len(places) < self.count else ""
        return dataclasses.replace(
            self,
            images=self.images[places],
            ids=ids[places],
            captions=_taken(self.captions, places),
            struck=_taken(self.struck, places),
            notes=_taken(self.notes, places),
            mark=None if self.mark is None else np.asarray(self.mark)[places],
            filters=(),
            filter="",
            orders=(),
            order="",
            caption=" · ".join(text for text in (self.caption, part) if text),
        )


def _taken(texts: tuple[str, ...], places: np.ndarray) -> tuple[str, ...]:
    return tuple(texts[place] for place in places.tolist()) if texts else ()
