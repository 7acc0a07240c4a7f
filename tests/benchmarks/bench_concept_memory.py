"""Distances to the memory against scikit-learn and a loop, the steering loop, a default run. Run by name:

``python tests/benchmarks/bench_concept_memory.py``
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.methods.concept_memory.neighbours import nearest

N, M, D, K = 10_000, 1_000, 120, 1
REPEATS = 5
BAR_SECONDS, BAR_RATIO, BAR_LOOP, BAR_EDIT = 0.3, 1.5, 20.0, 0.05


def best(work: Callable[[], Any]) -> float:
    """Shortest of several times, seconds."""
    work()
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def loop(queries: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """One sample at a time, as the official code does."""
    return np.array([np.sqrt(((memory - query) ** 2).sum(axis=1)).min() for query in queries])


def distances() -> None:
    """Ours, scikit-learn's brute force, and the loop."""
    from sklearn.neighbors import NearestNeighbors

    rng = np.random.default_rng(0)
    queries = rng.normal(size=(N, D)).astype(np.float32)
    memory = rng.normal(size=(M, D)).astype(np.float32)
    before = peak_mb()
    nearest(queries, memory, K)
    used = peak_mb() - before
    model = NearestNeighbors(n_neighbors=K, algorithm="brute").fit(memory)
    # Turn by turn, so that what else the machine does meets both.
    pairs = [
        (best(lambda: nearest(queries, memory, K)), best(lambda: model.kneighbors(queries))) for _ in range(5)
    ]
    ours, theirs = min(one for one, _ in pairs), min(other for _, other in pairs)
    began = time.perf_counter()
    slow = loop(queries[:1000], memory)
    looped = (time.perf_counter() - began) * N / 1000
    assert np.allclose(slow, nearest(queries[:1000], memory, K)[0][:, 0], atol=1e-4)
    print(f"nearest of {M:,} entries for {N:,} samples of {D}")
    print(f"  here: {ours * 1000:.0f} ms (bar {BAR_SECONDS * 1000:.0f})")
    print(f"  scikit-learn brute force: {theirs * 1000:.0f} ms, ratio {ours / theirs:.2f} (bar {BAR_RATIO})")
    print(f"  one sample at a time: {looped * 1000:.0f} ms, ratio {looped / ours:.0f} (bar {BAR_LOOP:.0f})")
    print(f"  memory taken: {used:.0f} MB (bar 200)")


def answered(
    job: Any, deed: Callable[[], Any], spent: dict[str, tuple[list[float], list[float]]], name: str
) -> None:
    """Seconds until the window can draw the answer, and until the record holds it."""
    job.feed.drain()
    began = time.perf_counter()
    future = deed()
    while not ((changes := job.feed.drain()) and changes.acted):
        time.sleep(0.0002)
    shown, stored = spent.setdefault(name, ([], []))
    shown.append(time.perf_counter() - began)
    future.result()
    stored.append(time.perf_counter() - began)


def steering() -> None:
    """Click, tick, remember, undo on the default data; and a whole default run."""
    import tempfile

    from engine.core.records.library import Library
    from engine.core.running.engine import Engine
    from engine.core.scripting import prepare

    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(Library(Path(folder) / "runs"), Path(folder) / "cache")
        request, _ = prepare("concept_memory", preset="quick", threads=2)
        began = time.perf_counter()
        job = engine.submit(request)
        job.ended.wait()
        print(f"quick run: {time.perf_counter() - began:.1f} s, status {job.status.value}")
        session = job.context.state
        wrong = np.flatnonzero(session.now.state == 1)[:20]
        spent: dict[str, tuple[list[float], list[float]]] = {}
        for row in wrong.tolist():
            place = int(session.known.test.places[row])
            concept = int(session.data.concepts[place].argmax())
            deeds = (
                ("select_image", {"id": place}),
                ("set_concept", {"id": concept, "value": True}),
                ("keep_entry", {"number": 0, "kept": True}),
            )
            for name, arguments in deeds:
                answered(job, partial(engine.act, job, name, arguments), spent, name)
            answered(job, partial(engine.undo, job), spent, "undo")
        for name, (shown, stored) in spent.items():
            found = f"median {np.median(shown) * 1000:.1f} ms, longest {max(shown) * 1000:.1f}"
            later = f"stored after {np.median(stored) * 1000:.1f}"
            print(f"  {name}: shown after {found} (bar {BAR_EDIT * 1000:.0f}), {later}")
        request, _ = prepare("concept_memory", preset="default", threads=2)
        began = time.perf_counter()
        job = engine.submit(request)
        job.ended.wait()
        seconds = time.perf_counter() - began
        print(f"default run: {seconds:.1f} s, status {job.status.value}, peak {peak_mb():.0f} MB")
        for name in ("class_before", "class_after", "auroc.memory", "auroc.softmax"):
            for scenario in ("confounded", "unbalanced"):
                value = job.board.values[f"{scenario}.{name}"]
                spread = f"± {value.spread or 0:.3f} ({value.repeats} seeds)"
                print(f"  {scenario}.{name} {value.value:.3f} {spread}")
        engine.close()


if __name__ == "__main__":
    distances()
    steering()
