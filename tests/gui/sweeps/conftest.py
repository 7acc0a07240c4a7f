"""The trial method beside the walk, so that a sweep has something slow and something that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.core import registry
from gui.sweeps.sweep_page import SweepPage
from gui.window.main_window import MainWindow

METHODS = Path(__file__).parents[2] / "sweep_methods"


@pytest.fixture
def trial() -> Iterator[None]:
    registry.add_folder(METHODS, "tests.sweep_methods")
    yield
    registry.remove_folder(METHODS)


@pytest.fixture
def sweep_window(trial: None, make: Callable[..., MainWindow]) -> MainWindow:
    return make()


@pytest.fixture
def page(sweep_window: MainWindow, until: Callable[..., None]) -> SweepPage:
    """The page of sweeps over the trial, as the menu beside Run opens it."""
    from gui.tab.run_menu import run_menu

    tab = sweep_window.open_tab("trial")
    until(lambda: not tab.experiment.blocked())
    menu = run_menu(tab.run_bar)
    next(action for action in menu.actions() if action.text().startswith("Sweep over")).trigger()
    shown: Any = sweep_window.sweeping.page
    until(lambda: shown.model.plan is not None)
    return shown
