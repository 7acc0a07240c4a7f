"""Buttons of actions that ask for arguments, and files that actions make."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog

from engine.core.events import Artifact
from gui.tab.action_dialog import ActionDialog, ask_to_act
from gui.tab.artifacts import save_as


def test_an_action_with_arguments_asks_for_them(ran: Any, until: Any) -> None:
    action = dataclasses.replace(ran.method.action("move_goal"), button="Move the goal")
    ask_to_act(action, ran.experiment, ran)
    (dialog,) = ran.findChildren(ActionDialog)
    assert dialog.go.text() == "Move the goal"
    dialog.fields["value"].lineEdit().setText("2.5")
    dialog.go.click()
    until(lambda: ran.view("path").state.levels[0].value == 2.5)


def test_an_artifact_is_saved_where_the_person_says(tab: Any, tmp_path: Path, monkeypatch: Any) -> None:
    source = tmp_path / "labels.csv"
    source.write_text("a,1\n", encoding="utf-8")
    place = tmp_path / "Ergebnis für Zoë.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(place), ""))
    assert save_as(Artifact("labels.csv", source, "Labels"), tab) == "Saved Ergebnis für Zoë.csv."
    assert place.read_text(encoding="utf-8") == "a,1\n"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(tmp_path / "no" / "x"), ""))
    assert save_as(Artifact("labels.csv", source), tab).startswith("x cannot be written")
