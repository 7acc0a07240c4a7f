"""Compiled drawing loops. Importing this imports numba: do it off the main thread (``warm``) or late."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def stamp(
    image: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    style: np.ndarray,
    atlas: np.ndarray,
    reach: np.ndarray,
    xs: float,
    x_at: float,
    ys: float,
    y_at: float,
) -> int:
    """Stamp pictures of marks into ``image`` (h, w) uint32, premultiplied ARGB; returns how many.

    Mark i stands at px (x[i]·xs + x_at, y[i]·ys + y_at) and looks like ``atlas[style[i]]`` (c, c) uint32,
    blended over what is there; nothing of it is farther from its middle than ``reach[style[i]]`` px.
    NaN is not drawn.
    """
    height, width = image.shape
    cell = atlas.shape[1]
    middle = cell // 2
    drawn = 0
    for i in range(x.size):
        picture = style[i]
        half = reach[picture]
        px, py = x[i] * xs + x_at, y[i] * ys + y_at
        if not (-half < px < width + half and -half < py < height + half):
            continue
        drawn += 1
        left, top = int(np.floor(px)) - middle, int(np.floor(py)) - middle
        near, far = middle - half, middle + half + 1
        for r in range(max(near, -top), min(far, height - top)):
            for c in range(max(near, -left), min(far, width - left)):
                over = np.int64(atlas[picture, r, c])
                opacity = over >> 24
                if opacity == 255:
                    image[top + r, left + c] = np.uint32(over)
                elif opacity > 0:
                    under = np.int64(image[top + r, left + c])
                    rest = 256 - opacity
                    red_blue = (((under & 0xFF00FF) * rest) >> 8) & 0xFF00FF
                    alpha_green = (((under >> 8) & 0xFF00FF) * rest) & 0xFF00FF00
                    image[top + r, left + c] = np.uint32(over + (red_blue | alpha_green))
    return drawn


@njit(nogil=True, cache=True)
def count_per_pixel(
    counts: np.ndarray, x: np.ndarray, y: np.ndarray, xs: float, x_at: float, ys: float, y_at: float
) -> int:
    """Add to ``counts`` (h, w) int32 how many points fall on each px; returns how many fell on any."""
    height, width = counts.shape
    seen = 0
    for i in range(x.size):
        px, py = x[i] * xs + x_at, y[i] * ys + y_at
        if 0 <= px < width and 0 <= py < height:
            counts[int(py), int(px)] += 1
            seen += 1
    return seen


@njit(nogil=True, cache=True)
def inside_polygon(x: np.ndarray, y: np.ndarray, corners_x: np.ndarray, corners_y: np.ndarray) -> np.ndarray:
    """Bool (n,): points inside the closed polygon, by the even-odd rule (ray to the right)."""
    result = np.zeros(x.size, np.bool_)
    count = corners_x.size
    low_x, high_x, low_y, high_y = corners_x.min(), corners_x.max(), corners_y.min(), corners_y.max()
    for i in range(x.size):
        if not (low_x <= x[i] <= high_x and low_y <= y[i] <= high_y):
            continue
        before, odd = count - 1, False
        for j in range(count):
            if (corners_y[j] > y[i]) != (corners_y[before] > y[i]):
                share = (y[i] - corners_y[j]) / (corners_y[before] - corners_y[j])
                if x[i] < corners_x[j] + share * (corners_x[before] - corners_x[j]):
                    odd = not odd
            before = j
        result[i] = odd
    return result


@njit(nogil=True, cache=True)
def place_nodes(
    left: np.ndarray, right: np.ndarray, place: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Places of a merge tree's nodes from its leaves': middle x, first and last place, parent (−1: root).

    ``left``, ``right`` int64 (m,) are the children of node n+i, ``place`` int64 (n,) the place of each
    leaf. Children precede parents, so one forward pass does; there is no recursion and no stack.
    """
    leaves, merges = place.size, left.size
    count = leaves + merges
    x, low, high = np.empty(count), np.empty(count), np.empty(count)
    parent = np.full(count, -1, np.int64)
    for leaf in range(leaves):
        x[leaf] = low[leaf] = high[leaf] = place[leaf]
    for i in range(merges):
        a, b, v = left[i], right[i], leaves + i
        x[v] = 0.5 * (x[a] + x[b])
        low[v], high[v] = min(low[a], low[b]), max(high[a], high[b])
        parent[a] = parent[b] = v
    return x, low, high, parent


