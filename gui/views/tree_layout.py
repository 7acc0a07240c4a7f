"""Where the nodes of a merge tree stand, which are alike, what is under a place."""

from __future__ import annotations

import numpy as np

from engine.core.views import DendrogramState
from gui.views.ticks import to_drawn

DIM = 1000
"""Added to the tint of what is not selected."""


class TreeLayout:
    """A merge tree on the drawn axes: leaf i at place ``place[i]``, node n+i at height ``height[n+i]``.

    ``tint`` is 0 for nodes over several clusters and cluster + 1 for nodes within one.
    """

    def __init__(self, state: DendrogramState, log: bool) -> None:
        from gui.views.kernels import place_nodes

        self.leaves = state.leaves
        merges = np.asarray(state.merges, np.float64).reshape(-1, 4)
        self.left = np.ascontiguousarray(merges[:, 0]).astype(np.int64)
        self.right = np.ascontiguousarray(merges[:, 1]).astype(np.int64)
        self.order = np.asarray(state.order, np.int64)
        self.place = np.empty(self.leaves, np.int64)
        self.place[self.order] = np.arange(self.leaves)
        self.x, self.low, self.high, self.parent = place_nodes(self.left, self.right, self.place)
        self.real_height = merges[:, 2]
        self.sizes = merges[:, 3]
        self.base, self.height = self._heights(log)
        self.roots = np.flatnonzero(self.parent[self.leaves :] < 0) + self.leaves
        self.labels = None if state.labels is None else np.asarray(state.labels, np.int64)[self.order]
        self.tint = self._tints()
        self.closed = np.zeros(len(self.x), np.bool_)
        known = [node for node in state.collapsed if self.leaves <= node < len(self.x)]
        self.closed[known] = True

    @property
    def merges(self) -> int:
        """Number of merges so far."""
        return len(self.left)

    def runs(self) -> list[tuple[int, int, int]]:
        """Stretches of places with one label: first, last, label."""
        if self.labels is None or not len(self.labels):
            return []
        starts = np.flatnonzero(np.concatenate(([True], self.labels[1:] != self.labels[:-1])))
        ends = np.append(starts[1:], len(self.labels)) - 1
        return list(zip(starts.tolist(), ends.tolist(), self.labels[starts].tolist(), strict=True))

    def shown_tint(self, chosen: np.ndarray) -> np.ndarray:
        """Tints with ``DIM`` added where not all leaves of a node are in bool ``chosen`` (n,) by leaf."""
        if not chosen.any():
            return self.tint
        sums = np.concatenate(([0], np.cumsum(chosen[self.order])))
        low, high = self.low.astype(np.int64), self.high.astype(np.int64)
        whole = sums[high + 1] - sums[low] == high - low + 1
        return np.where(whole, self.tint, self.tint + DIM)

    def node_at(self, place: float, height: float) -> int | None:
        """The lowest node whose link stands over the place at or above ``height``, drawn numbers."""
        over = (self.low - 0.5 <= place) & (place <= self.high + 0.5) & (self.height >= height)
        over[: self.leaves] = False
        nodes = np.flatnonzero(over)
        if not nodes.size:
            return None
        shut = nodes[self.closed[nodes]]
        if shut.size:
            nodes = nodes[self.height[nodes] >= self.height[shut].max()]
        return int(nodes[np.argmin(self.height[nodes])])

    def leaves_of(self, node: int) -> np.ndarray:
        """Leaf numbers under a node."""
        if node < self.leaves:
            return np.array([node])
        return self.order[int(self.low[node]) : int(self.high[node]) + 1]

    def clusters_at(self, cut: float) -> int:
        """Number of clusters when merges above ``cut`` are undone."""
        return int(np.count_nonzero(self.real_height > cut)) + self.leaves - self.merges

    def cut_for(self, clusters: int) -> float:
        """Height between the merges that gives this number of clusters."""
        heights = np.sort(self.real_height)[::-1]
        over = min(max(clusters - (self.leaves - self.merges), 0), len(heights))
        if not len(heights):
            return 0.0
        if over == 0:
            return float(heights[0]) * 1.05
        if over == len(heights):
            return float(heights[-1]) / 2
        return float(heights[over - 1] + heights[over]) / 2

    def _heights(self, log: bool) -> tuple[float, np.ndarray]:
        drawn = to_drawn(self.real_height, log)
        base = 0.0 if not log else -1.0
        if log and np.isfinite(drawn).any():
            base = float(np.floor(np.nanmin(drawn) * 2 - 0.2) / 2)
        elif drawn.size:
            base = min(0.0, float(np.nanmin(drawn)))
        return base, np.concatenate((np.full(self.leaves, base), np.where(np.isfinite(drawn), drawn, base)))

    def _tints(self) -> np.ndarray:
        if self.labels is None or not len(self.labels):
            return np.zeros(len(self.x), np.int64)
        run = np.concatenate(([0], np.cumsum(self.labels[1:] != self.labels[:-1])))
        low, high = self.low.astype(np.int64), self.high.astype(np.int64)
        return np.where(run[low] == run[high], np.maximum(self.labels[low], -1) + 1, 0)
