"""One real state of every kind of view: Fisher's iris, clustered by scipy."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.cluster import hierarchy
from scipy.spatial import ConvexHull
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import load_iris

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
    ImageGrid,
    ImageGridState,
    Level,
    Lines,
    LinesState,
    Panel,
    PanelState,
    Polygon,
    Reference,
    Scatter,
    ScatterState,
    Segments,
    Series,
    Slider,
    Switch,
    Table,
    TableState,
    TileMark,
    Toggle,
    View,
    ViewState,
)

LINKAGES = {"complete": 7, "average": 3, "weighted": 4, "single": 5}


@dataclasses.dataclass(frozen=True)
class Sample:
    """A view with a state, and texts that must be readable in its figure."""

    view: View
    state: ViewState
    texts: tuple[str, ...]


@pytest.fixture(scope="session")
def iris() -> np.ndarray:
    return load_iris().data


@pytest.fixture(scope="session")
def trees(iris: np.ndarray) -> dict[str, np.ndarray]:
    return {name: hierarchy.linkage(iris, name) for name in LINKAGES}


@pytest.fixture(scope="session")
def samples(iris: np.ndarray, trees: dict[str, np.ndarray]) -> dict[str, Sample]:
    distances = squareform(pdist(iris))
    ks = np.arange(2, 11)
    labels = {n: [hierarchy.fcluster(z, int(k), "maxclust") - 1 for k in ks] for n, z in trees.items()}
    widest = {n: np.array([_widest(distances, label) for label in many]) for n, many in labels.items()}
    return {
        "lines": _lines(ks, widest),
        "scatter": _scatter(iris, labels["complete"][1], distances),
        "bars": _bars(labels["complete"][4]),
        "heat-map": _heat_map(iris),
        "table": _table(ks, widest),
        "dendrogram": _dendrogram(trees["complete"], labels["complete"][1]),
        "graph": _graph(),
        "panel": _panel(),
        "image-grid": _image_grid(),
    }


def _widest(distances: np.ndarray, label: np.ndarray) -> float:
    return max(float(distances[np.ix_(label == c, label == c)].max()) for c in np.unique(label))


def _lines(ks: np.ndarray, widest: dict[str, np.ndarray]) -> Sample:
    best = np.min(list(widest.values()), axis=0)
    state = LinesState(
        series=tuple(Series(name=n, x=ks.astype(float), y=widest[n], colour=c) for n, c in LINKAGES.items()),
        brackets=(Bracket(name="optimum", x=ks.astype(float), low=best / 2, high=best),),
        references=(Reference(name="proven bound", x=ks.astype(float), y=4 * best),),
        levels=(Level(name="widest pair", value=7.085, kind="chance"),),
        y=Axis("largest diameter", "cm", log=True),
        caption="iris, 150 flowers",
    )
    view = Lines("cohesion", title="Cohesion", x=Axis("number of clusters k"), y=Axis("largest diameter"))
    words = ("Number of clusters k", "Largest diameter (cm, log)", "optimum", "proven bound", "widest pair")
    return Sample(view, state, (*LINKAGES, *words, "2", "4", "10"))


def _scatter(iris: np.ndarray, label: np.ndarray, distances: np.ndarray) -> Sample:
    centred = iris - iris.mean(axis=0)
    plane = centred @ np.linalg.svd(centred, full_matrices=False)[2][:2].T
    hulls, diameters = [], []
    for c in range(3):
        members = np.flatnonzero(label == c)
        corners = members[ConvexHull(plane[members]).vertices]
        inside = distances[np.ix_(members, members)]
        ends = members[list(np.unravel_index(inside.argmax(), inside.shape))]
        x, y = plane[corners].T
        hulls.append(Polygon(x=x, y=y, colour=c, label=f"{c + 1}", note=f"diameter {inside.max():.2f}"))
        x, y = plane[ends].T
        diameters.append(Segments(name="diameters", x=x[None], y=y[None], colour=c, dashed=True))
    state = ScatterState(
        x=plane[:, 0],
        y=plane[:, 1],
        group=label,
        groups=tuple(Group(name=f"cluster {c + 1}", colour=c) for c in range(3)),
        polygons=tuple(hulls),
        segments=tuple(diameters),
    )
    view = Scatter(
        "points",
        title="Points",
        x=Axis("first component", "cm"),
        y=Axis("second component", "cm"),
        equal=True,
    )
    texts = (
        "First component (cm)",
        "Second component (cm)",
        "cluster 1",
        "cluster 3",
        "diameters",
        "0",
        "−2",
    )
    return Sample(view, state, texts)


def _bars(label: np.ndarray) -> Sample:
    counts = np.bincount(label).astype(float)
    names = tuple(f"cluster {i + 1}" for i in range(len(counts)))
    state = BarsState(
        series=(BarSeries(name="flowers", values=counts, colours=np.arange(len(counts))),),
        categories=names,
        levels=(Level(name="even", value=25.0),),
    )
    view = Bars("sizes", title="Sizes", category=Axis("cluster"), value=Axis("flowers"))
    return Sample(view, state, (*names, "Flowers", "Cluster", "even", f"{counts[0]:.0f}"))


def _heat_map(iris: np.ndarray) -> Sample:
    names = ("sepal length", "sepal width", "petal length", "petal width")
    correlation = np.corrcoef(iris.T)
    state = HeatMapState(values=correlation, rows=names, columns=names, outlined=np.eye(4, dtype=bool))
    view = HeatMap(
        "correlation", title="Correlation", x=Axis(""), y=Axis(""), value=Axis("correlation"), map="diverging"
    )
    written = [f"{v:.2f}".replace("-", "−") for v in correlation.ravel()]
    return Sample(view, state, (*names, "Correlation", "−1.0", *written))


def _table(ks: np.ndarray, widest: dict[str, np.ndarray]) -> Sample:
    best = np.min(list(widest.values()), axis=0)
    ratio = {n: w / best for n, w in widest.items()}
    columns = [Column(name="linkage", title="Linkage", values=tuple(LINKAGES), kind="text")]
    for place in (0, 1, 2, 4):
        values = np.array([ratio[n][place] for n in LINKAGES])
        columns.append(Column(name=f"k{ks[place]}", title=f"k = {ks[place]}", values=values, best="low"))
    state = TableState(
        columns=tuple(columns), ids=tuple(LINKAGES), colours=tuple(LINKAGES.values()), note="1.00 is the best"
    )
    numbers = [f"{ratio[n][0]:.2f}" for n in LINKAGES]
    return Sample(
        Table("ratio", title="Ratio"), state, (*LINKAGES, "k = 2", "k = 6", "1.00 is the best", *numbers)
    )


def _dendrogram(tree: np.ndarray, label: np.ndarray) -> Sample:
    sizes = np.bincount(label)
    names = tuple(f"cluster {i + 1} · {n} flowers" for i, n in enumerate(sizes))
    state = DendrogramState(
        merges=tree,
        leaves=150,
        order=hierarchy.leaves_list(tree),
        labels=label,
        clusters=names,
        cut=float(tree[-3:-1, 2].mean()),
        cut_label="k = 3",
    )
    view = Dendrogram("tree", title="Dendrogram", height=Axis("merge height", "cm"))
    return Sample(view, state, ("Merge height (cm)", "k = 3", "0", "6", *(n.split(" · ")[1] for n in names)))


def _graph() -> Sample:
    names = ("room", "table", "sofa", "lamp", "book")
    state = GraphState(
        x=np.array([0.0, 1, 1, 2, 2]),
        y=np.array([0.0, 1, -1, 1.5, 0]),
        names=names,
        colours=np.array([7, 0, 1, 2, -1]),
        edges=np.array([[1, 0], [2, 0], [3, 1], [4, 1]]),
        edge_names=("on", "on", "on", "near"),
        edge_score=np.array([1.0, 0.98, 0.91, 0.4]),
        columns=("ground", "furniture", "objects"),
    )
    return Sample(Graph("scene", title="Scene"), state, (*names, "near 0.40", "on 0.91", "furniture"))


def _panel() -> Sample:
    state = PanelState(
        controls=(
            Switch(action="a", argument="x", label="Ranking", options=("mean", "Borda"), value="Borda"),
            Toggle(action="a", argument="x", label="HellaSwag", value=True, group="Benchmarks"),
            Slider(action="a", argument="x", label="Step", low=0, high=90, value=30, unit="ms", group="Pace"),
            Button(action="a", label="Shuffle again", group="Pace"),
        ),
        notes=(("Benchmarks", "At least two stay on."),),
    )
    texts = ("Ranking", "Borda", "HellaSwag", "on", "Step", "30\u2009ms", "Shuffle again", "Benchmarks")
    return Sample(Panel("choice", title="Choice"), state, (*texts, "At least two stay on."))


def _image_grid() -> Sample:
    from sklearn.datasets import load_digits

    digits = load_digits()
    images = (digits.images[:12] * (255 / 16)).astype(np.uint8)
    state = ImageGridState(
        images=images,
        captions=tuple(str(digit) for digit in digits.target[:12]),
        struck=("7", *("",) * 11),
        marks=(
            TileMark(name="repaired", tone="good", sign="check"),
            TileMark(name="still wrong", tone="bad", sign="cross"),
        ),
        mark=np.array([0, 1, *[-1] * 10]),
        note="Two of them are marked.",
    )
    texts = ("Two of them are marked.", "repaired", "still wrong", "7", *(str(digit) for digit in range(10)))
    return Sample(ImageGrid("images", title="Images"), state, texts)
