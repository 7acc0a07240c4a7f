"""The tab A/B testing in the window: preview, planner, means by hand, own policy, map, logs, a record."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

SMALL = {"algorithms": ("uniform", "static", "thompson", "own"), "budgets": "20, 40", "runs": 1000}


def wrong_choice(first: float, second: float, each: int) -> float:
    """P(error) of `each` draws of either arm, ties by a fair coin, summed over both binomials."""
    counts = np.arange(each + 1)
    joint = np.outer(binom.pmf(counts, each, first), binom.pmf(counts, each, second))
    return float(np.tril(joint.T, -1).T.sum() + np.trace(joint) / 2)


def chernoff(first: float, second: float) -> float:
    """g(½, μ) of two Bernoulli arms."""
    return -math.log(math.sqrt(first * second) + math.sqrt((1 - first) * (1 - second)))


@pytest.fixture
def tests_tab(window: Any, until: Any) -> Any:
    """The tab with two variants read and its preview drawn."""
    tab = window.open_tab("best_arm")
    experiment = tab.experiment
    until(lambda: tab.views.state_of("answers") is not None and not experiment.blocked())
    first = experiment.preview
    small = {**SMALL, "map_budget": 20, "map_grid": 11}
    experiment.take_values({**experiment.parameters().model_dump(), **small})
    until(lambda: experiment.preview not in (None, first) and not experiment.blocked())
    until(lambda: tab.views.state_of("table") is not None)
    return tab


@pytest.fixture
def compared(tests_tab: Any, until: Any) -> Any:
    """The same after its first run."""
    tests_tab.run_button.click()
    until(lambda: tests_tab.status_text() == "Finished", 60_000)
    until(lambda: tests_tab.views.state_of("trace") is not None)
    return tests_tab


def answer(tab: Any, question: str) -> str:
    questions, answers = (column.values for column in tab.views.state_of("answers").columns)
    return str(next((a for q, a in zip(questions, answers, strict=True) if str(q).startswith(question)), "0"))


def test_wrong_choice_is_the_known_value() -> None:
    assert wrong_choice(0.5, 0.4, 50) == pytest.approx(0.157430100057, rel=1e-9)


def test_the_planner_answers_before_a_run(tests_tab: Any, until: Any) -> None:
    budget = int(answer(tests_tab, "Budget for an error of 0.05").split()[0])
    assert wrong_choice(0.5, 0.4, budget // 2) <= 0.05 < wrong_choice(0.5, 0.4, budget // 2 - 1)
    tests_tab.view("plan").make_gesture("drag-level", name="your budget", value=200.0)
    until(lambda: answer(tests_tab, "Error with 200 draws") == f"{wrong_choice(0.5, 0.4, 100):.4f}")
    tests_tab.view("plan").make_gesture("drag-level", name="allowed error", value=0.1)
    until(lambda: int(answer(tests_tab, "Budget for an error of 0.1").split()[0]) < budget)
    tests_tab.undo()
    until(lambda: int(answer(tests_tab, "Budget for an error of 0.05").split()[0]) == budget)


def test_a_dragged_mean_moves_rates_and_plan(tests_tab: Any, until: Any) -> None:
    tests_tab.view("means").make_gesture("drag-bar", id=0, value=0.6)
    until(lambda: tests_tab.views.state_of("means").series[0].values[0] == 0.6)
    until(lambda: answer(tests_tab, "Uniform rate").startswith(f"{chernoff(0.6, 0.4):.5f}"))
    assert tests_tab.views.state_of("rates").series[0].values[-1] == pytest.approx(chernoff(0.6, 0.4))
    until(lambda: tests_tab.experiment.target.can_undo)
    tests_tab.undo()
    until(lambda: answer(tests_tab, "Uniform rate").startswith("0.0050767"))


def test_a_run_fills_every_view_with_exact_and_simulated_values(compared: Any, until: Any) -> None:
    state = compared.views.state_of
    for view in compared.method.views:
        assert state(view.name) is not None, view.name
    curves = {one.name: one for one in state("error").series}
    assert curves["Uniform"].y[-1] == pytest.approx(wrong_choice(0.5, 0.4, 20), rel=1e-9)
    simulated = curves["Uniform, simulated"]
    assert not simulated.named
    assert simulated.low[-1] <= simulated.y[-1] <= simulated.high[-1]
    assert abs(simulated.y[-1] - curves["Uniform"].y[-1]) < 4 * math.sqrt(0.25 / 200)
    named = [label.text for label in compared.view("error").labels.labels]
    assert [text for text in named if "simulated" in text] == []
    until(lambda: compared.view("error").labels.left_out == 0)


def test_the_map_opens_the_pair_under_the_pointer(compared: Any, until: Any) -> None:
    grid = compared.views.state_of("map").x
    compared.view("map").make_gesture("click", row=2, column=8)
    first, second = float(grid[8]), float(grid[2])
    until(lambda: compared.views.state_of("means").series[0].values.tolist() == [first, second])
    until(lambda: answer(compared, "Uniform rate").startswith(f"{chernoff(first, second):.6g}"[:6]))
    until(lambda: compared.views.state_of("trace").series == ())
    compared.views.raise_view("trace")
    until(lambda: compared.view("trace").state is not None)
    compared.experiment.act("another_run", {})
    until(lambda: len(compared.views.state_of("trace").series) == 2)


def test_an_edited_policy_changes_its_exact_map_and_can_be_taken_back(compared: Any, until: Any) -> None:
    state = compared.views.state_of
    rows, columns = state("table").values.shape
    for row in range(rows):
        for column in range(columns):
            compared.experiment.act("edit_policy", {"row": row, "column": column, "value": 0.5})
    until(lambda: np.all(state("table").values == 0.5) and "Table as edited" in state("map").caption)
    coin = state("map").values.copy()
    grid = state("map").x
    # Every draw by a fair coin: a mixture of fixed splits over the binomial number of draws of arm 1.
    assert coin[2, 8] == pytest.approx(coin_over_uniform(float(grid[8]), float(grid[2]), 20), abs=1e-9)
    compared.experiment.act("edit_policy", {"row": 0, "column": 0, "value": 1.0})
    until(lambda: not np.allclose(state("map").values, coin, equal_nan=True))
    compared.undo()
    until(lambda: np.allclose(state("map").values, coin, equal_nan=True))


def coin_over_uniform(first: float, second: float, budget: int) -> float:
    """ln of P(error) when every draw is of a random arm, over that of equal sampling."""
    total = 0.0
    for n in range(budget + 1):
        s1, s2 = np.arange(n + 1), np.arange(budget - n + 1)
        joint = np.outer(binom.pmf(s1, n, first), binom.pmf(s2, budget - n, second))
        m1 = s1 / n if n else np.full(1, 0.5)
        m2 = s2 / (budget - n) if n < budget else np.full(1, 0.5)
        lost = (m1[:, None] < m2[None, :]) + 0.5 * (m1[:, None] == m2[None, :])
        total += binom.pmf(n, budget, 0.5) * float((joint * lost).sum())
    return math.log(total / wrong_choice(first, second, budget // 2))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("arm,reward\nA,1\nB,2\n", "row 3, column reward: 2 is not allowed"),
        ("arm,reward\nA,1\nA,0\n", "the log holds one arm"),
        ("arm,reward\nA,1\n,0\nB,1\n", "row 3, column arm: the cell is empty"),
        ("name,mean\nA,0.5\nB,1.5\n", "row 3, column mean: 1.5 is not allowed"),
        ("name,successes,trials\nA,1,2\nB,3,2\n", "row 3, column successes: 3 is not allowed"),
    ],
)
def test_a_malformed_file_gets_its_sentence(
    text: str, said: str, tests_tab: Any, until: Any, tmp_path: Path
) -> None:
    path = tmp_path / "prüfung.csv"
    path.write_text(text, encoding="utf-8")
    tests_tab.take_file(str(path))
    until(lambda: tests_tab.experiment.data.error is not None)
    assert said in str(tests_tab.experiment.data.error)
    assert tests_tab.experiment.blocked()


def test_a_log_is_replayed_until_an_arm_has_no_reward_left(
    tests_tab: Any, until: Any, tmp_path: Path
) -> None:
    path = tmp_path / "log.csv"
    rewards = {"A": [1, 0, 1, 1] * 3, "B": [0, 1] * 6}
    rows = [f"{arm},{rewards[arm][i]}" for i in range(12) for arm in "AB"]
    path.write_text("arm,reward\n" + "\n".join(rows) + "\n", encoding="utf-8")
    tests_tab.take_file(str(path))
    until(lambda: tests_tab.experiment.data.title() == "log" and not tests_tab.experiment.blocked())
    tests_tab.run_button.click()
    until(lambda: tests_tab.status_text() == "Finished", 60_000)
    tests_tab.experiment.act("choose_algorithm", {"value": "Uniform"})
    until(lambda: "Uniform, 24 draws, recommends A" in tests_tab.views.state_of("trace").caption)
    assert "used up" in tests_tab.views.state_of("trace").caption
    steps = {column.name: list(column.values) for column in tests_tab.views.state_of("steps").columns}
    assert steps["draws"] == [12, 12]
    assert steps["successes"] == [9, 6]


def test_a_budget_below_the_arms_is_said_beside_its_field(tests_tab: Any, until: Any) -> None:
    tests_tab.experiment.set_value("means", "0.5, 0.4, 0.3")
    tests_tab.experiment.set_value("budgets", "2, 100")
    until(lambda: "needs at least 3 draws" in tests_tab.experiment.errors().get("budgets", ""))
    tests_tab.experiment.set_value("budgets", "20, 40")
    until(lambda: not tests_tab.experiment.blocked())
