"""Derivative-free descent of a plain Python function."""

from __future__ import annotations

import numpy as np
import pytest

from engine.methods.gaussian_sketch import BlackBox, Penalty


def bowl(x: np.ndarray) -> float:
    return float(((x - np.array([1.0, -2.0, 0.01, 0.0])) ** 2 * np.array([1.0, 0.5, 0.2, 0.2])).sum() / 2)


@pytest.mark.parametrize("forward", [False, True])
def test_it_finds_the_proximal_optimum_from_values_alone(forward: bool) -> None:
    penalty = Penalty("l1", 0.05)
    box = BlackBox(
        bowl, np.zeros(4), np.random.default_rng(0), eta=0.2, size=2, prox=penalty.prox, forward=forward
    )
    for _ in range(600):
        box.step()
    assert np.allclose(box.x, [0.95, -1.9, 0.0, 0.0], atol=1e-6 if not forward else 1e-5)
    assert box.calls == 600 * (3 if forward else 4)


def test_calls_of_the_function_are_what_is_counted() -> None:
    seen = []

    def counted(x: np.ndarray) -> float:
        seen.append(1)
        return bowl(x)

    box = BlackBox(counted, np.zeros(4), np.random.default_rng(0), eta=0.2, size=3, forward=True)
    for _ in range(5):
        box.step()
    assert box.calls == len(seen) == 20
