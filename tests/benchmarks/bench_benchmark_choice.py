"""Sensitivity, diversity and certificates against the peer `benchbench`, both in this process.

Run by name: `python tests/benchmarks/bench_benchmark_choice.py [--all]`. The peer comes with
`pip install --no-deps benchbench==1.0.1`, or from a folder on PYTHONPATH; without it our times are shown.
Kernels are compiled before the clock starts. `--all` adds the boards that take the peer minutes.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import resource
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from engine.methods.benchmark_choice import cardinal, ordinal
from engine.methods.benchmark_choice.agreement import diversity
from engine.methods.benchmark_choice.boards import (
    ALL_CARDINAL,
    PAPER_ORDINAL,
    best_first,
    catalogue,
    imagenet_groups,
    leaderboard,
)
from engine.methods.benchmark_choice.certificates import cardinal_certificate
from engine.methods.benchmark_choice.search import cardinal_search_problem, search_worst_change

MINUTES = {"mmlu", "bbh"}


def timed(work: Callable[[], object], repeats: int = 1) -> tuple[float, object]:
    """Shortest seconds of `repeats` calls, and the last result."""
    best, result = np.inf, None
    for _ in range(repeats):
        start = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - start)
    return float(best), result


def line(what: str, ours: float, peer: float | None, note: str = "") -> None:
    """One row of the printed table."""
    text = f"{peer:9.3f} s {peer / ours:9.0f} x" if peer is not None else f"{'—':>11} {'—':>11}"
    print(f"{what:34} {ours * 1000:9.2f} ms {text}  {note}", flush=True)


def peer_sensitivity(name: str) -> tuple[float, tuple[float, float]] | None:
    """The peer's seconds and (τ-distance, MRC), its printing swallowed; None when it is not installed."""
    if find_spec("benchbench") is None:
        return None
    from benchbench.data import load_cardinal_benchmark, load_ordinal_benchmark
    from benchbench.measures import cardinal as peer_cardinal
    from benchbench.measures import ordinal as peer_ordinal

    entry = catalogue()[name]
    with contextlib.redirect_stdout(io.StringIO()):
        if entry.kind == "cardinal":
            data, tasks = load_cardinal_benchmark(entry.title)
            seconds, found = timed(lambda: peer_cardinal.get_sensitivity(data, tasks))
        else:
            data, tasks = load_ordinal_benchmark(entry.title)
            seconds, found = timed(lambda: peer_ordinal.get_sensitivity(data, tasks))
    return seconds, (float(found[0]), float(found[1]))


def our_sensitivity(name: str) -> tuple[float, tuple[float, float]]:
    """Our seconds and (τ-distance, MRC) of the published solver."""
    board = best_first(leaderboard(name))
    solver = cardinal if board.kind == "cardinal" else ordinal
    solver.published_sensitivity(board.scores, steps=2)
    seconds, found = timed(lambda: solver.published_sensitivity(board.scores), repeats=3)
    return seconds, (found.tau, found.mrc)


def sensitivities(names: list[str]) -> float:
    """Published sensitivity of each board, ours and the peer's; returns our seconds in all."""
    total = 0.0
    for name in names:
        ours, found = our_sensitivity(name)
        total += ours
        peer = peer_sensitivity(name)
        same = (
            "" if peer is None else ("same digits" if np.allclose(peer[1], found, atol=1e-12) else "DIFFERS")
        )
        note = f"tau {found[0]:.7f} MRC {found[1]:.7f} {same}"
        line(f"sensitivity {catalogue()[name].title}", ours, None if peer is None else peer[0], note)
    return total


def diversities() -> None:
    """Diversity of MTEB, the largest of the cardinal boards."""
    scores = leaderboard("mteb").scores
    diversity(scores)
    ours, _ = timed(lambda: diversity(scores), repeats=3)
    peer = None
    if find_spec("benchbench") is not None:
        from benchbench.data import load_cardinal_benchmark
        from benchbench.measures.cardinal import get_diversity

        data, tasks = load_cardinal_benchmark("MTEB")
        peer, _ = timed(lambda: get_diversity(data, tasks))
    line("diversity MTEB", ours, peer)


def beyond() -> None:
    """What the peer does not have: certificates and the search, 40 restarts a board."""
    problem = cardinal.prepare(imagenet_groups(0, 1000).scores)
    cardinal_certificate(problem)
    ours, _ = timed(lambda: cardinal_certificate(problem), repeats=3)
    line("certificate ImageNet 112 x 1000", ours, None)
    for name in ALL_CARDINAL:
        problem = cardinal.prepare(best_first(leaderboard(name)).scores)
        ranking, _, _ = cardinal_search_problem(problem)
        certificate = cardinal_certificate(problem)

        def run(ranking=ranking, certificate=certificate):
            *_, last = search_worst_change(ranking, certificate, np.random.default_rng(0), restarts=40)
            return last

        seconds, found = timed(run)
        bounds = f"certified at most {found.tau_bound:.4f}, {found.mrc_bound:.4f}"
        note = f"tau {found.by_tau.tau:.4f} MRC {found.by_mrc.mrc:.4f} ({bounds})"
        line(f"search {catalogue()[name].title}", seconds, None, note)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="also the boards that take the peer minutes")
    everything = parser.parse_args().all
    print(f"{'':34} {'ours':>12} {'benchbench':>11} {'ratio':>11}")
    slow = set() if everything else MINUTES
    cardinal_seconds = sensitivities([name for name in ALL_CARDINAL if name not in slow])
    ordinal_seconds = sensitivities(list(PAPER_ORDINAL))
    diversities()
    beyond()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"all cardinal sensitivities {cardinal_seconds:.2f} s, all ordinal {ordinal_seconds:.2f} s")
    print(f"peak memory {peak:.0f} MB (with torch and, where present, the peer loaded)")


if __name__ == "__main__":
    main()
