"""Records of runs: written as they happen, read back as they were.

`writer` and `reader` are the two ends; `library` is the folder of all runs, `archive` takes them along.
The form of a run's folder is told in `archive.README`, which goes into every export.
"""
