"""All views of the tab by name: what each shows at the moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.core.events import Event, Show
from engine.core.views import ViewState
from engine.methods.adaptive_regret import expert_pictures, regret_pictures, stream_pictures
from engine.methods.adaptive_regret.session import Session

PICTURES: dict[str, Callable[[Session], ViewState]] = {
    "stream": stream_pictures.stream_picture,
    "wealth": stream_pictures.wealth_picture,
    "regret": regret_pictures.regret_picture,
    "adaptivity": regret_pictures.adaptivity_picture,
    "map": regret_pictures.map_picture,
    "interval": regret_pictures.interval_table,
    "results": regret_pictures.results_table,
    "changes": regret_pictures.changes_table,
    "small_loss": regret_pictures.small_loss_picture,
    "noise": regret_pictures.noise_picture,
    "lifelines": expert_pictures.lifelines_picture,
    "types": expert_pictures.types_picture,
    "experts": expert_pictures.experts_picture,
    "expert": expert_pictures.expert_picture,
}
LIVE = ("lifelines", "types", "experts", "adaptivity", "results")
"""Views redrawn while rounds are played."""


def shown(session: Session, *names: str) -> Iterator[Event]:
    """`Show` events of the named views; those that do not apply to the data or the choice are left empty."""
    for name in names:
        if applies(session, name):
            yield Show(name, PICTURES[name](session))


def applies(session: Session, name: str) -> bool:
    """Whether a view has anything to say of this session."""
    if name == "wealth":
        return session.instance.relatives is not None
    if name == "types":
        return bool(session.with_types())
    if name in ("lifelines", "experts", "changes"):
        return bool(session.with_markers()) and session.played > 0
    if name == "map":
        return session.grid is not None
    if name == "regret":
        return session.playing or bool(session.curve_x)
    if name == "noise":
        return bool(session.sweep)
    if name == "expert":
        return session.opened is not None
    return True
