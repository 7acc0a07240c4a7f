"""A trained bottleneck as plain arrays: what encodes, what predicts, and what names it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.methods.concept_memory.interventions import Floats, class_logits

BLOCK = 2048


@dataclass(frozen=True, eq=False, kw_only=True)
class Bottleneck:
    """g as layers (weight, bias) with ReLU between them, f(c) = `weight` c + `bias` with (K, C), (K,).

    The encoding e(x) is what feeds the last layer of g.
    """

    layers: tuple[tuple[NDArray[np.float32], NDArray[np.float32]], ...]
    weight: NDArray[np.float64]
    bias: NDArray[np.float64]

    @property
    def dimension(self) -> int:
        """Numbers in an encoding, d."""
        return self.layers[-1][0].shape[1]

    def encodings(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """e(x) for inputs (n, D): float32 (n, d)."""
        parts = [self._hidden(inputs[start : start + BLOCK]) for start in range(0, len(inputs), BLOCK)]
        return np.concatenate(parts) if parts else np.empty((0, self.dimension), np.float32)

    def from_encodings(self, encodings: NDArray[np.float32]) -> NDArray[np.float64]:
        """c_hat = sigmoid(g(x)) from encodings: float64 (n, C)."""
        weight, bias = self.layers[-1]
        logits = (encodings @ weight.T + bias).astype(np.float64)
        return 1.0 / (1.0 + np.exp(-np.clip(logits, -500, 500)))

    def probabilities(self, inputs: NDArray[np.float32]) -> NDArray[np.float64]:
        """c_hat for inputs (n, D)."""
        return self.from_encodings(self.encodings(inputs))

    def predict(self, probabilities: Floats) -> NDArray[np.int64]:
        """Class of each c (n, C)."""
        return class_logits(probabilities, self.weight, self.bias).argmax(axis=1)

    def checksum(self) -> str:
        """SHA-256 of the layers that encode."""
        digest = hashlib.sha256(b"encoder 1")
        for weight, bias in self.layers[:-1]:
            digest.update(np.ascontiguousarray(weight).tobytes())
            digest.update(np.ascontiguousarray(bias).tobytes())
        return digest.hexdigest()

    def _hidden(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        for weight, bias in self.layers[:-1]:
            inputs = np.maximum(inputs @ weight.T + bias, 0)
        return np.asarray(inputs, np.float32)
