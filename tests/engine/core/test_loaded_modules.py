"""A library that another thread is importing is not touched."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from engine.core.loaded_modules import loaded


def test_a_half_imported_module_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow_library.py").write_text(
        "import threading\nbegun, go_on = threading.Event(), threading.Event()\n"
        "begun.set()\ngo_on.wait(10)\nready = True\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    thread = threading.Thread(target=__import__, args=("slow_library",))
    thread.start()
    while "slow_library" not in sys.modules or not hasattr(sys.modules["slow_library"], "go_on"):
        pass
    half = sys.modules["slow_library"]
    assert half.begun.wait(5)
    assert loaded("slow_library") is None
    half.go_on.set()
    thread.join()
    assert loaded("slow_library").ready
    assert loaded("a_library_nobody_has") is None
