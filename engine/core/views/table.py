"""Tables as a paper prints them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from engine.core.encoding import word
from engine.core.views.declaration import View, ViewState

ColumnKind = Literal["text", "number", "integer", "interval", "spread", "badge", "bar", "check"]


@dataclass(frozen=True, kw_only=True)
class Table(View):
    """Rows of one entity.

    Gestures and payloads: ``click`` {id}; ``edit-cell`` {id, column, value}; ``move`` {id, to}.
    """

    kind: ClassVar[str] = "table"
    gesture_words: ClassVar[tuple[str, ...]] = ("click", "edit-cell", "move")


@word("table.column")
@dataclass(frozen=True, eq=False, kw_only=True)
class Column:
    """One column: `values` are numbers (r,) or a tuple of r strings.

    An interval has `low`/`high` (r,), printed "1.20–1.23" or one number where they agree; a spread has
    `values` and `high` as the ± half-width. `digits` are decimals; `best` marks the smallest or largest;
    `bar` draws an in-cell bar of the value; `check` shows bools as boxes, which an editable column lets the
    person tick with one click. `texts` (r,) stand in place of the values where not empty
    (a word in a column of numbers).
    """

    name: str
    title: str
    values: Any
    kind: ColumnKind = "number"
    unit: str = ""
    digits: int = 2
    best: Literal["", "low", "high"] = ""
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    editable: bool = False
    help: str = ""
    texts: tuple[str, ...] = ()


@word("table")
@dataclass(frozen=True, eq=False, kw_only=True)
class TableState(ViewState):
    """`columns` of equal length; `ids` one per row for linked selection; `colours` a mark per row."""

    kind: ClassVar[str] = "table"

    columns: tuple[Column, ...] = ()
    ids: tuple[Any, ...] = ()
    colours: tuple[int | None, ...] = ()
    note: str = ""
