"""The sub-commands and their arguments."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from engine.core.errors import DataError, FieldError, MissingExtraError, PapertabError, UnknownNameError

WRONG_REQUEST = 2
REQUEST_ERRORS = (DataError, FieldError, MissingExtraError, UnknownNameError)


class RequestParser(argparse.ArgumentParser):
    """A parser whose complaints are one line, without the usage text."""

    def error(self, message: str) -> NoReturn:
        self.exit(WRONG_REQUEST, f"{self.prog}: {message}\n")


def serve(arguments: Sequence[str]) -> int:
    """Carry out one command; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.serve(options))
    except PapertabError as error:
        print(f"papertab: {error}", file=sys.stderr)
        return WRONG_REQUEST if isinstance(error, REQUEST_ERRORS) else 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 0


def _parser() -> RequestParser:
    parser = RequestParser(prog="papertab", description="Machine-learning experiments, without the window.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=RequestParser)
    listing = commands.add_parser("list", help="all methods, one a line: slug, title")
    listing.set_defaults(serve=_list)
    describe = commands.add_parser("describe", help="one method as a JSON object")
    describe.add_argument("method", metavar="METHOD")
    describe.set_defaults(serve=_describe)
    _add_run(commands.add_parser("run", help="run a method and write its record"))
    _add_sweep(commands.add_parser("sweep", help="run a method over a grid of values and seeds"))
    return parser


def _add_run(run: argparse.ArgumentParser) -> None:
    _add_subject(run)
    run.add_argument("--threads", type=_threads, default=None, metavar="N")
    run.add_argument("--out", type=Path, required=True, metavar="DIR")
    run.add_argument("--figures", default="", metavar="pdf,svg,png", help="draw every view in these formats")
    run.add_argument("--traceback", action="store_true", help="show where a failed run failed")
    run.set_defaults(serve=_run)


def _add_sweep(parser: argparse.ArgumentParser) -> None:
    from engine.terminal.sweep_arguments import add_arguments

    _add_subject(parser)
    parser.add_argument("--threads", type=_threads, default=1, metavar="N", help="of each run")
    add_arguments(parser)
    parser.set_defaults(serve=_sweep)


def _add_subject(run: argparse.ArgumentParser) -> None:
    """What is run: method, preset, data, parameters, seed, device."""
    run.add_argument("method", metavar="METHOD")
    run.add_argument("--preset", metavar="NAME", help="a preset of the method; the first one if left out")
    run.add_argument("--data", metavar="NAME|FILE", help="an embedded set or a file of your own")
    run.add_argument(
        "--set",
        dest="assignments",
        action="append",
        default=[],
        metavar="field=value",
        help="a parameter, or data.<option>=value for how a file is read; may be repeated",
    )
    run.add_argument("--seed", type=_seed, default=0, metavar="N")
    run.add_argument("--device", choices=("auto", "cpu", "cuda", "mps"), default="auto")


def _list(options: argparse.Namespace) -> int:
    from engine.core.registry import methods

    for method in methods().values():
        print(f"{method.slug}\t{method.title}")
    return 0


def _describe(options: argparse.Namespace) -> int:
    import json

    from engine.core.registry import method
    from engine.terminal.describe import description

    print(json.dumps(description(method(options.method)), indent=1, ensure_ascii=False))
    return 0


def _run(options: argparse.Namespace) -> int:
    from engine.terminal.run import run

    return run(options)


def _sweep(options: argparse.Namespace) -> int:
    from engine.terminal.sweep import sweep

    return sweep(options)


def _seed(text: str) -> int:
    if not text.isdigit() or int(text) >= 2**63:
        raise argparse.ArgumentTypeError(f"“{text}” is not allowed. A whole number from 0 to 2⁶³ − 1")
    return int(text)


def _threads(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 1024:
        raise argparse.ArgumentTypeError(f"“{text}” is not allowed. A whole number from 1 to 1,024")
    return int(text)
