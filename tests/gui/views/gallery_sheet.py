"""Realistic states of every kind of view on pages of 1280 × 800, to be looked at.

Run under a screen: ``xvfb-run -s "-screen 0 2600x1700x24" python tests/gui/views/gallery_sheet.py FOLDER``;
writes a picture per page and theme. ``QT_SCALE_FACTOR=2`` gives them at twice the resolution.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QApplication, QGridLayout, QWidget
from scipy.cluster import hierarchy
from scipy.spatial import ConvexHull
from sklearn.datasets import load_iris

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from engine.core.views import (
    Axis,
    Bars,
    BarSeries,
    BarsState,
    Bracket,
    Button,
    Column,
    Dendrogram,
    DendrogramState,
    Graph,
    GraphState,
    Group,
    HeatMap,
    HeatMapState,
    Level,
    Lines,
    LinesState,
    Panel,
    PanelState,
    Polygon,
    Reference,
    Rug,
    Scatter,
    ScatterState,
    Segments,
    Series,
    Slider,
    Span,
    Switch,
    Table,
    TableState,
    Toggle,
    View,
    ViewState,
)
from gui.theme.theme import theme
from gui.views import make_drawing
from gui.views.drawing import Drawing
from gui.views.plot import PlotDrawing
from gui.views.selection import Selection
from gui.widgets.card import Card

RNG = np.random.default_rng(3)
FLOWERS = load_iris().data
PLANE = (FLOWERS - FLOWERS.mean(0)) @ np.linalg.svd(FLOWERS - FLOWERS.mean(0), full_matrices=False)[2][:2].T
TREE = hierarchy.linkage(FLOWERS, "complete")
CLUSTER = hierarchy.fcluster(TREE, 3, "maxclust") - 1
Shown = tuple[View, ViewState | None, dict[str, object]]


def cohesion() -> Shown:
    k = np.arange(2.0, 11)
    curves = {
        "complete": ([4.05, 3.2, 2.43, 2.3, 1.71, 1.66, 1.5, 1.45, 1.45], 7),
        "average": ([4.9, 2.7, 2.43, 2.43, 2.24, 2.1, 2.1, 1.8, 1.8], 3),
        "minimax": ([4.9, 2.8, 2.43, 2.43, 1.71, 1.7, 1.7, 1.55, 1.55], 4),
        "single": ([4.9, 4.9, 4.9, 4.15, 4.15, 4.15, 4.15, 4.15, 4.15], 5),
    }
    low = np.array([3.9, 2.6, 2.4, 1.8, 1.6, 1.4, 1.38, 1.35, 1.3])
    state = LinesState(
        caption="log scales · bound of complete",
        series=tuple(Series(name=n, x=k, y=np.array(y), colour=c) for n, (y, c) in curves.items()),
        brackets=(Bracket(name="optimum", x=k, low=low, high=low * 1.03),),
        references=(Reference(name="proven bound", x=k, y=k**1.2 * 3.4),),
    )
    x, y = Axis("number of clusters k", log=True), Axis("largest diameter", "cm", log=True)
    return (
        Lines("cohesion", title="Cohesion", x=x, y=y, entity="linkage"),
        state,
        {"hover": (np.log10(6), 0.6)},
    )


def merging() -> Shown:
    done, whole = np.arange(1.0, 3038), np.arange(1.0, 3376)
    state = LinesState(
        caption="single finished · complete, 90% of merges",
        series=(
            Series(
                name="complete",
                x=done,
                y=0.5 + 60 * (done / 3375) ** 0.6 * (1 + (done / 3375) ** 12),
                colour=7,
            ),
            Series(
                name="single",
                x=whole,
                y=0.5 + 45 * (whole / 3376) ** 0.5 / (1.003 - whole / 3376) ** 0.3,
                colour=5,
            ),
        ),
    )
    return (
        Lines(
            "merging",
            title="Merge height",
            x=Axis("merges done"),
            y=Axis("merge height", "km", log=True),
        ),
        state,
        {"live": True},
    )


def learning() -> Shown:
    step = np.arange(0.0, 400)
    series = []
    for place, name in enumerate(("momentum", "plain", "centralised")):
        mean = 1 - np.exp(-step / (60 + 50 * place)) * (1 - 0.1 * place)
        noise = 0.02 + 0.06 * np.exp(-step / 120)
        y = mean + RNG.normal(0, 0.006, 400)
        if place == 1:
            y[180:200] = np.nan
        series.append(Series(name=name, x=step, y=y, low=y - noise, high=y + noise, spread="95% of 5 seeds"))
    state = LinesState(
        caption="mean, 95% of 5 seeds",
        series=tuple(series),
        levels=(
            Level(name="goal", value=0.82, draggable=True),
            Level(name="chance", value=0.1, kind="chance"),
            Level(name="new rate", value=250.0, axis="x"),
        ),
        rugs=(Rug(name="round", x=np.arange(0.0, 400, 25)),),
        spans=(Span(name="warm-up", low=0, high=40),),
    )
    view = Lines(
        "learning", title="Return", x=Axis("episode"), y=Axis("return"), gestures={"drag-level": "set"}
    )
    return view, state, {}


def stacked() -> Shown:
    t = np.arange(0.0, 60)
    parts = {"prefix": 3 + np.sin(t / 9), "blocks": 5 + t / 30, "head": 1.5 + 0.3 * np.cos(t / 5)}
    state = LinesState(
        caption="share of the time", series=tuple(Series(name=n, x=t, y=y) for n, y in parts.items())
    )
    return Lines("time", title="Time by part", x=Axis("step"), y=Axis("time", "ms"), stacked=True), state, {}


def many_curves() -> Shown:
    t = np.linspace(0, 10, 500)
    state = LinesState(
        caption="40 particles",
        series=tuple(
            Series(name=f"particle {i}", x=t, y=np.cumsum(RNG.normal(0, 0.1, 500))) for i in range(40)
        ),
    )
    return Lines("walks", title="Particles", x=Axis("time", "s"), y=Axis("position", "m")), state, {}


def points() -> Shown:
    polygons, segments = [], []
    for group in range(3):
        mine = PLANE[group == CLUSTER]
        corners = mine[ConvexHull(mine).vertices]
        distance = ((mine[:, None] - mine[None]) ** 2).sum(-1)
        ends = mine[list(np.unravel_index(distance.argmax(), distance.shape))]
        label = f"{group + 1} diameter {distance.max() ** 0.5:.2f}"
        polygons.append(Polygon(x=corners[:, 0], y=corners[:, 1], colour=group, label=label))
        segments.append(
            Segments(name="diameter", x=ends[None, :, 0], y=ends[None, :, 1], colour=group, dashed=True)
        )
    state = ScatterState(
        caption="3 clusters · hulls and diameters",
        x=PLANE[:, 0],
        y=PLANE[:, 1],
        group=CLUSTER,
        groups=tuple(Group(name=f"cluster {i + 1}", colour=i) for i in range(3)),
        polygons=tuple(polygons),
        segments=tuple(segments),
        names=tuple(f"flower {i + 1}" for i in range(150)),
    )
    x, y = Axis("first principal component", "cm, 92.5% of variance"), Axis("second", "5.3%")
    return Scatter("points", title="Points", x=x, y=y, entity="flower", equal=True), state, {}


def airports() -> Shown:
    from vega_datasets import data

    table = data.airports()
    west = table.longitude.between(-180, -60) & table.latitude.between(5, 75)
    lon, lat = table.longitude[west].to_numpy(), table.latitude[west].to_numpy()
    group = np.full(len(lon), -1)
    for index, (a, b) in enumerate(((-122, 39), (-84, 40), (-74, 41), (-97, 33))):
        group[np.hypot(lon - a, lat - b) < 1.6] = index
    state = ScatterState(
        caption="339 clusters now · 4 largest coloured",
        x=lon,
        y=lat,
        group=group,
        groups=tuple(Group(name=f"cluster {i + 1}", colour=i) for i in range(4)),
    )
    x, y = Axis("longitude"), Axis("latitude")
    return Scatter("map", title="Airports", x=x, y=y, geographic=True, entity="airport"), state, {}


def memory() -> Shown:
    angle = RNG.integers(0, 10, 500) * 0.63
    x, y = 8 * np.cos(angle) + RNG.normal(0, 1, 500), 7 * np.sin(angle) + RNG.normal(0, 1, 500)
    state = ScatterState(
        caption="entry 5 covers 3 images",
        x=x,
        y=y,
        group=RNG.choice([0, 0, 0, 1, 2], 500),
        groups=(
            Group(name="right", colour=None),
            Group(name="repaired", colour=2),
            Group(name="wrong", colour=1),
        ),
        stars=np.column_stack((x[:20], y[:20])),
    )
    view = Scatter("memory", title="Memory map", x=Axis("first component"), y=Axis("second"), entity="image")
    return view, state, {"select": np.arange(40, 60)}


def values() -> Shown:
    x, y = RNG.normal(0, 1, (2, 900))
    state = ScatterState(
        caption="900 runs",
        x=x,
        y=y,
        value=x * y,
        value_axis=Axis("effect", "kcal/mol"),
        value_map="diverging",
    )
    return Scatter("effect", title="Effect", x=Axis("dose"), y=Axis("response"), entity="run"), state, {}


def dendrogram() -> Shown:
    names = tuple(f"cluster {i + 1} · {np.sum(i == CLUSTER)} flowers" for i in range(3))
    state = DendrogramState(
        caption="complete linkage · drag the line to cut",
        merges=TREE,
        leaves=150,
        order=hierarchy.leaves_list(TREE),
        labels=CLUSTER,
        clusters=names,
        cut=3.6,
        cut_label="k = 3",
    )
    view = Dendrogram("tree", title="Dendrogram", height=Axis("merge height", "cm"), entity="flower")
    return view, state, {}


def partial_tree() -> Shown:
    state = DendrogramState(
        caption="130 of 149 merges",
        merges=TREE[:130],
        leaves=150,
        order=hierarchy.leaves_list(TREE),
        log=True,
    )
    return Dendrogram("growing", title="Merges", height=Axis("height", "cm, log")), state, {"live": True}


def bars() -> Shown:
    low, high = np.array([0.61, 0.7, 0.66, 0.41, 0.75]), np.array([0.69, 0.78, 0.76, 0.55, 0.81])
    state = BarsState(
        caption="mean of 5 seeds, 95%",
        categories=("uniform", "successive rejects", "Thompson", "greedy", "planner"),
        series=(BarSeries(name="", values=(low + high) / 2, low=low, high=high, colour=0),),
        levels=(Level(name="chance", value=0.2, kind="chance"),),
    )
    view = Bars(
        "accuracy", title="Probability of the best arm", category=Axis("policy"), value=Axis("probability")
    )
    return view, state, {}


def histogram() -> Shown:
    counts, edges = np.histogram(RNG.gamma(3, 2, 4000), 40)
    state = BarsState(caption="4,000 draws", series=(BarSeries(name="draws", values=counts),), edges=edges)
    return Bars("draws", title="Draws", category=Axis("reward"), value=Axis("count")), state, {}


def grouped() -> Shown:
    state = BarsState(
        categories=("wiki", "code", "mathematics", "dialogue in long documents"),
        series=tuple(
            BarSeries(name=n, values=RNG.uniform(5, 30, 4)) for n in ("all blocks", "SLEB", "random")
        ),
        ticks=np.array([12.0, 18, 9, 22]),
        ticks_name="paper",
    )
    view = Bars(
        "perplexity", title="Perplexity", category=Axis(""), value=Axis("perplexity"), horizontal=True
    )
    return view, state, {}


def matrix() -> Shown:
    cells = RNG.uniform(0, 1, (6, 8))
    cells[2, 5] = np.nan
    outlined = np.zeros((6, 8), bool)
    outlined[4, 1] = True
    state = HeatMapState(
        caption="share of wins",
        values=cells,
        rows=("complete", "average", "single", "minimax", "Ward", "genie"),
        columns=tuple(f"set {i + 1}" for i in range(8)),
        outlined=outlined,
    )
    view = HeatMap(
        "wins", title="Wins", x=Axis("data set"), y=Axis("linkage"), value=Axis("share of wins"), map="zero"
    )
    return view, state, {}


def landscape() -> Shown:
    x, y = np.linspace(-3, 3, 120), np.linspace(-2, 2, 90)
    z = np.sin(x)[None] * np.cos(y)[:, None] + 0.2 * x[None]
    state = HeatMapState(values=z, x=x, y=y, contours=(-0.8, -0.4, 0.0, 0.4, 0.8), caption="120 × 90 values")
    view = HeatMap(
        "loss", title="Loss", x=Axis("weight a"), y=Axis("weight b"), value=Axis("loss"), map="diverging"
    )
    return view, state, {}


def table() -> Shown:
    names = ("complete", "average", "minimax", "single")
    low = np.array([1.2, 1.3, 1.3, 2.23])
    state = TableState(
        caption="1.00 is the best possible k-clustering · bold: best linkage",
        columns=(
            Column(name="linkage", title="Linkage", values=names, kind="text"),
            Column(name="k2", title="k = 2", values=np.array([1.05, 1.27, 1.27, 1.27]), best="low"),
            Column(
                name="k5",
                title="k = 5",
                values=low,
                kind="interval",
                low=low,
                high=low * 1.03,
                best="low",
            ),
            Column(
                name="acc",
                title="accuracy",
                values=1 / low,
                kind="spread",
                high=low / 90,
                digits=3,
                best="high",
            ),
            Column(name="share", title="share", values=np.array([0.4, 0.3, 0.2, 0.1]), kind="bar"),
            Column(
                name="known", title="optimum", values=("exact", "bracket", "exact", "exact"), kind="badge"
            ),
        ),
        ids=names,
        colours=(7, 3, 4, 5),
    )
    view = Table("ratios", title="Ratio to the optimum", entity="linkage")
    return view, state, {"select": np.array(["complete"])}


def scene() -> Shown:
    names = (
        "table 1",
        "chairs 1–6",
        "lamps 1–5",
        "trees 1–6",
        "rotation",
        "direction",
        "proximity",
        "symmetry",
    )
    state = GraphState(
        caption="assets and relations",
        x=np.array([0.0, 0, 0, 0, 1, 1, 1, 1]),
        y=np.array([3.0, 2, 1, 0, 3, 2, 1, 0]),
        names=names,
        colours=np.array([1, 0, 5, 2, 7, 7, 7, 7]),
        edges=np.array([[0, 4], [1, 4], [1, 5], [1, 6], [2, 5], [3, 7], [0, 6]]),
        edge_names=("", "0.97", "", "", "", "", ""),
        columns=("assets", "relations"),
        directed=False,
    )
    return Graph("scene", title="Scene graph", entity="asset"), state, {"select": np.array([1])}


def families() -> Shown:
    turn = np.linspace(0, 2 * np.pi, 13)[:-1]
    state = GraphState(
        x=np.cos(turn),
        y=np.sin(turn),
        names=tuple(f"state {i}" for i in range(12)),
        colours=np.arange(12) % 3,
        shape="dot",
        edges=np.array([[i, (i + 1) % 12] for i in range(12)] + [[0, 6], [6, 0], [3, 3]]),
        edge_score=np.array([np.nan] * 12 + [0.7, 0.3, np.nan]),
    )
    return Graph("chain", title="Chain", entity="state"), state, {}


def panel() -> Shown:
    state = PanelState(
        controls=(
            Switch(action="a", argument="v", label="Thresholds", options=("auto", "manual"), value="auto"),
            Slider(
                action="a", argument="v", label="Applies within", low=0, high=5, value=2.37, unit="images"
            ),
            Slider(
                action="a", argument="v", label="Rate", low=1e-4, high=1, value=0.01, log=True, group="Solver"
            ),
            Toggle(action="a", argument="v", label="Keep ties", value=True, group="Solver"),
            Toggle(action="a", argument="v", label="Explain contradictions", value=False, group="Solver"),
            Button(action="a", label="Solve again", group="Solver"),
            Button(
                action="a", label="Forget entry", group="Solver", enabled=False, reason="No entry is selected"
            ),
        ),
        notes=(("Solver", "3 rules are kept, 1 contradicts the data."),),
    )
    return Panel("panel", title="Solver"), state, {}


def empty() -> Shown:
    view = Lines(
        "empty",
        title="Cohesion",
        x=Axis("k"),
        y=Axis("diameter"),
        empty="Largest diameter for k = 2 … 10",
        reading="One curve per linkage, the bracket on the optimum, and the proven bound.",
    )
    return view, None, {}


PAGES = (
    (dendrogram, points, cohesion, merging, airports, learning, table, memory, many_curves),
    (bars, histogram, grouped, matrix, landscape, values, scene, families, panel),
    (stacked, partial_tree, empty, dendrogram),
)


def dress(drawing: Drawing, state: ViewState | None, extra: dict[str, object]) -> None:
    """Show the state, and the hover, selection or life it wants."""
    drawing.set_live(bool(extra.get("live")))
    drawing.show_state(state)
    if "select" in extra:
        selection = Selection(drawing)
        drawing.set_selection(selection)
        selection.set(drawing.view.entity, extra["select"])  # type: ignore[arg-type]


def page(shown: tuple[Shown, ...]) -> tuple[QWidget, list[Drawing]]:
    """Cards three a row."""
    sheet = QWidget()
    sheet.setProperty("ground", "window")
    grid = QGridLayout(sheet)
    grid.setContentsMargins(12, 12, 12, 12)
    grid.setSpacing(12)
    drawings = []
    for place, (view, state, _) in enumerate(shown):
        card = Card(view.title, state.caption if state else "")
        drawing = make_drawing(view)
        card.set_body(drawing)
        grid.addWidget(card, place // 3, place % 3)
        drawings.append(drawing)
    for row in range(max(1, (len(shown) + 2) // 3)):
        grid.setRowStretch(row, 1)
    sheet.resize(1280, 800)
    return sheet, drawings


def main(folder: Path) -> None:
    """Write all pages in both themes."""
    app = QApplication([])
    theme().attach(app)
    folder.mkdir(parents=True, exist_ok=True)
    for number, makers in enumerate(PAGES, 1):
        shown = tuple(make() for make in makers)
        sheet, drawings = page(shown)
        sheet.show()
        app.processEvents()
        for drawing, (_, state, extra) in zip(drawings, shown, strict=True):
            dress(drawing, state, extra)
        for name in ("light", "dark"):
            theme().set_mode(name)  # type: ignore[arg-type]
            for _ in range(5):
                app.processEvents()
            for drawing, (_, _, extra) in zip(drawings, shown, strict=True):
                if "hover" in extra and isinstance(drawing, PlotDrawing):
                    place = drawing.canvas.to_scene(*extra["hover"])  # type: ignore[misc]
                    drawing.hover_at(QPointF(place))
            app.processEvents()
            sheet.grab().save(str(folder / f"views-{number}-{name}.png"))
        sheet.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
