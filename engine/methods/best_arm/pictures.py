"""All views of the tab by name: what each shows at the moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.core.events import Event, Show
from engine.core.views import ViewState
from engine.methods.best_arm import error_pictures, map_pictures, rate_pictures, run_pictures
from engine.methods.best_arm.session import Session

PICTURES: dict[str, Callable[[Session], ViewState]] = {
    "error": error_pictures.error_picture,
    "rate": error_pictures.rate_picture,
    "results": error_pictures.results_table,
    "trade_off": error_pictures.trade_off_picture,
    "map": map_pictures.map_picture,
    "table": map_pictures.table_picture,
    "stability": map_pictures.stability_picture,
    "means": rate_pictures.means_picture,
    "rates": rate_pictures.rates_picture,
    "region": rate_pictures.region_picture,
    "plan": rate_pictures.plan_picture,
    "answers": rate_pictures.plan_table,
    "shares": run_pictures.shares_picture,
    "split": run_pictures.split_picture,
    "trace": run_pictures.trace_picture,
    "steps": run_pictures.steps_table,
}
OF_INSTANCE = (
    "means", "rates", "plan", "answers", "error", "rate", "trade_off", "shares", "split", "trace", "steps",
)  # fmt: skip
"""Views that change with the instance looked at."""
OF_ALGORITHM = ("shares", "split", "trace", "steps")


def shown(session: Session, *names: str) -> Iterator[Event]:
    """`Show` events of the named views."""
    for name in names:
        yield Show(name, PICTURES[name](session))
