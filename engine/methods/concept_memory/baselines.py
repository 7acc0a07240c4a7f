"""What the memory is compared with in the same run: a fine-tuned bottleneck, a logistic "is it wrong?"."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine.methods.concept_memory.network import Bottleneck

FINE_TUNE_EPOCHS, FINE_TUNE_RATE = 5, 1e-3


def wrong_logistic(
    encodings: NDArray[np.floating], wrong: NDArray[np.bool_], queries: NDArray[np.floating]
) -> NDArray[np.float64] | None:
    """Probability of being right (N,), logistic regression on encodings; None where one class is absent."""
    if wrong.all() or not wrong.any():
        return None
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500, class_weight="balanced"))
    model.fit(encodings, ~wrong)
    return np.asarray(model.predict_proba(queries)[:, 1], np.float64)


def fine_tuned(
    start: Bottleneck,
    inputs: NDArray[np.float32],
    concepts: NDArray[np.integer],
    labels: NDArray[np.integer],
    pool: NDArray[np.integer],
    *,
    batch: int,
    seed: int,
) -> Iterator[Bottleneck | None]:
    """The bottleneck trained on with the corrected pool (5 epochs, rate 1e-3); the last thing yielded.

    f stays as it is: it was trained on true concepts.
    """
    import torch

    from engine.methods.concept_memory.bottleneck import ConceptTraining, Training

    hidden = start.layers[0][0].shape[0] if len(start.layers) > 1 else 0
    settings = Training(epochs=FINE_TUNE_EPOCHS, rate=FINE_TUNE_RATE, batch=batch, hidden=hidden, keep="last")
    generator = torch.Generator().manual_seed(seed)
    training = ConceptTraining(
        inputs, concepts, labels, pool, pool, (start.weight, start.bias), settings, generator, start
    )
    for _ in training.epochs():
        yield None
    yield training.result()
