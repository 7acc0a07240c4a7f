# Two commands: `make run` sets up and opens the window, `make test` sets up and runs the tests.
# Both are safe to repeat; when nothing is missing the set-up takes about a second.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
EXTRAS := geo,dask
ARGS ?=

.PHONY: run test test-slow check benchmarks setup setup-test clean

run: setup
	@$(BIN)/python main.py $(ARGS)

test: setup-test check
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -q -n 2 --dist loadfile $(ARGS) \
		|| { echo "Once more, one after another: what failed on two cores at once"; \
		QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -q --last-failed --last-failed-no-failures none $(ARGS); }

# Checks that take minutes: large data, fifty killed processes, long streams.
test-slow: setup-test
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -q -m slow --timeout 1200 $(ARGS)

check: setup-test
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

# Times against the peers, printed, never asserted.
benchmarks: setup-test
	@for file in tests/benchmarks/bench_*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

setup: $(VENV)/.installed
	@.ci/system-libraries window

setup-test: $(VENV)/.installed-test
	@.ci/system-libraries window test

$(VENV)/bin/python:
	@.ci/system-libraries python
	@echo "Making $(VENV) with $(PYTHON)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Papertab needs Python 3.11 or newer"; exit 2; }
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.installed: pyproject.toml $(VENV)/bin/python
	@echo "Installing Papertab and what it needs: a few minutes and about 2 GB, the first time only"
	@PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$(EXTRAS)]'
	@$(BIN)/python -m compileall -q engine gui main.py
	@echo "Compiling kernels, so that the first Run is quick"
	@.ci/system-libraries window
	@$(BIN)/python -m engine.core.warming gui.views.kernels:warm
	@touch $@

$(VENV)/.installed-test: $(VENV)/.installed
	@PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$(EXTRAS),test]'
	@touch $@

clean:
	rm -rf $(VENV) build *.egg-info
