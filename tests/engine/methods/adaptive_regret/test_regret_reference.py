"""Every algorithm with intervals against a plain loop: NumPy, one expert after the other."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log, sqrt
from typing import Any

import numpy as np
import pytest

from engine.methods.adaptive_regret.covers import level_of
from engine.methods.adaptive_regret.learners import Settings, play_all
from engine.methods.adaptive_regret.problems import Problem
from engine.methods.adaptive_regret.streams import switching_stream

SETTINGS = Settings(
    alpha=0.25, beta=0.25, threshold=0.4, grid=3, usia_betas=(1.0, 0.25), usia_lams=(1.0, 0.25)
)


@pytest.fixture(scope="module")
def problem() -> Problem:
    return switching_stream(np.random.default_rng(9), rounds=300, dimension=3, stages=3).problem()


class Expert:
    """SOGD, ONS (β), OGD for strong convexity (λ), or one of UMA's two experts (η), over the unit ball."""

    def __init__(self, kind: str, constant: float = 0.0) -> None:
        self.kind, self.c, self.w, self.total, self.n = kind, constant, np.zeros(3), 0.01, 0
        beta = {"ons": constant, "uma_exp": 25 / 56}.get(kind, 1.0)
        self.beta, self.a = beta, np.eye(3) / (4 * beta**2)

    def step(self, x: np.ndarray, y: float, played: np.ndarray) -> None:
        g = (self.w @ x - y) * x
        if self.kind.startswith("uma"):
            g, apart = self.c * (played @ x - y) * x, self.w - played
            base = g.copy()
            g = g + 2 * (base @ apart) * base if self.kind == "uma_exp" else g + 2 * self.c**2 * 4 * apart
        self.n, self.total = self.n + 1, self.total + g @ g
        if self.kind in ("ons", "uma_exp"):
            self.a = self.a + np.outer(g, g)
            self.w = self.project(self.w - np.linalg.solve(self.a, g) / self.beta)
            return
        rate = {
            "sogd": sqrt(2) / sqrt(self.total),
            "sc": 1 / (max(self.c, 1e-9) * self.n),
            "uma_sc": 1 / (2 * max(self.c, 1e-9) ** 2 * 4 * self.n),
        }[self.kind]
        w = self.w - rate * g
        self.w = w / max(1.0, float(np.linalg.norm(w)))

    def project(self, y: np.ndarray) -> np.ndarray:
        if y @ y <= 1:
            return y
        values, vectors = np.linalg.eigh(self.a)
        turned, low, high = vectors.T @ (self.a @ y), 0.0, 1e6
        for _ in range(120):
            middle = (low + high) / 2
            low, high = (middle, high) if ((turned / (values + middle)) ** 2).sum() > 1 else (low, middle)
        return vectors @ (turned / (values + high))


def phi(r: float, c: float) -> float:
    return exp(max(r, 0.0) ** 2 / (3 * c))


def weight(rule: str, e: dict[str, Any]) -> float:
    """Weight of an awake expert before normalising."""
    if rule in ("hedge", "prod"):
        return e["p"]
    if rule == "normal":
        return 0.5 * (phi(e["R"] + 1, e["C"] + 1) - phi(e["R"] - 1, e["C"] + 1))
    if rule == "coin":
        e["v"] = e["R"] / (e["x"].n + 1) * (1 + e["V"])
        return e["prior"] * max(e["v"], 0.0)
    if rule == "tilt":
        return e["x"].c * exp(-e["L"])
    return e["eta"] * e["y"]


def learn(rule: str, e: dict[str, Any], r: float, loss: float, rate: float) -> None:
    """One round of learning; r is the instantaneous regret the rule looks at."""
    if rule == "hedge":
        e["p"] *= exp(-rate * loss)
    elif rule == "prod":
        e["p"] *= 1 + e["eta"] * r
    elif rule == "normal":
        e["R"], e["C"] = e["R"] + r, e["C"] + abs(r)
    elif rule == "coin":
        gain = r if e["v"] > 0 else max(r, 0.0)
        e["R"], e["V"] = e["R"] + gain, e["V"] + gain * e["v"]
    elif rule == "ml_prod":
        e["V"] += r * r
        new = min(0.5, sqrt(e["gamma"] / (1 + e["V"])))
        e["y"] = (e["y"] * (1 + e["eta"] * r)) ** (new / e["eta"])
        e["eta"] = new


