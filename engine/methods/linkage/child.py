"""Library calls that cannot be cut, or keep the interpreter to themselves, in a process that can be ended.

Arrays go and come as NPY files in the run's scratch folder. The child is this module run by the same
interpreter: ``python -m engine.methods.linkage.child FOLDER JOB``.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import RunError

WAIT = 0.03
_ROOT = Path(__file__).resolve().parents[3]


def in_child(
    job: str, arrays: Mapping[str, NDArray], settings: Mapping[str, Any], scratch: Path
) -> Generator[None, None, dict[str, NDArray]]:
    """Run `job` on `arrays` in a child process; yields while it works, returns its arrays.

    The child is ended when the generator is closed. Raises RunError with the child's last words.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f"{job}-", dir=scratch))
    for name, values in arrays.items():
        np.save(folder / f"in-{name}.npy", values)
    (folder / "settings.json").write_text(json.dumps(dict(settings)), encoding="utf-8")
    yield None
    command = [sys.executable, "-m", "engine.methods.linkage.child", str(folder), job]
    paths = [str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    with open(folder / "words.txt", "wb") as words:
        process = subprocess.Popen(command, stdout=words, stderr=words, env=environment)
    try:
        while process.poll() is None:
            time.sleep(WAIT)
            yield None
        if process.returncode:
            last = (folder / "words.txt").read_text(encoding="utf-8", errors="replace").strip()
            raise RunError(f"{job}: the child process ended with {process.returncode}: {last[-400:]}")
        return {path.stem[4:]: np.load(path, allow_pickle=False) for path in folder.glob("out-*.npy")}
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _spanning_tree(arrays: dict[str, NDArray], settings: dict[str, Any]) -> dict[str, NDArray]:
    from engine.methods.linkage.single import single_tree_euclidean

    return {"tree": single_tree_euclidean(arrays["points"])}


def _order(arrays: dict[str, NDArray], settings: dict[str, Any]) -> dict[str, NDArray]:
    from engine.methods.linkage.tree import layout, optimally_ordered

    turned = optimally_ordered(arrays["tree"], arrays["condensed"])
    return {"order": layout(turned).order}


def _genie(arrays: dict[str, NDArray], settings: dict[str, Any]) -> dict[str, NDArray]:
    from engine.methods.linkage.baselines import genie_tree

    return {"tree": genie_tree(arrays["points"])}


def _labels(arrays: dict[str, NDArray], settings: dict[str, Any]) -> dict[str, NDArray]:
    """Labels (len(ks), n) of one of the flat baselines at every k."""
    from engine.methods.linkage import baselines
    from engine.methods.linkage.storage import Distances

    name, ks, seed = settings["baseline"], settings["ks"], settings["seed"]
    if name == "kmedoids":
        held = Distances(arrays["distances"], settings["n"])
        return {"labels": np.stack([baselines.kmedoids_labels(held, k, seed) for k in ks])}
    points = arrays["points"]
    if name == "kmeans":
        return {"labels": np.stack([baselines.kmeans_labels(points, k, seed) for k in ks])}
    return {"labels": np.stack([baselines.sklearn_labels(points, k) for k in ks])}


JOBS = {"spanning-tree": _spanning_tree, "order": _order, "genie": _genie, "labels": _labels}


def main(folder: Path, job: str) -> None:
    """Read the arrays, do the job, write its arrays."""
    arrays = {path.stem[3:]: np.load(path, allow_pickle=False) for path in folder.glob("in-*.npy")}
    settings = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
    for name, values in JOBS[job](arrays, settings).items():
        np.save(folder / f"out-{name}.npy", values)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
