"""One whole experiment without a window: train, fill, choose thresholds, detect, generalise, compare.

A generator of `Step`s, so that a run can show what happens and others can run in between; what was found
stands in the `Study` that it fills.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.methods.concept_memory.baselines import fine_tuned, wrong_logistic
from engine.methods.concept_memory.concept_images import Experiment
from engine.methods.concept_memory.criteria import Criterion
from engine.methods.concept_memory.detection import DetectorScores, combined, concept_certainty
from engine.methods.concept_memory.filling import Answers, answers_of, fill, own_pairs
from engine.methods.concept_memory.generalisation import Corrections, corrections_of, refusal_mask
from engine.methods.concept_memory.interventions import class_logits, softmax
from engine.methods.concept_memory.memory import Memory
from engine.methods.concept_memory.neighbours import Metric, distances, kth
from engine.methods.concept_memory.network import Bottleneck
from engine.methods.concept_memory.thresholds import (
    PUBLISHED_T_A,
    PUBLISHED_T_D,
    ApplicationPoint,
    DetectionChoice,
    application_curve,
    candidates,
    choose_application,
    choose_detection,
    choose_softmax,
)


@dataclass(frozen=True, kw_only=True)
class StudySettings:
    """What decides a study besides data and training."""

    criterion: Criterion = "ectp"
    concept_limit: float = 1.0
    budget: int = 0
    groups_applied: int = 0
    metric: Metric = "euclidean"
    k_detect: int = 1
    k_apply: int = 1
    search_k: bool = False
    published_grid: bool = False


@dataclass(frozen=True)
class Step:
    """What was just done, in words, and how much of the part: `done` of `total` `counted`."""

    phase: str
    done: int
    total: int
    counted: str


@dataclass(eq=False)
class Study:
    """An experiment with its trained bottleneck and all that follows from it."""

    experiment: Experiment
    model: Bottleneck
    settings: StudySettings
    pool: Answers
    test: Answers
    memory: Memory = field(init=False)
    pool_distances: NDArray[np.float64] = field(init=False)
    distances: NDArray[np.float64] = field(init=False)
    detection: DetectionChoice = field(init=False)
    softmax_choice: DetectionChoice = field(init=False)
    t_a: float = field(init=False)
    curve: list[ApplicationPoint] = field(default_factory=list)
    tuned: Bottleneck | None = None
    logistic: NDArray[np.float64] | None = None

    @property
    def groups_applied(self) -> int:
        """Groups of a correction that are applied, all where not limited."""
        return self.settings.groups_applied or len(self.experiment.data.group_names)

    def wrong(self, answers: Answers) -> NDArray[np.bool_]:
        """Class mistakes of the plain bottleneck (n,)."""
        return self.model.predict(answers.probabilities) != self.experiment.data.labels[answers.places]

    def confidence(self, answers: Answers) -> NDArray[np.float64]:
        """Largest class probability (n,)."""
        return softmax(class_logits(answers.probabilities, self.model.weight, self.model.bias)).max(axis=1)

    def steps(self) -> Iterator[Step]:
        """Fill the memory, choose the thresholds, train the baselines."""
        yield from self._fill()
        yield from self._choose()
        yield from self._baselines()

    def detectors(self) -> list[DetectorScores]:
        """All detectors on the test set; a large score says "likely right"."""
        k = min(self.detection.k, max(len(self.memory), 1))
        d_k, sure = kth(self.distances, k), self.confidence(self.test)
        found = [
            DetectorScores("memory", "memory", d_k),
            DetectorScores("softmax", "softmax confidence", sure),
            DetectorScores("combined", "combined", combined(d_k, sure)),
            DetectorScores("ucp", "concept certainty", concept_certainty(self.test.probabilities)),
        ]
        if self.logistic is not None:
            found.append(DetectorScores("logistic", "logistic on encodings", self.logistic))
        chance = np.random.default_rng([self.experiment.seed, 5]).random(len(sure))
        return [*found, DetectorScores("random", "random", chance)]

    def _fill(self) -> Iterator[Step]:
        data = self.experiment.data
        rng = np.random.default_rng([self.experiment.seed, 3])
        for memory in fill(
            self.model,
            self.pool,
            data,
            criterion=self.settings.criterion,
            concept_limit=self.settings.concept_limit,
            budget=self.settings.budget,
            rng=rng,
        ):
            self.memory = memory
            yield Step("Filling the memory", len(memory), len(memory), "entry")
        metric = self.settings.metric
        encodings = self.memory.encodings
        self.pool_distances = distances(self.pool.encodings, encodings, metric)
        self.pool_distances[own_pairs(self.pool.places, self.memory)] = np.inf
        yield Step("Measuring distances", 1, 2, "set")
        self.distances = distances(self.test.encodings, encodings, metric)
        yield Step("Measuring distances", 2, 2, "set")

    def _choose(self) -> Iterator[Step]:
        wrong, settings = self.wrong(self.pool), self.settings
        self.softmax_choice = choose_softmax(self.confidence(self.pool), wrong)
        ks = tuple(range(1, 6)) if settings.search_k else (settings.k_detect,)
        grid = PUBLISHED_T_D if settings.published_grid else None
        usable = tuple(k for k in ks if k <= len(self.memory)) or (1,)
        self.detection = choose_detection(self.pool_distances, wrong, usable, grid)
        yield Step("Choosing the detection threshold", 1, 1, "threshold")
        nearest = self.pool_distances.min(axis=1) if len(self.memory) else np.empty(0)
        tried = PUBLISHED_T_A if settings.published_grid else candidates(nearest)
        data, corrections = self.experiment.data, self.corrections()
        for number, point in enumerate(
            application_curve(
                self.pool.probabilities,
                self.pool_distances,
                corrections,
                data.labels[self.pool.places],
                self.model.weight,
                self.model.bias,
                tried,
                settings.k_apply,
            ),
            1,
        ):
            self.curve.append(point)
            yield Step("Choosing the application threshold", number, len(tried), "candidate")
        self.t_a = choose_application(self.curve, settings.published_grid)

    def _baselines(self) -> Iterator[Step]:
        wrong = self.wrong(self.pool)
        self.logistic = wrong_logistic(self.pool.encodings, wrong, self.test.encodings)
        yield Step("Training baselines", 1, 2, "baseline")
        corrected = np.array([entry.source for entry in self.memory.entries if entry.source >= 0], np.int64)
        if not len(corrected):
            return
        data = self.experiment.data
        for tuned in fine_tuned(
            self.model,
            self.experiment.inputs,
            data.concepts,
            data.labels,
            corrected,
            batch=64,
            seed=self.experiment.seed,
        ):
            self.tuned = tuned
            yield Step("Training baselines", 2, 2, "baseline")

    def corrections(self) -> Corrections:
        """The memory's corrections as arrays, truncated to the groups applied."""
        return corrections_of(self.memory, self.experiment.data.groups, self.groups_applied)

    def refused(self) -> NDArray[np.bool_] | None:
        """Pairs of test sample and entry a person refused (N, m)."""
        if not self.memory.refusals:
            return None
        refusals = np.stack([refusal.encoding for refusal in self.memory.refusals])
        to_refusals = distances(self.test.encodings, refusals, self.settings.metric)
        return refusal_mask(self.distances, self.memory, to_refusals)


def begin(experiment: Experiment, model: Bottleneck, settings: StudySettings) -> Study:
    """A study of a trained bottleneck: what it says of the pool and of the test set."""
    pool = answers_of(model, experiment.inputs, experiment.pool)
    encodings = model.encodings(experiment.test_inputs)
    test = Answers(experiment.test, encodings, model.from_encodings(encodings))
    return Study(experiment, model, settings, pool, test)
