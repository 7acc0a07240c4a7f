"""Seed, threads and device: what a run needs besides its parameters to be repeated bit for bit."""

from __future__ import annotations

import os

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.tab.experiment import Experiment
from gui.widgets.choice_field import ChoiceField
from gui.widgets.field_row import FieldRow
from gui.widgets.number_field import NumberField
from gui.widgets.option import Option
from gui.widgets.section import Section

LOCKED = "Locked while the run goes on"
DEVICES = (
    Option("auto", "best there is"),
    Option("cpu", "CPU"),
    Option("cuda", "CUDA"),
    Option("mps", "Metal"),
)


class Computing(QWidget):
    """A section that closes up; its title always says the seed, the threads and the device."""

    def __init__(self, experiment: Experiment, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.experiment = experiment
        self.section = Section("Repeatability", collapsible=True, opened=False, resettable=True)
        self.seed = NumberField(experiment.seed, whole=True, minimum=0, maximum=2**31 - 1, name="Seed")
        most = os.cpu_count() or 1
        self.threads = NumberField(experiment.threads, whole=True, minimum=1, maximum=most, name="Threads")
        self.device = ChoiceField(DEVICES, experiment.device, name="Device")
        helps = (
            ("Seed", self.seed, "The same seed, parameters and threads give the same numbers"),
            ("Threads", self.threads, "Another number of threads may change the last digits"),
            ("Device", self.device, "Where learning is computed; other methods use the CPU"),
        )
        for label, field, text in helps:
            self.section.add(FieldRow(label, field, help_text=text))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.section)
        self.seed.value_changed.connect(lambda seed: experiment.set_settings(seed=int(seed)))
        self.threads.value_changed.connect(lambda count: experiment.set_settings(threads=int(count)))
        self.device.value_changed.connect(lambda device: experiment.set_settings(device=str(device)))
        self.section.reset_requested.connect(lambda: experiment.set_settings(seed=0, device="auto"))
        experiment.settings_changed.connect(self.fill)
        experiment.target_changed.connect(self.lock)
        self.fill()

    def fill(self) -> None:
        """Show the present settings."""
        experiment = self.experiment
        for field, value in (
            (self.seed, experiment.seed),
            (self.threads, min(experiment.threads, os.cpu_count() or 1)),
            (self.device, experiment.device),
        ):
            if field.value() != value:
                field.set_value(value)
        self.section.set_note(f"· seed {experiment.seed}, {threads_in_words(experiment.threads)}")
        changed = experiment.seed != 0 or experiment.device != "auto"
        self.section.set_reset_blocked("" if changed else "Nothing is changed")

    def lock(self) -> None:
        """While a run computes its settings stay as they are."""
        for field in (self.seed, self.threads, self.device):
            field.setEnabled(not self.experiment.computing)
            field.setToolTip(LOCKED if self.experiment.computing else "")


def threads_in_words(count: int) -> str:
    """ "1 thread", "2 threads"."""
    return f"{count} thread{'s' * (count != 1)}"
