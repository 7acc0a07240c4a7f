"""Sweeps in the window: parameters turned into lists, runs followed, results as table and plots."""
