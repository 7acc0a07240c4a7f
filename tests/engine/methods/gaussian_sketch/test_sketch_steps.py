"""GSGD: one step in expectation, equivalences, rotation invariance, fixed points, oracles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from engine.methods.gaussian_sketch import (
    Objective,
    Penalty,
    SolverSettings,
    draw,
    haar_rotation,
    least_squares,
    make_solver,
    optimum,
    quadratic,
    smoothness,
    spectrum,
    trace_step,
)
from engine.methods.gaussian_sketch.solvers import SketchSolver


def quadratic_problem(d: int = 12, seed: int = 0, kind: str = "decay") -> Objective:
    rng = np.random.default_rng(seed)
    return quadratic(*least_squares(spectrum(kind, d), rng.standard_normal(d), haar_rotation(d, rng)))


def logistic_problem(penalty: Penalty = Penalty("l1", 0.02), n: int = 60, d: int = 8) -> Objective:
    rng = np.random.default_rng(4)
    a = rng.standard_normal((n, d))
    y = np.where(a @ rng.standard_normal(d) + 0.5 * rng.standard_normal(n) > 0, 1.0, -1.0)
    return Objective(a, y, np.full(d, 0.05), "logistic", penalty)


def solver_of(objective: Objective, name: str = "gsgd", seeds: int = 1, **settings: object) -> SketchSolver:
    solver = make_solver(objective, smoothness(objective), name, SolverSettings(**settings), seeds, 0)
    assert isinstance(solver, SketchSolver)
    return solver


def test_one_step_on_a_flat_quadratic_has_the_exact_mean() -> None:
    d, size, draws = 10, 3, 100_000
    objective = quadratic(*least_squares(spectrum("flat", d), np.ones(d)))
    settings = SolverSettings(size=size)
    solver = SketchSolver(objective, smoothness(objective), settings, draws, learns=False)
    eta = 0.3
    solver.eta[:] = eta
    solver.refresh()
    sketches = draw("gaussian", np.random.default_rng(3), draws, size, d)[None]
    solver.run_sketches(sketches)
    ratio = ((solver.x - 1) ** 2).sum(axis=1).mean() / d
    exact = 1 - 2 * eta * 0.5 + eta**2 * 0.25 * (d + size + 1) / size
    assert ratio == pytest.approx(exact, rel=0.01)
    assert objective.value(np.zeros(d)) == pytest.approx(0.25 * d, rel=1e-12)


@pytest.mark.parametrize("name", ["gsgd", "gsgd_plain"])
def test_gsgd_is_invariant_under_rotation(name: str) -> None:
    d = 12
    objective, q = quadratic_problem(d), haar_rotation(d, np.random.default_rng(7))
    turned = objective.rotated(q)
    sketches = draw("gaussian", np.random.default_rng(1), 200, 2, d)[:, None]
    here, there = solver_of(objective, name, size=2), solver_of(turned, name, size=2)
    here.refresh()
    here.run_sketches(sketches.copy())
    there.refresh()
    there.run_sketches(np.ascontiguousarray(sketches @ q))
    assert np.abs(q @ there.x[0] - here.x[0]).max() < 1e-10


def test_coordinate_descent_is_not_invariant() -> None:
    d = 12
    objective, q = quadratic_problem(d), haar_rotation(d, np.random.default_rng(7))
    ends = []
    for problem in (objective, objective.rotated(q)):
        solver = make_solver(problem, smoothness(problem), "rcd_importance", SolverSettings(), 1, 0)
        solver.advance(200)
        ends.append(solver.x[0])
    assert np.abs(q @ ends[1] - ends[0]).max() > 1e-2


def test_frozen_h_is_plain_gsgd_and_equals_numpy() -> None:
    objective = quadratic_problem()
    solver = solver_of(objective, "gsgd_plain", size=2)
    sketches = draw("gaussian", np.random.default_rng(1), 50, 2, 12)
    solver.refresh()
    solver.run_sketches(sketches[:, None].copy())
    x = np.zeros(12)
    for s in sketches:
        x = x - solver.eta[0] / 2 * s.T @ (s @ objective.gradient(x))
    assert np.allclose(solver.x[0], x, atol=1e-12)


@pytest.mark.parametrize(
    "name", ["none", "l1", "elastic", "group", "box", "simplex", "ball", "tv", "nuclear"]
)
def test_the_kernel_equals_the_four_lines_of_the_method(name: str) -> None:
    penalty = Penalty(name, 0.5, size=2, low=-0.3, high=0.4)
    objective = logistic_problem(penalty)
    solver = solver_of(objective, size=3, seeds=2)
    sketches = draw("gaussian", np.random.default_rng(2), 40, 6, 8).reshape(40, 2, 3, 8)
    solver.refresh()
    solver.run_sketches(sketches.copy())
    for r in range(2):
        x, h, eta = objective.start(), np.zeros(8), solver.eta[r]
        for s in sketches[:, r]:
            z = s @ objective.gradient(x) - s @ h
            g = h + s.T @ z / 3
            h = h + s.T @ z / (8 + 3 + 1)
            x = penalty.prox(x - eta * g, eta)
        assert np.allclose(solver.x[r], x, atol=1e-11)
        assert np.allclose(solver.h[r], h, atol=1e-11)


def test_sparse_data_give_the_same_iterates() -> None:
    rng = np.random.default_rng(0)
    a = rng.standard_normal((40, 9)) * (rng.random((40, 9)) < 0.3)
    y = np.sign(rng.standard_normal(40))
    for name in ("gsgd", "rcd_importance", "sega_importance", "minibatch", "gd", "fista"):
        ends = []
        for matrix in (a, sparse.csr_matrix(a)):
            objective = Objective(matrix, y, np.full(9, 0.01), "logistic", Penalty("l1", 0.01))
            solver = make_solver(objective, smoothness(objective), name, SolverSettings(), 2, 3)
            solver.advance(300)
            ends.append(solver.x.copy())
        assert np.allclose(ends[0], ends[1], atol=1e-10), name


def test_a_full_orthogonal_block_is_the_exact_gradient() -> None:
    objective, d = logistic_problem(), 8
    solver = solver_of(objective, sketch="orthogonal", size=d)
    sketches = draw("orthogonal", np.random.default_rng(1), 30, d, d)[:, None]
    solver.refresh()
    solver.run_sketches(sketches.copy())
    x = np.zeros(d)
    for _ in range(30):
        x = objective.penalty.prox(x - solver.eta[0] * objective.gradient(x), solver.eta[0])
    assert np.allclose(solver.x[0], x, atol=1e-12)


def test_many_directions_approach_ista() -> None:
    objective, d, size = logistic_problem(), 8, 4000
    solver = solver_of(objective, size=size)
    eta = solver.eta[0]
    assert eta == pytest.approx(trace_step(smoothness(objective), size, 0.5))
    solver.advance(20)
    x = np.zeros(d)
    for _ in range(20):
        x = objective.penalty.prox(x - eta * objective.gradient(x), eta)
    assert np.abs(solver.x[0] - x).max() < 0.02 * np.abs(x).max()


@pytest.mark.parametrize("name", ["none", "l1", "tv"])
def test_the_optimum_with_its_gradient_stays(name: str) -> None:
    objective = logistic_problem(Penalty(name, 0.02))
    best = optimum(objective, smoothness(objective))
    solver = solver_of(objective, size=2)
    gradient = objective.gradient(best.x)
    solver.x[0], solver.h[0] = best.x, gradient
    solver.advance(500)
    assert np.abs(solver.x[0] - best.x).max() < 1e-12
    assert np.abs(solver.h[0] - gradient).max() < 1e-12


@pytest.mark.parametrize("oracle", ["central", "forward"])
def test_zeroth_order_follows_the_exact_curve(oracle: str) -> None:
    objective = quadratic_problem()
    exact = solver_of(objective, "gsgd_plain")
    differences = solver_of(objective, "gsgd_plain", oracle=oracle)
    start = objective.value(np.zeros(12))
    for _ in range(10):
        exact.advance(30)
        differences.advance(30)
        gap = objective.value(exact.x[0]) - objective.value(differences.x[0])
        assert abs(gap) / start < 1e-5


def test_steps_do_not_depend_on_how_they_are_cut() -> None:
    objective = logistic_problem()
    for name in ("gsgd", "rcd_uniform", "minibatch", "sega_uniform", "gd", "fista"):
        whole, pieces = (
            make_solver(objective, smoothness(objective), name, SolverSettings(), 2, 1) for _ in "ab"
        )
        whole.advance(2300)
        for count in (1, 700, 299, 1000, 300):
            pieces.advance(count)
        assert np.array_equal(whole.x, pieces.x), name


def test_armijo_steps_fall_and_beat_the_trace_step() -> None:
    objective = quadratic_problem(d=40)
    adaptive = solver_of(objective, "gsgd_plain", rule="armijo")
    fixed = solver_of(objective, "gsgd_plain", c=1.0)
    values = []
    for _ in range(20):
        adaptive.advance(50)
        fixed.advance(50)
        values.append(objective.value(adaptive.x[0]))
    assert np.all(np.diff(values) <= 1e-15)
    assert values[-1] < objective.value(fixed.x[0])


def test_changing_the_size_keeps_the_count_of_derivatives() -> None:
    solver = solver_of(logistic_problem(), size=2)
    solver.advance(10)
    solver.steer(size=5, c=1.0)
    solver.advance(10)
    assert solver.derivatives == 70
    assert solver.eta[0] == trace_step(solver.constants, 5, 1.0)


def test_exact_start_of_h_costs_one_gradient() -> None:
    objective = logistic_problem()
    solver = solver_of(objective, h_exact=True)
    assert solver.derivatives == 8
    assert np.allclose(solver.h[0], objective.gradient(np.zeros(8)))


def test_a_preconditioner_is_a_sketch_in_its_metric() -> None:
    objective = logistic_problem()
    p = smoothness(objective).diagonal
    scaled = objective.preconditioned(p)
    constants = smoothness(scaled)
    assert np.allclose(constants.diagonal, 1.0)
    solver = make_solver(scaled, constants, "gsgd", SolverSettings(c=1.0), 1, 0)
    solver.advance(4000)
    best = optimum(objective, smoothness(objective))
    assert np.allclose(scaled.in_data_units(solver.x[0]), best.x, atol=1e-8)
    assert scaled.value(solver.x[0]) == pytest.approx(best.value, abs=1e-14)
    with pytest.raises(ValueError, match="separable"):
        replace(objective, penalty=Penalty("tv", 0.1)).preconditioned(p)
