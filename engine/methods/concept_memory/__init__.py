"""Concept bottleneck memory: corrections of concepts that are remembered and applied to similar images.

``from engine.methods.concept_memory import generalise`` loads only the module that defines it.
"""

from __future__ import annotations

from importlib import import_module

_EXPORTS = {
    "interventions": (
        "Correction",
        "class_logits",
        "exclusive_projection",
        "simulated_correction",
        "softmax",
    ),
    "criteria": ("ectp", "lcp", "random_scores", "ucp"),
    "neighbours": ("distances", "kth", "nearest"),
    "memory": ("Entry", "Memory", "Refusal", "load_memory"),
    "generalisation": ("Applied", "corrections_of", "flagged", "generalise", "refusal_mask"),
    "thresholds": ("application_curve", "choose_application", "choose_detection", "choose_softmax"),
    "detection": ("auroc", "average_precision", "combined", "found_curve", "precision_recall", "roc"),
    "scoring": ("budget_curve", "gain", "outcome"),
    "filling": ("answers_of", "fill", "is_mistake", "own_pairs"),
    "network": ("Bottleneck",),
    "bottleneck": ("ConceptTraining", "PredictorTraining", "Training"),
    "baselines": ("fine_tuned", "wrong_logistic"),
    "scenarios": ("digit_images", "prepare", "split_places"),
    "shapes": ("make_shapes",),
    "distortions": ("distorted", "occlude"),
    "concept_images": ("ConceptImages", "Experiment"),
}
_MODULE_OF = {name: module for module, names in _EXPORTS.items() for name in names}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
