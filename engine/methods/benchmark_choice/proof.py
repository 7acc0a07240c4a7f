"""The integer program of `exact` in a process of its own, which can be ended at any moment."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import numpy as np

from engine.core.errors import RunError

from . import program as child_program
from .certificates import Certificate
from .exact import ExactTau, conclude, program_of
from .search import LinearRanking

POLL = 0.02
"""Seconds between two looks at the child."""


def prove(
    ranking: LinearRanking, certificate: Certificate, *, nodes: int, folder: Path
) -> Generator[float, None, ExactTau]:
    """Solve in a child process; yields the seconds waited and returns the proof.

    Closing the generator ends the child. Raises RunError when the child died.
    """
    asked, answered = folder / "program.npz", folder / "solution.npz"
    program = program_of(ranking, certificate)
    np.savez(asked, **vars(program))
    root = Path(__file__).parents[3]
    child = subprocess.Popen(
        [sys.executable, "-m", child_program.__name__, str(asked), str(answered), str(nodes)],
        cwd=root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    start = time.monotonic()
    try:
        while child.poll() is None:
            yield time.monotonic() - start
            time.sleep(POLL)
        if child.returncode != 0:
            words = child.stderr.read().decode(errors="replace").strip().splitlines() if child.stderr else []
            raise RunError(f"The proof's process ended with {child.returncode}: {' '.join(words[-1:])}")
    finally:
        if child.poll() is None:
            child.kill()
        child.wait()
        if child.stderr:
            child.stderr.close()
        asked.unlink(missing_ok=True)
    with np.load(answered, allow_pickle=False) as solution:
        weights = solution["weights"] if solution["weights"].size else None
        most = int(solution["most"])
    answered.unlink()
    return conclude(ranking, certificate, weights, most)
