"""The trial reading shown in the chooser: first rows, the row that does not fit, and the way on."""

from __future__ import annotations

import numpy as np

from engine.core.data import ReadOptions, TableKind, preview

TABLE = [TableKind()]


def test_first_rows_and_what_was_found(folder):
    path = folder / "a.csv"
    path.write_text("a;b\n" + "".join(f"{i},5;{i}\n" for i in range(40)))
    shown = preview(path, TABLE)
    assert [row.line for row in shown.rows] == list(range(1, 13))
    assert shown.rows[1].fields == ("0,5", "0")
    assert all(row.fits for row in shown.rows)
    assert shown.problem is None
    assert (shown.loaded.options.separator, shown.loaded.options.decimal) == (";", ",")


def test_the_worst_row_is_shown_with_its_neighbours_and_a_choice_leads_on(folder):
    path = folder / "a.csv"
    path.write_text("a,b\n" + "1,2\n" * 50 + "1,2,3\n" + "4,5\n" * 9)
    shown = preview(path, TABLE, first=3)
    assert [(row.line, row.fits) for row in shown.rows] == [
        (1, True),
        (2, True),
        (3, True),
        (51, True),
        (52, False),
        (53, True),
    ]
    assert shown.rows[4].fields == ("1", "2", "3")
    assert shown.loaded is None
    again = preview(path, TABLE, ReadOptions().repaired(shown.problem.choices[0]))
    assert (again.problem, again.loaded.value.n) == (None, 59)


def test_files_that_are_no_text_or_not_there(folder):
    np.save(folder / "a.npy", np.ones((3, 2)))
    shown = preview(folder / "a.npy", TABLE)
    assert (shown.rows, shown.loaded.value.n) == ((), 3)
    gone = preview(folder / "b.csv", TABLE)
    assert (gone.rows, gone.loaded, gone.problem.code) == ((), None, "missing-file")
