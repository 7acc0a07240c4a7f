"""Compiled steps of every method against plain NumPy; time to an objective against scikit-learn.

Run by name: python tests/benchmarks/bench_gaussian_sketch.py [--large]

The NumPy peers do the same steps with the same random numbers, one seed, as a person would write them; the
largest difference of the iterates is printed. All work is done back to back in one process; compilation
is not timed. `--large` adds n = 5,000, d = 784.
"""

from __future__ import annotations

import argparse
import resource
import time
import warnings
from collections.abc import Callable

import numpy as np
from scipy.special import expit
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from engine.methods.gaussian_sketch import (
    MAKERS,
    Objective,
    Penalty,
    SolverSettings,
    make_solver,
    optimum,
    smoothness,
    why_not,
)
from engine.methods.gaussian_sketch.sketches import draw, h_step

SOLVERS = ("gsgd", "rcd_importance", "sega_importance", "fista")


def soft(v: np.ndarray, threshold: float | np.ndarray) -> np.ndarray:
    """The proximal map of the ℓ1 norm."""
    return np.sign(v) * np.maximum(np.abs(v) - threshold, 0.0)


def numpy_steps(o: Objective, solver, name: str, steps: int) -> np.ndarray:
    """The steps of a method in NumPy, one seed, sparse logistic regression; returns x."""
    a, y, mu, lam, n = o.matrix, o.target, o.ridge[0], o.penalty.strength, o.samples
    d, rng = o.dimension, solver.generators[0]
    x, h, scores = np.zeros(d), np.zeros(d), np.zeros(n)
    if name in ("gsgd", "sega_gaussian"):
        eta, step = solver.eta[0], h_step(solver.kind, d, solver.size)
        for s in draw(solver.kind, rng, steps, solver.size, d):
            slopes = -y * expit(-y * (a @ x)) / n
            z = (a @ s.T).T @ slopes + mu * (s @ x) - s @ h
            along = s.T @ z
            g = h + along / solver.size
            h = h + step * along
            x = soft(x - eta * g, eta * lam)
        return x
    if name in ("gd", "fista"):
        eta, v, momentum = solver.eta[0], x, 1.0
        for _ in range(steps):
            new = soft(v - eta * (a.T @ (-y * expit(-y * (a @ v)) / n) + mu * v), eta * lam)
            turned = (v - new) @ (new - x) > 0
            after = 1.0 if turned or name == "gd" else 0.5 * (1 + np.sqrt(1 + 4 * momentum**2))
            ratio = 0.0 if turned or name == "gd" else (momentum - 1) / after
            v, x, momentum = new + ratio * (new - x), new, after
        return x
    picks = solver.picks(steps)[:, 0]
    if name.startswith("sega"):
        eta, p = solver.eta[0], solver.probabilities
        for (i,) in picks:
            slope = a[:, i] @ (-y * expit(-y * (a @ x))) / n + mu * x[i]
            g = h.copy()
            g[i] += (slope - h[i]) / p[i]
            h[i] = slope
            x = soft(x - eta * g, eta * lam)
        return x
    step = np.broadcast_to(solver.step, d)
    for block in picks:
        slopes = a[:, block].T @ (-y * expit(-y * scores)) / n + mu * x[block]
        new = soft(x[block] - step[block] * slopes, step[block] * lam)
        scores = scores + a[:, block] @ (new - x[block])
        x[block] = new
    return x


