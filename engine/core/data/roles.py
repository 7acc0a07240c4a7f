"""Which column labels the rows and which names them: chosen, or proposed with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.core.data.cells import RawColumn
from engine.core.data.kinds import TableKind
from engine.core.data.options import ReadOptions
from engine.core.data.report import some_of
from engine.core.data.source import Source

_LABEL_NAMES = {"label", "labels", "class", "target", "species", "category"}
_ID_NAMES = {"id", "ids", "index", "row", "row name", "rowname", "name", "names", "key"}
_MOST_LABELS = 100


@dataclass
class Roles:
    """The columns computed with, and the label and id column with the reason for each."""

    values: list[RawColumn]
    label: RawColumn | None = None
    id: RawColumn | None = None
    reasons: dict[str, str] = field(default_factory=dict)

    def role_of(self, column: RawColumn) -> tuple[str, str]:
        """(role, reason): "label", "id", "value" or "skipped"."""
        if column is self.label:
            return "label", self.reasons["label"]
        if column is self.id:
            return "id", self.reasons["id"]
        return ("value" if any(column is each for each in self.values) else "skipped"), ""


def find_roles(columns: Sequence[RawColumn], options: ReadOptions, kind: TableKind, source: Source) -> Roles:
    """Set label and id column apart.

    A name or number in the options goes before any proposal. Raises DataError "unknown-column" for one
    that is not there, "no-label" when the kind needs a label and none was found.
    """
    roles = Roles(list(columns))
    chosen_label = _chosen("label_column", options.label_column, columns, source)
    chosen_id = _chosen("id_column", options.id_column, columns, source)
    _set(roles, "label", chosen_label, "chosen")
    _set(roles, "id", chosen_id, "chosen")
    if options.id_column == "auto" and kind.id_column:
        _set(roles, "id", *_proposed_id(roles.values, kind))
    if options.label_column == "auto" and (kind.label_column or kind.label_required):
        _set(roles, "label", *_proposed_label(roles.values, kind))
    if kind.label_required and roles.label is None:
        raise source.error(
            "no-label",
            "no column was recognised as the label",
            f"name it with the option label_column; the columns are {some_of([c.name for c in columns], 20)}",
        )
    return roles


def _set(roles: Roles, role: str, column: RawColumn | None, reason: str) -> None:
    if column is None:
        return
    roles.values = [each for each in roles.values if each is not column]
    roles.reasons[role] = reason
    if column.odd:
        _as_text(column)
    if role == "label":
        roles.label = column
    else:
        roles.id = column


def _as_text(column: RawColumn) -> None:
    """A label or id of numbers and words is all words, as written in the file."""
    assert column.texts is not None, "cells as written are kept where some are odd"
    column.values, column.type, column.odd, column.infinite = column.texts, "text", {}, {}


def _chosen(option: str, name: str, columns: Sequence[RawColumn], source: Source) -> RawColumn | None:
    if name in ("auto", "none"):
        return None
    for column in columns:
        if column.name == name:
            return column
    if name.isdecimal() and 1 <= int(name) <= len(columns):
        return columns[int(name) - 1]
    raise source.error(
        "unknown-column",
        f"there is no column “{name}” (option {option})",
        f"the columns are {some_of([column.name for column in columns], 20)}",
    )


def _proposed_id(columns: Sequence[RawColumn], kind: TableKind) -> tuple[RawColumn | None, str]:
    """Distinct values under a telling name, a counted first column without a name, or distinct words."""
    for column in columns:
        if column.name in kind.required:
            continue
        if column.name.strip().lower() in _ID_NAMES and _is_distinct(column) and _is_whole_or_text(column):
            return column, "named so, and every value differs"
    first = columns[0] if len(columns) > 1 and columns[1].name != "column 2" else None
    if first is not None and first.name == "column 1" and _counts_rows(first):
        return first, "without a name in the header, and it counts the rows"
    for column in columns:
        if column.type == "text" and column.name not in kind.required and _is_distinct(column):
            return column, "text, and every value differs"
    return None, ""


def _proposed_label(columns: Sequence[RawColumn], kind: TableKind) -> tuple[RawColumn | None, str]:
    """Few distinct values under a telling name, or the only text column with repeats."""
    for column in columns:
        if column.name in kind.required:
            continue
        if column.name.strip().lower() in _LABEL_NAMES and _is_whole_or_text(column):
            count = _distinct(column)
            if 1 < count <= _MOST_LABELS and (column.type != "number" or 2 * count <= len(column.values)):
                return column, f"named so, with {count:,} distinct values"
    texts = [column for column in columns if column.type in ("text", "category")]
    repeated = [column for column in texts if column.name not in kind.required and _repeats(column)]
    if len(repeated) == 1:
        return repeated[0], f"the only text column with repeats, {_distinct(repeated[0]):,} distinct values"
    return None, ""


def _distinct(column: RawColumn) -> int:
    if column.type != "number":
        return len(set(column.values))
    return len(np.unique(column.values))


def _is_distinct(column: RawColumn) -> bool:
    return not column.missing.any() and _distinct(column) == len(column.values) > 1


def _repeats(column: RawColumn) -> bool:
    return 1 < _distinct(column) < len(column.values)


def _is_whole_or_text(column: RawColumn) -> bool:
    if column.type != "number":
        return True
    filled = column.values[~np.isnan(column.values)]
    return bool(np.isfinite(filled).all() and (filled == np.floor(filled)).all())


def _counts_rows(column: RawColumn) -> bool:
    if column.type != "number" or len(column.values) < 3 or column.missing.any():
        return False
    return bool(column.values[0] in (0, 1) and (np.diff(column.values) == 1).all())
