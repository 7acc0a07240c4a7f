"""The data sets that come with the tab."""

from __future__ import annotations

from typing import Any

from engine.core.data.datasets import DataSet
from engine.methods.adaptive_regret.data import StreamKind

_KIND = StreamKind()
_HERE = "engine.methods.adaptive_regret.data"
_RIVER = "river 0.26.1"
_PORTFOLIOS = "universal-portfolios 0.4.17"


def _resource(
    name: str, title: str, description: str, source: str, licence: str, **arguments: Any
) -> DataSet:
    return DataSet(
        name=name,
        title=title,
        description=description,
        kind=_KIND,
        loader=f"{_HERE}:load_resource",
        source=source,
        licence=licence,
        arguments={"file": name, "target": None, **arguments},
    )


def _market(name: str, title: str, description: str) -> DataSet:
    return _resource(name, title, description, _PORTFOLIOS, "Feedback MIT")


def _stream(name: str, title: str, description: str, target: str, **arguments: Any) -> DataSet:
    return _resource(name, title, description, _RIVER, "BSD-3-Clause", target=target, **arguments)


def _flipped(name: str, title: str, description: str) -> DataSet:
    return DataSet(
        name=name,
        title=title,
        description=description,
        kind=_KIND,
        loader=f"{_HERE}:load_flipped",
        source="UCI, through scikit-learn",
        licence="BSD-3-Clause (scikit-learn)",
        arguments={"name": name},
    )


SETS = (
    DataSet(
        name="switching",
        title="Switching least squares",
        description="Drawn by the parameters: T rounds in S stages, each with a model of its own",
        kind=_KIND,
        loader=f"{_HERE}:load_synthetic",
        origin="generated",
        arguments={"name": "switching"},
    ),
    _market("nyse_o", "New York stocks, 1962–1984", "5,651 days of 36 stocks, daily price relatives"),
    _market("nyse_n", "New York stocks, 1985–2010", "6,431 days of 23 stocks, daily price relatives"),
    _market("djia", "Dow Jones, 2001–2003", "507 days of 30 stocks, daily price relatives"),
    _market("msci", "MSCI indices, 2006–2010", "1,043 days of 24 country indices, daily price relatives"),
    _market("sp500", "S&P 500, 1998–2003", "1,276 days of 25 stocks, daily price relatives"),
    _market("tse", "Toronto stocks, 1994–1998", "1,259 days of 88 stocks, daily price relatives"),
    _stream("phishing", "Phishing sites", "1,250 sites, nine features, is it phishing?", "is_phishing"),
    _stream("shuttle", "Space shuttle sensors", "49,097 readings of nine sensors, anomalies", "anomaly"),
    _stream(
        "approval", "Approval polls", "1,001 days, six pollsters, the average to predict", "five_thirty_eight"
    ),
    _stream("stock_returns", "Next-day return", "1,257 days, returns of ten stocks in %", "next_day_return"),
    _stream("water_flow", "Water flow", "1,244 hours of flow in a pipe, from the hours before", "flow"),
    _stream(
        "occupancy",
        "Room sensors",
        "509 readings: CO₂ from temperature, humidity, light",
        "co2",
        switches=(238, 416),
    ),
    _flipped("breast_cancer", "Breast cancer, for flips", "569 tumours, 30 measures, malignant or benign"),
    _flipped("digits", "Digits, for flips", "1,797 digits, is it five or more?"),
    _flipped("diabetes", "Diabetes", "442 patients, ten measures, progression after a year"),
)
