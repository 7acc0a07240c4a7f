"""Speed of the best-arm simulations and exact computations against plain NumPy and a per-draw Python loop.

Run by name: python tests/benchmarks/bench_best_arm.py [--runs 1000000] [--threads 2]

No fixed-budget package is on PyPI (banditpylib is a repository whose learners take one draw at a time in
Python). The peers written here are what a user writes instead: NumPy vectorised over replications, and
the per-draw loop. All work is done back to back in one process; compilation is not timed.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections.abc import Callable
from math import ceil, exp, sqrt

import numpy as np

from engine.methods.best_arm import (
    Algorithm,
    Simulator,
    correct_arms,
    log_error_uniform,
    simulate,
    smallest_budget,
    two_arm_law,
)
from engine.methods.best_arm.algorithms import ALGORITHMS
from engine.methods.best_arm.exact_elimination import log_error_elimination
from engine.methods.best_arm.rates import log_bar
from engine.methods.best_arm.schedules import sr_lengths, successive_rejects_schedule
from engine.methods.best_arm.two_arm_policies import static_policy, tracking_policy

PHASES = ("uniform", "static", "sr", "sh", "sh_fresh")


def numpy_successive_rejects(means: np.ndarray, budget: int, runs: int, rng: np.random.Generator) -> float:
    """Successive Rejects vectorised over runs: binomial phases, random keys for ties. Returns P(error)."""
    arms, before = means.size, 0
    sums, alive = np.zeros((runs, arms)), np.ones((runs, arms), bool)
    for length in sr_lengths(arms, budget):
        sums += rng.binomial(length - before, means, size=(runs, arms)) * alive
        before = length
        keyed = np.where(alive, sums + 0.5 * rng.random((runs, arms)), np.inf)
        alive[np.arange(runs), keyed.argmin(axis=1)] = False
    return float(1 - alive[:, 0].mean())


def numpy_ucbe(means: np.ndarray, budget: int, runs: int, a: float, rng: np.random.Generator) -> float:
    """UCB-E vectorised over runs, one draw of every run per step. Returns P(error)."""
    arms, rows = means.size, np.arange(runs)
    n = np.ones((runs, arms))
    s = (rng.random((runs, arms)) < means).astype(float)
    for _ in range(arms, budget):
        index = s / n + np.sqrt(a / n)
        pick = (index + 1e-9 * rng.random((runs, arms))).argmax(axis=1)
        n[rows, pick] += 1
        s[rows, pick] += rng.random(runs) < means[pick]
    return float(((s / n + 1e-9 * rng.random((runs, arms))).argmax(axis=1) != 0).mean())


def numpy_rejects(means: np.ndarray, budget: int, runs: int, rng: np.random.Generator) -> float:
    """CR-C vectorised over runs, one draw of every run per step. Returns P(error)."""
    arms, rows = means.size, np.arange(runs)
    bars = np.array([np.inf, np.inf] + [log_bar(m) for m in range(2, arms + 1)])
    n, s = np.zeros((runs, arms)), np.zeros((runs, arms))
    alive = np.ones((runs, arms), bool)
    for t in range(budget):
        if t >= arms:
            mean = np.where(alive, s / n + 1e-9 * rng.random((runs, arms)), np.inf)
            order = np.partition(mean, 1, axis=1)
            gone = np.where(alive, 0, n)
            left = alive.sum(axis=1)
            beta = (n.sum(axis=1) - gone.sum(axis=1)) * bars[left] / (budget - gone.sum(axis=1))
            worst = mean.argmin(axis=1)
            drop = (left > 1) & (n[rows, worst] > gone.max(axis=1))
            drop &= order[:, 1] - order[:, 0] >= 1 / np.sqrt(beta) - 1
            alive[rows[drop], worst[drop]] = False
        pick = np.where(alive, n + 0.5 * rng.random((runs, arms)), np.inf).argmin(axis=1)
        n[rows, pick] += 1
        s[rows, pick] += rng.random(runs) < means[pick]
    final = np.where(alive, s / n + 1e-9 * rng.random((runs, arms)), -1)
    return float((final.argmax(axis=1) != 0).mean())


def loop_successive_rejects(means: list[float], budget: int) -> int:
    """One run of Successive Rejects, a Python call per draw, as the learners of the peer do."""
    active, sums, before = list(range(len(means))), [0] * len(means), 0
    for length in sr_lengths(len(means), budget):
        for k in active:
            for _ in range(length - before):
                sums[k] += random.random() < means[k]
        before = length
        low = min(sums[k] for k in active)
        active.remove(random.choice([k for k in active if sums[k] == low]))
    return active[0]


def loop_ucbe(means: list[float], budget: int, a: float) -> int:
    """One run of UCB-E, a Python call per draw."""
    n, s = [0] * len(means), [0] * len(means)
    for t in range(budget):
        if t < len(means):
            k = t
        else:
            index = [s[i] / n[i] + sqrt(a / n[i]) for i in range(len(means))]
            top = max(index)
            k = random.choice([i for i, v in enumerate(index) if v == top])
        n[k] += 1
        s[k] += random.random() < means[k]
    return max(range(len(means)), key=lambda i: s[i] / n[i])


def timed(work: Callable[[], object]) -> tuple[float, object]:
    """Seconds of one call, and its result."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def simulated(
    name: str, means: tuple[float, ...], budget: int, runs: int, threads: int, **settings: object
) -> tuple[float, float, float]:
    """(seconds, draws, P(error)) of `runs` compiled runs."""
    simulator = Simulator(Algorithm(name, **settings), means, budget)  # type: ignore[arg-type]
    simulator.batch(0, 2)
    seconds, tallies = timed(lambda: list(simulate(simulator, runs, threads=threads)))
    tally = tallies[-1]  # type: ignore[index]
    return seconds, float(tally.draws.sum()), tally.errors(correct_arms(means)) / runs


