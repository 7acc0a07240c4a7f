"""What ``sweep`` takes; apart from ``sweep`` itself, so that parsing a command loads no engine."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``sweep`` takes beside method, preset, data, parameters and device."""
    parser.add_argument(
        "--grid",
        action="append",
        default=[],
        metavar="field=a,b,c",
        help="values of a parameter, or low:high:count, or low:high:count:log; may be repeated",
    )
    parser.add_argument("--seeds", type=_count, default=1, metavar="N", help="runs of each setting")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--workers", type=_count, default=None, metavar="N", help="runs at once on this machine"
    )
    where.add_argument("--dask", default="", metavar="tcp://HOST:PORT", help="scheduler of a Dask cluster")
    parser.add_argument("--retry-failed", action="store_true", help="carry out failed runs once more")
    parser.add_argument(
        "--figures", default="", metavar="pdf,svg,png", help="draw results against parameters"
    )


def _count(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 100_000:
        raise argparse.ArgumentTypeError(f"“{text}” is not allowed. A whole number from 1 to 100,000")
    return int(text)
