"""Image grids: pixels on the screen, filters, orders, selection, keys."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.core.views import ImageGrid, ImageGridState, TileFilter, TileMark, TileOrder
from gui.export.on_screen import as_shown
from gui.theme.theme import theme

LEFT, NO_KEYS = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
GRID = ImageGrid("g", title="Images", entity="image", gestures={"click": "a", "select": "b", "activate": "c"})
MARKS = (
    TileMark(name="repaired", tone="good", sign="check"),
    TileMark(name="wrong", tone="bad", sign="cross"),
)


def state(count: int = 6, **parts: Any) -> ImageGridState:
    """Images of 4 × 4 px, each of one colour with a white corner; ids 10, 11 …"""
    images = np.zeros((count, 4, 4, 3), np.uint8)
    images[..., 0] = (np.arange(count) * 40 % 256)[:, None, None]
    images[:, 0, 0] = 255
    return ImageGridState(images=images, ids=10 + np.arange(count), **parts)


def marked(count: int = 6) -> ImageGridState:
    return state(
        count,
        captions=tuple(f"c{i}" for i in range(count)),
        struck=("odd", *("",) * (count - 1)),
        marks=MARKS,
        mark=np.array([0, 1, -1, -1, 1, -1][:count]),
        filters=(
            TileFilter(name="wrong", places=np.array([1, 4]), mark=1),
            TileFilter(name="repaired", places=np.array([0]), mark=0),
        ),
        orders=(
            TileOrder(name="given", places=np.arange(count)),
            TileOrder(name="back", places=np.arange(count)[::-1]),
        ),
    )


def tile(drawing: Any, row: int) -> Any:
    return drawing.list.visualRect(drawing.model.index(row))


def click(drawing: Any, row: int, keys: Any = NO_KEYS) -> None:
    QTest.mouseClick(drawing.list.viewport(), LEFT, keys, tile(drawing, row).center())


def picture_box(drawing: Any, row: int) -> Any:
    rect, size = tile(drawing, row), drawing.delegate.picture_size()
    left = round(rect.x() + rect.width() / 2 - size.width() / 2)
    return left, rect.y() + 6, size.width()


def test_pixels_grow_by_whole_factors_without_blur(show: Any) -> None:
    drawing = show(GRID, state()).drawing
    size = drawing.delegate.picture_size()
    assert size.width() == size.height() == 64
    grabbed = drawing.list.viewport().grab().toImage()
    left, top, side = picture_box(drawing, 3)
    seen = {
        grabbed.pixelColor(left + 8 + 16 * c, top + 8 + 16 * r).name() for r in range(4) for c in range(4)
    }
    assert seen == {"#ffffff", "#780000"}
    inner = grabbed.pixelColor(left + 17, top + 8), grabbed.pixelColor(left + 14, top + 10)
    assert [one.name() for one in inner] == ["#780000", "#ffffff"]
    assert side % 4 == 0


def test_grey_images_and_odd_widths(show: Any) -> None:
    images = np.full((2, 3, 5), 200, np.uint8)
    drawing = show(GRID, ImageGridState(images=images)).drawing
    size = drawing.delegate.picture_size()
    assert (size.width(), size.height()) == (60, 36)
    left, top, _ = picture_box(drawing, 1)
    assert drawing.list.viewport().grab().toImage().pixelColor(left + 30, top + 18).red() == 200


def test_states_have_a_frame_and_a_sign(show: Any) -> None:
    drawing = show(GRID, marked()).drawing
    grabbed = drawing.list.viewport().grab().toImage()
    for row, token in ((0, "success"), (1, "danger")):
        left, top, side = picture_box(drawing, row)
        wanted = QColor(theme().colour(token))
        frame = grabbed.pixelColor(left, top + side // 2)
        assert max(abs(frame.red() - wanted.red()), abs(frame.green() - wanted.green())) < 40
        disc = grabbed.pixelColor(left + side - 9, top + 3)
        assert max(abs(disc.red() - wanted.red()), abs(disc.green() - wanted.green())) < 60
    left, top, side = picture_box(drawing, 2)
    assert grabbed.pixelColor(left + side - 4, top + 6).name() == "#500000"


def test_filters_count_and_choose(show: Any) -> None:
    drawing = show(GRID, marked()).drawing
    assert [chip.words() for chip in drawing.filters.chips] == ["all 6", "wrong 2", "repaired 1"]
    QTest.mouseClick(drawing.filters.chips[1], LEFT)
    assert drawing.ids().tolist() == [11, 14]
    drawing.filters.orders.set_value("back")
    drawing.filters.changed.emit()
    assert drawing.ids().tolist() == [14, 11]
    shown = as_shown(drawing, None)
    assert shown.state.ids.tolist() == [14, 11]
    assert shown.state.captions == ("c4", "c1")
    assert "wrong, 2 of 6" in shown.state.caption
    headers, columns = drawing.data_table()
    assert headers == ["id", "caption", "before", "state", "note"]
    assert columns[3] == ["wrong", "wrong"]


def test_the_chosen_filter_stays_when_the_state_changes(show: Any) -> None:
    drawing = show(GRID, marked()).drawing
    drawing.filters.choose("wrong")
    drawing.show_state(state(6, filters=(TileFilter(name="wrong", places=np.array([2])),)))
    assert drawing.filters.filter() == "wrong"
    assert drawing.ids().tolist() == [12]
    drawing.show_state(state(6))
    assert drawing.ids().tolist() == [10, 11, 12, 13, 14, 15]


def test_a_click_selects_and_tells(show: Any) -> None:
    shown = show(GRID, marked())
    selection = shown.link()
    click(shown.drawing, 2)
    assert shown.gestures == [("click", {"id": 12})]
    assert selection.ids("image").tolist() == [12]
    click(shown.drawing, 4, Qt.KeyboardModifier.ControlModifier)
    assert selection.ids("image").tolist() == [12, 14]
    assert shown.gestures[-1] == ("select", {"ids": [12, 14]})
    QTest.keyClick(shown.drawing.list, Qt.Key.Key_Escape)
    assert selection.ids("image").tolist() == []


def test_a_selection_from_elsewhere_is_shown_and_not_told_back(show: Any) -> None:
    shown = show(GRID, marked())
    selection = shown.link()
    selection.set("image", [13])
    assert shown.drawing.delegate.selected.tolist() == [False, False, False, True, False, False]
    assert shown.picked == []
    assert shown.gestures == []
    assert shown.drawing.list.currentIndex().row() == 3


def test_keys_move_the_selection_and_open(show: Any) -> None:
    shown = show(GRID, marked())
    shown.link()
    shown.drawing.list.setFocus()
    click(shown.drawing, 0)
    QTest.keyClick(shown.drawing.list, Qt.Key.Key_Right)
    assert shown.gestures[-1] == ("click", {"id": 11})
    QTest.keyClick(shown.drawing.list, Qt.Key.Key_Return)
    assert shown.gestures[-1] == ("activate", {"id": 11})


def test_control_and_plus_make_larger_tiles(show: Any) -> None:
    drawing = show(GRID, state()).drawing
    QTest.keyClick(drawing.list, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert drawing.delegate.picture_size().width() == 80
    for _ in range(5):
        QTest.keyClick(drawing.list, Qt.Key.Key_Minus, Qt.KeyboardModifier.ControlModifier)
    assert drawing.delegate.picture_size().width() == 48


def test_what_the_run_speaks_of_is_selected_once(show: Any) -> None:
    shown = show(GRID, marked())
    selection = shown.link()
    shown.drawing.filters.choose("wrong")
    shown.drawing.show_state(dataclasses.replace(marked(), focus=15))
    assert selection.ids("image").tolist() == [15]
    assert shown.drawing.filters.filter() == ""
    assert shown.gestures == []
    selection.set("image", [11])
    shown.drawing.show_state(dataclasses.replace(marked(), focus=15))
    assert selection.ids("image").tolist() == [11]


def test_a_note_stands_below(show: Any) -> None:
    drawing = show(GRID, state(3, note="Corrected by entry 5.")).drawing
    assert drawing.note.isVisible()
    assert drawing.note.text() == "Corrected by entry 5."
    drawing.show_state(state(3))
    assert not drawing.note.isVisible()


def test_it_is_told_in_words(show: Any) -> None:
    drawing = show(GRID, marked()).drawing
    assert drawing.describe() == "Images: 6 of 6 images; 1 repaired, 2 wrong."
    words = drawing.model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert words == "c0, before odd, repaired"


def test_a_growing_set_and_no_images(show: Any) -> None:
    drawing = show(GRID, state(0)).drawing
    assert drawing.model.rowCount(QModelIndex()) == 0
    drawing.show_state(state(4))
    QApplication.processEvents()
    assert drawing.model.rowCount(QModelIndex()) == 4


@pytest.mark.parametrize("count", [2000])
def test_thousands_are_laid_out_at_once(show: Any, count: int) -> None:
    drawing = show(GRID, state(count)).drawing
    drawing.list.scrollToBottom()
    QApplication.processEvents()
    last = drawing.list.visualRect(drawing.model.index(count - 1))
    assert drawing.list.viewport().rect().intersects(last)
    made = len(drawing.model._pictures)
    assert made < 200
