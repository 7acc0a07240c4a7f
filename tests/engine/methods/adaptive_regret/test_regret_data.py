"""A person's streams: what is understood, and what each kind of bad input gets."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.data.registry import read
from engine.core.errors import DataError
from engine.methods.adaptive_regret.check import check, estimate
from engine.methods.adaptive_regret.data import Stream, StreamKind
from engine.methods.adaptive_regret.instances import UnsuitableError, make_instance
from engine.methods.adaptive_regret.parameters import Parameters
from engine.methods.adaptive_regret.sets import SETS

RNG = np.random.default_rng(0)


def loaded(tmp_path: Path, text: str, name: str = "mine.csv") -> Stream:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read(path, [StreamKind()]).value


def problem_fields(parameters: Parameters, stream: Stream) -> dict[str, str]:
    return {each.field: each.message for each in check(parameters, stream) if each.severity == "error"}


def table(tmp_path: Path, rows: int = 30) -> Stream:
    rng = np.random.default_rng(1)
    lines = [f"{a:.3f},{b:.3f},{2 * a - b:.3f}" for a, b in rng.normal(size=(rows, 2))]
    return loaded(tmp_path, "heat,flow,y\n" + "\n".join(lines) + "\n")


@pytest.mark.parametrize("data", SETS, ids=lambda each: each.name)
def test_every_set_makes_a_problem(data) -> None:
    stream = data.load().value
    parameters = Parameters(rounds=300)
    problem = make_instance(parameters, stream, RNG).problem
    assert problem.rounds == min(300, stream.n or 300)
    assert np.isfinite(problem.features).all()
    assert not [each for each in check(parameters, stream) if each.severity == "error"]
    if not problem.simplex and stream.kind != "synthetic":
        assert np.linalg.norm(problem.features, axis=1).max() <= 1 + 1e-12
    if stream.kind == "prices":
        assert (problem.features > 0).all()
        assert problem.features.max(axis=1) == pytest.approx(1)
    assert estimate(parameters, stream).bytes > 0


def test_known_shapes_of_the_shipped_streams() -> None:
    shapes = {data.name: data.load().value for data in SETS if data.name != "switching"}
    assert {
        name: shapes[name].values.shape for name in ("nyse_o", "nyse_n", "djia", "msci", "sp500", "tse")
    } == {
        "nyse_o": (5651, 36),
        "nyse_n": (6431, 23),
        "djia": (507, 30),
        "msci": (1043, 24),
        "sp500": (1276, 25),
        "tse": (1259, 88),
    }
    assert shapes["phishing"].values.shape == (1250, 10)
    assert shapes["shuttle"].values.shape == (49097, 10)


def test_the_target_is_found_by_name_and_can_be_named(tmp_path: Path) -> None:
    stream = table(tmp_path)
    assert (stream.kind, stream.target) == ("table", "y")
    problem = make_instance(Parameters(rounds=30), stream, RNG).problem
    assert (problem.loss, problem.targets.min(), problem.targets.max()) == ("square", -1.0, 1.0)
    other = make_instance(Parameters(rounds=30, target="flow"), stream, RNG)
    assert other.names == ("heat", "y", "constant")
    assert "heat, flow, y" in problem_fields(Parameters(target="warmth"), stream)["target"]


def test_words_make_labels(tmp_path: Path) -> None:
    rows = "\n".join(f"{i % 7},{i % 3},{'spam' if i % 2 else 'ham'}" for i in range(20))
    stream = loaded(tmp_path, f"a,b,label\n{rows}\n")
    problem = make_instance(Parameters(rounds=20), stream, RNG).problem
    assert problem.loss == "logistic"
    assert problem.targets.tolist() == [-1.0, 1.0] * 10
    assert "words" in problem_fields(Parameters(loss="square"), stream)["target"]


def test_labels_of_more_values_are_listed(tmp_path: Path) -> None:
    rows = "\n".join(f"{i % 7},{i % 3}" for i in range(20))
    stream = loaded(tmp_path, f"a,y\n{rows}\n")
    assert "3: 0.0, 1.0, 2.0" in problem_fields(Parameters(loss="logistic"), stream)["loss"]


def test_prices_in_their_three_forms_are_the_same_problem(tmp_path: Path) -> None:
    relatives = np.exp(0.02 * np.random.default_rng(2).normal(size=(40, 3)))
    cumulative = np.cumprod(relatives, axis=0)
    prices = np.vstack([[30.0, 80.0, 7.0], cumulative * [30.0, 80.0, 7.0]])
    made = {}
    for form, values in (("relatives", relatives), ("cumulative", cumulative), ("prices", prices)):
        lines = "\n".join(",".join(f"{v:.12f}" for v in row) for row in values)
        stream = loaded(tmp_path, f"oil,gas,coal\n{lines}\n", f"{form}.csv")
        assert stream.kind == "prices"
        instance = make_instance(Parameters(rounds=40, prices=form), stream, RNG)
        made[form] = instance.relatives
        assert form in make_instance(Parameters(rounds=40), stream, RNG).notes[0]
    np.testing.assert_allclose(made["cumulative"], relatives, atol=1e-9)
    np.testing.assert_allclose(made["prices"], relatives, atol=1e-9)


def test_bad_prices_name_row_and_column(tmp_path: Path) -> None:
    lines = [f"1.0{i % 5},0.9{i % 7},1.01" for i in range(12)]
    lines[6] = "1.01,-0.98,1.0"
    stream = loaded(tmp_path, "oil,gas,coal\n" + "\n".join(lines) + "\n")
    text = problem_fields(Parameters(loss="log"), stream)["prices"]
    assert "row 8" in text
    assert "column gas" in text
    dead = loaded(tmp_path, "oil,gas\n" + "1.01,0\n" * 9, "dead.csv")
    assert "asset gas is zero" in problem_fields(Parameters(loss="log"), dead)["prices"]


def test_gaps_are_refused_with_their_place_or_filled(tmp_path: Path) -> None:
    stream = loaded(tmp_path, "a,b,y\n1,2,3\n2,,4\n3,5,\n4,1,0\n")
    found = check(Parameters(rounds=4), stream)
    (gap,) = [each for each in found if each.field == "gaps"]
    assert "row 3, column b is empty" in gap.message
    assert gap.suggestion == "forward"
    filled = make_instance(Parameters(rounds=4, gaps="forward", scaling="none", intercept=False), stream, RNG)
    assert filled.problem.features[1].tolist() == [2.0, 2.0]
    assert filled.problem.targets.tolist() == [0.5, 1.0, 1.0, -1.0]
    early = loaded(tmp_path, "a,b,y\n1,,3\n2,1,4\n", "early.csv")
    with pytest.raises(UnsuitableError, match="begins with a gap"):
        make_instance(Parameters(rounds=2, gaps="forward"), early, RNG)


def test_libsvm_streams_and_their_faults(tmp_path: Path) -> None:
    good = "\n".join(f"{1 if i % 2 else -1} 1:{i % 5} 3:{i % 4}" for i in range(20))
    stream = loaded(tmp_path, good, "mine.libsvm")
    assert make_instance(Parameters(rounds=20), stream, RNG).problem.loss == "logistic"
    for bad, code in (("1 3:1 1:2", "not-ascending"), ("1 0:1 2:2", "index-zero")):
        with pytest.raises(DataError) as error:
            loaded(tmp_path, f"{good}\n{bad}\n", "bad.libsvm")
        assert (error.value.code, error.value.row) == (code, 21)


def test_empty_files_and_lone_columns_are_refused(tmp_path: Path) -> None:
    for text in ("", "a\n1\n2\n3\n"):
        with pytest.raises(DataError):
            loaded(tmp_path, text, "short.csv")


def test_longer_runs_than_streams_stop_or_loop(tmp_path: Path) -> None:
    stream = table(tmp_path)
    assert make_instance(Parameters(rounds=100), stream, RNG).problem.rounds == 30
    assert any(p.field == "rounds" and p.suggestion == 30 for p in check(Parameters(rounds=100), stream))
    looped = make_instance(Parameters(rounds=100, beyond="loop"), stream, RNG).problem
    assert looped.rounds == 100
    assert (looped.features[30:60] == looped.features[:30]).all()


def test_constant_columns_are_left_out_and_said(tmp_path: Path) -> None:
    rows = "\n".join(f"{i % 7},5,{i % 3}" for i in range(20))
    instance = make_instance(Parameters(rounds=20), loaded(tmp_path, f"a,b,y\n{rows}\n"), RNG)
    assert instance.names == ("a", "constant")
    assert "b" in instance.notes[0]


def test_many_columns_ask_for_the_diagonal(tmp_path: Path) -> None:
    values = np.random.default_rng(3).normal(size=(20, 620))
    stream = Stream(
        name="wide", kind="table", columns=tuple(f"c{i}" for i in range(620)), values=values, target="c619"
    )
    (found,) = [each for each in check(Parameters(rounds=20), stream) if each.field == "diagonal"]
    assert "GB" in found.message
    assert found.suggestion is True
    assert not problem_fields(Parameters(rounds=20, diagonal=True), stream)


def test_dense_markers_are_foretold_with_a_larger_threshold() -> None:
    stream = SETS[0].load().value
    parameters = Parameters(rounds=2000, noise=0.5, threshold=0.2)
    (found,) = [each for each in check(parameters, stream) if each.field == "threshold"]
    assert found.severity == "warning"
    assert found.suggestion == pytest.approx(0.8)


def test_flips_negate_every_second_stage() -> None:
    stream = next(data for data in SETS if data.name == "breast_cancer").load().value
    plain = make_instance(Parameters(rounds=569, stages=3), stream, RNG).problem
    flipped = make_instance(Parameters(rounds=569, stages=3, flip=True), stream, RNG).problem
    first, second = flipped.switches
    assert (first, second) == (190, 379)
    assert (flipped.targets[first:second] == -plain.targets[first:second]).all()
    assert (flipped.targets[:first] == plain.targets[:first]).all()
    assert (flipped.targets[second:] == plain.targets[second:]).all()


def test_a_threshold_is_chosen_for_a_rate_of_markers() -> None:
    from engine.methods.adaptive_regret.instances import make_settings
    from engine.methods.adaptive_regret.learners import play_all

    instance = make_instance(Parameters(rounds=2000, noise=0.2), SETS[0].load().value, RNG)
    settings = make_settings(Parameters(marker_rate=2.0), instance)
    markers = len(play_all("psacs", instance.problem, settings).markers())
    assert 20 <= markers <= 40
