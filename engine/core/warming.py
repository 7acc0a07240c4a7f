"""What makes the first Run quick: importing libraries and compiling kernels ahead of time.

A method's ``warm`` names modules to import, or "module:function" to call: a tiny computation that
compiles its kernels into numba's cache. The set-up does all of it once (``python -m engine.core.warming``,
with further targets as arguments); the window does it again when it is idle, where it only loads what is
cached.
"""

from __future__ import annotations

import importlib
import logging
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from engine.core.context import Context
from engine.core.method import Method, load
from engine.core.registry import methods
from engine.core.torch_library import load_torch


def targets(chosen: Iterable[Method]) -> list[str]:
    """What the methods want warmed, each once, modules first."""
    named = dict.fromkeys(name for method in chosen for name in method.warm)
    return sorted(named, key=lambda name: ":" in name)


def warm(name: str) -> None:
    """Import a module, or call a function that compiles. What is not installed is left out."""
    try:
        if name == "torch":
            load_torch()
        elif ":" in name:
            load(name)()
        else:
            importlib.import_module(name)
    except ImportError as error:
        logging.getLogger("papertab").info("%s is not warmed: %s", name, error)


def rehearse(slug: str, value: Any, parameters: Mapping[str, Any]) -> None:
    """Run a method on a small `value` of its data, keeping nothing: what its runs use gets compiled."""
    method = methods()[slug]
    with tempfile.TemporaryDirectory() as folder:
        context = Context(0, Path(folder) / "scratch", Path(folder) / "cache")
        context.scratch.mkdir()
        for _ in load(method.run)(method.settings(None, parameters), value, context):
            pass


def main() -> int:
    """Warm everything, saying how long each took."""
    for name in [*sys.argv[1:], *targets(methods().values())]:
        start = time.perf_counter()
        try:
            warm(name)
        except Exception as error:
            # The program works unwarmed: a set-up does not fail for it.
            print(f"  {name} could not be warmed: {error}")
            continue
        print(f"  {name} {time.perf_counter() - start:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
