"""Opens the window: looks, engine, faults told in words, a clean end whatever happens."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
from functools import partial
from typing import Any

from engine.core.places import cache_folder, data_folder
from engine.core.running.lane import Lane
from engine.core.running.priority import favour_the_window
from engine.core.warming import targets, warm

MISSING_LIBRARIES = (
    "The window cannot open: a system library is missing ({error}).\n"
    "On Debian or Ubuntu: make setup, or install it with\n"
    "  sudo apt-get install libegl1 libgl1 libxkbcommon-x11-0 libdbus-1-3 libxcb-cursor0 libxcb-icccm4 "
    "libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-xinerama0\n"
    "list, describe and run work without it."
)
WARM_AFTER_MS = 1_500
"""Idle time after the first paint before heavy libraries are imported in the background."""
COLLECT_MS = 10_000


def open_window(arguments: list[str]) -> int:
    """Show the window and serve it until it closes; returns the exit status."""
    try:
        from PySide6.QtWidgets import QApplication
    except ImportError as error:
        print(MISSING_LIBRARIES.format(error=error), file=sys.stderr)
        return 2
    favour_the_window()
    app = QApplication(sys.argv[:1])
    app.setApplicationName("Papertab")
    app.setOrganizationName("Papertab")
    app.setDesktopFileName("papertab")
    window = make_window(app, arguments)
    clean = True
    try:
        window.show()
        after_first_paint(window)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: app.quit())
        status = int(app.exec())
    finally:
        clean = shut(window)
    if not clean:
        # A step that does not end is not waited for: its record reads as interrupted.
        logging.shutdown()
        os._exit(status)
    return status


def make_window(app: Any, arguments: list[str]) -> Any:
    """The main window with its engine, its looks and what the last session kept.

    Whatever keeps the window from being built, the engine's threads end before the exception goes on.
    """
    from engine.core.records.library import Library
    from engine.core.running.engine import Engine
    from gui.bridge import EngineBridge
    from gui.session import Session
    from gui.theme.theme import theme
    from gui.widgets.focus_ring import FocusRing
    from gui.window.faults import report_faults
    from gui.window.main_window import MainWindow

    session = Session()
    if "--reset-window" in arguments:
        session.forget("geometry", "sidebar", "form", "arrangements")
    look = theme()
    look.attach(app)
    look.set_mode(session.get("theme", "system"))
    look.set_zoom(float(session.get("zoom", 1.0)))
    for name, setting in (
        ("strong_outlines", look.set_strong_outlines),
        ("reduce_motion", look.set_reduce_motion),
    ):
        if session.get(name) is not None:
            setting(bool(session.get(name)))
    app.focus_ring = FocusRing(app)
    engine = Engine(Library(data_folder() / "runs"), cache_folder())
    try:
        window = MainWindow(EngineBridge(engine), session)
    except BaseException:
        engine.close()
        raise
    report_faults(window)
    return window


def shut(window: Any) -> bool:
    """End deliveries, runs and threads; False where a step of a run did not end in time. May be repeated."""
    window.bridge.stop()
    window.figures.close()
    window.sweeping.shut()
    warmed = window.warming is None or window.warming.close(timeout=1)
    return bool(window.engine.close()) and warmed


def after_first_paint(window: Any) -> None:
    """What makes the first Run quick is imported while the person looks around."""
    from PySide6.QtCore import QTimer

    gc.collect()
    gc.freeze()
    gc.disable()
    collector = QTimer(window)
    collector.timeout.connect(lambda: gc.collect(0 if window.is_computing() else 2))
    collector.start(COLLECT_MS)
    window.warming = Lane("warming")
    QTimer.singleShot(WARM_AFTER_MS, lambda: _warm(window))
    QTimer.singleShot(WARM_AFTER_MS, window.runs.refresh)


def _warm(window: Any) -> None:
    """Libraries and kernels, one after another, on a thread that holds up neither data nor actions."""
    for name in ("gui.views.kernels:warm", *targets(window.methods.values())):
        window.warming.call(partial(warm, name))
    # What the libraries brought stays for good: no collection needs to walk through it.
    window.warming.call(gc.freeze)
