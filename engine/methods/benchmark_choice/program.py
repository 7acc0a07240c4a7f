"""The integer program behind `exact`, and its solution by HiGHS in a process of its own.

Run as a module it is that process: `python -m engine.methods.benchmark_choice.program IN.npz OUT.npz NODES`.
It imports nothing of the method, so that it begins at once and stays small.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Program:
    """Maximise the number of ones among the last `count` variables: matrix · x ≥ least, lower ≤ x ≤ upper.

    The dense `matrix` (r, k) acts on the k weights, −`depth` (r,) on the r binaries.
    """

    matrix: NDArray[np.float64]
    depth: NDArray[np.float64]
    least: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    corners: bool


def solve(program: Program, nodes: int) -> tuple[NDArray[np.float64] | None, int]:
    """(weights of the best solution or None, proven bound on the number of ones)."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array, diags_array, hstack

    count, k = program.depth.size, program.lower.size
    if count == 0:
        return None, 0
    result = milp(
        c=np.concatenate([np.zeros(k), -np.ones(count)]),
        integrality=np.concatenate([np.full(k, int(program.corners)), np.ones(count)]),
        bounds=Bounds(
            np.concatenate([program.lower, np.zeros(count)]), np.concatenate([program.upper, np.ones(count)])
        ),
        constraints=LinearConstraint(
            hstack([csr_array(program.matrix), diags_array(-program.depth)]).tocsr(), program.least, np.inf
        ),
        options={"node_limit": nodes, "mip_rel_gap": 0.0},
    )
    most = count if result.mip_dual_bound is None else int(np.floor(-result.mip_dual_bound + 1e-6))
    return (None if result.x is None else result.x[:k]), most


def main(asked: str, answered: str, nodes: int) -> None:
    """The child: read the program, solve it, write the solution."""
    with np.load(asked, allow_pickle=False) as stored:
        fields = {name: stored[name] for name in stored.files}
    fields["corners"] = bool(fields["corners"])
    weights, most = solve(Program(**fields), nodes)
    np.savez(answered, weights=np.empty(0) if weights is None else weights, most=most)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
