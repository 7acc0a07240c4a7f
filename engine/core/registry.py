"""Finds the methods: every package in a methods folder that has a ``declaration`` with a ``METHOD``.

Nothing lists them; adding a folder adds a tab. Only declarations are imported here, so that listing
nineteen methods loads none of their libraries.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from functools import cache
from pathlib import Path

from engine.core.errors import UnknownNameError
from engine.core.method import Method

AREAS = (
    "Clustering and graphs",
    "Decisions",
    "Trust",
    "Language models",
    "Optimisation",
    "Reinforcement learning",
    "Vision",
    "Scenes and music",
    "Life sciences",
)
"""The order of the areas in the window; an area not named here comes after them."""

_FOLDERS: list[tuple[Path, str]] = [(Path(__file__).parents[1] / "methods", "engine.methods")]


@cache
def methods() -> dict[str, Method]:
    """All methods, slug → declaration, ordered by area and title."""
    found: dict[str, Method] = {}
    for folder, package in _FOLDERS:
        for place in sorted(folder.iterdir()):
            if (place / "declaration.py").is_file():
                method = importlib.import_module(f"{package}.{place.name}.declaration").METHOD
                found[method.slug] = method
    order = {area: place for place, area in enumerate(AREAS)}
    ranked = sorted(found.values(), key=lambda m: (order.get(m.area, len(order)), m.title))
    return {method.slug: method for method in ranked}


def method(slug: str) -> Method:
    """One method.

    Raises:
        UnknownNameError: there is none of that name; the nearest names are suggested.
    """
    known = methods()
    if slug not in known:
        raise UnknownNameError("method", slug, known)
    return known[slug]


def add_folder(folder: Path, package: str) -> None:
    """Look for methods in `folder` too, its packages being importable as `package`.<slug>."""
    if str(folder.parent) not in sys.path and importlib.util.find_spec(package) is None:
        sys.path.insert(0, str(folder.parent))
    _FOLDERS.append((folder, package))
    methods.cache_clear()


def added_folders() -> list[tuple[Path, str]]:
    """The folders given to `add_folder`, with their packages: what another process must look into too."""
    return _FOLDERS[1:]


def remove_folder(folder: Path) -> None:
    """Undo `add_folder`."""
    _FOLDERS[:] = [(place, package) for place, package in _FOLDERS if place != folder]
    methods.cache_clear()
