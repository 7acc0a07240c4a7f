"""The window around the tabs: list of methods, start page, runs, palette, queue, settings, faults."""
