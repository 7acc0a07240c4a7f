"""What is warmed: each target once, modules before kernels, absent packages left out."""

from __future__ import annotations

import dataclasses

from engine.core.method import Method
from engine.core.registry import methods
from engine.core.warming import targets, warm


def test_targets_are_named_once_modules_first(walk: Method) -> None:
    first = dataclasses.replace(walk, warm=("json:dumps", "torch"))
    second = dataclasses.replace(walk, warm=("torch", "scipy"))
    assert targets([first, second]) == ["torch", "scipy", "json:dumps"]


def test_what_is_not_installed_is_left_out() -> None:
    warm("a_package_nobody_has")


def test_a_function_is_called(monkeypatch: object) -> None:
    warm("os:getcwd")


def test_every_target_of_every_method_can_be_warmed() -> None:
    for name in targets(methods().values()):
        warm(name)
