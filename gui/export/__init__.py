"""Figures and data of views as files: the dialog, its preview, the files in the background."""
