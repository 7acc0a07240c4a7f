"""What comes back at the next start, and what does not."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtGui import QGuiApplication

from gui.session import Session
from gui.window.keeping import title_bar_visible


def test_page_parameters_seed_and_layout_come_back(make: Any, until: Any) -> None:
    first = make()
    tab = first.open_tab("walk")
    until(lambda: tab.experiment.data.loaded is not None)
    tab.experiment.choose_preset("default")
    tab.experiment.set_value("scale", 2.5)
    tab.experiment.set_settings(seed=11)
    tab.views.hide_view("data")
    tab.experiment.values.keep_own("mine")
    first.close()
    second = make()
    again = second.current_tab()
    assert again.method.slug == "walk"
    assert again.experiment.values.preset == "mine"
    assert again.experiment.values["scale"] == 2.5
    assert again.experiment.values["steps"] == 200
    assert again.experiment.seed == 11
    assert again.computing.seed.value() == 11
    assert again.views.arrangement.hidden == ["data"]
    assert again.form.chips.value() == "mine"


def test_a_place_without_a_screen_is_not_used(make: Any) -> None:
    first = make()
    first.move(40, 40)
    first.close()
    session = Session()
    far = make()
    far.move(20_000, 20_000)
    session.set("geometry", bytes(far.saveGeometry().data()).hex())
    session.save()
    back = make()
    assert title_bar_visible(back)
    assert QGuiApplication.primaryScreen().availableGeometry().intersects(back.frameGeometry())


def test_reset_window(make: Any) -> None:
    first = make()
    first.resize(1500, 900)
    first.close()
    assert make("--reset-window").session.get("geometry") is None


def test_a_damaged_session_is_passed_over(make: Any, home: Any) -> None:
    path = home / "config" / "session.json"
    path.parent.mkdir(parents=True)
    for text in ("{", json.dumps({"format": 99}), json.dumps({"format": 1, "geometry": 7, "tabs": []})):
        path.write_text(text, encoding="utf-8")
        assert make().isVisible()
