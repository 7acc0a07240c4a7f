"""Runs compared: differences in settings, results, views over each other, and their histories together."""