def every_algorithm(runs: int, threads: int) -> None:
    """All algorithms at K = 2, 5 and 10."""
    print(f"\n{runs:,} runs, {threads} threads (phase algorithms T=2000; step algorithms T=200)")
    for arms in (2, 5, 10):
        means = (0.5, *[0.4] * (arms - 1))
        for name, info in ALGORITHMS.items():
            if info.two_arms_only and arms > 2:
                continue
            slow = name in ("ttts", "thompson")
            part = runs // 50 if slow else runs
            budget = 2000 if name in PHASES else 200
            settings = {"weights": (1.0,) * arms} if name == "static" else {}
            seconds, draws, error = simulated(name, means, budget, part, threads, **settings)
            print(
                f"  K={arms:2d} {info.title:34s} {part:>9,} runs {seconds:7.2f} s "
                f"{draws / seconds:9.3g} draws/s  P(error) {error:.3g}"
            )


def against_numpy(runs: int) -> None:
    """One thread against NumPy on the same number of runs."""
    rng, means = np.random.default_rng(0), np.array([0.5, *[0.4] * 9])
    print(f"\nOne thread against NumPy vectorised over runs, K=10, {runs:,} runs")
    a = 2.0
    work = [
        ("sr", 2000, lambda r: numpy_successive_rejects(means, 2000, r, rng), {}),
        ("ucbe", 200, lambda r: numpy_ucbe(means, 200, r, a, rng), {"exploration": a}),
        ("cr_c", 200, lambda r: numpy_rejects(means, 200, r, rng), {}),
    ]
    for name, budget, peer, settings in work:
        ours, _, p = simulated(name, tuple(means), budget, runs, 1, **settings)
        theirs, q = timed(lambda peer=peer: peer(runs))
        print(
            f"  {name:5s} T={budget}: ours {ours:.3f} s (P {p:.4f}), NumPy {theirs:.2f} s (P {q:.4f}), "
            f"ratio {theirs / ours:.0f}"
        )


def against_loop(runs: int) -> None:
    """One thread against the per-draw Python loop, per run."""
    means = [0.5, *[0.4] * 9]
    print(f"\nOne thread against the per-draw Python loop, K=10 ({runs} Python runs)")
    for name, budget, peer, settings in [
        ("sr", 2000, lambda: [loop_successive_rejects(means, 2000) for _ in range(runs)], {}),
        ("ucbe", 200, lambda: [loop_ucbe(means, 200, 2.0) for _ in range(runs)], {"exploration": 2.0}),
    ]:
        ours, _, _ = simulated(name, tuple(means), budget, 50_000, 1, **settings)
        theirs, _ = timed(peer)
        ratio = (theirs / runs) / (ours / 50_000)
        print(
            f"  {name:5s} T={budget}: ours {ours / 50_000 * 1e6:.2f} µs/run, "
            f"loop {theirs / runs * 1e6:,.0f} µs/run, ratio {ratio:,.0f}"
        )


def exact_values() -> None:
    """The exact computations."""
    print("\nExact computations")
    grid = np.linspace(0.02, 0.98, 41)
    two_arm_law(tracking_policy(), 10).error(grid, grid)
    for budget in (100, 150, 300):
        seconds, law = timed(lambda budget=budget: two_arm_law(tracking_policy(), budget))
        mapped, _ = timed(lambda law=law: law.error(grid, grid))
        print(f"  plug-in tracking, T={budget}: pass {seconds:.2f} s, 41×41 map {mapped * 1e3:.0f} ms")
    seconds, law = timed(lambda: two_arm_law(static_policy(0.5), 150))
    gap = float(law.error(0.5, 0.4)[0, 0]) / exp(log_error_uniform((0.5, 0.4), 150)) - 1  # type: ignore[attr-defined]
    print(f"  uniform through the pass, T=150: {seconds:.2f} s, relative difference to closed form {gap:.1e}")
    for means, error in [((0.5, 0.4), 0.05), ((0.05, 0.04), 0.05), ((0.0046, 0.004), 0.05)]:
        seconds, plan = timed(lambda means=means, error=error: smallest_budget(means, error))
        print(f"  planner {means}, error {error}: T={plan.budget:,} in {seconds * 1e3:.0f} ms")  # type: ignore[attr-defined]
    for arms, budget in [(3, 2000), (4, 400)]:
        means = (0.5, *[0.45] * (arms - 1))
        schedule = successive_rejects_schedule(arms, budget)
        seconds, value = timed(lambda m=means, s=schedule: log_error_elimination(m, s))
        print(f"  SR exact K={arms}, T={budget}: {exp(value):.6g} in {seconds * 1e3:.0f} ms")  # type: ignore[arg-type]


def main() -> None:
    """Print all tables and the peak memory."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    exact_values()
    against_loop(max(20, ceil(options.runs / 5000)))
    against_numpy(max(1000, options.runs // 20))
    every_algorithm(options.runs, options.threads)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\npeak memory {peak:.0f} MB")


if __name__ == "__main__":
    main()
