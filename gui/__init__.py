"""The window. Arrows run from here to engine.core; nothing under engine knows this package."""
