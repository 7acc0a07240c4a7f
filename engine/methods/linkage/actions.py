"""What a person may do with the trees: cut, choose what is looked at, close subtrees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.core.context import Context
from engine.core.events import Event
from engine.methods.linkage.families_stage import begin_walk
from engine.methods.linkage.pacing import result_of
from engine.methods.linkage.parameters import CRITERIA, At, Choose, Chosen, Cut, Flip, Node, Number
from engine.methods.linkage.pictures import OF_CUT, shown
from engine.methods.linkage.ratio_tables import AGAINST
from engine.methods.linkage.session import Session, named

Answer = Iterator[Event]


def cut(session: Session, arguments: Cut, context: Context) -> Answer:
    """Cut the tree at a height or into k clusters; the line, the points and the bound follow."""
    grown = session.tree
    if arguments.k is not None:
        session.k, session.height = min(session.n, max(1, round(arguments.k))), None
    elif arguments.height is not None and grown is not None:
        session.k, session.height = max(1, grown.k_below(arguments.height)), arguments.height
    if grown is not None:
        yield from shown(session, *OF_CUT)


def show_linkage(session: Session, arguments: Choose, context: Context) -> Answer:
    """Look at the tree of another linkage, cut into as many clusters."""
    name = named(arguments.value)
    if name in session.trees:
        session.shown, session.height, session.collapsed = name, None, ()
        yield from shown(session, *OF_CUT)


def choose_linkage(session: Session, arguments: Chosen, context: Context) -> Answer:
    """The same from a row of a table."""
    name = named(str(arguments.id).split(" ")[-1])
    if name in session.trees and name != session.shown:
        session.shown, session.height, session.collapsed = name, None, ()
        yield from shown(session, *OF_CUT)


def choose_k(session: Session, arguments: At, context: Context) -> Answer:
    """Cut at the k pointed at in the chart, and look at that curve's linkage."""
    name = named(arguments.series)
    if name in session.trees and name != session.shown:
        session.shown, session.collapsed = name, ()
    session.k, session.height = min(session.n, max(1, round(arguments.x))), None
    if session.tree is not None:
        yield from shown(session, *OF_CUT)


def choose_criterion(session: Session, arguments: Choose, context: Context) -> Answer:
    """Compare by another criterion."""
    for name, words in CRITERIA.items():
        if arguments.value in (name, words):
            session.criterion = name
            yield from shown(session, "cohesion")


def choose_optimum(session: Session, arguments: Choose, context: Context) -> Answer:
    """Show another ratio in the table."""
    if arguments.value in AGAINST:
        session.optimum = arguments.value
        yield from shown(session, "ratios")


def toggle_log(session: Session, arguments: Flip, context: Context) -> Answer:
    """Heights on a logarithmic axis or a linear one."""
    session.log = arguments.value
    if session.tree is not None or session.forest is not None:
        yield from shown(session, "tree", "heights")


def mark_node(session: Session, arguments: Node, context: Context) -> Answer:
    """Remember the subtree pointed at; its leaves are selected in every view."""
    session.marked = arguments.node
    yield from ()


def collapse(session: Session, arguments: Node, context: Context) -> Answer:
    """Draw a subtree as a triangle, or open it again."""
    grown = session.tree
    if grown is None or not session.n <= arguments.node < 2 * session.n - 1:
        return
    held = set(session.collapsed) ^ {arguments.node}
    session.collapsed = tuple(sorted(held))
    yield from shown(session, "tree")


def open_all(session: Session, arguments: Any, context: Context) -> Answer:
    """Open every collapsed subtree."""
    session.collapsed = ()
    if session.tree is not None:
        yield from shown(session, "tree")


def family_step(session: Session, arguments: Number, context: Context) -> Answer:
    """Show the families at the start of another merge."""
    if session.walk is not None:
        session.walk.step = int(min(max(0, round(arguments.value)), session.n - 1))
        yield from shown(session, "families")


def families_here(session: Session, arguments: Any, context: Context) -> Answer:
    """Follow the families of the tree looked at, for the present number of clusters."""
    work = None if session.square is None else begin_walk(session, session.square)
    if work is not None:
        session.walk = result_of(work)
        session.walk.step = max(0, session.n - 2 * session.walk.k)
        yield from shown(session, "families")
