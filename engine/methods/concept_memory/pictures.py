"""Which picture each view shows, and which follow from what."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.core.events import Show
from engine.core.views import ViewState
from engine.methods.concept_memory import image_pictures, plot_pictures, table_pictures
from engine.methods.concept_memory.session import Session

PICTURES: dict[str, Callable[[Session], ViewState]] = {
    "images": image_pictures.images,
    "why": image_pictures.why,
    "concepts": table_pictures.concepts,
    "gain": table_pictures.before_after,
    "detectors": table_pictures.detectors,
    "harm": table_pictures.harm,
    "map": plot_pictures.memory_map,
    "roc": plot_pictures.roc_curves,
    "precision": plot_pictures.precision_curves,
    "review": plot_pictures.review_curves,
    "budget": plot_pictures.budget,
    "thresholds": plot_pictures.thresholds,
}
OF_SELECTION = ("concepts", "why", "map")
OF_APPLICATION = ("images", "concepts", "why", "map", "gain", "harm", "budget", "thresholds")
OF_DETECTION = ("images", "thresholds", "roc", "detectors")
OF_DETECTORS = ("roc", "precision", "review", "detectors")


def shown(session: Session, *names: str) -> Iterator[Show]:
    """The pictures of these views."""
    for name in names:
        yield Show(name, PICTURES[name](session))
