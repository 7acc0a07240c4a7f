"""Views over and beside each other, state by state."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.core.comparison.overlay import overlay
from engine.core.comparison.sides import RunFacts, Side
from engine.core.figures.draw import draw
from engine.core.views import (
    Axis,
    Bars,
    BarSeries,
    BarsState,
    Column,
    HeatMap,
    HeatMapState,
    Level,
    Lines,
    LinesState,
    Reference,
    Scatter,
    ScatterState,
    Series,
    Table,
    TableState,
)

LINES = Lines("l", title="Curves", x=Axis("x"), y=Axis("y"))


def side(place: int, seeds: int = 1) -> Side:
    facts = [
        RunFacts(
            id=f"{place}-{seed}",
            name=f"run {place}",
            method="m",
            status="finished",
            seed=seed,
            parameters={},
            data={},
            environment={},
            results={},
            spreads={},
        )
        for seed in range(seeds)
    ]
    return Side(place, tuple(facts))


def curve(name: str, y: list[float], **style: Any) -> Series:
    return Series(name=name, x=np.arange(len(y), dtype=float), y=np.array(y), **style)


def test_a_curve_keeps_its_colour_whatever_its_place() -> None:
    one = LinesState(series=(curve("u", [1, 2]), curve("v", [3, 4])))
    two = LinesState(series=(curve("v", [5, 6]), curve("w", [7, 8])))
    ((_, state),) = overlay(LINES, [(side(0), [one]), (side(1), [two])])
    assert [(s.name, s.colour, s.style) for s in state.series] == [  # type: ignore[attr-defined]
        ("u A", 0, "solid"),
        ("v A", 1, "solid"),
        ("v B", 1, "dashed"),
        ("w B", 1, "dashed"),
    ]


def test_in_print_the_second_side_is_dashed_with_hollow_marks_of_the_same_shape_and_colour() -> None:
    one = LinesState(series=(curve("u", [1, 2]), curve("v", [3, 4])))
    ((view, state),) = overlay(LINES, [(side(0), [one]), (side(1), [one])])
    marks = [line for line in draw(view, state).axes[0].lines if line.get_marker() != "None"]
    a, b = marks[0], marks[1]
    assert a.get_marker() == b.get_marker() == "o"
    assert a.get_markerfacecolor() == b.get_markeredgecolor()
    assert a.get_markerfacecolor() != b.get_markerfacecolor()
    assert marks[2].get_marker() == marks[3].get_marker() == "s"


def test_seeds_with_other_x_are_drawn_one_by_one() -> None:
    first, second = curve("u", [1, 2]), Series(name="u", x=np.array([0.0, 0.5]), y=np.array([1.0, 3.0]))
    shown = [(side(0, 2), [LinesState(series=(first,)), LinesState(series=(second,))])]
    shown.append((side(1), [LinesState(series=(first,))]))
    ((_, state),) = overlay(LINES, shown)
    assert [s.name for s in state.series] == ["u A, seed 0", "u A, seed 1", "u B"]  # type: ignore[attr-defined]


def test_the_mean_of_a_stopped_and_a_whole_run_goes_as_far_as_both() -> None:
    long, short = curve("u", [1, 2, 3]), curve("u", [3, 4])
    shown = [(side(0, 2), [LinesState(series=(long,)), LinesState(series=(short,))])]
    shown.append((side(1), [LinesState(series=(long,))]))
    ((_, state),) = overlay(LINES, shown)
    assert state.series[0].y.tolist() == [2, 3]  # type: ignore[attr-defined]


def test_equal_references_are_drawn_once_and_others_with_their_letter() -> None:
    bound = Reference(name="bound", x=np.array([0.0, 1.0]), y=np.array([1.0, np.nan]))
    other = Reference(name="truth", x=np.array([0.0, 1.0]), y=np.array([2.0, 2.0]))
    moved = Reference(name="truth", x=np.array([0.0, 1.0]), y=np.array([2.0, 3.0]))
    same = Reference(name="bound", x=np.array([0.0, 1.0]), y=np.array([1.0, np.nan]))
    one = LinesState(references=(bound, other), levels=(Level(name="goal", value=1.0, draggable=True),))
    two = LinesState(references=(same, moved), levels=(Level(name="goal", value=2.0),))
    ((_, state),) = overlay(LINES, [(side(0), [one]), (side(1), [two])])
    assert isinstance(state, LinesState)
    assert [reference.name for reference in state.references] == ["bound", "truth A", "truth B"]
    assert [(level.name, level.draggable) for level in state.levels] == [("goal A", False), ("goal B", False)]


def test_curves_in_different_units_stand_apart() -> None:
    one, two = LinesState(y=Axis("length", "cm")), LinesState(y=Axis("length", "km"))
    pictures = overlay(LINES, [(side(0), [one]), (side(1), [two])])
    assert [view.title for view, _ in pictures] == ["Curves, A", "Curves, B"]


def test_points_stand_beside_each_other() -> None:
    view = Scatter("s", title="Points", x=Axis("x"), y=Axis("y"))
    states = [ScatterState(x=np.arange(3.0), y=np.arange(3.0), caption="3 rows") for _ in range(2)]
    pictures = overlay(view, [(side(0), [states[0]]), (side(1, 2), [states[1], states[1]])], total=3)
    assert [(v.name, v.title) for v, _ in pictures] == [("s.A", "Points, A"), ("s.B", "Points, B")]
    assert pictures[1][1].caption == "B run 1, 2 seeds · 1 of 2 seeds · 3 rows"


def test_matrices_share_their_scale() -> None:
    view = HeatMap("h", title="Map", x=Axis("x"), y=Axis("y"), value=Axis("v"))
    one = HeatMapState(values=np.array([[0.0, 1.0]]))
    two = HeatMapState(values=np.array([[-2.0, np.nan]]))
    pictures = overlay(view, [(side(0), [one]), (side(1), [two])])
    assert [state.limits for _, state in pictures] == [(-2.0, 1.0), (-2.0, 1.0)]  # type: ignore[attr-defined]


def test_bars_of_the_same_categories_are_grouped() -> None:
    view = Bars("b", title="Bars", category=Axis("c"), value=Axis("v"))

    def bars(categories: tuple[str, ...]) -> BarsState:
        return BarsState(
            series=(BarSeries(name="share", values=np.array([1.0, 2.0])),), categories=categories
        )

    ((_, state),) = overlay(view, [(side(0), [bars(("a", "b"))]), (side(1), [bars(("a", "b"))])])
    assert isinstance(state, BarsState)
    assert [(s.name, s.colour) for s in state.series] == [("share A", 7), ("share B", 3)]
    assert len(overlay(view, [(side(0), [bars(("a", "b"))]), (side(1), [bars(("a", "c"))])])) == 2


def table(names: tuple[str, ...], values: list[float]) -> TableState:
    return TableState(
        columns=(
            Column(name="name", title="Rule", values=names, kind="text"),
            Column(name="error", title="Error", values=np.array(values), digits=3, unit="%"),
        ),
        ids=names,
    )


def test_rows_of_tables_belong_together_by_their_texts() -> None:
    view = Table("t", title="Rules")
    one, two = table(("single", "ward"), [1.0, 2.0]), table(("ward", "average"), [2.5, 3.0])
    ((_, state),) = overlay(view, [(side(0), [one]), (side(1), [two])])
    assert isinstance(state, TableState)
    assert state.columns[0].values == ("single", "ward", "average")
    found = {column.title: column.values.tolist() for column in state.columns[1:]}
    assert np.array_equal(found["Error A"], [1.0, 2.0, np.nan], equal_nan=True)
    assert np.array_equal(found["Error B − A"], [np.nan, 0.5, np.nan], equal_nan=True)


def test_tables_over_seeds_show_mean_and_interval() -> None:
    view = Table("t", title="Rules")
    shown = [(side(0, 2), [table(("a",), [1.0]), table(("a",), [3.0])]), (side(1), [table(("a",), [4.0])])]
    ((_, state),) = overlay(view, shown)
    assert isinstance(state, TableState)
    mean = state.columns[1]
    assert (mean.kind, mean.values.tolist()) == ("spread", [2.0])
    assert mean.high is not None
    assert abs(mean.high[0] - 12.7062047) < 1e-6
    assert state.columns[3].values.tolist() == [2.0]


def test_what_one_side_alone_shows_is_named_after_it() -> None:
    ((view, _),) = overlay(LINES, [(side(0), []), (side(1), [LinesState(series=(curve("u", [1]),))])])
    assert view.title == "Curves, B"
