"""What depends on the data: scenarios of digits, groups, budgets, time and memory."""

from __future__ import annotations

from engine.core.method import Estimate, Problem
from engine.methods.concept_memory.concept_images import ConceptImages
from engine.methods.concept_memory.parameters import Parameters

SECONDS_PER_IMAGE_EPOCH = 1.2e-5
SECONDS_PER_STUDY = 1.5


def check(parameters: Parameters, data: ConceptImages) -> list[Problem]:
    """Problems of these parameters with these images."""
    problems = []
    groups = len(data.group_names)
    if parameters.groups is not None and parameters.groups > groups:
        text = f"the data has {groups} concept group{'s' if groups != 1 else ''}"
        problems.append(Problem("groups", text, suggestion=groups))
    if data.digits is None and parameters.scenario != "plain":
        text = "scenarios are for digits: these images are used as they are"
        problems.append(Problem("scenario", text, "warning", "plain"))
    if data.digits is not None and parameters.scenario in ("unbalanced", "both"):
        nines = int((data.digits == 9).sum())
        if parameters.nines == 0:
            text = "without a training nine its concept is constant and cannot be learned"
            problems.append(Problem("nines", text, "warning", 6))
        elif parameters.nines > nines // 2:
            problems.append(Problem("nines", f"about {nines // 2} nines are in training", "warning"))
    if parameters.k_apply > 1 and parameters.conflict == "closest" and parameters.k_apply > 10:
        problems.append(
            Problem("k_apply", "so many near entries are rare: little will be applied", "warning")
        )
    if parameters.conflict == "vote" and parameters.k_apply == 1:
        text = "a vote needs at least two near entries: raise k to apply"
        problems.append(Problem("conflict", text, "warning", "closest"))
    if parameters.thresholds == "manual" and parameters.t_a == 0:
        problems.append(Problem("t_a", "nothing is corrected within distance 0", "warning"))
    return problems


def estimate(parameters: Parameters, data: ConceptImages) -> Estimate:
    """Seconds and memory from the sizes; training takes most."""
    parts = parameters.seeds * (2 if parameters.scenario == "both" and data.digits is not None else 1)
    width = data.images[0].size if data.n else 1
    work = data.n * parameters.epochs * (1 + width * parameters.hidden / 23_000)
    seconds = parts * (SECONDS_PER_STUDY + SECONDS_PER_IMAGE_EPOCH * work)
    return Estimate(seconds, data.n * width * 12 + (200 << 20))
