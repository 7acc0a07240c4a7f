"""The selection of a tab: sets of ids per entity."""

from __future__ import annotations

import numpy as np
import pytest

from gui.views.selection import Picked, Selection


def test_pick_replaces_adds_and_toggles(qapp: object) -> None:
    selection, told = Selection(), []
    selection.changed.connect(told.append)
    selection.pick(Picked("point", np.array([5, 3, 3])))
    assert selection.ids("point").tolist() == [3, 5]
    selection.pick(Picked("point", np.array([4]), "add"))
    assert selection.ids("point").tolist() == [3, 4, 5]
    selection.pick(Picked("point", np.array([4, 9]), "toggle"))
    assert selection.ids("point").tolist() == [3, 5, 9]
    selection.pick(Picked("point", np.array([], np.int64)))
    assert selection.ids("point").size == 0
    assert told == ["point"] * 4


def test_nothing_is_told_when_nothing_changes(qapp: object) -> None:
    selection, told = Selection(), []
    selection.set("arm", [1, 2])
    selection.changed.connect(told.append)
    selection.set("arm", [2, 1])
    selection.pick(Picked("arm", np.array([1]), "add"))
    assert told == []


def test_texts_and_numbers_live_side_by_side(qapp: object) -> None:
    selection = Selection()
    selection.set("linkage", ["ward", "complete"])
    selection.set("point", [7])
    stored = selection.stored()
    assert stored == {"linkage": ["complete", "ward"], "point": [7]}
    other = Selection()
    other.set("gone", [1])
    other.restore(stored)
    assert other.stored() == stored


@pytest.mark.parametrize("mode", ["replace", "add", "toggle"])
def test_an_empty_pick_of_an_empty_selection_is_empty(qapp: object, mode: str) -> None:
    selection = Selection()
    selection.pick(Picked("point", np.array([]), mode))  # type: ignore[arg-type]
    assert selection.entities() == ()
