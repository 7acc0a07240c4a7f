"""Make the tables of this folder from the wheels of `universal-portfolios` 0.4.17 and `river` 0.26.1.

    pip download --no-deps universal-portfolios==0.4.17 river==0.26.1
    python resources/streams/make_streams.py universal_portfolios-0.4.17-py3-none-any.whl river-0.26.1-*.whl

The price files of the first hold cumulative price relatives; written here are the relatives of each day,
x_1 = row 1, x_t = row_t / row_{t−1}, to nine decimals, without trailing empty columns. Standard library only.
"""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
MARKETS = ("nyse_o", "nyse_n", "djia", "msci", "sp500", "tse")
LAGS = (1, 2, 3, 24)


def write(name: str, header: list[str], rows: list[list[str]]) -> None:
    """A CSV file with a header, lines ended by a line feed."""
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def table(wheel: zipfile.ZipFile, inside: str) -> tuple[list[str], list[list[str]]]:
    """Header and rows of a CSV file (packed or not) inside a wheel."""
    raw = wheel.read(inside)
    text = gzip.decompress(raw) if inside.endswith(".gz") else raw
    rows = list(csv.reader(io.StringIO(text.decode("utf-8"))))
    return rows[0], rows[1:]


def relatives(wheel: zipfile.ZipFile, market: str) -> None:
    """Daily price relatives of one market; assets are numbered, as the package names them by single signs."""
    _, rows = table(wheel, f"universal/data/{market}.csv")
    width = 1 + max(i for i, value in enumerate(rows[0]) if value)
    levels = [[float(value) for value in row[:width]] for row in rows]
    days = [levels[0]]
    for before, now in itertools.pairwise(levels):
        days.append([b / a for a, b in zip(before, now, strict=True)])
    header = [f"asset_{j}" for j in range(1, width + 1)]
    write(f"{market}.csv", header, [[f"{round(x, 9):.10g}" for x in day] for day in days])


def copied(wheel: zipfile.ZipFile, inside: str, name: str, drop: tuple[str, ...] = ()) -> None:
    """A table of the package without the columns `drop`."""
    header, rows = table(wheel, inside)
    kept = [i for i, column in enumerate(header) if column not in drop]
    write(name, [header[i] for i in kept], [[row[i] for i in kept] for row in rows])


def water_flow(wheel: zipfile.ZipFile) -> None:
    """Hourly flow and what it was 1, 2, 3 and 24 hours before."""
    _, rows = table(wheel, "river/datasets/water-flow.csv")
    flow = [row[1] for row in rows]
    made = [[*(flow[t - lag] for lag in LAGS), flow[t]] for t in range(max(LAGS), len(flow))]
    write("water_flow.csv", [*(f"flow_{lag}h_before" for lag in LAGS), "flow"], made)


def main(portfolios: str, river: str) -> None:
    with zipfile.ZipFile(portfolios) as wheel:
        for market in MARKETS:
            relatives(wheel, market)
    with zipfile.ZipFile(river) as wheel:
        copied(wheel, "river/datasets/phishing.csv.gz", "phishing.csv")
        copied(wheel, "river/datasets/shuttle.csv.gz", "shuttle.csv")
        copied(wheel, "river/datasets/trump_approval.csv.gz", "approval.csv")
        copied(wheel, "river/datasets/sp500.csv.gz", "stock_returns.csv", drop=("date",))
        copied(wheel, "river/drift/datasets/occupancy.csv", "occupancy.csv", drop=("time",))
        _, rows = table_of("occupancy.csv")
        write("occupancy.csv", ["temperature", "humidity", "light", "co2"], rows)
        water_flow(wheel)


def table_of(name: str) -> tuple[list[str], list[list[str]]]:
    """Header and rows of a file written before."""
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
