"""The concept bottleneck, trained independently: g on images → concepts, f on true concepts → class.

Imports torch: only a run imports this module. What comes out is plain arrays (`network.Bottleneck`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional as F

from engine.methods.concept_memory.network import Bottleneck

AT_ONCE = 32
"""Minibatches between two chances for others to run."""
Weighting = Literal["published", "positive", "none"]
Keep = Literal["class", "concept", "last"]


@dataclass(frozen=True, kw_only=True)
class Training:
    """Settings of both parts: SGD with momentum; f is trained first, on true concepts."""

    epochs: int = 60
    hidden: int = 120
    rate: float = 0.05
    momentum: float = 0.9
    decay: float = 4e-5
    batch: int = 64
    weighting: Weighting = "published"
    keep: Keep = "class"
    patience: int = 0
    head_steps: int = 200
    head_rate: float = 0.5
    head_decay: float = 5e-5
    head_batch: int = 0


@dataclass(frozen=True)
class Epoch:
    """What an epoch of g came to: mean weighted loss, concept and class accuracy on the held-out part."""

    number: int
    loss: float
    concept_accuracy: float
    class_accuracy: float


@contextmanager
def one_thread() -> Iterator[None]:
    """These networks are too small to share: threads that wait for each other cost more than they do."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def warm() -> None:
    """A first step of training, which imports what torch's optimisers need."""
    concepts, labels = np.eye(2, dtype=np.uint8), np.arange(2)
    training = PredictorTraining(concepts, labels, 2, Training(head_steps=1), torch.Generator())
    for _ in training.steps():
        pass


def concept_weights(concepts: NDArray[np.integer]) -> NDArray[np.float64]:
    """w_j = n / n_j − 1 of concepts (n, C); 1 where a concept is constant, which has no such weight."""
    n, positives = len(concepts), concepts.sum(axis=0)
    usable = (positives > 0) & (positives < n)
    return np.where(usable, n / np.maximum(positives, 1) - 1, 1.0)


def class_weights(labels: NDArray[np.integer], classes: int) -> NDArray[np.float64]:
    """n / n_k; 0 for a class without a sample."""
    counts = np.bincount(labels, minlength=classes)
    return np.where(counts > 0, len(labels) / np.maximum(counts, 1), 0.0)


def linear(inputs: int, outputs: int, generator: torch.Generator) -> nn.Linear:
    """A linear layer with torch's usual initial law, drawn from `generator` alone."""
    layer: nn.Linear = nn.utils.skip_init(nn.Linear, inputs, outputs)
    bound = 1 / math.sqrt(inputs)
    with torch.no_grad():
        layer.weight.uniform_(-bound, bound, generator=generator)
        layer.bias.uniform_(-bound, bound, generator=generator)
    return layer


def concept_loss(
    logits: torch.Tensor, concepts: torch.Tensor, weights: torch.Tensor, weighting: Weighting
) -> torch.Tensor:
    """(1/C) Σ_j w_j BCE(logit_j, c_j), mean over the batch.

    "published": w_j scales the whole term of concept j (official code); "positive": w_j weighs its
    positives only.
    """
    if weighting == "positive":
        return F.binary_cross_entropy_with_logits(logits, concepts, pos_weight=weights)
    terms = F.binary_cross_entropy_with_logits(logits, concepts, reduction="none")
    return (terms * weights).mean() if weighting == "published" else terms.mean()


