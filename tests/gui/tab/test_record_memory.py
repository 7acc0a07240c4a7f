"""Opening and closing recorded runs gives their memory back."""

from __future__ import annotations

import gc
from typing import Any

import psutil
import pytest

OPENED = 50
MOST_GROWTH = 50_000_000


@pytest.mark.slow
def test_fifty_records_opened_and_closed(tab: Any, window: Any, until: Any) -> None:
    tab.experiment.set_value("steps", 100_000)
    tab.run_button.click()
    until(lambda: tab.status_text() == "Finished")
    run = tab.experiment.job.id
    tab.experiment.show_preview()
    library = window.engine.library
    process, sizes = psutil.Process(), []
    for number in range(OPENED):
        record = library.open(run)
        tab.open_record(record, record.board())
        assert len(tab.view("path").state.series[0].x) == 100_000
        tab.experiment.show_preview()
        window.bridge.drain()
        if number in (5, OPENED - 1):
            gc.collect()
            sizes.append(process.memory_info().rss)
    assert sizes[1] - sizes[0] < MOST_GROWTH
