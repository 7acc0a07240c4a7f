"""Sweeps: a method run over a grid of parameter values and seeds, kept in one folder.

`grid` turns what is typed into values, `plan` lists the runs, `preparing` checks them against the data,
`folder` keeps sweep, runs, failures and tables on disk, `runner` brings runs to `workers` (`local`
processes or a `cluster` of Dask) and takes in what comes back, `results` gives mean and confidence per
setting, `pictures` shows them. A run is known by the hash of what decides its numbers: whatever is killed
and begun again, no setting is lost or counted twice.
"""
