"""Make the tables of this folder from the Open Bandit sample inside the wheel of `obp` 0.4.1.

    pip download --no-deps obp==0.4.1
    python resources/open_bandit/make_counts.py obp-0.4.1-py3-none-any.whl

Writes counts_<campaign>.csv (item_id, impressions, clicks) for the three campaigns, collected under the
uniform random policy, and log_<campaign>.csv (arm, reward), the same impressions in order of time.
Nothing about users, positions or times is kept. Standard library only.
"""

from __future__ import annotations

import csv
import io
import sys
import zipfile
from collections import Counter
from pathlib import Path

CAMPAIGNS = ("all", "men", "women")
HERE = Path(__file__).parent


def impressions(wheel: zipfile.ZipFile, campaign: str) -> list[tuple[int, int]]:
    """(item, click) of every impression of a campaign, in order of time."""
    with wheel.open(f"obp/dataset/obd/random/{campaign}/{campaign}.csv") as raw:
        rows = list(csv.DictReader(io.TextIOWrapper(raw, encoding="utf-8")))
    rows.sort(key=lambda row: row["timestamp"])
    return [(int(row["item_id"]), int(row["click"])) for row in rows]


def write_rows(path: Path, header: tuple[str, ...], rows: list[tuple[object, ...]]) -> None:
    """A CSV file with a header, lines ended by a line feed."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def main(wheel_path: str) -> None:
    with zipfile.ZipFile(wheel_path) as wheel:
        for campaign in CAMPAIGNS:
            shown = impressions(wheel, campaign)
            seen, clicked = Counter(i for i, _ in shown), Counter(i for i, c in shown if c)
            counts = [(item, seen[item], clicked[item]) for item in sorted(seen)]
            write_rows(HERE / f"counts_{campaign}.csv", ("item_id", "impressions", "clicks"), counts)
            log = [(f"item {item}", click) for item, click in shown]
            write_rows(HERE / f"log_{campaign}.csv", ("arm", "reward"), log)


if __name__ == "__main__":
    main(sys.argv[1])
