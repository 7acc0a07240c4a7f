"""What a run is given besides its parameters and data: generators, device, threads, folders."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from engine.core.loaded_modules import loaded
from engine.core.torch_library import load_torch

if TYPE_CHECKING:
    from torch import Generator

Device = Literal["auto", "cpu", "cuda", "mps"]


@dataclass
class Context:
    """Handed to ``run``, ``preview`` and the actions of one run.

    `scratch` is a folder of this run alone (artifacts are made there); `cache` is shared by all runs and
    holds prepared data and weights. `state` is what actions work on: a run calls `keep` as soon as there
    is something to act on, and may go on changing it between yields. `prepared` is the preview's state
    where the person edited it before the run, else None.
    """

    seed: int
    scratch: Path
    cache: Path
    threads: int = 1
    wanted_device: Device = "auto"
    state: Any = field(default=None, repr=False)
    prepared: Any = field(default=None, repr=False)

    @cached_property
    def rng(self) -> np.random.Generator:
        """The run's own generator: the same seed gives the same numbers."""
        return np.random.default_rng(self.seed)

    def stream(self, name: str) -> np.random.Generator:
        """An independent generator by name: what one part draws does not shift another's numbers."""
        return np.random.default_rng([self.seed, zlib.crc32(name.encode())])

    @cached_property
    def torch(self) -> Any:
        """The torch module, with this run's number of threads."""
        torch = load_torch()
        torch.set_num_threads(self.threads)
        return torch

    def claim_threads(self) -> None:
        """Called by the runner when the run enters the thread: the loaded libraries use its threads."""
        if torch := loaded("torch"):
            torch.set_num_threads(self.threads)
        if numba := loaded("numba"):
            numba.set_num_threads(min(self.threads, numba.config.NUMBA_NUM_THREADS))

    @cached_property
    def torch_generator(self) -> Generator:
        """A torch generator (CPU) from the same seed; imports torch."""
        generator: Generator = self.torch.Generator().manual_seed(self.seed)
        return generator

    @cached_property
    def device(self) -> str:
        """The torch device: the person's choice, or the best there is; imports torch unless it is cpu."""
        if self.wanted_device != "auto":
            return self.wanted_device
        torch = self.torch
        if torch.cuda.is_available():
            return "cuda"
        return "mps" if torch.backends.mps.is_available() else "cpu"

    def keep(self, state: Any) -> None:
        """From now on actions work on `state`."""
        self.state = state
