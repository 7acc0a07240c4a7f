"""Importing torch without holding up the window.

Opening its shared libraries holds the interpreter for a quarter of a second; opened through ctypes first,
which lets go of it, the import that follows stalls the window for under 100 ms. Linux only; elsewhere it
is a plain import.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

_LIBRARIES = ("libc10.so", "libtorch_cpu.so", "libtorch.so")


def load_torch() -> Any:
    """The torch module."""
    if "torch" not in sys.modules and sys.platform == "linux":
        _open_libraries()
    return importlib.import_module("torch")


def _open_libraries() -> None:
    found = importlib.util.find_spec("torch")
    if found is None or found.origin is None:
        return
    folder = Path(found.origin).parent / "lib"
    process = ctypes.CDLL(None)
    process.dlopen.argtypes = [ctypes.c_char_p, ctypes.c_int]
    process.dlopen.restype = ctypes.c_void_p
    for name in _LIBRARIES:
        process.dlopen(os.fsencode(folder / name), os.RTLD_NOW | os.RTLD_GLOBAL)
