"""From a stream and the parameters to a problem: target, scaling, loss, prices, flips, rounds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import FieldError
from engine.methods.adaptive_regret.data import Stream
from engine.methods.adaptive_regret.learners import Settings
from engine.methods.adaptive_regret.parameters import Parameters
from engine.methods.adaptive_regret.portfolios import portfolio_problem
from engine.methods.adaptive_regret.problems import Problem
from engine.methods.adaptive_regret.streams import SwitchingStream, switching_stream
from engine.methods.adaptive_regret.thresholds import calibrated_threshold

Floats = NDArray[np.float64]


class UnsuitableError(FieldError):
    """A parameter that does not suit the stream; `allowed` says what would."""

    def __init__(self, field: str, *, found: object, allowed: str, label: str) -> None:
        super().__init__(field, found=found, allowed=allowed, label=label)
        self.allowed = allowed


@dataclass(frozen=True, eq=False)
class Instance:
    """What is played: the problem, and what it was made from.

    `synthetic` for streams drawn by the parameters; `relatives` (T, d) for prices; `names` of the d
    coordinates; `unit` what a target is measured in; `notes` are lines for the log.
    """

    problem: Problem
    names: tuple[str, ...]
    synthetic: SwitchingStream | None = None
    relatives: Floats | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()


def make_instance(parameters: Parameters, stream: Stream, rng: np.random.Generator) -> Instance:
    """The problem to play.

    Raises:
        UnsuitableError: the loss does not suit the target, a column that is not there, gaps, bad prices.
    """
    if stream.kind == "synthetic":
        return _synthetic(parameters, rng)
    if parameters.loss == "log" or (parameters.loss == "auto" and stream.kind == "prices"):
        return _market(parameters, stream)
    return _table(parameters, stream)


def make_settings(parameters: Parameters, instance: Instance) -> Settings:
    """The settings of the algorithms, C chosen by the wanted number of markers where one is given."""
    threshold = parameters.threshold
    if parameters.marker_rate > 0:
        threshold = calibrated_threshold(instance.problem, parameters.marker_rate, parameters.shortest)
    return Settings(
        threshold=threshold,
        alpha=parameters.alpha or None,
        beta=parameters.beta or None,
        lam=parameters.lam or None,
        tight=parameters.constants == "tight",
        grid=parameters.grid,
        one_gradient=parameters.gradients == "one",
        running_max=parameters.scale == "running",
        shortest=parameters.shortest,
        diagonal=parameters.diagonal,
        cost=parameters.cost if instance.relatives is not None else 0.0,
    )


def problem_of(parameters: Parameters, synthetic: SwitchingStream) -> Problem:
    """The problem of a synthetic stream under the chosen loss."""
    loss = "square" if parameters.loss in ("auto", "log") else parameters.loss
    made = synthetic.problem(loss, parameters.radius or 1.0)
    return replace(made, gradient_bound=parameters.gradient_bound or made.gradient_bound)


def _synthetic(parameters: Parameters, rng: np.random.Generator) -> Instance:
    if parameters.loss == "log":
        raise UnsuitableError(
            "loss",
            found="log",
            allowed="the log-loss is for prices; a synthetic stream has none",
            label="Loss",
        )
    synthetic = switching_stream(
        rng,
        parameters.rounds,
        parameters.dimension,
        min(parameters.stages, parameters.rounds),
        parameters.noise,
        parameters.features,
        parameters.change,
        parameters.size,
    )
    names = tuple(f"w{i}" for i in range(1, parameters.dimension + 1))
    return Instance(problem_of(parameters, synthetic), names, synthetic)


def _rows(parameters: Parameters, count: int) -> NDArray[np.int64]:
    """Which rows are played, in order."""
    if parameters.beyond == "loop":
        return np.arange(parameters.rounds) % count
    return np.arange(min(parameters.rounds, count))


def _filled(parameters: Parameters, stream: Stream, values: Floats, columns: tuple[str, ...]) -> Floats:
    """The values without gaps."""
    missing = np.isnan(values)
    if not missing.any():
        return values
    row, column = (int(each[0]) for each in np.nonzero(missing))
    if parameters.gaps == "refuse":
        more = int(missing.sum()) - 1
        text = f"{stream.row(row)}, column {columns[column]} is empty" + (
            f", and {more:,} further cells" if more else ""
        )
        raise UnsuitableError(
            "gaps",
            found="refuse",
            allowed=f"{text}; fill forward repeats the row before",
            label="Missing values",
        )
    place = np.where(missing, -1, np.arange(len(values))[:, None])
    last = np.maximum.accumulate(place, axis=0)
    if (last < 0).any():
        column = int(np.argmax((last < 0).any(axis=0)))
        raise UnsuitableError(
            "gaps",
            found="forward",
            label="Missing values",
            allowed=f"column {columns[column]} begins with a gap: there is nothing to repeat",
        )
    return np.take_along_axis(values, last, axis=0)


def _market(parameters: Parameters, stream: Stream) -> Instance:
    """Prices of any of the three forms as relatives."""
    assert stream.values is not None
    values = _filled(parameters, stream, stream.values, stream.columns)
    bad = ~(np.isfinite(values) & (values >= 0))
    if bad.any():
        row, column = (int(each[0]) for each in np.nonzero(bad))
        raise UnsuitableError(
            "prices",
            found=float(values[row, column]),
            label="Prices",
            allowed=f"{stream.row(row)}, column {stream.columns[column]}: prices are not negative",
        )
    gone = (values == 0).all(axis=0)
    if gone.any():
        asset = stream.columns[int(np.argmax(gone))]
        raise UnsuitableError("prices", found=0, label="Prices", allowed=f"asset {asset} is zero on all days")
    form: str = parameters.prices
    note = ""
    if form == "auto":
        form, note = _form_of(values), "found by the values"
    relatives = values
    if form != "relatives":
        if (values[:-1] == 0).any():
            row, column = (int(each[0]) for each in np.nonzero(values[:-1] == 0))
            raise UnsuitableError(
                "prices",
                found=0,
                label="Prices",
                allowed=f"{stream.row(row)}, column {stream.columns[column]}: "
                "there is no relative after a price of zero",
            )
        ratios = values[1:] / values[:-1]
        relatives = np.vstack([values[:1], ratios]) if form == "cumulative" else ratios
    dead = (relatives == 0).all(axis=1)
    if dead.any():
        raise UnsuitableError(
            "prices",
            found=0,
            label="Prices",
            allowed=f"{stream.row(int(np.argmax(dead)))}: every asset is zero",
        )
    relatives = np.ascontiguousarray(relatives[_rows(parameters, len(relatives))])
    notes = [f"The numbers are taken for {form}" + (f", {note}." if note else ".")]
    notes += _length_note(parameters, stream, len(relatives))
    problem = portfolio_problem(relatives)
    problem = replace(problem, gradient_bound=parameters.gradient_bound or None)
    return Instance(problem, stream.columns, relatives=relatives, notes=tuple(notes))


def _form_of(values: Floats) -> str:
    """Relatives jump about their level from day to day, prices wander; cumulative relatives begin near 1."""
    deviation = np.maximum(values.std(axis=0), 1e-300)
    if float(np.median(np.diff(values, axis=0).std(axis=0) / deviation)) > 0.9:
        return "relatives"
    return "cumulative" if np.abs(values[0] - 1.0).max() < 0.5 else "prices"


def _table(parameters: Parameters, stream: Stream) -> Instance:
    """Scaled features, a target of the loss's kind, flips."""
    assert stream.values is not None
    target = parameters.target or stream.target or stream.columns[-1]
    words = stream.texts if stream.texts is not None and target == stream.target else None
    if words is None and target not in stream.columns:
        raise UnsuitableError(
            "target", found=target, allowed=f"columns: {', '.join(stream.columns)}", label="Target column"
        )
    kept = [j for j, name in enumerate(stream.columns) if name != target]
    names = tuple(stream.columns[j] for j in kept)
    features = _filled(parameters, stream, stream.values[:, kept], names)
    if words is not None:
        raw: NDArray = np.array(words)
    else:
        column = stream.values[:, [stream.columns.index(target)]]
        raw = _filled(parameters, stream, column, (target,))[:, 0]
    loss = parameters.loss
    if loss == "auto":
        loss = "logistic" if len(np.unique(raw)) == 2 else "square"
    y = _labels(raw, target, loss) if loss in ("logistic", "hinge") else _numbers(raw, target)
    features, names, norm, notes = _scaled(parameters, features, names)
    rows = _rows(parameters, stream.n)
    features, y = np.ascontiguousarray(features[rows]), y[rows].copy()
    switches = tuple(s for s in stream.switches if s < len(y))
    if parameters.flip and parameters.stages > 1:
        edges = np.linspace(0, len(y), parameters.stages + 1).round().astype(int)
        for k in range(1, parameters.stages, 2):
            y[edges[k] : edges[k + 1]] *= -1
        switches = tuple(edges[1:-1].tolist())
    problem = Problem(
        features,
        y,
        loss=loss,
        radius=parameters.radius or max(norm, 1.0),
        gradient_bound=parameters.gradient_bound or None,
        switches=switches,
    )
    return Instance(problem, names, notes=(*notes, *_length_note(parameters, stream, len(y))))


