"""All views of the tab by name: what each shows at the moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.core.events import Event, Show
from engine.core.views import ViewState
from engine.methods.linkage import (
    cohesion_pictures,
    families_pictures,
    lab_pictures,
    points_pictures,
    ratio_tables,
    tree_pictures,
)
from engine.methods.linkage.session import Session

PICTURES: dict[str, Callable[[Session], ViewState]] = {
    "tree": tree_pictures.tree_picture,
    "heights": tree_pictures.heights_picture,
    "points": points_pictures.points_picture,
    "cohesion": cohesion_pictures.cohesion_picture,
    "ratios": ratio_tables.ratios_table,
    "groups": ratio_tables.groups_table,
    "families": families_pictures.families_picture,
    "lab": lab_pictures.lab_picture,
    "lab_distances": lab_pictures.lab_matrix_picture,
}
OF_CUT = ("tree", "points", "cohesion", "ratios")
"""Views that change with the number of clusters."""


def shown(session: Session, *names: str) -> Iterator[Event]:
    """`Show` events of the named views."""
    for name in names:
        yield Show(name, PICTURES[name](session))
