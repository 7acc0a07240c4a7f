"""Speed and memory of the linkage engines against fastcluster, back to back in one process.

    python tests/benchmarks/bench_linkage.py [--sizes 6000 10000] [--repeats 3] [--scale] [--ward]

Peer: scipy's pdist (float64, one thread) and fastcluster. Ours: filling on two threads and the chain, in the
fast (square float32) and the lean (condensed float32) layout. Bars: fast at most 0.8, lean at most 1.3 times
the peer's time for complete, average and weighted, medians of the repeats; lean at most 2.2·n² bytes.
`--scale` adds single linkage at 100,000 points, `--ward` Ward on as many centroids (about a minute).
The square layout needs the memory bus to itself: measure on a quiet machine.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import fastcluster
import numpy as np
from scipy.spatial.distance import pdist

from engine.methods.linkage import chain_tree, distances, single_tree_euclidean, ward_tree_of_points

BARS = {"square": 0.8, "condensed": 1.3}
LINKAGES = ("complete", "average", "weighted", "ward")

PEAK = """
import re, sys
import numpy as np
sys.path.insert(0, {root!r})
from engine.methods.linkage import chain_tree, distances
import fastcluster
from scipy.spatial.distance import pdist
x = np.random.default_rng(0).normal(size=({n}, 10))
for layout in ("square", "condensed"):
    chain_tree(distances(x[:100], layout=layout, dtype=np.float32), "complete")
peak = lambda: 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
before = peak()
if {layout!r} == "peer":
    fastcluster.linkage(pdist(x), "complete", preserve_input=False)
else:
    chain_tree(distances(x, layout={layout!r}, dtype=np.float32), "complete")
print(peak() - before)
"""


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def peak_bytes(n: int, layout: str) -> int:
    """Growth of the peak memory of a fresh process while it clusters n points (Linux: VmHWM)."""
    code = PEAK.format(root=str(Path(__file__).resolve().parents[2]), n=n, layout=layout)
    return int(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    )


def ours(x: np.ndarray, layout: str, linkage: str) -> np.ndarray:
    """Distances in float32 and the chain on them."""
    return chain_tree(distances(x, "euclidean", layout, np.float32), linkage)


def compare(n: int, linkage: str, repeats: int) -> bool:
    """Print one row: median seconds of peer and both layouts, the ratios, and whether the bars hold."""
    x = np.random.default_rng(n).normal(size=(n, 10))
    times: dict[str, list[float]] = {"peer": [], "square": [], "condensed": []}
    for _ in range(repeats):
        times["peer"].append(seconds(lambda: fastcluster.linkage(pdist(x), linkage, preserve_input=False)))
        for layout in BARS:
            times[layout].append(seconds(lambda layout=layout: ours(x, layout, linkage)))
    median = {name: statistics.median(values) for name, values in times.items()}
    ratio = {layout: median[layout] / median["peer"] for layout in BARS}
    held = all(ratio[layout] <= bar for layout, bar in BARS.items())
    word = "no bar" if linkage == "ward" else "ok" if held else "MISSED"
    figures = "   ".join(
        f"{name} {median[layout]:6.2f} s ({ratio[layout]:.2f})"
        for name, layout in (("fast", "square"), ("lean", "condensed"))
    )
    print(f"{n:>7,} {linkage:<9} peer {median['peer']:6.2f} s   {figures}   {word}", flush=True)
    return held or linkage == "ward"


def memory(n: int) -> bool:
    """Print the peak memory of peer and both layouts in bytes per n²."""
    used = {layout: peak_bytes(n, layout) / n**2 for layout in ("peer", "square", "condensed")}
    words = ", ".join(f"{layout} {per:.2f} n² bytes" for layout, per in used.items())
    print(f"{n:>7,} peak memory: {words}", flush=True)
    return used["condensed"] <= 2.2 and used["square"] <= 4.3


def main() -> int:
    """Run the comparisons asked for; exit status 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[6000, 10_000])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--scale", action="store_true")
    parser.add_argument("--ward", action="store_true")
    chosen = parser.parse_args()
    warm = np.random.default_rng(0).normal(size=(200, 10))
    for linkage in LINKAGES:
        for layout in BARS:
            chain_tree(distances(warm, layout=layout, dtype=np.float32), linkage)
    held = [compare(n, linkage, chosen.repeats) for n in chosen.sizes for linkage in LINKAGES]
    held += [memory(n) for n in chosen.sizes]
    if chosen.scale:
        for d in (2, 3):
            taken = seconds(lambda d=d: single_tree_euclidean(np.random.default_rng(d).random((100_000, d))))
            print(f"100,000 single, d = {d}: {taken:.2f} s (bar 10 s)", flush=True)
            held.append(taken < 10)
    if chosen.ward:
        taken = seconds(lambda: ward_tree_of_points(np.random.default_rng(0).random((100_000, 2))))
        print(f"100,000 ward on centroids, d = 2: {taken:.1f} s", flush=True)
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
