"""What is selected in a tab: ids per entity, the same in every view. No widgets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from PySide6.QtCore import QObject, Signal

Mode = Literal["replace", "add", "toggle"]
NONE = np.empty(0, np.int64)


@dataclass(frozen=True, eq=False, slots=True)
class Picked:
    """A choice made in one view: ``ids`` (m,) of ``entity``, int64 or texts, and what to do with them."""

    entity: str
    ids: np.ndarray
    mode: Mode = "replace"


def as_ids(ids: Iterable[Any]) -> np.ndarray:
    """Sorted unique ids as an array: int64, or texts where any is a text."""
    array = ids if isinstance(ids, np.ndarray) else np.array(list(ids))
    return np.unique(array) if array.size else NONE


class Selection(QObject):
    """Entity → selected ids. Changes are told with the entity, once, in the call that makes them."""

    changed = Signal(str)
    """The selected ids of this entity are different now."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ids: dict[str, np.ndarray] = {}

    def ids(self, entity: str) -> np.ndarray:
        """Selected ids of ``entity``, sorted; empty where nothing is selected."""
        return self._ids.get(entity, NONE)

    def entities(self) -> tuple[str, ...]:
        """Entities of which something is selected."""
        return tuple(self._ids)

    def set(self, entity: str, ids: Iterable[Any]) -> None:
        """Select exactly ``ids``."""
        wanted = as_ids(ids)
        if not np.array_equal(wanted, self.ids(entity)):
            self._ids.pop(entity, None)
            if wanted.size:
                self._ids[entity] = wanted
            self.changed.emit(entity)

    def pick(self, picked: Picked) -> None:
        """Take in a choice from a view."""
        present, ids = self.ids(picked.entity), as_ids(picked.ids)
        if picked.mode == "add" and present.size:
            ids = np.union1d(present, ids) if ids.size else present
        elif picked.mode == "toggle" and present.size:
            ids = np.setxor1d(present, ids) if ids.size else present
        self.set(picked.entity, ids)

    def clear(self) -> None:
        """Select nothing."""
        for entity in tuple(self._ids):
            self.set(entity, ())

    def stored(self) -> dict[str, list[Any]]:
        """Plain lists, for a record."""
        return {entity: ids.tolist() for entity, ids in self._ids.items()}

    def restore(self, stored: dict[str, list[Any]]) -> None:
        """Select what ``stored`` gave."""
        for entity in set(self._ids) - set(stored):
            self.set(entity, ())
        for entity, ids in stored.items():
            self.set(entity, ids)
