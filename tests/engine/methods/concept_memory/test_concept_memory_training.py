"""Training, scenarios and the claims of the paper over five seeds."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.ndimage import gaussian_filter
from sklearn.datasets import load_digits

from engine.methods.concept_memory.bottleneck import (
    ConceptTraining,
    PredictorTraining,
    Training,
    class_weights,
    concept_loss,
    concept_weights,
)
from engine.methods.concept_memory.concept_images import ConceptImages
from engine.methods.concept_memory.detection import auroc
from engine.methods.concept_memory.distortions import blurred, erased, occlude, salt_and_pepper
from engine.methods.concept_memory.generalisation import generalise
from engine.methods.concept_memory.interventions import class_logits
from engine.methods.concept_memory.scenarios import digit_images, palette, prepare
from engine.methods.concept_memory.scoring import Gain, gain
from engine.methods.concept_memory.shapes import CLASSES, factors, make_shapes, one_hot, rule
from engine.methods.concept_memory.study import Study, StudySettings, begin

SEEDS = range(5)


@pytest.fixture(scope="module")
def digits() -> ConceptImages:
    loaded = load_digits()
    pixels = np.round(loaded.images * 255 / 16).astype(np.uint8)
    return digit_images("digits", pixels, loaded.target.astype(np.int64))


def study(data: ConceptImages, scenario: str, seed: int, settings: Training = Training()) -> Study:
    experiment = prepare(data, scenario, seed)
    generator = torch.Generator().manual_seed(seed)
    train = experiment.train
    head = PredictorTraining(
        data.concepts[train], data.labels[train], len(data.class_names), settings, generator
    )
    for _ in head.steps():
        pass
    training = ConceptTraining(
        experiment.inputs,
        data.concepts,
        data.labels,
        train,
        experiment.validation,
        head.result(),
        settings,
        generator,
    )
    for _ in training.epochs():
        pass
    made = begin(experiment, training.result(), StudySettings())
    for _ in made.steps():
        pass
    return made


def gain_of(made: Study) -> Gain:
    applied = generalise(made.test.probabilities, made.distances, made.corrections(), made.t_a)
    data = made.experiment.data
    places = made.test.places
    return gain(
        made.test.probabilities,
        applied,
        data.concepts[places],
        data.labels[places],
        made.model.weight,
        made.model.bias,
    )


@pytest.fixture(scope="module")
def studies(digits: ConceptImages) -> dict[str, list[Study]]:
    return {name: [study(digits, name, seed) for seed in SEEDS] for name in ("confounded", "unbalanced")}


def auroc_of(made: Study, name: str) -> float:
    scores = next(one.scores for one in made.detectors() if one.name == name)
    found = auroc(scores, ~made.wrong(made.test))
    assert found is not None
    return found


def test_confounded_colour_is_repaired(studies: dict[str, list[Study]]) -> None:
    gains = [gain_of(made) for made in studies["confounded"]]
    rises = [one.class_after - one.class_before for one in gains]
    assert np.mean(rises) >= 0.04
    assert min(rises) >= 0.02
    assert np.mean([one.class_before for one in gains]) == pytest.approx(0.672, abs=0.03)
    assert np.mean([one.class_after for one in gains]) == pytest.approx(0.770, abs=0.03)
    assert np.mean([one.concept_before for one in gains]) == pytest.approx(0.873, abs=0.015)
    assert np.mean([one.identified_after - one.identified_before for one in gains]) > 0.25
    margins = [auroc_of(made, "memory") - auroc_of(made, "softmax") for made in studies["confounded"]]
    assert np.mean(margins) >= 0.02


def test_unbalanced_nines_gain_little_and_softmax_detects_better(studies: dict[str, list[Study]]) -> None:
    gains = [gain_of(made) for made in studies["unbalanced"]]
    assert np.mean([one.class_before for one in gains]) == pytest.approx(0.942, abs=0.02)
    assert np.mean([one.class_after - one.class_before for one in gains]) > 0.002
    margins = [auroc_of(made, "softmax") - auroc_of(made, "memory") for made in studies["unbalanced"]]
    assert np.mean(margins) > 0.05


def test_random_detection_is_chance(studies: dict[str, list[Study]]) -> None:
    scores = [auroc_of(made, "random") for many in studies.values() for made in many]
    assert np.mean(scores) == pytest.approx(0.5, abs=0.05)


def test_true_concepts_give_every_parity(studies: dict[str, list[Study]], digits: ConceptImages) -> None:
    for many in studies.values():
        for made in many:
            logits = class_logits(digits.concepts.astype(float), made.model.weight, made.model.bias)
            assert np.array_equal(logits.argmax(axis=1), digits.labels)


def test_the_memory_holds_mistakes_of_the_pool_with_true_concepts(studies: dict[str, list[Study]]) -> None:
    made = studies["confounded"][0]
    data, wrong = made.experiment.data, made.wrong(made.pool)
    sources = [entry.source for entry in made.memory.entries]
    assert set(sources) <= set(made.pool.places[wrong].tolist())
    assert sources == sorted(sources, key=made.pool.places.tolist().index)
    for entry in made.memory.entries:
        truth = data.concepts[entry.source]
        assert all(
            truth[c] == v for c, v in zip(entry.correction.concepts, entry.correction.values, strict=True)
        )


def test_fine_tuning_moves_the_network_and_logistic_scores_are_probabilities(
    studies: dict[str, list[Study]],
) -> None:
    made = studies["confounded"][0]
    assert made.tuned is not None
    assert made.tuned.checksum() != made.model.checksum()
    assert made.logistic is not None
    assert (made.logistic >= 0).all()
    assert (made.logistic <= 1).all()


def test_the_same_seed_trains_the_same_network(digits: ConceptImages) -> None:
    few = Training(epochs=3)
    a, b = study(digits, "confounded", 7, few), study(digits, "confounded", 7, few)
    assert a.model.checksum() == b.model.checksum()
    assert a.t_a == b.t_a
    assert study(digits, "confounded", 8, few).model.checksum() != a.model.checksum()


def test_training_leaves_the_threads_alone(digits: ConceptImages) -> None:
    before = torch.get_num_threads()
    settings = Training(epochs=2, batch=8)
    generator = torch.Generator().manual_seed(0)
    training = ConceptTraining(
        np.zeros((1200, 4), np.float32), digits.concepts[:1200], digits.labels[:1200], np.arange(1200),
        np.arange(10), (np.zeros((2, 10)), np.zeros(2)), settings, generator,
    )  # fmt: skip
    seen = [torch.get_num_threads() for _ in training.epochs()]
    assert set(seen) == {before}
    assert len(seen) > 6


def test_arrays_say_what_torch_says() -> None:
    generator = torch.Generator().manual_seed(1)
    x = np.random.default_rng(0).random((30, 7)).astype(np.float32)
    training = ConceptTraining(
        x, np.eye(5, dtype=np.uint8)[np.arange(30) % 5], np.zeros(30, np.int64), np.arange(30), np.arange(30),
        (np.ones((2, 5)), np.zeros(2)), Training(hidden=11), generator,
    )  # fmt: skip
    model = training.bottleneck()
    with torch.no_grad():
        theirs = torch.sigmoid(training.net(torch.from_numpy(x))).numpy()
        hidden = training.net[:2](torch.from_numpy(x)).numpy()
    assert np.allclose(model.probabilities(x), theirs, atol=1e-6)
    assert np.allclose(model.encodings(x), hidden, atol=1e-6)
    assert model.dimension == 11


def test_weights_of_concepts_and_classes() -> None:
    concepts = np.array([[1, 0, 1], [0, 0, 1], [0, 1, 1], [0, 0, 1]])
    assert concept_weights(concepts).tolist() == [3.0, 3.0, 1.0]
    assert class_weights(np.array([0, 0, 0, 1]), 3).tolist() == [4 / 3, 4.0, 0.0]


def test_the_loss_by_hand() -> None:
    logits, c = torch.tensor([[0.0, 2.0]]), torch.tensor([[1.0, 0.0]])
    w = torch.tensor([3.0, 5.0])
    terms = [np.log(2), np.log1p(np.exp(2.0))]
    assert concept_loss(logits, c, w, "published").item() == pytest.approx((3 * terms[0] + 5 * terms[1]) / 2)
    assert concept_loss(logits, c, w, "positive").item() == pytest.approx((3 * terms[0] + terms[1]) / 2)
    assert concept_loss(logits, c, w, "none").item() == pytest.approx((terms[0] + terms[1]) / 2)


# ------------------------------------------------------------------ scenarios and shapes


def test_splits_are_disjoint_and_of_the_given_sizes(digits: ConceptImages) -> None:
    experiment = prepare(digits, "plain", 3)
    parts = (experiment.train, experiment.validation, experiment.test)
    assert [len(part) for part in parts] == [1010, 337, 450]
    assert len(np.unique(np.concatenate(parts))) == 1797


def test_few_nines_are_left_in_training(digits: ConceptImages) -> None:
    experiment = prepare(digits, "unbalanced", 0, nines=6)
    assert (digits.digits[experiment.train] == 9).sum() == 6
    assert (digits.digits[experiment.test] == 9).sum() > 30
    assert (digits.digits[prepare(digits, "unbalanced", 0, nines=0).train] == 9).sum() == 0


def test_colour_tells_the_digit_in_training_only(digits: ConceptImages) -> None:
    experiment = prepare(digits, "confounded", 0)
    assert experiment.inputs.shape == (1797, 192)
    shades = palette()
    brightest = experiment.images.reshape(1797, -1, 3).max(axis=1) / 255
    hue = np.argmin(
        ((brightest[:, None] / brightest.max(axis=1)[:, None, None] - shades[None]) ** 2).sum(-1), axis=1
    )
    assert (hue[experiment.train] == digits.digits[experiment.train]).mean() > 0.99
    assert (hue[experiment.test] == digits.digits[experiment.test]).mean() == pytest.approx(0.1, abs=0.05)


def test_shapes_follow_their_rule() -> None:
    values = factors(500, np.random.default_rng(0))
    assert rule(np.array([[0, 0, 1, 1, 0], [2, 3, 0, 0, 1], [3, 0, 1, 0, 0], [1, 5, 0, 1, 3]])).tolist() == [
        7,
        0,
        4,
        3,
    ]
    concepts = one_hot(values)
    assert concepts.shape == (500, 18)
    assert (concepts.sum(axis=1) == 5).all()
    data = make_shapes(400, "confounded", 0)
    assert data.images.shape == (400, 32, 32, 3)
    assert len(CLASSES) == len(data.class_names) == 8
    warm = np.isin(np.argmax(data.concepts[:, 4:10], axis=1), (0, 1, 5))
    stripe = data.concepts[:, 13] == 1
    assert (warm == stripe)[data.split == 0].mean() > 0.93
    assert (warm == stripe)[data.split == 2].mean() == pytest.approx(0.5, abs=0.15)
    assert make_shapes(40, "none", 1).fingerprint() == make_shapes(40, "none", 1).fingerprint()


def test_quadrant_and_size_can_be_measured_in_the_picture() -> None:
    data = make_shapes(200, "none", 0)
    grey = data.images.max(axis=3).astype(float)
    grey[grey < 90] = 0
    rows = (grey.sum(axis=2) * np.arange(32)).sum(axis=1) / grey.sum(axis=(1, 2))
    columns = (grey.sum(axis=1) * np.arange(32)).sum(axis=1) / grey.sum(axis=(1, 2))
    quadrant = 2 * (rows > 15.5) + (columns > 15.5)
    assert (quadrant == np.argmax(data.concepts[:, 14:18], axis=1)).all()
    area = (grey > 0).sum(axis=(1, 2))
    large = data.concepts[:, 11] == 1
    assert area[large].mean() > 1.8 * area[~large].mean()


def test_occluded_figures_lose_their_certainty() -> None:
    data = make_shapes(300, "occlusion", 0)
    assert data.certainty is not None
    hidden = (data.certainty == 1).all(axis=1)
    assert ((data.certainty == 4).all(axis=1) | hidden).all()
    assert 0 < hidden.sum() < 60


def test_distortions_do_what_they_say() -> None:
    rng = np.random.default_rng(0)
    images = rng.random((50, 32, 32, 3))
    hit = (salt_and_pepper(images, rng) != images).any(axis=3).mean()
    assert hit == pytest.approx(0.01, abs=0.004)
    area = (erased(images, rng) != images).any(axis=3).mean(axis=(1, 2))
    assert area.min() > 0.08
    assert area.max() < 0.22
    width = float(np.random.default_rng(5).uniform(0, 1.5, 1)[0])
    one = blurred(images[:1], np.random.default_rng(5))
    assert np.allclose(one[0], gaussian_filter(images[0], (width, width, 0)))
    covered = np.zeros((1, 32, 32), bool)
    covered[0, 4, 4] = True
    _, hides = occlude(np.zeros((1, 32, 32, 3), np.uint8), covered, np.random.default_rng(1))
    assert hides.shape == (1,)
