"""Files a person takes away: labels, linkage matrix, Newick, criteria, the lab's instance."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from engine.core.context import Context
from engine.core.errors import FieldError, RunError
from engine.core.events import Artifact, Event
from engine.methods.linkage.optimum_stage import criteria_rows
from engine.methods.linkage.parameters import Export
from engine.methods.linkage.session import Grown, Session, label
from engine.methods.linkage.tree import newick

MOST_KS = 200


def export(session: Session, arguments: Export, context: Context) -> Iterator[Event]:
    """Write the files asked for, of the tree looked at or of every tree."""
    context.scratch.mkdir(parents=True, exist_ok=True)
    trees = [session.tree] if arguments.linkages == "shown" else list(session.trees.values())
    ks = chosen_ks(arguments.k, session)
    for kind in arguments.files:
        if kind == "criteria":
            yield _criteria(session, context.scratch)
        elif kind == "instance":
            yield _instance(session, context.scratch)
        else:
            for grown in trees:
                if grown is None:
                    raise RunError("There is no tree yet: run first.")
                yield _of_tree(kind, session, grown, ks, context.scratch)


def chosen_ks(text: str, session: Session) -> list[int]:
    """The numbers of clusters named, or the present one. Raises FieldError for those out of range."""
    ks = [int(part) for part in text.replace(",", " ").split()] or [session.k]
    wrong = [k for k in ks if not 1 <= k <= session.n]
    if wrong or len(ks) > MOST_KS:
        found = wrong[0] if wrong else len(ks)
        allowed = f"between 1 and {session.n:,}" if wrong else f"at most {MOST_KS} numbers of clusters"
        raise FieldError("k", found=found, allowed=allowed)
    return list(dict.fromkeys(ks))


def _of_tree(kind: str, session: Session, grown: Grown, ks: list[int], folder: Path) -> Artifact:
    names = session.measured.names.tolist()
    if kind == "labels":
        return _labels(grown, names, ks, folder / f"labels-{grown.name}.csv")
    if kind == "newick":
        path = folder / f"tree-{grown.name}.nwk"
        path.write_text(newick(grown.tree, names) + "\n", encoding="utf-8")
        return Artifact(path.name, path, f"Newick tree, {label(grown.name)} linkage")
    path = folder / f"linkage-{grown.name}.{'npy' if kind == 'matrix' else 'csv'}"
    if kind == "matrix":
        np.save(path, grown.tree)
    else:
        form = ["%d", "%d", "%.17g", "%d"]
        np.savetxt(path, grown.tree, form, ",", header="first,second,height,size", comments="")
    return Artifact(path.name, path, f"Linkage matrix, {label(grown.name)}")


def _labels(grown: Grown, names: list[str], ks: list[int], path: Path) -> Artifact:
    """Cluster numbers of every point, one column a k; those of the views, from 1."""
    columns = [(grown.clusters(k).labels + 1).tolist() for k in ks]
    _table(path, ["name", *(f"k{k}" for k in ks)], [names, *columns])
    return Artifact(path.name, path, f"Labels, {label(grown.name)} linkage")


def _criteria(session: Session, folder: Path) -> Artifact:
    columns = criteria_rows(session)
    if not columns["k"]:
        raise RunError("There are no criteria yet: run first.")
    path = folder / "criteria.csv"
    _table(path, list(columns), list(columns.values()))
    return Artifact(path.name, path, "Criteria by linkage and k")


def _table(path: Path, head: list[str], columns: list[list]) -> None:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(zip(*columns, strict=True))


def _instance(session: Session, folder: Path) -> Artifact:
    """The lab's places, distances, k, brackets and diameters as JSON."""
    lab = session.lab
    if lab is None or lab.brackets is None:
        raise RunError("The lab is empty.")
    dm, av = lab.brackets.dm[lab.k], lab.brackets.av[lab.k]
    told = {
        "name": lab.name,
        "k": lab.k,
        "ties": lab.ties,
        "points": lab.places.tolist(),
        "measured": "given distances" if lab.matrix is not None else lab.metric,
        "distances": lab.square.tolist(),
        "optimum": {"OPT_DM": [dm.lower, dm.upper], "OPT_AV": [av.lower, av.upper]},
        "largest_diameter": {name: float(t.cohesion.max_diam[lab.k]) for name, t in lab.trees.items()},
    }
    path = folder / "instance.json"
    path.write_text(json.dumps(told, indent=1), encoding="utf-8")
    return Artifact(path.name, path, f"Instance {lab.name}")
