"""Opens the window: looks, engine, faults told in words, a clean end."""

from __future__ import annotations

import gc
import importlib
import logging
import sys
import traceback
from logging.handlers import RotatingFileHandler
from types import TracebackType
from typing import Any

from engine.core.places import cache_folder, data_folder
from engine.core.running.priority import favour_the_window

MISSING_LIBRARIES = (
    "The window cannot open: a system library is missing ({error}).\n"
    "On Debian or Ubuntu: make setup, or install it with\n"
    "  sudo apt-get install libegl1 libgl1 libxkbcommon-x11-0 libdbus-1-3 libxcb-cursor0 libxcb-icccm4 "
    "libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-xinerama0\n"
    "list, describe and run work without it."
)
WARM_AFTER_MS = 1_500
"""Idle time after the first paint before heavy libraries are imported in the background."""


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
    window.show()
    _after_first_paint(window)
    return int(app.exec())


def make_window(app: Any, arguments: list[str]) -> Any:
    """The main window with its engine, its looks and what the last session kept."""
    from engine.core.records.library import Library
    from engine.core.running.engine import Engine
    from gui.bridge import EngineBridge
    from gui.session import Session
    from gui.theme.theme import theme
    from gui.widgets.focus_ring import FocusRing
    from gui.window.main_window import MainWindow

    session = Session()
    if "--reset-window" in arguments:
        session.values.pop("geometry", None)
        session.values.pop("tabs", None)
    look = theme()
    look.attach(app)
    look.set_mode(session.get("theme", "system"))
    look.set_zoom(float(session.get("zoom", 1.0)))
    app.focus_ring = FocusRing(app)
    engine = Engine(Library(data_folder() / "runs"), cache_folder())
    window = MainWindow(EngineBridge(engine), session)
    report_faults(window)
    return window


def report_faults(window: Any) -> None:
    """Every unhandled exception becomes one sentence with details in the log; the window stays alive."""
    log = logging.getLogger("papertab")
    if not log.handlers:
        data_folder().mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            data_folder() / "papertab.log", maxBytes=1_000_000, backupCount=1, encoding="utf-8", delay=True
        )
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        log.addHandler(handler)

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        log.error("%s", "".join(traceback.format_exception(kind, error, trace)))
        window.tell(
            f"Something went wrong: {error or kind.__name__}. Details are in the log file.", error=True
        )

    sys.excepthook = hook


def _after_first_paint(window: Any) -> None:
    """What makes the first Run quick is imported while the person looks around."""
    from PySide6.QtCore import QTimer

    gc.collect()
    gc.freeze()
    gc.disable()
    collector = QTimer(window)
    collector.timeout.connect(lambda: gc.collect(1))
    collector.start(10_000)
    modules = sorted({name for method in window.methods.values() for name in method.warm})
    QTimer.singleShot(
        WARM_AFTER_MS, lambda: [window.engine.steering.call(lambda n=name: _warm(n)) for name in modules]
    )
    QTimer.singleShot(WARM_AFTER_MS, window.runs.refresh)


def _warm(name: str) -> None:
    if name == "torch":
        from engine.core.torch_library import load_torch

        load_torch()
        return
    try:
        importlib.import_module(name)
    except ImportError:
        logging.getLogger("papertab").info("%s is not installed", name)
