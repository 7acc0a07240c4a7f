"""The look is attached to the one application of the tests; no screen is needed."""

from __future__ import annotations

import os
from collections.abc import Iterator

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtWidgets import QApplication

from gui.theme.theme import Theme, theme


@pytest.fixture(autouse=True)
def look(qapp: QApplication) -> Iterator[Theme]:
    """Theme in light, without motion, set back after each test."""
    theme().attach(qapp)
    theme().set_mode("light")
    theme().set_reduce_motion(True)
    yield theme()
    theme().set_zoom(1.0)
    theme().set_strong_outlines(False)
    theme().set_mode("light")
