"""Speed of the adaptive-regret algorithms against a plain Python loop and against PyNOL.

Run by name: python tests/benchmarks/bench_adaptive_regret.py [--pynol FOLDER]

The plain loop is what a person writes from the paper: NumPy, one expert after the other. PyNOL (on PyPI as
`pynol-xzp` 0.1.0) needs autograd and, only for algorithms not used here, cvxpy; FOLDER is where they are
installed (pip install --target FOLDER --no-deps pynol-xzp, then autograd and multiprocess). All work is done
back to back in one process; compilation is not timed.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.methods.adaptive_regret.comparators import Comparator
from engine.methods.adaptive_regret.covers import level_of
from engine.methods.adaptive_regret.learners import Settings, design, play_all
from engine.methods.adaptive_regret.problems import Problem
from engine.methods.adaptive_regret.regret import Windows, window_lengths
from engine.methods.adaptive_regret.streams import switching_stream

QUARTER = Settings(
    alpha=0.25, beta=0.25, usia_betas=tuple(2.0**-j for j in range(6)), usia_lams=(1.0, 0.25, 1 / 16)
)


def clocked(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds and what came out."""
    start = time.perf_counter()
    made = work()
    return time.perf_counter() - start, made


def project_in_norm(matrix: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A-norm projection on the unit ball by bisection in the eigenbasis."""
    if y @ y <= 1:
        return y
    values, vectors = np.linalg.eigh(matrix)
    turned = vectors.T @ (matrix @ y)
    low, high = 0.0, 1e6
    for _ in range(80):
        middle = (low + high) / 2
        if ((turned / (values + middle)) ** 2).sum() > 1:
            low = middle
        else:
            high = middle
    return vectors @ (turned / (values + high))


class PlainNewton:
    """Online Newton step, β = ¼, D = 2."""

    def __init__(self, d: int, beta: float = 0.25) -> None:
        self.w, self.beta = np.zeros(d), beta
        self.matrix = np.eye(d) / (beta**2 * 4)

    def step(self, x: np.ndarray, y: float) -> None:
        g = (self.w @ x - y) * x
        self.matrix = self.matrix + np.outer(g, g)
        self.w = project_in_norm(self.matrix, self.w - np.linalg.solve(self.matrix, g) / self.beta)


class PlainGradient:
    """SOGD, or OGD for strongly convex losses where `lam` is given."""

    def __init__(self, d: int, lam: float | None = None) -> None:
        self.w, self.total, self.n, self.lam = np.zeros(d), 0.01, 0, lam

    def step(self, x: np.ndarray, y: float) -> None:
        g = (self.w @ x - y) * x
        self.total, self.n = self.total + g @ g, self.n + 1
        rate = np.sqrt(2) / np.sqrt(self.total) if self.lam is None else 1 / (self.lam * self.n)
        w = self.w - rate * g
        self.w = w / max(1.0, float(np.linalg.norm(w)))


def plain_flhs(p: Problem, threshold: float) -> np.ndarray:
    """FLHS, one expert after the other."""
    alive: list[list[Any]] = []
    weights = np.zeros(0)
    m, due, counted, losses = 0, True, 0.0, []
    for x, y in zip(p.features, p.targets, strict=True):
        if due:
            m, due, counted = m + 1, False, 0.0
            keep = [i for i, (_, end) in enumerate(alive) if end > m]
            alive, weights = [alive[i] for i in keep], weights[keep]
            weights = weights / weights.sum() * (1 - 1 / m) if len(weights) else weights
            alive.append([PlainNewton(p.dimension), m + (1 << level_of(m))])
            weights = np.append(weights, 1 / m if len(weights) else 1.0)
        points = np.array([expert.w for expert, _ in alive])
        each = 0.5 * (points @ x - y) ** 2
        losses.append(0.5 * (weights @ points @ x - y) ** 2)
        weights = weights * np.exp(-0.25 * each)
        weights /= weights.sum()
        for expert, _ in alive:
            expert.step(x, y)
        counted += each[-1]
        due = counted > threshold
    return np.array(losses)


def plain_usia(p: Problem, threshold: float) -> np.ndarray:
    """USIA with the running-max scale, one expert after the other."""
    alive: list[dict[str, Any]] = []
    m, due, counted, largest, losses = 0, True, 0.0, 0.0, []
    for x, y in zip(p.features, p.targets, strict=True):
        if due:
            m, due, counted = m + 1, False, 0.0
            alive = [e for e in alive if e["end"] > m]
            bundle: list[Any] = [PlainGradient(p.dimension)]
            bundle += [PlainNewton(p.dimension, 2.0**-j) for j in range(6)]
            bundle += [PlainGradient(p.dimension, lam) for lam in (1.0, 0.25, 1 / 16)]
            gamma = np.log(len(bundle)) + 2 * np.log(2 * m)
            for expert in bundle:
                alive.append({"e": expert, "end": m + (1 << level_of(m)), "eta": 0.5, "v": 0.0,
                              "g": gamma, "x": -np.log(len(bundle)) - 2 * np.log(m)})  # fmt: skip
            newest = alive[-len(bundle)]
        logs = np.array([np.log(e["eta"]) + e["x"] for e in alive])
        weights = np.exp(logs - logs.max())
        weights /= weights.sum()
        z = np.array([e["e"].w @ x for e in alive])
        played = weights @ z
        losses.append(0.5 * (played - y) ** 2)
        gaps = (played - y) * (played - z)
        largest = max(largest, float(np.abs(gaps).max()))
        for e, gap in zip(alive, gaps, strict=True):
            r = gap / largest if largest > 0 else 0.0
            e["v"] += r * r
            rate = min(0.5, np.sqrt(e["g"] / (1 + e["v"])))
            e["x"] = (e["x"] + np.log1p(e["eta"] * r)) * rate / e["eta"]
            e["eta"] = rate
        counted += 0.5 * (newest["e"].w @ x - y) ** 2
        for e in alive:
            e["e"].step(x, y)
        due = counted > threshold
    return np.array(losses)


def pynol_sacs(p: Problem, folder: str) -> np.ndarray:
    """SACS of PyNOL on the same stream; its gradients come from autograd, as it does by default."""
    sys.path.append(folder)
    sys.modules.setdefault("cvxpy", types.ModuleType("cvxpy"))
    from pynol.environment.domain import Ball
    from pynol.environment.environment import Environment
    from pynol.learner.models.adaptive.sacs import SACS
    from pynol.online_learning import online_learning

    class Square:
        def __getitem__(self, t: int) -> Callable[[np.ndarray], float]:
            x, y = p.features[t], p.targets[t]
            return lambda w: 0.5 * ((w * x).sum(axis=-1) - y) ** 2

    learner = SACS(Ball(p.dimension, 1.0), p.rounds, prior=np.zeros(p.dimension))
    with np.errstate(all="ignore"):
        return online_learning(p.rounds, Environment(func_sequence=Square()), learner)[1]


def row(what: str, ours: float, theirs: float, peer: str, bar: str) -> None:
    print(f"{what:<34} {ours:9.3f} s   {peer:<11} {theirs:9.2f} s   ratio {theirs / ours:8.1f}   bar {bar}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pynol", default="", help="folder in which PyNOL is installed")
    folder = parser.parse_args().pynol
    small = switching_stream(np.random.default_rng(0), rounds=300).problem()
    for name in ("flhs", "usia", "sacs"):
        play_all(name, small, QUARTER)
    p = switching_stream(np.random.default_rng(0), rounds=6000).problem()
    threshold = QUARTER.threshold * p.loss_limit()
    for name, plain, bar in (("flhs", plain_flhs, "≤ 1 s"), ("usia", plain_usia, "≤ 4 s")):
        ours, learner = clocked(lambda name=name: play_all(name, p, QUARTER))
        theirs, losses = clocked(lambda plain=plain: plain(p, threshold))
        row(f"{name.upper()} T=6,000 d=6", ours, theirs, "plain loop", bar)
        apart = float(np.abs(learner.losses - losses).max())
        members = len(design(name, p, QUARTER).bundle)
        print(
            f"  {members} experts a bundle, {len(learner.markers())} markers, losses differ by ≤ {apart:.1e}"
        )
    if folder:
        q = switching_stream(np.random.default_rng(1), rounds=10_000, dimension=3).problem()
        ours, learner = clocked(lambda: play_all("sacs", q, QUARTER))
        theirs, losses = clocked(lambda: pynol_sacs(q, folder))
        row("SACS T=10,000 d=3", ours, theirs, "PyNOL", "≥ 10×")
        print(f"  cumulative loss {learner.losses.sum():.2f}, PyNOL {losses.sum():.2f} (other weights)")
    windows = Windows(Comparator(p), window_lengths(p.rounds))
    seconds, _ = clocked(lambda: list(windows.solve(p.rounds)))
    print(f"exact minima of {windows.count:,} windows (T=6,000, d=6): {seconds:.3f} s")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
