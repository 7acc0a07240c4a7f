"""Every view's state from the session, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.core.events import Event, Show
from engine.core.views import ViewState
from engine.methods.gaussian_sketch import coefficient_pictures, problem_pictures, progress_pictures
from engine.methods.gaussian_sketch.session import Session

PICTURES: dict[str, Callable[[Session], ViewState | None]] = {
    "gap": progress_pictures.gap_picture,
    "variance": progress_pictures.variance_picture,
    "results": progress_pictures.results_table,
    "ranking": problem_pictures.ranking_picture,
    "spectrum": problem_pictures.spectrum_picture,
    "rotation": problem_pictures.rotation_picture,
    "plane": problem_pictures.plane_picture,
    "steering": problem_pictures.steering_panel,
    "coefficients": coefficient_pictures.coefficients_picture,
    "model": coefficient_pictures.model_picture,
    "image": coefficient_pictures.image_picture,
    "path": coefficient_pictures.path_picture,
}
OF_PROBLEM = ("ranking", "spectrum", "rotation", "plane", "steering")
OF_PROGRESS = ("gap", "variance", "results", "ranking")
OF_METHOD = ("coefficients", "model", "image", "path")
ALL = tuple(PICTURES)


def shown(session: Session, *names: str) -> Iterator[Event]:
    """`Show` events of the named views; a view with nothing to show is passed over."""
    for name in names:
        state = PICTURES[name](session)
        if state is not None:
            yield Show(name, state)
