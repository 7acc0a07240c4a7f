"""What every method stands on: the contract, the runner, records, figures and data sets."""
