"""What actions work on: a study, the thresholds in force, what a person drafted, remembered and judged.

Everything derived (who is flagged, who is corrected, accuracy) is computed anew from the cached distances
after each change; on the default data this takes a few milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import RunError
from engine.methods.concept_memory.concept_images import ConceptImages
from engine.methods.concept_memory.generalisation import (
    Applied,
    Corrections,
    corrections_of,
    flagged,
    generalise,
)
from engine.methods.concept_memory.interventions import (
    Correction,
    class_logits,
    crowded_groups,
    exclusive_groups,
    exclusive_projection,
    softmax,
)
from engine.methods.concept_memory.memory import Author, Entry, Refusal
from engine.methods.concept_memory.neighbours import distances, kth
from engine.methods.concept_memory.parameters import Parameters
from engine.methods.concept_memory.scoring import HARMED, REPAIRED, RIGHT, WRONG, Gain, gain, outcome
from engine.methods.concept_memory.study import Study

BY_HAND = 4
"""Beside the outcomes of `scoring`: corrected by a person on this very image."""


@dataclass(frozen=True, eq=False)
class Standing:
    """Where everything stands under the thresholds in force, over the N test images."""

    corrections: Corrections
    applied: Applied
    d_k: NDArray[np.float64]
    nearest: NDArray[np.int64]
    flags: NDArray[np.bool_]
    class_before: NDArray[np.float64]
    class_after: NDArray[np.float64]
    state: NDArray[np.int64]
    gain: Gain

    @property
    def predicted_before(self) -> NDArray[np.int64]:
        return self.class_before.argmax(axis=1)

    @property
    def predicted_after(self) -> NDArray[np.int64]:
        return self.class_after.argmax(axis=1)


@dataclass(eq=False)
class Session:
    """State of the tab; `study` is None until the first network is trained."""

    parameters: Parameters
    data: ConceptImages
    study: Study | None = None
    selected: int = -1
    mode: str = "auto"
    t_d: float = 0.0
    t_a: float = 0.0
    k: int = 1
    groups_applied: int = 0
    drafts: dict[int, dict[int, float]] = field(default_factory=dict)
    archive: dict[int, tuple[int, Entry]] = field(default_factory=dict)
    superseded: dict[int, list[int]] = field(default_factory=dict)
    accepted: dict[int, int] = field(default_factory=dict)
    reviewed: set[int] = field(default_factory=set)
    plane: NDArray[np.float64] | None = None
    plane_of_pool: NDArray[np.float64] | None = None
    exclusive: tuple[bool, ...] = ()
    _standing: Standing | None = None

    # ------------------------------------------------------------------ the study

    def take(self, study: Study) -> None:
        """Work on this study from now on, with its thresholds or the given ones."""
        self.study = study
        self.exclusive = exclusive_groups(self.data.concepts, self.data.groups)
        self.groups_applied = study.groups_applied
        self.mode = self.parameters.thresholds
        self.choose_thresholds()
        self.plane, self.plane_of_pool = principal_plane(study.test.encodings, study.pool.encodings)
        self.selected = int(study.test.places[0]) if len(study.test.places) else -1
        self.changed()

    def choose_thresholds(self) -> None:
        """Those of the mode in force."""
        study, p = self.known, self.parameters
        if self.mode == "manual":
            self.t_d, self.t_a, self.k = p.t_d, p.t_a, min(p.k_detect, max(1, len(study.memory)))
        else:
            self.t_d, self.t_a, self.k = study.detection.threshold, study.t_a, study.detection.k

    @property
    def known(self) -> Study:
        """The study.

        Raises:
            RunError: there is none yet.
        """
        if self.study is None:
            raise RunError("There is nothing to correct before the first network is trained.")
        return self.study

    def changed(self) -> None:
        """Something is different: what was derived is derived anew when asked for."""
        self._standing = None

    @property
    def now(self) -> Standing:
        """Where everything stands."""
        if self._standing is None:
            self._standing = self._derived()
        return self._standing

    @property
    def labels(self) -> NDArray[np.int64]:
        """True classes of the test images."""
        return self.data.labels[self.known.test.places]

    @property
    def taught(self) -> NDArray[np.bool_]:
        """Test images a person corrected themselves: left out of the accuracy the memory is given."""
        sources = [entry.source for entry in self.known.memory.entries if entry.author == "person"]
        return np.isin(self.known.test.places, sources)

    def row(self, place: int) -> int:
        """Row of a test image, −1 for any other."""
        found = np.flatnonzero(self.known.test.places == place)
        return int(found[0]) if len(found) else -1

    def entry_from(self, place: int) -> Entry | None:
        """The newest entry that was taken from this image."""
        entries = [entry for entry in self.known.memory.entries if entry.source == place]
        return entries[-1] if entries else None

    def queue(self) -> NDArray[np.int64]:
        """Rows to review, nearest to the memory first: flagged, not repaired, taught or reviewed."""
        now = self.now
        open_rows = now.flags & ~np.isin(now.state, (REPAIRED, BY_HAND))
        open_rows &= ~np.isin(self.known.test.places, list(self.reviewed))
        rows = np.flatnonzero(open_rows)
        return rows[np.argsort(now.d_k[rows], kind="stable")]

    # ------------------------------------------------------------------ drafting

    def draft(self, place: int) -> dict[int, float]:
        """What a person set on this image and has not remembered: concept → value."""
        return self.drafts.get(place, {})

    def set_concept(self, place: int, concept: int, value: float) -> None:
        """One concept more of the draft; with the projection, the rest of a one-hot group follows a 1."""
        draft = dict(self.draft(place))
        draft.pop(concept, None)
        single = Correction((concept,), (value,))
        if self.parameters.projection:
            single = exclusive_projection(single, self.data.groups, self.exclusive)
        for other, other_value in zip(single.concepts, single.values, strict=True):
            draft.pop(other, None)
            draft[other] = other_value
        self.drafts[place] = draft

    def drafted(self, place: int) -> Correction | None:
        """The draft as a correction, None where nothing is set."""
        draft = self.draft(place)
        return Correction(tuple(draft), tuple(draft.values())) if draft else None

    def crowded(self, place: int) -> tuple[str, ...]:
        """One-hot groups the draft gives more than one 1."""
        correction = self.drafted(place)
        if correction is None:
            return ()
        found = crowded_groups(correction, self.data.groups, self.exclusive)
        return tuple(self.data.group_names[group] for group in found)

    # ------------------------------------------------------------------ remembering

    def remember(self, place: int, correction: Correction, author: Author) -> tuple[Entry, tuple[Entry, ...]]:
        """A new entry at a test image; returns it with the older entries at the same place."""
        study, row = self.known, self.row(place)
        if row < 0:
            raise RunError("Only a test image can be corrected; entries of the pool are there already.")
        encoding = study.test.encodings[row]
        twins = study.memory.twins_of(encoding)
        number = max((study.memory.next_number, *(n + 1 for n in self.archive)))
        entry = Entry(
            number=number,
            encoding=encoding,
            source=place,
            correction=correction,
            author=author,
            made=datetime.now(UTC).isoformat(timespec="seconds"),
            name=self.data.name_of(place),
        )
        self._insert(len(study.memory), entry)
        return entry, twins

    def forget(self, number: int) -> None:
        """Take an entry out, to be brought back by `recall`."""
        study = self.known
        place = self._place_of(number)
        self.archive[number] = (place, study.memory.entries[place])
        study.memory = study.memory.without(number)
        study.distances = np.delete(study.distances, place, axis=1)
        self.k = max(1, min(self.k, len(study.memory)))
        self.changed()

    def recall(self, number: int) -> None:
        """Bring back an entry that was forgotten, at its old place."""
        if number not in self.archive:
            raise RunError(f"There is no entry {number} to bring back.")
        self._insert(*self.archive.pop(number))

    def take_back(self, number: int) -> None:
        """Forget an entry; a person's becomes a draft again, and what it superseded returns."""
        self.forget(number)
        _, entry = self.archive[number]
        if entry.author == "person" and entry.correction is not None:
            self.drafts[entry.source] = dict(
                zip(entry.correction.concepts, entry.correction.values, strict=True)
            )
        for older in self.superseded.get(number, ()):
            self.recall(older)

    def bring_back(self, number: int) -> None:
        """The inverse of `take_back`."""
        for older in self.superseded.get(number, ()):
            self.forget(older)
        self.recall(number)
        self.drafts.pop(self.known.memory.entries[self._place_of(number)].source, None)

    def refuse(self, place: int, number: int) -> None:
        """The entry is not to be applied to this image, nor to those nearer to it than to the entry."""
        study, row = self.known, self.row(place)
        study.memory = study.memory.with_refusal(Refusal(number, study.test.encodings[row], place))
        self.changed()

    def allow(self, place: int, number: int) -> None:
        """Take a refusal back."""
        study = self.known
        study.memory = study.memory.without_refusal(number, place)
        self.changed()

    def verdict(self, place: int, number: int) -> str:
        """What the person said of this correction: accept, reject or none."""
        if any((r.number, r.source) == (number, place) for r in self.known.memory.refusals):
            return "reject"
        return "accept" if self.accepted.get(place) == number else "none"

    def _insert(self, place: int, entry: Entry) -> None:
        study = self.known
        entries = list(study.memory.entries)
        entries.insert(place, entry)
        study.memory = replace(study.memory, entries=tuple(entries))
        column = distances(study.test.encodings, entry.encoding[None], study.settings.metric)[:, 0]
        study.distances = np.insert(study.distances, place, column, axis=1)
        self.changed()

    def _place_of(self, number: int) -> int:
        places = [at for at, entry in enumerate(self.known.memory.entries) if entry.number == number]
        if not places:
            raise RunError(f"There is no entry {number} in the memory.")
        return places[0]

    def _derived(self) -> Standing:
        study = self.known
        corrections = corrections_of(study.memory, self.data.groups, self.groups_applied)
        before, labels = study.test.probabilities, self.labels
        applied = generalise(
            before,
            study.distances,
            corrections,
            self.t_a,
            self.parameters.k_apply,
            refused=study.refused(),
            conflict=self.parameters.conflict,
        )
        class_before = softmax(class_logits(before, study.model.weight, study.model.bias))
        class_after = softmax(class_logits(applied.probabilities, study.model.weight, study.model.bias))
        taught = self.taught
        state = outcome(class_before.argmax(axis=1) == labels, class_after.argmax(axis=1) == labels)
        held = len(study.memory)
        return Standing(
            corrections=corrections,
            applied=applied,
            d_k=kth(study.distances, min(self.k, held) if held else 1),
            nearest=study.distances.argmin(axis=1) if held else np.full(len(labels), -1),
            flags=flagged(study.distances, self.t_d, min(self.k, held) if held else 1),
            class_before=class_before,
            class_after=class_after,
            state=np.where(taught, BY_HAND, state),
            gain=gain(
                before,
                applied,
                self.data.concepts[study.test.places],
                labels,
                study.model.weight,
                study.model.bias,
                ~taught,
            ),
        )


def principal_plane(
    encodings: NDArray[np.floating], others: NDArray[np.floating]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The first two principal components of `encodings` (N, d): places of both (N, 2), (m, 2)."""
    centre = encodings.mean(axis=0, dtype=np.float64)
    spread = (encodings - centre).T @ (encodings - centre)
    _, vectors = np.linalg.eigh(spread)
    basis = vectors[:, -1 : -3 if vectors.shape[1] > 2 else None : -1]
    # The sign of a component is free; the largest weight is made positive so that maps can be compared.
    basis = basis * np.sign(basis[np.abs(basis).argmax(axis=0), range(basis.shape[1])])
    if basis.shape[1] < 2:
        basis = np.column_stack([basis, np.zeros(len(basis))])
    return (encodings - centre) @ basis, (others - centre) @ basis


__all__ = ["BY_HAND", "HARMED", "REPAIRED", "RIGHT", "WRONG", "Session", "Standing", "principal_plane"]
