"""The data sets that come with the tab."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.data.datasets import DataSet
from engine.methods.best_arm.data import ArmsKind

_KIND = ArmsKind()
_HERE = "engine.methods.best_arm.data"
_OPEN_BANDIT = "Open Bandit sample (ZOZOTOWN, 2019), counted from the package obp 0.4.1"


def _given(name: str, title: str, description: str, *instances: Sequence[float]) -> DataSet:
    return DataSet(
        name=name, title=title, description=description, kind=_KIND, loader=f"{_HERE}:load_means",
        origin="generated", arguments={"name": name, "instances": instances},
    )  # fmt: skip


def _open_bandit(campaign: str, items: int, clicks: int) -> DataSet:
    return DataSet(
        name=f"open_bandit_{campaign}",
        title=f"Open Bandit ads, {campaign}",
        description=f"{items} ads shown at random, 10,000 impressions, {clicks} clicks; with the log",
        kind=_KIND,
        loader=f"{_HERE}:load_open_bandit",
        source=_OPEN_BANDIT,
        licence="Apache-2.0",
        arguments={"campaign": campaign},
    )


SETS = (
    _open_bandit("men", 34, 46),
    _open_bandit("women", 46, 46),
    _open_bandit("all", 80, 38),
    _given("pair", "Two variants", "An A/B test of 0.5 against 0.4", (0.5, 0.4)),
    _given("click_rates", "Click rates", "An A/B test of 5% against 4%", (0.05, 0.04)),
    _given(
        "two_arms",
        "Three pairs",
        "Where a share of 0.62 helps most, where it hurts, and a middle case",
        (0.99, 0.5),
        (0.5, 0.01),
        (0.5, 0.4),
    ),
    _given(
        "three_arms",
        "Three of three arms",
        "Instances on which Successive Rejects and uniform sampling change places",
        (0.5, 0.45, 0.3),
        (0.5, 0.4, 0.4),
        (0.5, 0.01, 0.01),
    ),
    _given("five_arms", "Five arms", "0.6 against 0.5, 0.45, 0.4 and 0.35", (0.6, 0.5, 0.45, 0.4, 0.35)),
    _given("ten_arms", "Near-zero losers", "0.5 against nine of 0.1", (0.5, *[0.1] * 9)),
    DataSet(
        name="families",
        title="Families of 10, 20 and 40 arms",
        description="One group, two groups, arithmetic, concave, near-zero losers",
        kind=_KIND,
        loader=f"{_HERE}:load_families",
        origin="generated",
        arguments={"arms": (10, 20, 40)},
    ),
    DataSet(
        name="imagenet",
        title="Image models",
        description="Ten torchvision classifiers; a reward is a correct answer on ImageNet",
        kind=_KIND,
        loader=f"{_HERE}:load_models",
        source="torchvision leaderboard, from the package benchbench 1.0.1",
        licence="MIT",
        arguments={"board": "imagenet", "column": "acc", "scale": 1.0, "first": 10},
    ),
    DataSet(
        name="openllm",
        title="Language models",
        description="Ten models of the Open LLM leaderboard; a reward is a correct answer on MMLU",
        kind=_KIND,
        loader=f"{_HERE}:load_models",
        source="Open LLM leaderboard, from the package benchbench 1.0.1",
        licence="MIT",
        arguments={"board": "openllm", "column": "MMLU", "scale": 0.01, "first": 10},
    ),
)
