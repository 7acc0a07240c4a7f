"""Benchmarks as elections in the real window: clicks, sliders, witnesses, edits, files, a run and its record.

Right values are worked out here from the shown score table with numpy and scipy alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from scipy.stats import kendalltau, rankdata

from gui.tab.experiment import CHECK_DELAY_MS
from gui.tab.method_tab import MethodTab
from gui.window.main_window import MainWindow

NO_KEYS = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def tab(window: MainWindow, until: Any, qtbot: Any) -> MethodTab:
    """The tab with VTAB read and drawn, after its delayed check, which draws the preview anew."""
    opened = window.open_tab("benchmark_choice")
    experiment = opened.experiment

    def drawn() -> bool:
        board = experiment.board()
        return board is not None and board.state("tradeoff") is not None and not experiment.blocked()

    until(drawn)
    qtbot.wait(3 * CHECK_DELAY_MS)
    until(lambda: drawn() and opened.view("ranks").state is not None)
    return opened


def column(tab: MethodTab, view: str, name: str) -> Any:
    """Values of a column on the board of what is shown."""
    state = tab.experiment.board().state(view)
    return next(one for one in state.columns if one.name == name).values


def score_table(tab: MethodTab) -> np.ndarray:
    state = tab.experiment.board().state("scores")
    return np.column_stack([one.values for one in state.columns if one.kind != "text"])


def factors(tab: MethodTab) -> np.ndarray:
    """α as the sliders show it."""
    panel = tab.view("weights")
    return np.array([f.control.value for f in panel.fields if hasattr(f, "slider")])


def ranks_by_hand(scores: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    return rankdata(np.round(-(scores * alpha).mean(axis=1), 8))


def click_cell(tab: MethodTab, row: int, column: int) -> None:
    drawing = tab.view("overtake")
    drawing.click_at(QPointF(drawing.cells.box(row, column).center()), NO_KEYS)


def button(tab: MethodTab, label: str) -> Any:
    return next(
        f.button for f in tab.view("weights").fields if hasattr(f, "button") and f.control.label == label
    )


def finish(tab: MethodTab, until: Any) -> None:
    tab.run_button.click()
    until(lambda: tab.experiment.job is not None and tab.experiment.job.status.ended, 60_000)
    until(lambda: tab.status_text() == "Finished")


def test_a_slider_moves_the_ranks_and_undo_takes_it_back(tab: MethodTab, until: Any) -> None:
    scores = score_table(tab)
    before = column(tab, "ranks", "now")
    assert np.array_equal(before, ranks_by_hand(scores, np.ones(scores.shape[1])))
    sliders = [f for f in tab.view("weights").fields if hasattr(f, "slider")]
    tasks = [one.name for one in tab.experiment.board().state("scores").columns[1:]]
    assert [f.control.label for f in sliders] == tasks
    alpha = np.ones(scores.shape[1])
    for place in range(12):
        alpha[place] = place * 0.01
        sliders[place].slider.setValue(place * 10)
    until(lambda: np.allclose(factors(tab), alpha))
    until(lambda: np.array_equal(column(tab, "ranks", "now"), ranks_by_hand(scores, alpha)))
    assert not np.array_equal(column(tab, "ranks", "now"), before)
    for _ in range(12):
        tab.undo()
    until(lambda: (factors(tab) == 1).all())
    assert np.array_equal(column(tab, "ranks", "now"), before)


def test_overtaking_is_certified_and_a_click_shows_the_witness(tab: MethodTab, until: Any) -> None:
    scores = score_table(tab)
    spread = scores.std(axis=0, ddof=1)
    lead = (scores[:, None, :] - scores[None, :, :]) / spread
    reach = np.maximum(lead, 0.01 * lead).sum(axis=2)
    values = tab.view("overtake").state.values
    apart = ~np.eye(len(scores), dtype=bool)
    assert np.array_equal((values >= 0)[apart], (reach > 1e-9)[apart])
    told: list[str] = []
    tab.told.connect(told.append)

    row, below = next((i, j) for i, j in np.argwhere(values == 0) if i > j)
    click_cell(tab, int(row), int(below))
    until(lambda: column(tab, "ranks", "now")[row] < column(tab, "ranks", "now")[below])
    until(lambda: np.array_equal(column(tab, "ranks", "now"), ranks_by_hand(scores, factors(tab))))
    until(lambda: any("lies above" in sentence for sentence in told))
    weights = factors(tab) * spread
    assert weights.min() >= 0.01 * weights.max() * (1 - 1e-9)

    shown = column(tab, "ranks", "now")
    never = np.argwhere(values == -1)[0]
    click_cell(tab, *never.tolist())
    until(lambda: any(sentence.startswith("No irrelevant change lets") for sentence in told))
    assert np.array_equal(column(tab, "ranks", "now"), shown)


def test_editing_a_score_moves_everything_that_follows_from_it(tab: MethodTab, until: Any) -> None:
    scores = score_table(tab)
    diversity = tab.experiment.board().state("agreement").caption
    tab.views.raise_view("scores")
    until(lambda: tab.view("scores").state is not None)
    task = tab.view("scores").state.columns[3].name
    tab.view("scores").make_gesture("edit-cell", id=0, column=task, value=1.5)
    until(lambda: score_table(tab)[0, 2] == 1.5)
    edited = scores.copy()
    edited[0, 2] = 1.5
    assert np.array_equal(score_table(tab), edited)
    assert np.array_equal(column(tab, "ranks", "rank"), ranks_by_hand(edited, np.ones(scores.shape[1])))
    assert tab.experiment.board().state("agreement").caption != diversity
    until(lambda: tab.experiment.target.can_undo)
    tab.undo()
    until(lambda: np.array_equal(score_table(tab), scores))

    told: list[str] = []
    tab.told.connect(told.append)
    tab.view("scores").make_gesture("edit-cell", id=0, column=task, value=None)
    until(lambda: any("needs a full table" in sentence for sentence in told))
    assert np.array_equal(score_table(tab), scores)


def test_a_run_repeats_is_steered_and_comes_back_from_its_script(tab: MethodTab, until: Any) -> None:
    for name, value in (("sweep", False), ("draws", 20), ("prove", False)):
        tab.experiment.set_value(name, value)
    until(lambda: not tab.experiment.blocked())
    finish(tab, until)
    job = tab.experiment.job
    assert job is not None
    results = dict(job.board.results())
    assert results["published_tau.vtab"] == pytest.approx(8 / 120)
    assert results["found_tau.vtab"] == pytest.approx(25 / 120)
    assert results["found_mrc.vtab"] == pytest.approx(0.6)

    scores = score_table(tab)
    original = column(tab, "ranks", "rank")
    button(tab, "Worst τ").click()
    until(lambda: np.array_equal(column(tab, "ranks", "now"), ranks_by_hand(scores, factors(tab))))
    turned = (1 - kendalltau(column(tab, "ranks", "now"), original).statistic) / 2
    assert turned == pytest.approx(25 / 120)
    button(tab, "Worst MRC").click()
    until(lambda: np.abs(column(tab, "ranks", "now") - original).max() / 15 == pytest.approx(0.6))
    button(tab, "Reset").click()
    until(lambda: np.array_equal(column(tab, "ranks", "now"), original))

    tab.view("tradeoff").make_gesture("click", id=1)
    until(lambda: len(column(tab, "ranks", "rank")) == 28)
    assert tab.experiment.board().state("weights").caption == "SuperGLUE"

    def copied() -> str:
        tab.copy_python()
        return QGuiApplication.clipboard().text()

    until(lambda: "'open_board', {'id': 1}" in copied())
    script = copied()
    assert "'move', {'to': 'worst MRC'}" in script
    compile(script, "copied", "exec")

    finish(tab, until)
    assert tab.experiment.job is not job
    assert dict(tab.experiment.job.board.results()) == results


BAD = {
    "text": ("m1,1,2\nm2,2,oops\nm3,3,1\n", "row 3, column b: “oops” is not a number"),
    "twice": ("m1,1,2\nm2,2,3\nm1,3,1\n", "model “m1” stands in lines 2, 4"),
    "two models": ("m1,1,2\nm2,2,1\n", "At least 3 rows are needed"),
    "infinite": ("m1,1,inf\nm2,2,3\nm3,3,1\n", "row 2, column b: “inf” is not finite"),
    "direction": ("#direction,max,up\nm1,1,2\nm2,2,3\nm3,3,1\n", "“up” is no direction"),
}


def test_files_are_read_or_named_by_row_and_column(tab: MethodTab, until: Any, tmp_path: Path) -> None:
    folder = tmp_path / "mes données 数"
    folder.mkdir()
    experiment = tab.experiment

    def take(name: str, text: str) -> None:
        path = folder / f"{name}.csv"
        path.write_text(text, encoding="utf-8")
        tab.take_file(str(path))
        until(lambda: not experiment.data.loading and experiment.data.source == str(path))

    for name, (rows, sentence) in BAD.items():
        take(name, f"model,a,b\n{rows}")
        until(lambda: experiment.data.error is not None)
        assert sentence in str(experiment.data.error), name
        assert experiment.blocked()

    take("constant", "model,a,b\nm1,1,2\nm2,1,2\nm3,1,2\n")
    until(lambda: "kind" in experiment.errors())
    assert "nothing can be ranked" in experiment.errors()["kind"]

    take("gaps", "model,a,b,c\nm1,1,-,3\nm2,2,3,1\nm3,3,1,2\n")
    until(lambda: "relevant_share" in experiment.errors())

    tab.show_views()
    take("own", "model,a,b,c\n#direction,max,min,max\nm1,9,1,9\nm2,5,4,1\nm3,1,5,8\n")
    until(lambda: not experiment.blocked() and "own" in experiment.board().state("weights").caption)
    # means 17/3, 4/3 and 2/3
    assert score_table(tab)[:, 1].tolist() == [-1, -5, -4]
    assert column(tab, "ranks", "rank").tolist() == [1, 2, 3]