@njit(nogil=True, cache=True)
def tree_lines(
    left: np.ndarray,
    right: np.ndarray,
    leaves: int,
    roots: np.ndarray,
    x: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    height: np.ndarray,
    colour: np.ndarray,
    closed: np.ndarray,
    x0: float,
    xs: float,
    y0: float,
    ys: float,
    columns: int,
    rows: int,
    base: float,
    lines: np.ndarray,
    line_colour: np.ndarray,
    stack: np.ndarray,
) -> int:
    """Lines of the visible part of a merge tree in px; returns how many are in ``lines`` (k, 4).

    Px of a place p is (p − x0)·xs, of a height h y0 − h·ys; ``columns``, ``rows`` is the size of the
    plot, ``base`` the height of leaves. A node whose leaves span less than 1 px only raises the interval
    of its px column; a thin child joins its column up to the parent; verticals are merged per column and
    horizontals per row where they touch, so the number of lines is bounded by what can be seen.
    ``closed`` nodes are not entered. Walks with an explicit stack.
    """
    limit = lines.shape[0]
    count = 0
    column_low = np.full((2, columns), np.inf)
    column_high = np.full((2, columns), -np.inf)
    column_colour = np.full((2, columns), -1, np.int64)
    row_left = np.full(rows + 1, np.inf)
    row_right = np.full(rows + 1, -np.inf)
    row_colour = np.full(rows + 1, -1, np.int64)
    top = 0
    for i in range(roots.size):
        stack[top] = roots[i]
        top += 1
    while top > 0:
        top -= 1
        v = stack[top]
        if v < leaves or closed[v]:
            continue
        first, last = (low[v] - 0.5 - x0) * xs, (high[v] + 0.5 - x0) * xs
        if last < 0 or first > columns:
            continue
        y = y0 - height[v] * ys
        tint = colour[v]
        plane = 1 if tint % 1000 > 0 else 0
        if last - first < 1.0:
            column = int((x[v] - x0) * xs)
            if 0 <= column < columns:
                column_low[plane, column] = min(column_low[plane, column], y)
                column_high[plane, column] = max(column_high[plane, column], y0 - base * ys)
                column_colour[plane, column] = tint
            continue
        for side in range(2):
            child = left[v - leaves] if side == 0 else right[v - leaves]
            cx = (x[child] - x0) * xs
            child_height = base if child < leaves else height[child]
            cy = y0 - child_height * ys
            thin = (high[child] - low[child] + 1.0) * xs < 1.0
            column = int(np.floor(cx))
            if 0 <= column < columns:
                if thin:
                    cy = y0 - base * ys
                    touches = True
                else:
                    known = column_colour[plane, column]
                    touches = known == -1 or (
                        known == tint
                        and cy >= column_low[plane, column] - 1
                        and y <= column_high[plane, column] + 1
                    )
                if touches:
                    column_low[plane, column] = min(column_low[plane, column], y)
                    column_high[plane, column] = max(column_high[plane, column], cy)
                    column_colour[plane, column] = tint
                elif abs(cy - y) >= 0.5 and count < limit:
                    lines[count, 0], lines[count, 1], lines[count, 2], lines[count, 3] = cx, y, cx, cy
                    line_colour[count] = tint
                    count += 1
            if not thin:
                stack[top] = child
                top += 1
        a, b = (x[left[v - leaves]] - x0) * xs, (x[right[v - leaves]] - x0) * xs
        if a > b:
            a, b = b, a
        if b - a >= 1.0 and 0 <= y <= rows:
            row = int(y)
            a, b = max(a, -float(columns)), min(b, 2.0 * columns)
            if row_colour[row] == -1:
                row_left[row], row_right[row], row_colour[row] = a, b, tint
            elif row_colour[row] == tint and a <= row_right[row] + 1 and b >= row_left[row] - 1:
                row_left[row], row_right[row] = min(row_left[row], a), max(row_right[row], b)
            elif count < limit:
                lines[count, 0], lines[count, 1], lines[count, 2], lines[count, 3] = a, y, b, y
                line_colour[count] = tint
                count += 1
    for plane in range(2):
        for column in range(columns):
            if column_colour[plane, column] >= 0 and count < limit:
                lines[count, 0] = lines[count, 2] = column + 0.5
                lines[count, 1], lines[count, 3] = column_low[plane, column], column_high[plane, column]
                line_colour[count] = column_colour[plane, column]
                count += 1
    for row in range(rows + 1):
        if row_colour[row] >= 0 and count < limit:
            lines[count, 0], lines[count, 2] = row_left[row], row_right[row]
            lines[count, 1] = lines[count, 3] = row + 0.5
            line_colour[count] = row_colour[row]
            count += 1
    return count


def warm() -> None:
    """Compile everything (from numba's cache where there is one)."""
    one, index = np.zeros(1), np.zeros(1, np.int64)
    picture = np.zeros((1, 3, 3), np.uint32)
    stamp(np.zeros((4, 4), np.uint32), one, one, index, picture, np.ones(1, np.int64), 1.0, 1.0, 1.0, 1.0)
    count_per_pixel(np.zeros((4, 4), np.int32), one, one, 1.0, 1.0, 1.0, 1.0)
    inside_polygon(one, one, np.zeros(3), np.zeros(3))
    children = (np.zeros(1, np.int64), np.ones(1, np.int64))
    x, low, high, _ = place_nodes(*children, np.arange(2))
    lines, tints, stack = np.empty((16, 4)), np.empty(16, np.int64), np.empty(4, np.int64)
    roots, colour = np.array([2]), np.zeros(3, np.int64)
    tree = (*children, 2, roots, x, low, high, np.ones(3), colour, np.zeros(3, np.bool_))
    tree_lines(*tree, 0.0, 1.0, 1.0, 1.0, 8, 8, 0.0, lines, tints, stack)
