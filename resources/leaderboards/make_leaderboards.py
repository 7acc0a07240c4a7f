"""Make the leaderboard tables of this folder from the data files of the package `benchbench` 1.0.1.

Usage: fetch and unpack the package, then give its data folder::

    pip download --no-deps benchbench==1.0.1
    unzip benchbench-1.0.1-py3-none-any.whl
    python make_leaderboards.py benchbench/data

Every table is written in the form a person's own table has: first row the column names, second row
`#direction` (`max`, `min`, or `ignore` for a column that is kept but is no task), then one row a model;
an empty cell is a missing score. Only the standard library is used.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

CARDINAL = "cardinal"
ORDINAL = "ordinal"

HELM = (
    "accuracy",
    "bias",
    "calibration",
    "fairness",
    "efficiency",
    "robustness",
    "summarization",
    "toxicity",
)
HEIM = (
    "alignment_auto",
    "nsfw",
    "quality_auto",
    "aesthetics_auto",
    "alignment_human",
    "nudity",
    "quality_human",
    "aesthetics_human",
    "black_out",
    "originality",
)
HELM_LOWER = ("ECE", "Representation", "Toxic fraction", "Stereotype", "inference time")
HEIM_LOWER = ("↓",)


@dataclass
class Table:
    """One leaderboard: names of models and columns, a direction a column, cells as written."""

    models: list[str]
    columns: list[str]
    directions: list[str]
    cells: list[list[str]]


def read(path: Path) -> tuple[list[str], list[list[str]]]:
    """Header and rows of a tab-separated file, rows padded to the longest."""
    with path.open(encoding="utf-8", newline="") as stream:
        lines = list(csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    header, rows = lines[0], [row for row in lines[1:] if any(cell.strip() for cell in row)]
    width = max(len(header), *(len(row) for row in rows))
    return header, [[cell.strip() for cell in row] + [""] * (width - len(row)) for row in rows]


def unique_names(rows: list[list[str]], model: int, team: int | None) -> list[str]:
    """Model names; repeated ones carry the team, then a running number."""
    names = [row[model] for row in rows]
    counts = Counter(names)
    if team is not None:
        names = [f"{n} · {row[team]}" if counts[n] > 1 else n for n, row in zip(names, rows, strict=True)]
    seen: Counter[str] = Counter()
    counts = Counter(names)
    result = []
    for name in names:
        seen[name] += 1
        result.append(f"{name} ({seen[name]})" if counts[name] > 1 else name)
    return result


def halves(cell: str) -> str:
    """A two-metric cell "a/b" becomes the mean of the two; any other cell stays."""
    if "/" not in cell:
        return cell
    first, second = (float(part) for part in cell.split("/"))
    return repr((first + second) / 2)


def plain(
    path: Path,
    *,
    tasks: slice,
    model: int,
    team: int | None = None,
    ignore: int | None = None,
    lower: tuple[str, ...] = (),
) -> Table:
    """A board whose columns `tasks` are the tasks; the column `ignore` is kept beside them.

    Columns whose name contains one of the marks `lower` are better when lower.
    """
    header, rows = read(path)
    # a header shorter than its rows by one names no column for the model
    shift = 1 if len(rows[0]) == len(header) + 1 else 0
    chosen = list(range(len(header)))[tasks]
    columns = [header[c].replace(" [ sort ]", "") for c in chosen]
    directions = ["min" if any(mark in c for mark in lower) else "max" for c in columns]
    cells = [[halves("" if row[c + shift] == "-" else row[c + shift]) for c in chosen] for row in rows]
    full = [k for k in range(len(columns)) if any(row[k] for row in cells)]
    columns, directions = [columns[k] for k in full], [directions[k] for k in full]
    cells = [[row[k] for k in full] for row in cells]
    if ignore is not None:
        columns, directions = [header[ignore].replace(" [ sort ]", ""), *columns], ["ignore", *directions]
        kept = ["" if row[ignore + shift] == "-" else row[ignore + shift] for row in rows]
        cells = [[mark, *line] for mark, line in zip(kept, cells, strict=True)]
    return Table(unique_names(rows, model, team), columns, directions, cells)


def glue(folder: Path) -> Table:
    """GLUE: the two MNLI columns become their mean, placed last; AX is left out."""
    table = plain(folder / "glue/leaderboard.tsv", tasks=slice(5, -1), model=2, team=1)
    pair = [table.columns.index("MNLI-m"), table.columns.index("MNLI-mm")]
    keep = [k for k in range(len(table.columns)) if k not in pair]
    mean = [repr((float(row[pair[0]]) + float(row[pair[1]])) / 2) for row in table.cells]
    cells = [[row[k] for k in keep] + [mnli] for row, mnli in zip(table.cells, mean, strict=True)]
    return Table(table.models, [table.columns[k] for k in keep] + ["MNLI"], ["max"] * len(cells[0]), cells)


def mmlu(folder: Path) -> Table:
    """MMLU: fractions become percentages, the task names lose the harness prefix."""
    table = plain(folder / "mmlu/leaderboard.tsv", tasks=slice(4, None), model=1, team=2)
    columns = [c.removeprefix("harness|hendrycksTest-").removesuffix("|5") for c in table.columns]
    cells = [[repr(float(cell) * 100.0) for cell in row] for row in table.cells]
    return Table(table.models, columns, table.directions, cells)


def mteb(folder: Path) -> Table:
    """MTEB: each average stands as often as it has data sets, as in the publication."""
    table = plain(folder / "mteb/leaderboard.tsv", tasks=slice(6, None), model=1)
    columns, source = [], []
    for index, column in enumerate(table.columns):
        name, rest = column.split(" (")
        for copy in range(int(rest.split(" ")[0])):
            columns.append(f"{name}-{copy}")
            source.append(index)
    cells = [[row[k] for k in source] for row in table.cells]
    return Table(table.models, columns, ["max"] * len(columns), cells)


def imagenet(folder: Path) -> Table:
    """ImageNet: per-class accuracies of 112 models, best model first."""
    table = plain(folder / "imagenet/leaderboard.tsv", tasks=slice(8, None), model=0, ignore=7)
    order = sorted(range(len(table.models)), key=lambda i: -float(table.cells[i][0]))
    models = [table.models[i].replace("_Weights.", " ") for i in order]
    return Table(models, table.columns, table.directions, [table.cells[i] for i in order])


def boards(folder: Path) -> list[tuple[str, str, str, Table]]:
    """(file stem, title, kind, table) of every leaderboard."""
    result = [
        ("glue", "GLUE", CARDINAL, glue(folder)),
        (
            "superglue",
            "SuperGLUE",
            CARDINAL,
            plain(folder / "superglue/leaderboard.tsv", tasks=slice(5, -2), model=2),
        ),
        (
            "openllm",
            "OpenLLM",
            CARDINAL,
            plain(folder / "openllm/leaderboard.tsv", tasks=slice(3, None), model=1),
        ),
        ("mmlu", "MMLU", CARDINAL, mmlu(folder)),
        (
            "bbh",
            "BigBenchHard",
            CARDINAL,
            plain(folder / "bbh/leaderboard.tsv", tasks=slice(6, None), model=1),
        ),
        ("mteb", "MTEB", CARDINAL, mteb(folder)),
        ("vtab", "VTAB", CARDINAL, plain(folder / "vtab/leaderboard.tsv", tasks=slice(1, None), model=0)),
        (
            "helm_capability",
            "HELM-capability",
            CARDINAL,
            plain(folder / "helm_capability/leaderboard.tsv", tasks=slice(2, None), model=0, ignore=1),
        ),
        ("imagenet", "ImageNet", CARDINAL, imagenet(folder)),
        (
            "bigcode",
            "BigCode",
            ORDINAL,
            plain(folder / "bigcode/leaderboard.tsv", tasks=slice(3, 6), model=1, ignore=2),
        ),
        (
            "helm_lite",
            "HELM-lite",
            ORDINAL,
            plain(folder / "helm_lite/leaderboard.tsv", tasks=slice(2, None), model=0, ignore=1),
        ),
    ]
    for suite, metrics, lower in (("helm", HELM, HELM_LOWER), ("heim", HEIM, HEIM_LOWER)):
        for metric in metrics:
            path = folder / suite / f"{metric}.tsv"
            table = plain(path, tasks=slice(2, None), model=0, ignore=1, lower=lower)
            result.append((f"{suite}_{metric}", f"{suite.upper()}-{metric}", ORDINAL, table))
    return result


def write(target: Path, table: Table) -> None:
    """One table as CSV."""
    with target.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["model", *table.columns])
        writer.writerow(["#direction", *table.directions])
        writer.writerows([name, *row] for name, row in zip(table.models, table.cells, strict=True))


def main(folder: Path) -> None:
    """Write every table and the catalogue beside this script."""
    here = Path(__file__).parent
    catalogue = []
    for stem, title, kind, table in boards(folder):
        write(here / f"{stem}.csv", table)
        tasks = sum(direction != "ignore" for direction in table.directions)
        catalogue.append(
            {"name": stem, "title": title, "kind": kind, "models": len(table.models), "tasks": tasks}
        )
    text = json.dumps(catalogue, indent=1, ensure_ascii=False)
    (here / "catalogue.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
