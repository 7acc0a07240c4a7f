"""Which views stand where: rows of cells, each cell one or more views of which one is on top.

Plain data: the widgets are built from it, the session stores it, and the Layout menu changes it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.core.method import Row


@dataclass
class Place:
    """A cell: its views, the one on top, its weight in the row."""

    views: list[str]
    top: str
    weight: float = 1.0


@dataclass
class Shelf:
    """A row of cells and its weight in height."""

    places: list[Place]
    weight: float = 1.0


@dataclass
class Arrangement:
    """The places of all views of a tab. `hidden` are views brought back from the Layout menu."""

    shelves: list[Shelf] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)

    @classmethod
    def declared(cls, layout: tuple[Row, ...]) -> Arrangement:
        """As the method declares it."""
        return cls(
            [
                Shelf([Place(list(c.views), c.views[0], c.weight) for c in row.cells], row.weight)
                for row in layout
            ]
        )

    def place_of(self, view: str) -> Place | None:
        """The cell of a view that is not hidden."""
        return next((p for shelf in self.shelves for p in shelf.places if view in p.views), None)

    def raise_view(self, view: str) -> None:
        """Put `view` on top of its cell; a hidden view is brought back first."""
        self.show(view)
        place = self.place_of(view)
        if place is not None:
            place.top = view

    def swap(self, first: str, second: str) -> None:
        """The two views change places."""
        a, b = self.place_of(first), self.place_of(second)
        if a is None or b is None or first == second:
            return
        i, j = a.views.index(first), b.views.index(second)
        a.views[i], b.views[j] = second, first
        a.top, b.top = (second if a.top == first else a.top), (first if b.top == second else b.top)
        if a is b:
            a.top = first

    def hide(self, view: str) -> None:
        """Take `view` away; an empty cell or row goes with it."""
        place = self.place_of(view)
        if place is None:
            return
        place.views.remove(view)
        self.hidden.append(view)
        if place.views:
            place.top = place.views[0] if place.top == view else place.top
        for shelf in self.shelves:
            shelf.places[:] = [p for p in shelf.places if p.views]
        self.shelves[:] = [shelf for shelf in self.shelves if shelf.places]

    def show(self, view: str) -> None:
        """Bring a hidden view back, in a row of its own at the foot."""
        if view in self.hidden:
            self.hidden.remove(view)
            self.shelves.append(Shelf([Place([view], view)]))

    def as_record(self) -> dict[str, Any]:
        """JSON data for the session."""
        return {
            "shelves": [
                {"weight": s.weight, "places": [{**vars(p), "views": list(p.views)} for p in s.places]}
                for s in self.shelves
            ],
            "hidden": list(self.hidden),
        }

    @classmethod
    def of_record(cls, record: dict[str, Any], known: list[str]) -> Arrangement | None:
        """A stored arrangement; None where it does not hold exactly the `known` views."""
        try:
            shelves = [
                Shelf(
                    [Place(list(p["views"]), p["top"], float(p["weight"])) for p in s["places"]], s["weight"]
                )
                for s in record["shelves"]
            ]
            found = cls(shelves, list(record["hidden"]))
        except (KeyError, TypeError, ValueError):
            return None
        held = [v for s in found.shelves for p in s.places for v in p.views] + found.hidden
        tops = all(p.top in p.views for s in found.shelves for p in s.places)
        return found if sorted(held) == sorted(known) and tops else None
