"""A small set that needs no library."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.core.data.values import Column, Table


def squares(tick: Any = None) -> Table:
    """150 numbers and their squares."""
    numbers = np.arange(150.0)
    return Table(columns=(Column(name="n", values=numbers), Column(name="n²", values=numbers**2)))
