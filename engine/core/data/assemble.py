"""From raw columns to a table: what does not fit is asked about, nothing is converted silently."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.core.data.cells import RawColumn
from engine.core.data.kinds import TableKind
from engine.core.data.loaded import Loaded
from engine.core.data.options import ReadOptions
from engine.core.data.report import ColumnReport, Dropped, Report, counted, some_of
from engine.core.data.roles import Roles, find_roles
from engine.core.data.source import Source
from engine.core.data.survey import survey
from engine.core.data.values import Column, Table, read_only
from engine.core.errors import DataError, Repair


def assemble(
    raw: Sequence[RawColumn],
    lines: np.ndarray,
    report: Report,
    options: ReadOptions,
    kind: TableKind,
    source: Source,
    *,
    geographic: bool = False,
) -> Loaded:
    """Apply types, roles and the chosen repairs, and complete the report.

    `lines` int (n,) are the line numbers of the rows. Raises DataError: "unknown-column",
    "missing-column", "not-a-number", "not-finite", "missing-value", "no-numbers", "too-few-columns",
    "too-few-rows".
    """
    by_name = {column.name for column in raw}
    for name in (*options.types, *options.missing_in):
        if name not in by_name:
            raise _unknown_column(name, raw, source)
    if absent := [name for name in kind.required if name not in by_name]:
        raise source.error(
            "missing-column",
            f"there is no column named {some_of(absent)}",
            f"columns {', '.join(kind.required)} are needed; found: {some_of([c.name for c in raw])}",
        )
    for column in raw:
        report.warnings += column.warnings
        report.conversions += column.conversions
    for column in raw:
        if column.missing.all() and not (column.name in kind.required or column.name in options.types):
            column.type, column.reason = "skip", "no value in any row"
            report.warnings.append(f"column “{column.name}” has no value in any row and was left out")
    kept = [column for column in raw if column.type != "skip"]
    roles = find_roles(kept, options, kind, source)
    keep = _settle_odd_cells(roles, lines, report, options, source)
    keep &= _settle_missing(roles, keep, lines, report, options, kind, source)
    chosen = np.isin(lines, options.drop_rows) & keep
    if chosen.any():
        report.dropped.append(Dropped("chosen", tuple(lines[chosen].tolist())))
        keep &= ~chosen
    lines = lines[keep]
    if not keep.all():
        for column in kept:
            column.take(keep)
    _fill_gaps(roles, report, options)
    _check_shape(roles, len(lines), report, kind, source)
    table = _table(roles, lines, geographic)
    report.rows = table.n
    report.columns = [_column_report(column, roles) for column in raw]
    survey(table, report)
    _note_unused(roles, report, kind)
    return Loaded(table, report, options, source.name)


def _settle_odd_cells(
    roles: Roles, lines: np.ndarray, report: Report, options: ReadOptions, source: Source
) -> np.ndarray:
    """bool (n,): rows kept once texts and infinities among numbers are settled. Raises DataError."""
    keep = np.ones(len(lines), dtype=bool)
    dropped: set[int] = set()
    if options.not_a_number == "ask":
        _ask_about_odd(roles.values, lines, report, source)
    for column in roles.values:
        bad = column.odd | column.infinite
        if not bad:
            continue
        if options.not_a_number == "drop-row":
            dropped |= set(bad)
        else:
            for text in bad.values():
                column.codes[text] = column.codes.get(text, 0) + 1
            places = list(bad)
            column.missing[places] = True
            column.values[places] = np.nan
        column.odd, column.infinite = {}, {}
    if dropped:
        places = sorted(dropped)
        keep[places] = False
        report.dropped.append(Dropped("a cell is not a number", tuple(lines[places].tolist())))
    return keep


def _ask_about_odd(columns: Sequence[RawColumn], lines: np.ndarray, report: Report, source: Source) -> None:
    """Complain of the first odd cell of the file, in reading order."""
    cells = [
        (row, place, text, code)
        for place, column in enumerate(columns)
        for code, bad in (("not-a-number", column.odd), ("not-finite", column.infinite))
        for row, text in bad.items()
    ]
    if not cells:
        return
    row, place, text, code = min(cells)
    column, count = columns[place], len({cell[0] for cell in cells})
    rows = "the row" if count == 1 else f"the {count:,} rows"
    choices = [
        Repair("not_a_number", "drop-row", f"Drop {rows}", f"{count:,} of {len(lines):,} rows are left out")
    ]
    label = f"treat “{text}” as missing" if len(cells) == 1 else "treat such cells as missing"
    choices.append(Repair("not_a_number", "missing", label, "The cells are counted as missing"))
    if code == "not-a-number":
        consequence = "It is kept, and not used as numbers"
        choices.append(
            Repair(
                f"types.{column.name}", "category", f"treat column “{column.name}” as category", consequence
            )
        )
        above = sorted({cell[0] for cell in cells})
        if report.header_line is not None and above == list(range(len(above))):
            line = int(lines[above[-1]])
            label = f"take line {line:,} as the header"
            choices.append(Repair("header", str(line), label, "What stands above is left out"))
    what = "is not a number" if code == "not-a-number" else "is not finite"
    raise source.error(
        code,
        f"“{text}” {what}",
        "this column holds numbers" if code == "not-a-number" else "only finite numbers are used",
        row=int(lines[row]),
        column=column.name,
        further=len(cells) - 1,
        choices=tuple(choices),
    )


def _settle_missing(
    roles: Roles,
    keep: np.ndarray,
    lines: np.ndarray,
    report: Report,
    options: ReadOptions,
    kind: TableKind,
    source: Source,
) -> np.ndarray:
    """bool (n,): rows kept once missing numbers (and needed labels) are settled. Raises DataError."""
    needed = [] if kind.missing_allowed else [c for c in roles.values if c.type == "number"]
    if kind.label_required and roles.label is not None:
        needed.append(roles.label)
    gaps = np.zeros(len(lines), dtype=bool)
    for column in needed:
        gaps |= column.missing & keep
    if not gaps.any():
        return ~gaps
    if options.missing_cells == "ask":
        raise _missing(needed, gaps, keep, lines, source)
    if options.missing_cells == "drop-row":
        report.dropped.append(Dropped("a value is missing", tuple(lines[gaps].tolist())))
        return ~gaps
    unlabelled = roles.label.missing & keep if kind.label_required and roles.label else np.zeros_like(gaps)
    if unlabelled.any():
        report.dropped.append(Dropped("the label is missing", tuple(lines[unlabelled].tolist())))
    return ~unlabelled


def _missing(
    needed: Sequence[RawColumn], gaps: np.ndarray, keep: np.ndarray, lines: np.ndarray, source: Source
) -> DataError:
    row = int(np.argmax(gaps))
    column = next(column for column in needed if column.missing[row])
    cells = sum(int((each.missing & keep).sum()) for each in needed)
    count = int(gaps.sum())
    rows = "the row" if count == 1 else f"the {count:,} rows with gaps"
    choices = [
        Repair("missing_cells", "drop-row", f"Drop {rows}", f"{count:,} of {len(lines):,} rows are left out"),
        Repair("missing_cells", "mean", "fill with the column's mean", f"{cells:,} cells are filled"),
        Repair("missing_cells", "median", "fill with its median", f"{cells:,} cells are filled"),
    ]
    text = column.texts[row] if column.texts is not None else ""
    shown = f" (“{text}”)" if text else ""
    return source.error(
        "missing-value",
        f"the value is missing{shown}",
        "the computation needs every number" if column.type == "number" else "every row needs a label",
        row=int(lines[row]),
        column=column.name,
        further=cells - 1,
        choices=tuple(choices if column.type == "number" else choices[:1]),
    )


def _fill_gaps(roles: Roles, report: Report, options: ReadOptions) -> None:
    if options.missing_cells not in ("mean", "median"):
        return
    for column in roles.values:
        gaps = int(column.missing.sum())
        if column.type != "number" or not gaps or gaps == len(column.values):
            continue
        centre = np.nanmean if options.missing_cells == "mean" else np.nanmedian
        value = float(centre(column.values))
        column.values = np.where(column.missing, value, column.values)
        report.conversions.append(
            f"{counted(gaps, 'gap')} of column “{column.name}” filled with its "
            f"{options.missing_cells}, {value:g}"
        )


def _check_shape(roles: Roles, rows: int, report: Report, kind: TableKind, source: Source) -> None:
    numbers = [column for column in roles.values if column.type == "number"]
    if kind.numeric and len(numbers) < kind.min_columns:
        found = "no column holds numbers" if not numbers else f"{len(numbers):,} columns hold numbers"
        types = [f"{column.name} is {column.type}: {column.reason}" for column in roles.values]
        raise source.error(
            "no-numbers" if not numbers else "too-few-columns",
            found,
            f"at least {kind.min_columns:,} needed" + (f" ({some_of(types, 3)})" if types else ""),
        )
    if rows < kind.min_rows:
        left = sum(len(each.lines) for each in report.dropped)
        raise source.error(
            "too-few-rows",
            counted(rows, "row") + (f" after {left:,} were left out" if left else ""),
            f"at least {kind.min_rows:,} rows are needed",
        )


def _table(roles: Roles, lines: np.ndarray, geographic: bool) -> Table:
    numbers = [column for column in roles.values if column.type == "number"]
    matrix = np.empty((len(lines), len(numbers)))
    for j, column in enumerate(numbers):
        matrix[:, j] = column.values
    place = {id(column): j for j, column in enumerate(numbers)}
    matrix = read_only(matrix)

    def finished(column: RawColumn) -> Column:
        assert column.type != "skip"
        j = place.get(id(column))
        values = matrix[:, j] if j is not None else read_only(np.ascontiguousarray(column.values))
        return Column(name=column.name, values=values, type=column.type, unit=column.unit)

    return Table(
        columns=tuple(finished(column) for column in roles.values),
        label=finished(roles.label) if roles.label else None,
        id=finished(roles.id) if roles.id else None,
        lines=read_only(lines),
        geographic=geographic,
        matrix=matrix,
    )


def _column_report(column: RawColumn, roles: Roles) -> ColumnReport:
    role, why = roles.role_of(column)
    return ColumnReport(column.name, column.type, why or column.reason, role, dict(column.codes))


def _note_unused(roles: Roles, report: Report, kind: TableKind) -> None:
    unused = [column.name for column in roles.values if column.type != "number"]
    if kind.numeric and unused:
        word = "column" if len(unused) == 1 else "columns"
        report.warnings.append(f"text {word} kept and not computed with: {some_of(unused)}")


def _unknown_column(name: str, raw: Sequence[RawColumn], source: Source) -> DataError:
    return source.error(
        "unknown-column",
        f"there is no column named “{name}”",
        f"the columns are {some_of([column.name for column in raw], 20)}",
    )
