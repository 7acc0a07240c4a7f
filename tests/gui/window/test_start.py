"""The program as a process: it ends when told to, and a window that cannot be built leaves no thread."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from gui.start import make_window
from gui.window.main_window import MainWindow

ROOT = Path(__file__).parents[3]


def test_a_window_that_cannot_be_built_leaves_no_thread(qapp: Any, walk: Any, monkeypatch: Any) -> None:
    def fail(self: MainWindow) -> None:
        raise RuntimeError("no room")

    monkeypatch.setattr(MainWindow, "_lay_out", fail)
    with pytest.raises(RuntimeError, match="no room"):
        make_window(qapp, [])
    assert not {"engine", "steering", "loading", "heart"} & {t.name for t in threading.enumerate()}


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_the_process_ends_when_told_to(home: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    process = subprocess.Popen([sys.executable, str(ROOT / "main.py")], cwd=ROOT, env=environment)
    session = home / "data" / "runs"
    try:
        time.sleep(3)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
    finally:
        process.kill()
    assert not list(session.glob("*/run.json"))