class PredictorTraining:
    """f: one linear layer on true concepts, cross-entropy weighted by n / n_k."""

    def __init__(
        self,
        concepts: NDArray[np.integer],
        labels: NDArray[np.integer],
        classes: int,
        settings: Training,
        generator: torch.Generator,
    ) -> None:
        self._c = torch.from_numpy(concepts.astype(np.float32))
        self._y = torch.from_numpy(labels.astype(np.int64))
        self._weights = torch.from_numpy(class_weights(labels, classes).astype(np.float32))
        self._settings, self._generator = settings, generator
        self.layer = linear(concepts.shape[1], classes, generator)
        whole = settings.head_batch == 0
        self._optimiser = torch.optim.SGD(
            self.layer.parameters(),
            lr=settings.head_rate,
            momentum=0.0 if whole else settings.momentum,
            weight_decay=settings.head_decay,
        )

    def steps(self) -> Iterator[float]:
        """One pass over the data at a time (the whole batch, or minibatches); yields the loss."""
        size = self._settings.head_batch or len(self._c)
        for _ in range(self._settings.head_steps):
            order = torch.randperm(len(self._c), generator=self._generator)
            with one_thread():
                total = sum(self._step(part) for part in order.split(size))
            yield total / len(self._c)

    def _step(self, part: torch.Tensor) -> float:
        self._optimiser.zero_grad()
        loss = F.cross_entropy(self.layer(self._c[part]), self._y[part], weight=self._weights)
        loss.backward()
        self._optimiser.step()
        return loss.item() * len(part)

    def result(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """W (K, C) and b (K,)."""
        return _array(self.layer.weight), _array(self.layer.bias)


class ConceptTraining:
    """g: inputs → hidden → C with ReLU (or one linear layer on given features), by minibatches.

    Keeps the epoch of the best validation accuracy. Concept accuracy would favour saying no to every
    concept of a one-hot group, so that the class accuracy through f decides unless asked otherwise.
    """

    def __init__(
        self,
        inputs: NDArray[np.float32],
        concepts: NDArray[np.integer],
        labels: NDArray[np.integer],
        train: NDArray[np.integer],
        held_out: NDArray[np.integer],
        predictor: tuple[NDArray[np.float64], NDArray[np.float64]],
        settings: Training,
        generator: torch.Generator,
        start: Bottleneck | None = None,
    ) -> None:
        self._x = torch.from_numpy(np.ascontiguousarray(inputs, np.float32))
        self._c = torch.from_numpy(concepts.astype(np.float32))
        self._labels = labels
        self._train, self._held_out = torch.from_numpy(train.astype(np.int64)), held_out
        self._predictor = predictor
        self._settings, self._generator = settings, generator
        self._weights = torch.from_numpy(concept_weights(concepts[train]).astype(np.float32))
        self.net = _net(inputs.shape[1], concepts.shape[1], settings.hidden, generator)
        if start is not None:
            _load(self.net, start)
        self._optimiser = torch.optim.SGD(
            self.net.parameters(), lr=settings.rate, momentum=settings.momentum, weight_decay=settings.decay
        )
        self._best, self._kept, self.best_epoch = -math.inf, self.bottleneck(), 0

    def epochs(self) -> Iterator[Epoch | None]:
        """An `Epoch` after each epoch; None between its minibatches, now and then, to let others in."""
        since = 0
        for number in range(1, self._settings.epochs + 1):
            order = self._train[torch.randperm(len(self._train), generator=self._generator)]
            parts = order.split(self._settings.batch)
            total = 0.0
            for start in range(0, len(parts), AT_ONCE):
                if start:
                    yield None
                with one_thread():
                    total += sum(self._step(part) for part in parts[start : start + AT_ONCE])
            epoch = self._judged(number, total / len(self._train))
            since = since + 1 if self.best_epoch != number else 0
            yield epoch
            if self._settings.patience and since >= self._settings.patience:
                return

    def result(self) -> Bottleneck:
        """The kept epoch as arrays."""
        return self._kept

    def bottleneck(self) -> Bottleneck:
        """The present weights as arrays."""
        layers = [layer for layer in self.net if isinstance(layer, nn.Linear)]
        return Bottleneck(
            layers=tuple((_single(layer.weight), _single(layer.bias)) for layer in layers),
            weight=self._predictor[0],
            bias=self._predictor[1],
        )

    def _step(self, part: torch.Tensor) -> float:
        """One minibatch; its summed loss."""
        self._optimiser.zero_grad()
        loss = concept_loss(self.net(self._x[part]), self._c[part], self._weights, self._settings.weighting)
        loss.backward()
        self._optimiser.step()
        return loss.item() * len(part)

    def _judged(self, number: int, loss: float) -> Epoch:
        now = self.bottleneck()
        probabilities = now.probabilities(self._x.numpy()[self._held_out])
        concept = float(((probabilities > 0.5) == (self._c.numpy()[self._held_out] > 0.5)).mean())
        label = float((now.predict(probabilities) == self._labels[self._held_out]).mean())
        score = {"class": label, "concept": concept, "last": float(number)}[self._settings.keep]
        if score > self._best:
            self._best, self._kept, self.best_epoch = score, now, number
        return Epoch(number, loss, concept, label)


def _net(inputs: int, concepts: int, hidden: int, generator: torch.Generator) -> nn.Sequential:
    if hidden == 0:
        return nn.Sequential(linear(inputs, concepts, generator))
    return nn.Sequential(linear(inputs, hidden, generator), nn.ReLU(), linear(hidden, concepts, generator))


def _load(net: nn.Sequential, start: Bottleneck) -> None:
    layers = [layer for layer in net if isinstance(layer, nn.Linear)]
    with torch.no_grad():
        for layer, (weight, bias) in zip(layers, start.layers, strict=True):
            layer.weight.copy_(torch.from_numpy(weight))
            layer.bias.copy_(torch.from_numpy(bias))


def _array(tensor: torch.Tensor) -> NDArray[np.float64]:
    return tensor.detach().cpu().numpy().astype(np.float64)


def _single(tensor: torch.Tensor) -> NDArray[np.float32]:
    return tensor.detach().cpu().numpy().astype(np.float32)
