"""The forward pass over two-arm policies: closed forms, invariants, other algorithms, edited policies."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest
from scipy.stats import beta

from engine.methods.best_arm.algorithms import ALGORITHMS, Algorithm
from engine.methods.best_arm.exact_counts import log_error_static, log_error_uniform
from engine.methods.best_arm.expression import compile_rule
from engine.methods.best_arm.planner import log_error_exact
from engine.methods.best_arm.two_arm_exact import ForwardPass, layer_offsets, two_arm_law
from engine.methods.best_arm.two_arm_policies import (
    _log_factorials,
    _thompson_layer,
    function_policy,
    layer_states,
    policy_of,
    static_policy,
    table_policy,
    thompson_policy,
    tracking_policy,
)
from engine.methods.best_arm.two_stage_exact import two_stage_error

STATE_POLICIES = [name for name in ALGORITHMS if name not in ("sr", "sh", "sh_fresh", "two_stage")]


def error(law, first, second) -> float:
    return float(law.error(first, second)[0, 0])


def test_uniform_through_the_pass_is_the_closed_form():
    law = two_arm_law(static_policy(0.5), 60)
    assert error(law, 0.5, 0.4) == pytest.approx(0.218518602, abs=5e-10)
    for means in [(0.5, 0.4), (0.9, 0.05), (0.4, 0.5)]:
        assert error(law, *means) == pytest.approx(exp(log_error_uniform(means, 60)), rel=1e-12)
    odd = two_arm_law(static_policy(0.5), 61)
    assert error(odd, 0.5, 0.4) == pytest.approx(exp(log_error_uniform((0.5, 0.4), 61)), rel=1e-12)


def test_static_share_through_the_pass():
    law = two_arm_law(static_policy(0.62), 150)
    for means in [(0.99, 0.5), (0.5, 0.01), (0.5, 0.4)]:
        exact = exp(log_error_static(means, (0.38, 0.62), 150))
        assert error(law, *means) == pytest.approx(exact, rel=1e-10)


def test_tracking_is_better_somewhere_and_worse_elsewhere():
    law = two_arm_law(tracking_policy(), 150)
    uniform = {m: exp(log_error_uniform(m, 150)) for m in [(0.99, 0.5), (0.05, 0.01), (0.95, 0.7)]}
    assert error(law, 0.99, 0.5) == pytest.approx(1.4965e-18, rel=1e-4)
    assert error(law, 0.99, 0.5) / uniform[0.99, 0.5] == pytest.approx(1.0068, abs=1e-4)
    assert error(law, 0.05, 0.01) == pytest.approx(0.06922955, abs=5e-9)
    assert uniform[0.05, 0.01] == pytest.approx(0.06911185, abs=5e-9)
    assert error(law, 0.95, 0.7) / uniform[0.95, 0.7] == pytest.approx(0.99993, abs=1e-5)


@pytest.mark.parametrize("name", STATE_POLICIES)
def test_probabilities_sum_to_one(name):
    algorithm = Algorithm(name, weights=(0.3, 0.7))
    law = two_arm_law(policy_of(algorithm, (0.6, 0.3)), 50)
    one, two = law.choices(np.linspace(0, 1, 5), np.linspace(0, 1, 5))
    assert one + two == pytest.approx(np.ones((5, 5)), abs=1e-12)
    assert law.split(0.6, 0.3).sum() == pytest.approx(1.0, abs=1e-12)
    assert all((b.reach >= 0).all() and (b.reach <= 1 + 1e-12).all() for b in law.blocks)


@pytest.mark.parametrize("name", ["uniform", "ucbe", "cr_c", "thompson"])
def test_exchanging_the_arms_exchanges_the_recommendations(name):
    law = two_arm_law(policy_of(Algorithm(name)), 41)
    one, two = law.choices([0.7, 0.2], [0.7, 0.2])
    # UCB-E begins with arm 1, which does not matter once both arms have been drawn
    assert one == pytest.approx(two.T, rel=1e-9)


def paths(decide, budget, means):
    """P(recommend arm 2) by walking through all sequences of arms and rewards."""

    def walk(n, s, chance):
        t = sum(n)
        if t == budget:
            m = [s[k] / n[k] if n[k] else 0.5 for k in (0, 1)]
            return chance * (0.5 if m[0] == m[1] else float(m[1] > m[0]))
        first = decide(n, s, t)
        total = 0.0
        for k, p in ((0, first), (1, 1 - first)):
            for x, q in ((1, means[k]), (0, 1 - means[k])):
                if p * q > 0:
                    m, r = list(n), list(s)
                    m[k], r[k] = m[k] + 1, r[k] + x
                    total += walk(m, r, chance * p * q)
        return total

    return walk([0, 0], [0, 0], 1.0)


def test_an_arbitrary_policy_by_enumerating_all_paths():
    rng = np.random.default_rng(5)
    table = rng.random((9, 9, 9, 9))
    law = two_arm_law(function_policy(lambda n1, n2, s1, s2, t, T: table[n1, n2, s1, s2]), 7)
    means = (0.6, 0.35)
    value = paths(lambda n, s, t: table[n[0], n[1], s[0], s[1]], 7, means)
    assert error(law, *means) == pytest.approx(value, rel=1e-12)


def test_thompson_probabilities_are_those_of_beta_posteriors():
    t = 9
    n1, n2, s1, s2 = layer_states(t)
    values = _thompson_layer(t, _log_factorials(t + 3))
    x = (np.arange(20_000) + 0.5) / 20_000
    for i in range(0, n1.size, 7):
        density = beta.pdf(x, s1[i] + 1, n1[i] - s1[i] + 1)
        below = beta.cdf(x, s2[i] + 1, n2[i] - s2[i] + 1)
        assert values[i] == pytest.approx((density * below).mean(), abs=2e-7)


def test_top_two_thompson_with_two_arms_is_a_coin():
    law = two_arm_law(thompson_policy(0.5), 40)
    coin = two_arm_law(function_policy(lambda *state: 0.5), 40)
    assert error(law, 0.5, 0.4) == pytest.approx(error(coin, 0.5, 0.4), rel=1e-12)
    assert law.expected_share(0.3, 0.3) == pytest.approx(0.5, abs=1e-12)


def test_stability_of_uniform_and_drift_of_a_skewed_rule():
    assert two_arm_law(static_policy(0.5), 60).expected_share(0.4, 0.4) == pytest.approx(0.5, abs=1e-12)
    assert two_arm_law(static_policy(0.7), 60).expected_share(0.4, 0.4) == pytest.approx(0.7, abs=1e-12)
    tracking = [two_arm_law(tracking_policy(), t).expected_share(0.4, 0.4) for t in (40, 120)]
    assert abs(tracking[1] - 0.5) < 0.02


def test_two_stage():
    assert two_stage_error(0.5, 0.4, 100, 100) == pytest.approx(exp(log_error_uniform((0.5, 0.4), 100)))
    assert two_stage_error(0.5, 0.4, 99, 40) == pytest.approx(two_stage_error(0.4, 0.5, 99, 40), rel=1e-12)
    algorithm = Algorithm("two_stage", explore=0.4)
    assert exp(log_error_exact(algorithm, (0.5, 0.4), 100)) == two_stage_error(0.5, 0.4, 100, 40)


def test_a_map_is_made_of_its_points():
    law = two_arm_law(tracking_policy(), 30)
    grid = np.linspace(0.05, 0.95, 7)
    full = law.error(grid, grid)
    assert full.shape == (7, 7)
    assert full[2, 5] == pytest.approx(error(law, grid[2], grid[5]), rel=1e-12)


def test_layers_are_resumable_and_complete():
    forward = ForwardPass(static_policy(0.5), 20)
    steps = forward.steps()
    assert [next(steps) for _ in range(5)] == [1, 2, 3, 4, 5]
    early = two_arm_law(static_policy(0.5), 5)
    assert error(forward.law(), 0.5, 0.4) == pytest.approx(error(early, 0.5, 0.4), rel=1e-14)
    assert list(steps)[-1] == 20
    assert forward.law().budget == 20
    states = layer_states(4)
    assert states[0].size == layer_offsets(4)[-1] == sum((n + 1) * (5 - n) for n in range(5))


def test_a_typed_rule_equals_the_built_in_one():
    aim = "(1-best_share(p1,p2))*t"
    text = f"n1 <= n2 if min(n1, n2) < 0.5*sqrt(t+1) else (0.5 if abs(n1-{aim}) < 1e-9 else n1 < {aim})"
    typed = two_arm_law(function_policy(compile_rule(text)), 40)
    built = two_arm_law(tracking_policy(), 40)
    assert error(typed, 0.5, 0.4) == pytest.approx(error(built, 0.5, 0.4), rel=1e-9)
    coin = two_arm_law(function_policy(compile_rule("1/2")), 20)
    assert coin.expected_share(0.2, 0.9) == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("__import__('os')", "__import__"),
        ("n1.real", "n1.real"),
        ("foo + 1", "foo"),
        ("n1 <", "cannot be read"),
        ("[n1]", r"\[n1\]"),
        ("sqrt()", r"sqrt\(\)"),
        ("'a'", "'a'"),
        ("(lambda: 1)()", "lambda"),
        ("1" * 600, "500"),
    ],
)
def test_rules_that_are_not_allowed_say_why(text, part):
    with pytest.raises(ValueError, match=part):
        compile_rule(text)


def test_a_rule_outside_zero_and_one_names_the_state():
    with pytest.raises(ValueError, match="n1=0, n2=1"):
        two_arm_law(function_policy(compile_rule("0.5 + t")), 10)


def test_policy_tables():
    equal = two_arm_law(table_policy(np.full((3, 5), 0.5)), 40)
    coin = two_arm_law(function_policy(lambda *state: 0.5), 40)
    assert error(equal, 0.5, 0.4) == pytest.approx(error(coin, 0.5, 0.4), rel=1e-12)
    greedy = two_arm_law(table_policy([[0.5, 0.5], [0.0, 1.0]]), 40)
    assert greedy.expected_share(0.8, 0.2) < 0.35
    with pytest.raises(ValueError, match="probabilities"):
        table_policy([[1.2]])
