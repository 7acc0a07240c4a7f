"""Fixtures of the whole suite: a home of its own per test, a throw-away method, no thread left behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.core import registry
from engine.core.method import Method


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's folders, under a path with a blank, an accent and a letter that is not Latin."""
    place = tmp_path / "Müllers Läufe 数据"
    monkeypatch.setenv("PAPERTAB_HOME", str(place))
    return place


@pytest.fixture
def walk() -> Iterator[Method]:
    """The throw-away method, found by the registry during one test."""
    folder = Path(__file__).parent / "example_methods"
    registry.add_folder(folder, "tests.example_methods")
    yield registry.method("walk")
    registry.remove_folder(folder)


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    """A test that leaves a thread of its own running fails."""
    before = set(threading.enumerate())
    yield
    left = [
        thread
        for thread in set(threading.enumerate()) - before
        if thread.name in ("engine", "steering", "loading", "heart")
    ]
    for thread in left:
        thread.join(5)
    assert not [thread.name for thread in left if thread.is_alive()]