def plain(
    p: Problem, bundle: Callable[[], list[Expert]], rule: str, rate: float = 0.0, each: bool = True,
    compact: bool = True,
) -> np.ndarray:  # fmt: skip
    """Losses of the whole algorithm; markers each round, or when the first of the newest bundle lost C."""
    awake: list[dict[str, Any]] = []
    m, due, counted, largest, losses = 0, True, 0.0, 0.0, []
    bound = p.loss_limit()
    for t, (x, y) in enumerate(zip(p.features, p.targets, strict=True)):
        if due:
            m, due, counted = m + 1, False, 0.0
            awake = [e for e in awake if e["end"] > m]
            total = sum(e["p"] for e in awake)
            for e in awake:
                e["p"] *= (1 - 1 / m) / total if rule == "hedge" else 1
            first = 1 / m if awake else 1.0
            for level in [level_of(m)] if compact else range(level_of(m) + 1):
                members = bundle()
                for x_ in members:
                    eta = min(0.5, 1 / sqrt(1 << level)) if rule == "prod" else 0.5
                    awake.append({
                        "x": x_, "end": m + (1 << level), "R": 0.0, "C": 0.0, "V": 0.0, "v": 0.0, "L": 0.0,
                        "p": first / len(members) if rule == "hedge" else eta, "eta": eta,
                        "prior": 1 / (t + 1) ** 2, "y": 1 / (len(members) * m * m),
                        "gamma": log(len(members)) + 2 * log(2 * m),
                    })  # fmt: skip
            newest = awake[-len(members)]
        raw = np.array([weight(rule, e) for e in awake])
        if raw.sum() <= 0:
            raw = np.array([e["prior"] if rule == "coin" else 1.0 for e in awake])
        weights = raw / raw.sum()
        points = np.array([e["x"].w for e in awake])
        played = weights @ points
        slope = played @ x - y
        losses.append(0.5 * slope**2)
        single = 0.5 * (points @ x - y) ** 2
        linear = slope * (played - points) @ x
        largest = max(largest, float(np.abs(linear).max()))
        for e, loss, gap in zip(awake, single, linear, strict=True):
            if rule == "tilt":
                eta, apart = e["x"].c, e["x"].w - played
                second = gap**2 if e["x"].kind == "uma_exp" else 4 * (apart @ apart)
                e["L"] += -eta * gap + eta**2 * second
            r = (gap / largest if largest > 0 else 0.0) if rule == "ml_prod" else (losses[-1] - loss) / bound
            learn(rule, e, r, loss, rate)
        counted += 0.5 * (newest["x"].w @ x - y) ** 2 / bound
        for e in awake:
            e["x"].step(x, y, played)
        due = each or counted > SETTINGS.threshold
    return np.array(losses)


def sogd() -> list[Expert]:
    return [Expert("sogd")]


def ons() -> list[Expert]:
    return [Expert("ons", 0.25)]


def usia() -> list[Expert]:
    return [Expert("sogd"), Expert("ons", 1.0), Expert("ons", 0.25), Expert("sc", 1.0), Expert("sc", 0.25)]


def uma() -> list[Expert]:
    return [Expert(kind, 1 / 20 * 2.0**-i) for i in range(3) for kind in ("uma_exp", "uma_sc")]


CASES: dict[str, dict[str, Any]] = {
    "flhs": {"bundle": ons, "rule": "hedge", "rate": 0.25, "each": False},
    "flh": {"bundle": ons, "rule": "hedge", "rate": 0.25},
    "sacs": {"bundle": sogd, "rule": "normal"},
    "psacs": {"bundle": sogd, "rule": "normal", "each": False},
    "saol": {"bundle": sogd, "rule": "prod", "compact": False},
    "cbce": {"bundle": sogd, "rule": "coin", "compact": False},
    "aflh": {"bundle": sogd, "rule": "hedge"},
    "usia": {"bundle": usia, "rule": "ml_prod", "each": False},
    "uma": {"bundle": uma, "rule": "tilt"},
}


@pytest.mark.parametrize("name", CASES)
def test_the_kernels_are_the_plain_loop(name: str, problem: Problem) -> None:
    case = dict(CASES[name])
    if name == "aflh":
        case["rate"] = 1 / sqrt(300) / problem.loss_limit()
    learner = play_all(name, problem, SETTINGS)
    np.testing.assert_allclose(learner.losses, plain(problem, **case), atol=1e-9)
    assert len(learner.markers()) > 2
