"""Files a run or an action made: offered for saving somewhere else."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QWidget

from engine.core.events import Artifact

if TYPE_CHECKING:
    from gui.tab.method_tab import MethodTab


def offer(artifact: Artifact, tab: MethodTab) -> None:
    """Tell that the file is there, with a way to save it."""

    def save() -> None:
        if said := save_as(artifact, tab):
            tab.told.emit(said)

    tab.offered.emit(f"{artifact.title or artifact.name} is ready.", "Save as…", save)


def save_as(artifact: Artifact, parent: QWidget) -> str:
    """Let the person choose a place and copy the file there; returns what to tell, "" if given up."""
    source = Path(artifact.path)
    name, _ = QFileDialog.getSaveFileName(parent, f"Save {artifact.title or artifact.name}", source.name)
    if not name:
        return ""
    try:
        if source.is_dir():
            shutil.copytree(source, name, dirs_exist_ok=True)
        else:
            shutil.copyfile(source, name)
    except OSError as error:
        return f"{Path(name).name} cannot be written: {error.strerror}."
    return f"Saved {Path(name).name}."
