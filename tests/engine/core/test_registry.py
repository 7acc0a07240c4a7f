"""Methods are found by looking into folders, and listing them loads nothing heavy."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from engine.core import registry
from engine.core.errors import UnknownNameError

ROOT = Path(__file__).parents[3]
HEAVY = ["torch", "numba", "scipy", "sklearn", "pandas", "pyarrow", "matplotlib", "PySide6", "pyqtgraph"]


def test_listing_and_describing_load_nothing_heavy() -> None:
    script = (
        "import json, sys\n"
        "from engine.core.registry import methods\n"
        "from engine.terminal.describe import description\n"
        "[json.dumps(description(method)) for method in methods().values()]\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"


def test_nothing_under_engine_imports_qt_and_no_method_imports_another() -> None:
    for path in (ROOT / "engine").rglob("*.py"):
        imported = set(_imports(path))
        qt = {
            name
            for name in imported
            if name.split(".")[0] in ("PySide6", "pyqtgraph", "qtpy", "superqt", "gui")
        }
        assert not qt, path
        parts = path.relative_to(ROOT / "engine").parts
        own = parts[1] if parts[0] == "methods" and len(parts) > 2 else None
        others = {n.split(".")[2] for n in imported if n.startswith("engine.methods.") and n.count(".") >= 2}
        assert others <= ({own} if own else set()), path


def test_the_window_names_no_method() -> None:
    slugs = set(registry.methods())
    for path in (ROOT / "gui").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        assert not slugs & {text for text in texts if isinstance(text, str)}, path
        assert not any(name.startswith("engine.methods") for name in _imports(path)), path


def test_a_folder_dropped_in_is_a_method(walk: object) -> None:
    assert registry.method("walk").title == "Random walk"


def test_an_unknown_method_names_the_nearest(walk: object) -> None:
    with pytest.raises(UnknownNameError, match="Did you mean walk"):
        registry.method("wlak")


def test_a_result_name_may_hold_parts(walk: object) -> None:
    method = registry.method("walk")
    assert method.scalar("largest.whole") is method.scalars[1]
    assert method.scalar("largest.a.b") is None
    assert method.scalar("largest") is None


def _imports(path: Path) -> list[str]:
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return names
