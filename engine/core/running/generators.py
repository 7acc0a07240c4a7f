"""The process's global random generators, kept per run.

Libraries draw from them (torch initialisation and dropout, `random`, numpy's old interface). A run's own
states are put back when it goes on after another, so that interleaved runs repeat what each does alone.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.core.loaded_modules import loaded


@dataclass
class GlobalGenerators:
    """States of the global generators at one moment."""

    python: Any
    numpy: Any
    torch: Any = None

    @classmethod
    def seeded(cls, seed: int) -> GlobalGenerators:
        """The states that `seed` gives; the process's own are left as they are."""
        before = cls.now()
        random.seed(seed)
        np.random.seed(seed % 2**32)  # noqa: NPY002
        if torch := loaded("torch"):
            torch.random.default_generator.manual_seed(seed)
        states = cls.now()
        before.put_back(seed)
        return states

    @classmethod
    def now(cls) -> GlobalGenerators:
        """The present states."""
        torch = loaded("torch")
        return cls(
            random.getstate(),
            np.random.get_state(),  # noqa: NPY002
            torch.random.get_rng_state() if torch else None,
        )

    def put_back(self, seed: int) -> None:
        """Make these the present states; torch, if it was imported since, starts from `seed`."""
        random.setstate(self.python)
        np.random.set_state(self.numpy)  # noqa: NPY002
        if torch := loaded("torch"):
            if self.torch is None:
                torch.random.default_generator.manual_seed(seed)
            else:
                torch.random.set_rng_state(self.torch)