def timed(work: Callable[[], object]) -> float:
    """Seconds of one call."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def against_numpy(title: str, o: Objective, steps: int, seeds: int) -> None:
    """Every method on one problem: microseconds of a step of one seed, ours and NumPy's."""
    constants = smoothness(o)
    print(f"\n{title}: n = {o.samples:,}, d = {o.dimension}, {steps:,} steps, {seeds} seeds together")
    heads = f"{'ours, 1 seed':>14} {f'ours, {seeds} seeds':>16} {'NumPy':>12} {'ratio':>8} {'ratio':>8}"
    print(f"{'':16} {heads}   difference")
    for name in MAKERS:
        if why_not(name, o):
            continue
        count = steps if name not in ("gd", "fista") else max(steps // 20, 10)
        make_solver(o, constants, name, SolverSettings(c=1.0), 1, 0).advance(3)
        ours = make_solver(o, constants, name, SolverSettings(c=1.0), 1, 0)
        peer = make_solver(o, constants, name, SolverSettings(c=1.0), 1, 0)
        many = make_solver(o, constants, name, SolverSettings(c=1.0), seeds, 0)
        one = timed(lambda solver=ours, k=count: solver.advance(k)) / count
        batch = timed(lambda solver=many, k=count: solver.advance(k)) / count / many.seeds
        begun = time.perf_counter()
        found = numpy_steps(o, peer, name, count)
        plain = (time.perf_counter() - begun) / count
        difference = float(np.abs(found - ours.x[0]).max())
        print(
            f"{name:16} {1e6 * one:11.1f} µs {1e6 * batch:13.1f} µs {1e6 * plain:9.1f} µs"
            f" {plain / one:7.1f}× {plain / batch:7.1f}×   {difference:.0e}"
        )


def against_scikit(title: str, o: Objective, gap: float, names: tuple[str, ...] = SOLVERS) -> None:
    """Seconds until F ≤ F* + gap·(F(0) − F*): ours, and saga and liblinear with growing iterations."""
    constants = smoothness(o)
    best = optimum(o, constants)
    goal = best.value + gap * (o.value(np.zeros(o.dimension)) - best.value)
    print(f"\n{title}: seconds to a relative gap of {gap:g}")
    for name in names:
        solver = make_solver(o, constants, name, SolverSettings(c=1.0), 1, 0)
        begun, seconds = time.perf_counter(), 0.0
        while solver.objective.value(solver.x[0]) > goal:
            begun = time.perf_counter()
            solver.advance(max(1, o.dimension * 5 // solver.cost))
            seconds += time.perf_counter() - begun
        print(f"  {name:24} {seconds:8.4f} s")
    # sklearn minimises the sum with C: F = (sum)/n, l1 C = 1/(nλ); its elastic net holds the ridge
    n, mu, lam = o.samples, o.ridge[0], o.penalty.strength
    weight = mu + lam
    for iterations in (5, 10, 20, 50, 100, 200, 500, 1000, 3000, 10_000):
        model = LogisticRegression(
            C=1 / (n * weight), l1_ratio=lam / weight, solver="saga", fit_intercept=False, tol=0.0,
            max_iter=iterations, random_state=0,
        )  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            warnings.simplefilter("ignore", FutureWarning)
            seconds = timed(lambda fit=model: fit.fit(o.matrix, o.target))
        if o.value(model.coef_[0]) <= goal:
            print(f"  {'scikit-learn saga':24} {seconds:8.4f} s ({iterations} passes)")
            return
    print("  scikit-learn saga        not reached in 10,000 passes")


def problem(name: str) -> Objective:
    """Standardised sparse logistic regression, μ = λ = 0.01."""
    if name == "breast cancer":
        a, labels = load_breast_cancer(return_X_y=True)
    elif name == "digits":
        a, labels = load_digits(return_X_y=True)
        labels = labels % 2
    else:
        rng = np.random.default_rng(0)
        a = rng.standard_normal((5000, 784)) * np.arange(1, 785) ** -0.5
        labels = (a @ rng.standard_normal(784) > 0).astype(int)
    deviation = a.std(axis=0)
    a = (a - a.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)
    return Objective(
        np.ascontiguousarray(a), 2.0 * labels - 1, np.full(a.shape[1], 1e-2), "logistic", Penalty("l1", 1e-2)
    )


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="also n = 5,000, d = 784")
    large = parser.parse_args().large
    for name in ("breast cancer", "digits"):
        against_numpy(name, problem(name), 3000, 8)
        against_scikit(name, problem(name), 1e-6)
    if large:
        against_numpy("large", problem("large"), 200, 8)
        against_scikit("large", problem("large"), 1e-2, ("gsgd", "rcd_importance", "fista"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\npeak memory {peak:.0f} MB")


if __name__ == "__main__":
    main()
