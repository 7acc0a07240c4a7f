"""Files of a run: losses, weights, markers, change points, and the LaTeX table of SA(τ)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.core.context import Context
from engine.core.events import Artifact
from engine.methods.adaptive_regret.change_points import change_points
from engine.methods.adaptive_regret.parameters import LABELS
from engine.methods.adaptive_regret.session import Session

_ROWS_AT_A_TIME = 1500


def write_files(session: Session, context: Context) -> Iterator[Artifact | None]:
    """The folder of files as one artifact; None after every few thousand rows."""
    folder = context.scratch / "adaptive_regret"
    folder.mkdir(parents=True, exist_ok=True)
    for name, work in (
        ("losses.csv", _losses),
        ("weights.csv", _weights),
        ("markers.csv", _markers),
        ("change_points.csv", _changes),
        ("adaptive_regret.tex", _latex),
    ):
        with (folder / name).open("w", encoding="utf-8", newline="\n") as file:
            for lines in work(session):
                file.write(lines)
                yield None
    yield Artifact("adaptive_regret", folder, "Folder of losses and weights")


def _losses(session: Session) -> Iterator[str]:
    names, played = session.names, session.played
    yield ",".join(["round", *names]) + "\n"
    columns = np.column_stack([session.learners[n].losses[:played] for n in names])
    for first in range(0, played, _ROWS_AT_A_TIME):
        rows = columns[first : first + _ROWS_AT_A_TIME].tolist()
        yield "".join(f"{first + i},{','.join(f'{v:.10g}' for v in row)}\n" for i, row in enumerate(rows, 1))


def _weights(session: Session) -> Iterator[str]:
    yield "algorithm,level,length_in_markers,first_round,last_round,weight\n"
    for name in session.with_markers():
        record, played = session.learners[name].record, session.played
        width, levels = record.width, int(np.flatnonzero(record.level_weight.any(axis=1))[-1]) + 1
        for level in range(levels):
            lines = []
            for column in range(-(-played // width)):
                last = min((column + 1) * width, played)
                mean = record.level_weight[level, column] / (last - column * width)
                lines.append(f"{name},{level},{1 << level},{column * width + 1},{last},{mean:.6g}\n")
            yield "".join(lines)


def _markers(session: Session) -> Iterator[str]:
    yield "algorithm,marker,round\n"
    for name in session.with_markers():
        found = session.learners[name].markers().tolist()
        for first in range(0, len(found), _ROWS_AT_A_TIME * 4):
            part = found[first : first + _ROWS_AT_A_TIME * 4]
            yield "".join(f"{name},{m},{t + 1}\n" for m, t in enumerate(part, first + 1))


def _changes(session: Session) -> Iterator[str]:
    yield "algorithm,onset,detected,sign,evidence\n"
    for name in session.with_markers():
        found = change_points(session.learners[name], session.parameters.evidence)
        for first in range(0, len(found), _ROWS_AT_A_TIME):
            part = found[first : first + _ROWS_AT_A_TIME]
            yield "".join(f"{name},{e.onset + 1},{e.detected + 1},{e.sign},{e.evidence:.4g}\n" for e in part)


def _latex(session: Session) -> Iterator[str]:
    """Rows are algorithms, columns lengths; mean ± standard deviation over the streams drawn."""
    tau = [t for t in session.windows.lengths if any(t in r for r in session.repeats.values())]
    tau = tau[-7:]
    yield "\\begin{tabular}{l" + "r" * len(tau) + "}\n\\toprule\n"
    yield "$\\tau$ & " + " & ".join(f"{t}" for t in tau) + " \\\\\n\\midrule\n"
    best = {t: min(np.mean(r[t]) for r in session.repeats.values()) for t in tau}
    for name in session.names:
        cells = []
        for t in tau:
            values = session.repeats[name][t]
            text = f"{np.mean(values):.2f}"
            text = f"\\mathbf{{{text}}}" if np.mean(values) == best[t] else text
            several = f" \\pm {np.std(values, ddof=1):.2f}" if len(values) > 1 else ""
            cells.append(f"${text}{several}$")
        yield LABELS[name].replace("²", "$^2$") + " & " + " & ".join(cells) + " \\\\\n"
    yield "\\bottomrule\n\\end{tabular}\n"
