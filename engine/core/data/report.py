"""What was read, in facts and in plain words for the window and the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

_SIGNS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blank", ":": "colon", ".": "point"}
_SHOWN = 8


def sign_in_words(sign: str) -> str:
    """ "comma" for ",": separators and decimal signs as they are called."""
    return _SIGNS.get(sign, f"“{sign}”")


def some_of(items: Sequence[object], shown: int = _SHOWN) -> str:
    """ "3, 7, 9 and 12 more"."""
    text = ", ".join(str(item) for item in items[:shown])
    return text if len(items) <= shown else f"{text} and {len(items) - shown:,} more"


def counted(count: int, noun: str) -> str:
    """ "1 row", "1,200 rows"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


@dataclass(frozen=True)
class Dropped:
    """Rows left out: why, and their line numbers in the file."""

    reason: str
    lines: tuple[int, ...]


@dataclass
class ColumnReport:
    """One column: the type proposed or chosen and why, its role, and the cells each missing code removed."""

    name: str
    type: str
    reason: str
    role: str = "value"
    missing: dict[str, int] = field(default_factory=dict)
    constant: bool = False
    duplicate_of: str | None = None


@dataclass
class Report:
    """The account of one reading. `rows_in_file` − all `dropped` lines = `rows`."""

    file: str
    format: str
    encoding: str | None = None
    separator: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    header_line: int | None = None
    comment: str | None = None
    lines_before_table: int = 0
    comment_lines: int = 0
    blank_lines: int = 0
    rows_in_file: int = 0
    rows: int = 0
    reading: str = "points"
    dropped: list[Dropped] = field(default_factory=list)
    columns: list[ColumnReport] = field(default_factory=list)
    duplicate_rows: int = 0
    conversions: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def missing(self) -> dict[str, int]:
        """Cells removed per missing code, over all columns; the empty cell has the code ""."""
        total: Counter[str] = Counter()
        for column in self.columns:
            total.update(column.missing)
        return dict(total)

    @property
    def constant_columns(self) -> list[str]:
        return [column.name for column in self.columns if column.constant]

    @property
    def duplicated_columns(self) -> list[tuple[str, str]]:
        """Pairs (column, the earlier column it repeats)."""
        return [(column.name, column.duplicate_of) for column in self.columns if column.duplicate_of]

    def as_record(self) -> dict[str, Any]:
        """JSON-ready form for ``run.json``."""
        return asdict(self)

    def lines(self) -> list[str]:
        """The report in sentences, the most general first, warnings last."""
        return [
            *self._form_lines(),
            *self._row_lines(),
            *self._column_lines(),
            *(f"Converted: {text}." for text in self.conversions),
            *(f"Note: {text}." for text in self.warnings),
        ]

    def _form_lines(self) -> list[str]:
        parts = [self.format]
        if self.encoding:
            parts.append(f"encoding {self.encoding}")
        if self.separator:
            parts.append(f"separator {sign_in_words(self.separator)}")
        if self.decimal:
            parts.append(f"decimal sign {sign_in_words(self.decimal)}")
        if self.thousands:
            parts.append(f"thousands sign {sign_in_words(self.thousands)}")
        if self.separator:
            parts.append(f"header in line {self.header_line}" if self.header_line else "no header line")
        lines = [f"{self.file}: {', '.join(parts)}. Read as {self.reading}."]
        if self.lines_before_table:
            lines.append(f"The table begins after {counted(self.lines_before_table, 'line')} of remarks.")
        if self.comment_lines:
            lines.append(f"Passed over: {counted(self.comment_lines, 'comment line')} ({self.comment}).")
        if self.blank_lines:
            lines.append(f"Passed over: {counted(self.blank_lines, 'blank line')}.")
        return lines

    def _row_lines(self) -> list[str]:
        dropped = sum(len(each.lines) for each in self.dropped)
        if not dropped:
            return [f"{counted(self.rows, 'row')} read, none left out."]
        lines = [f"{self.rows:,} of {self.rows_in_file:,} rows read, {dropped:,} left out."]
        return lines + [f"Left out, {each.reason}: line {some_of(each.lines)}." for each in self.dropped]

    def _column_lines(self) -> list[str]:
        counts = Counter(column.type for column in self.columns)
        lines = []
        if self.columns:
            kinds = ", ".join(f"{count:,} {type}" for type, count in counts.items())
            lines.append(f"{counted(len(self.columns), 'column')}: {kinds}.")
        for role in ("label", "id"):
            lines += [f"Column “{c.name}” is the {role}: {c.reason}." for c in self.columns if c.role == role]
        for code, count in self.missing.items():
            cells = counted(count, "cell")
            lines.append(f"Missing: {f'{cells} “{code}”' if code else f'{cells} left empty'}.")
        if self.constant_columns:
            lines.append(f"Constant columns: {some_of(self.constant_columns)}.")
        if self.duplicated_columns:
            pairs = [f"{name} (= {other})" for name, other in self.duplicated_columns]
            lines.append(f"Repeated columns: {some_of(pairs)}.")
        if self.duplicate_rows:
            lines.append(f"Rows that repeat an earlier row: {self.duplicate_rows:,}.")
        return lines
