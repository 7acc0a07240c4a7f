"""Image files as one array of equal squares; nothing but pixels is taken from a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.core.data.limits import Tick
from engine.core.errors import DataError

SIDE = 64
"""Pixels at each side of images of unequal or larger size."""
MOST_PIXELS = 64_000_000


def read_pictures(
    folder: Path, names: Sequence[str], lines: Sequence[int], listed_in: str, tick: Tick
) -> tuple[NDArray[np.uint8], bool]:
    """The images `names` under `folder` as RGB uint8 (n, h, w, 3), and whether they were resampled.

    Small images of one size stay as they are; others become 64 × 64, the whole image squeezed.

    Raises:
        DataError: an image that is missing, outside the folder, too large or unreadable; `lines` are where
            `listed_in` names them.
    """
    from PIL import Image, UnidentifiedImageError

    root = folder.resolve()
    pictures: list[NDArray[np.uint8]] = []
    sizes: set[tuple[int, int]] = set()
    size = _common_size(root, names)
    for number, (name, line) in enumerate(zip(names, lines, strict=True)):
        path = (root / name).resolve()

        def refuse(code: str, found: str, allowed: str, line: int = line) -> DataError:
            return DataError(code=code, file=listed_in, found=found, allowed=allowed, row=line)

        if not path.is_relative_to(root):
            raise refuse("outside", f"“{name}” leads out of the folder", "images lie in the folder")
        if not path.is_file():
            raise refuse("missing-image", f"there is no file {name}", f"it was looked for in {folder.name}")
        try:
            with Image.open(path) as image:
                if image.width * image.height > MOST_PIXELS:
                    raise refuse(
                        "too-large",
                        f"{name} has {image.width}×{image.height} pixels",
                        "at most 64 million are read",
                    )
                if size is None:
                    image.draft("RGB", (2 * SIDE, 2 * SIDE))
                converted = image.convert("RGB")
                if size is None:
                    converted = converted.resize((SIDE, SIDE), Image.Resampling.BOX, reducing_gap=2.0)
                pictures.append(np.asarray(converted, np.uint8))
        except (UnidentifiedImageError, OSError, SyntaxError, Image.DecompressionBombError) as error:
            raise refuse("unreadable-image", f"{name} cannot be read as an image", f"{error}") from None
        sizes.add(pictures[-1].shape[:2])
        if number % 16 == 0:
            tick(number / len(names), "Reading the images")
    return np.stack(pictures), size is None


def _common_size(root: Path, names: Sequence[str]) -> tuple[int, int] | None:
    """The one small size all images have, from their headers; None where they differ or are larger."""
    from PIL import Image, UnidentifiedImageError

    sizes: set[tuple[int, int]] = set()
    for name in names:
        try:
            with Image.open(root / name) as image:
                sizes.add(image.size)
        except (UnidentifiedImageError, OSError, SyntaxError, Image.DecompressionBombError):
            return None
        if len(sizes) > 1 or max(image.size) > SIDE:
            return None
    return next(iter(sizes)) if sizes else None