def _labels(raw: NDArray, target: str, loss: str) -> Floats:
    values = np.unique(raw)
    if len(values) != 2:
        some = ", ".join(str(v) for v in values[:6]) + (" …" if len(values) > 6 else "")
        raise UnsuitableError(
            "loss",
            found=loss,
            label="Loss",
            allowed=f"it needs a target of two values; {target} has {len(values):,}: {some}",
        )
    return np.where(raw == values[1], 1.0, -1.0)


def _numbers(raw: NDArray, target: str) -> Floats:
    """The target on [−1, 1] by its range."""
    if raw.dtype.kind not in "fiu":
        some = ", ".join(str(v) for v in np.unique(raw)[:6])
        raise UnsuitableError(
            "target",
            found=target,
            label="Target column",
            allowed=f"it holds words ({some}); this loss needs numbers",
        )
    low, high = float(raw.min()), float(raw.max())
    if high == low:
        raise UnsuitableError("target", found=target, label="Target column", allowed="it never changes")
    return 2.0 * (raw - low) / (high - low) - 1.0


def _scaled(
    parameters: Parameters, features: Floats, names: tuple[str, ...]
) -> tuple[Floats, tuple[str, ...], float, list[str]]:
    """Columns on one scale with the constant column, rows of norm at most one; and the norm divided by."""
    notes = []
    constant = np.ptp(features, axis=0) == 0
    if constant.any() and not constant.all():
        left_out = [n for n, c in zip(names, constant, strict=True) if c]
        notes.append(
            f"Left out, never changing: {', '.join(left_out[:8])}{' …' if len(left_out) > 8 else ''}."
        )
        features, names = (
            features[:, ~constant],
            tuple(n for n, c in zip(names, constant, strict=True) if not c),
        )
    if parameters.scaling == "range":
        low, high = features.min(axis=0), features.max(axis=0)
        features = 2.0 * (features - low) / np.maximum(high - low, 1e-300) - 1.0
    elif parameters.scaling == "standard":
        features = (features - features.mean(axis=0)) / np.maximum(features.std(axis=0), 1e-300)
    if parameters.intercept:
        features, names = np.column_stack([features, np.ones(len(features))]), (*names, "constant")
    norm = float(np.linalg.norm(features, axis=1).max()) if parameters.scaling != "none" else 1.0
    return features / norm, names, norm, notes


def _length_note(parameters: Parameters, stream: Stream, played: int) -> list[str]:
    if parameters.rounds > stream.n and parameters.beyond == "stop":
        return [f"The stream has {stream.n:,} rows: the run ends after {played:,} rounds."]
    if parameters.rounds < stream.n and parameters.beyond == "stop":
        return [f"The first {played:,} of {stream.n:,} rows are played."]
    return []
