"""Faults nobody foresaw: one sentence with details, a line in the log, and a window that lives on."""

from __future__ import annotations

import logging
import sys
import threading
import time
import traceback
from collections import deque
from logging.handlers import RotatingFileHandler
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from engine.core.places import data_folder
from gui.theme.theme import theme
from gui.theme.typeset import typeset
from gui.widgets.button import Button
from gui.widgets.label import Label

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow

LOG_FILE = "papertab.log"
TOLD_AGAIN_AFTER = 10.0
"""Seconds during which the same fault is logged but not told again: a paint event fails on each frame."""
THREADS_MS = 300


class FaultDialog(QDialog):
    """The whole traceback, to copy."""

    def __init__(self, sentence: str, details: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Details")
        self.resize(theme().px(680), theme().px(420))
        self.text = QPlainTextEdit(details)
        self.text.setReadOnly(True)
        self.text.setAccessibleName("Details of the fault")
        typeset(self.text, "code")
        copy = Button("Copy", icon_name="copy")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(details))
        close = Button("Close", "primary")
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addWidget(Label(str(data_folder() / LOG_FILE), "small", "tertiary"))
        row.addStretch(1)
        row.addWidget(copy)
        row.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(12)
        column.addWidget(Label(sentence, "dialog", wrap=True))
        column.addWidget(self.text, 1)
        column.addLayout(row)


class FaultReporter:
    """Installed as the hook for exceptions of the main thread and of all others."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.log = _log()
        self._told: dict[str, float] = {}
        self._from_threads: deque[BaseException] = deque(maxlen=20)
        self._timer = QTimer(window)
        self._timer.timeout.connect(self._take_from_threads)
        self._timer.start(THREADS_MS)

    def hook(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Log the exception and tell it. Called on the main thread."""
        details = "".join(traceback.format_exception(kind, error, trace))
        self.log.error("%s", details)
        if sys.stderr is not None:
            print(details, file=sys.stderr)
        now = time.monotonic()
        before, self._told[details] = self._told.get(details, -TOLD_AGAIN_AFTER), now
        if now - before < TOLD_AGAIN_AFTER:
            return
        sentence = f"Something went wrong: {error or kind.__name__}."
        self.window.tell_fault(sentence, details)

    def thread_hook(self, arguments: threading.ExceptHookArgs) -> None:
        """Keep the exception of another thread until the main thread takes it."""
        if arguments.exc_value is not None:
            self._from_threads.append(arguments.exc_value)

    def _take_from_threads(self) -> None:
        while self._from_threads:
            error = self._from_threads.popleft()
            self.hook(type(error), error, error.__traceback__)


def report_faults(window: MainWindow) -> FaultReporter:
    """Every unhandled exception becomes one sentence with details, and a line in the log file."""
    reporter = FaultReporter(window)
    sys.excepthook = reporter.hook
    threading.excepthook = reporter.thread_hook
    return reporter


def _log() -> logging.Logger:
    log = logging.getLogger("papertab")
    if not log.handlers:
        data_folder().mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            data_folder() / LOG_FILE, maxBytes=1_000_000, backupCount=1, encoding="utf-8", delay=True
        )
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        log.addHandler(handler)
    return log
