"""What Ctrl+K offers: methods, data sets of the tab on show, runs, actions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gui.widgets.palette_items import PaletteItem

if TYPE_CHECKING:
    from gui.tab.method_tab import MethodTab
    from gui.window.main_window import MainWindow


def palette_items(window: MainWindow) -> list[PaletteItem]:
    """Everything that can be jumped to from here. The key of an item is (deed, *arguments)."""
    tab = window.current_tab()
    return [*_methods(window), *(_data(tab) if tab else ()), *_runs(window), *_actions(window, tab)]


def method_items_for(window: MainWindow, slugs: Iterable[str], path: Path) -> list[PaletteItem]:
    """The methods that read a dropped file."""
    return [
        PaletteItem(
            (window.open_with, slug, path),
            f"Open {path.name} with",
            window.methods[slug].title,
            note=window.methods[slug].area,
            icon="file-arrow-down",
        )
        for slug in slugs
    ]


def _methods(window: MainWindow) -> Iterable[PaletteItem]:
    for slug, method in window.methods.items():
        yield PaletteItem((window.open_tab, slug), "Methods", method.title, note=method.area, icon="flask")


def _data(tab: MethodTab) -> Iterable[PaletteItem]:
    for data in tab.method.sets:
        yield PaletteItem(
            (tab.experiment.choose_data, data.name),
            "Data",
            data.title,
            note=data.description,
            effect=f"use in {tab.method.title}",
            icon="database",
        )


def _runs(window: MainWindow) -> Iterable[PaletteItem]:
    for run in window.runs.runs:
        yield PaletteItem(
            (window.open_run, run.id),
            "Runs",
            run.name or run.id,
            note=run.title,
            effect=run.status,
            icon="clock-counter-clockwise",
        )


def _actions(window: MainWindow, tab: MethodTab | None) -> Iterable[PaletteItem]:
    deeds: list[tuple[str, object, str, str]] = [
        ("Open data…", window.choose_file, "Ctrl+O", "folder-open"),
        ("Start page", partial(window.open_page, "start"), "", "house"),
        ("All runs", partial(window.open_page, "runs"), "", "clock-counter-clockwise"),
        ("Sweeps", window.sweeping.show, "", "stack"),
        ("Keys", window.show_keys, "?", "keyboard"),
    ]
    if tab is not None:
        deeds += [
            ("Run", tab.run_bar.run, "Ctrl+Enter", "play-fill"),
            ("Sweep over parameters", tab.run_bar.sweep_requested.emit, "", "stack"),
            ("Stop", tab.run_bar.stop, "Ctrl+.", "stop-fill"),
            ("Export figures", tab.header.figures_requested.emit, "", "export"),
            ("Copy as Python", tab.copy_python, "", "code"),
            ("History of the run", tab.show_history, "", "clock-counter-clockwise"),
            ("Help", tab.show_help, "F1", "question"),
        ]
        deeds += [
            (f"Maximise {view.title}", partial(tab.views.maximise, view.name), "F11", "arrows-out")
            for view in tab.method.views
        ]
    for title, deed, keys, icon in deeds:
        yield PaletteItem((deed,), "Actions", title, shortcut=keys, icon=icon)
